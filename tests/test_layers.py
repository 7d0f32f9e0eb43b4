"""Every package has its place in import-linter's layers, and each sink is in its own file."""

import ast
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUTSIDE = {"bench", "tests"}  # they may import everything, and nothing imports them


def test_every_top_level_package_is_listed_in_the_layers():
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(c for c in linter["contracts"] if c["type"] == "layers")["layers"]
    layered = {name.strip() for layer in layers for name in layer.split("|")}

    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}

    assert packages - OUTSIDE == layered == set(linter["root_packages"])


def test_kafka_is_imported_only_by_its_own_modules_and_the_settings():
    packages = [
        path.parent for path in ROOT.glob("*/__init__.py") if path.parent.name not in OUTSIDE
    ]
    modules = [path for package in packages for path in package.rglob("*.py")]

    found = {str(path.relative_to(ROOT)) for path in modules if "kafka" in path.read_text().lower()}

    assert found == {
        "linkwatch/settings.py",
        "outbox/kafka.py",
        "outbox/kafka_settings.py",
        "targets/sinks/kafka.py",
        "targets/sinks/kafka_settings.py",
    }


def test_the_extraction_of_links_is_pure():
    """It runs in CI jobs without Django: it imports itself, the standard library and pypdf."""
    folder = ROOT / "client" / "linkwatch_client" / "extraction"
    imported = set()
    for path in folder.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                imported.add(node.module or "")
            elif isinstance(node, ast.Import):
                imported |= {alias.name for alias in node.names}

    others = {name for name in imported if name.partition(".")[0] not in sys.stdlib_module_names}
    assert {name.partition(".extraction")[0] for name in others} == {
        "linkwatch_client",
        "pypdf",
        "pypdf.errors",
    }
