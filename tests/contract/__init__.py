"""What 0.2.0 promised the world, as text, and what this code promises now.

`python -m tests.contract` writes the files of this folder anew. They are of 0.2.0: do that only
when a release makes another promise.
"""
