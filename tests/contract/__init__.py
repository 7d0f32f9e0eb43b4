"""The public interfaces of the newest release as text files, compared with those of this code.

`python -m tests.contract` writes the files of this folder again. `deploy/prepare-release` runs it;
at any other time the files would no longer describe a release.
"""
