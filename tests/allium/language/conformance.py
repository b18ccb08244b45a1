"""The language's own examples, where they are at hand; none of them is part of the project."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

_VARIABLE = "GIT_RETCON_CONFORMANCE"


def find_folder() -> Path | None:
    """``$GIT_RETCON_CONFORMANCE``, else ``shared/conformance`` in a folder above; None without."""
    named = os.environ.get(_VARIABLE)
    if named:
        return Path(named) / "allium"
    for parent in Path(__file__).resolve().parents:
        folder = parent / "shared" / "conformance" / "allium"
        if folder.is_dir():
            return folder
    return None


def list_examples(kind: str) -> list[object]:
    """The examples of one kind as parameters; one that skips where there are none."""
    folder = find_folder()
    files = sorted((folder / kind).rglob("*.allium")) if folder is not None else []
    if folder is None or not files:
        return [pytest.param(Path(), marks=pytest.mark.skip(reason="no examples are at hand"))]
    return [pytest.param(file, id=str(file.relative_to(folder))) for file in files]


def read_expectations(file: Path) -> Iterator[str]:
    """The regular expressions beside an example, one a line."""
    expected = file.with_suffix(".expected")
    for line in expected.read_text().splitlines() if expected.exists() else ():
        if line.strip() and not line.startswith("#"):
            yield line
