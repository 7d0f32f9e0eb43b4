"""The public interfaces of 0.2.0 as text files, compared with those of this code.

`python -m tests.contract` writes the files of this folder again. They describe 0.2.0: write them
again only when a release changes the contract.
"""
