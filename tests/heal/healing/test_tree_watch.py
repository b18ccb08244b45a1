"""Which files that a step leaves would decide what a later one checks."""

import pytest

from git_retcon.heal.healing.tree_watch import decides_checks


@pytest.mark.parametrize(
    "path", ["conftest.py", "tests/conftest.py", "src/sitecustomize.py", "pytest.ini", "x.pth",
             ".venv/lib/python3.11/site-packages/sitecustomize.py", "pytest.py", "src/json.py",
             "setup.cfg", ".gitignore", ".venv/lib/python3.11/site-packages/x.pth", "tox.ini"],
)  # fmt: skip
def test_what_tools_obey_decides(path: str) -> None:
    assert decides_checks(path.encode())


@pytest.mark.parametrize(
    "path", [".pytest_cache/.gitignore", ".pytest_cache/README.md", ".mypy_cache/.gitignore",
             "src/__pycache__/app.cpython-311.pyc", "build/Makefile", "Makefile", "coverage.xml",
             "src/shop.egg-info/requires.txt", "node_modules/x/package.json", "report.json",
             "target/debug/build/x", ".ruff_cache/0.1/x", "dist/setup.cfg", "CMakeCache.txt"],
)  # fmt: skip
def test_what_tools_make_does_not(path: str) -> None:
    assert not decides_checks(path.encode())
