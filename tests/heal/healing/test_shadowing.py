"""Files that take the place of a module."""

import pytest

from git_retcon.heal.healing.shadowing import shadows_module


@pytest.mark.parametrize(
    "path", ["pytest.py", "src/unittest/__init__.py", "json.py", "tests/_pytest/__init__.py",
             "sitecustomize.py", "os.pyc", "lib/mypy/__main__.py"],
)  # fmt: skip
def test_what_takes_the_place_of_a_module(path: str) -> None:
    assert shadows_module(path.encode())


@pytest.mark.parametrize(
    "path", ["src/shop/json.py", "app.py", "src/app/types/__init__.py", "json.txt", "json/x.py",
             "docs/ast.md"],
)  # fmt: skip
def test_what_takes_the_place_of_none(path: str) -> None:
    assert not shadows_module(path.encode())
