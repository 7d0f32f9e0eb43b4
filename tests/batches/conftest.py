from tests.checker.conftest import quick as quick
