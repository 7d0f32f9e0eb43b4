"""Every package of the product has its place in the layers that import-linter holds."""

import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
OUTSIDE = {"bench", "tests"}  # they may import everything, and nothing imports them


def test_every_top_level_package_stands_in_the_layers():
    linter = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["importlinter"]
    layers = next(c for c in linter["contracts"] if c["type"] == "layers")["layers"]
    layered = {name.strip() for layer in layers for name in layer.split("|")}

    packages = {path.parent.name for path in ROOT.glob("*/__init__.py")}

    assert packages - OUTSIDE == layered == set(linter["root_packages"])
