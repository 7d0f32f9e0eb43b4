// Replaces a library of 200 KB, which none of our pages uses.
