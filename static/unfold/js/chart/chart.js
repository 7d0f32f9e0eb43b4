// In the place of a library of 200 KB: no page of ours draws a chart with it.
