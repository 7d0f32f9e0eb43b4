"""Writes the files of the contract again, from the code in the current folder."""

import os
import sys

import pytest

os.environ["CONTRACT_WRITE"] = "1"
sys.exit(pytest.main(["-q", "-n0", "-p", "no:randomly", "tests/contract/test_contract.py"]))
