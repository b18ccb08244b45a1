"""Imports of Go files: those that nothing uses, and those that are missing.

For repositories that do not run goimports. Each change is of whole lines; how they are laid out is
gofmt's to say.
"""

import re
from collections import Counter
from collections.abc import Iterable, Sequence

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.fixers.text_rows import read_rows, write_rows

# One package, alone or in parentheses: its name in the file, if it has another, and its path.
_PACKAGE = LazyPattern(
    r'^(?:import[ \t]+|[ \t]+)(?:(?P<name>[\w.]+)[ \t]+)?"(?P<path>[^"\s]+)"[ \t]*(?://.*)?$'
)
_BLOCK = LazyPattern(r"^import[ \t]*\(")
_CLAUSE = LazyPattern(r"^package[ \t]+\w+")
# What ends a path and is no part of the package's name: example.org/yaml.v3, example.org/chi/v5
_VERSION = LazyPattern(r"(?:/v\d+|\.v\d+)$")


def remove_package(content: bytes, name: str, line: int) -> bytes | None:
    """The file without the import of a package in a line (from 1); None where it is not there.
    ``name`` is its path, or the last part of that.
    """
    rows = read_rows(content)
    found = _PACKAGE.compiled.match(rows[line - 1]) if 0 < line <= len(rows) else None
    if found is None or name not in (found["path"], found["path"].rpartition("/")[2]):
        return None
    return write_rows([*rows[: line - 1], *rows[line:]], content)


def choose_package(name: str, files: Iterable[bytes]) -> str:
    """How other files of the repository import the package of a name most often, as it is written
    between parentheses; empty where none does.
    """
    found: Counter[str] = Counter()
    for content in files:
        if name.encode() not in content:
            continue
        for row in _list_imports(read_rows(content)):
            one = _PACKAGE.compiled.match(row)
            if one is not None and _name_package(one) == name:
                alias = f"{one['name']} " if one["name"] else ""
                found[f'{alias}"{one["path"]}"'] += 1
    return min(found, key=lambda text: (-found[text], len(text), text)) if found else ""


def add_package(content: bytes, package: str) -> bytes | None:
    """The file with one more package, in its order among the others; None for one that has it, or
    that has no package clause.
    """
    rows = read_rows(content)
    if any(row.strip() in (package, f"import {package}") for row in rows):
        return None
    block = next((at for at, row in enumerate(rows) if _BLOCK.compiled.match(row)), None)
    if block is not None and not rows[block].rstrip().endswith("("):
        return None
    if block is not None:
        at = _find_place(rows, block + 1, package)
        return write_rows([*rows[:at], f"\t{package}", *rows[at:]], content)
    clause = next((at for at, row in enumerate(rows) if _CLAUSE.compiled.match(row)), None)
    if clause is None:
        return None
    return write_rows([*rows[: clause + 1], "", f"import {package}", *rows[clause + 1 :]], content)


def _find_place(rows: Sequence[str], first: int, package: str) -> int:
    """Before the first package that sorts behind it, of the group that has its kind."""
    at = first
    while at < len(rows) and rows[at].strip() != ")":
        row = rows[at].strip()
        if (
            row
            and _is_standard(row) == _is_standard(package)
            and _sort_key(row) > _sort_key(package)
        ):
            return at
        # Behind the last of a group: an empty line, or the end.
        ends = not rows[at + 1].strip() or rows[at + 1].strip() == ")"
        if row and ends and _is_standard(row) == _is_standard(package):
            return at + 1
        at += 1
    return at


def _sort_key(row: str) -> str:
    return row.partition('"')[2]


def _is_standard(row: str) -> bool:
    """Whether a package is of the standard library, whose paths begin with no host."""
    return "." not in _sort_key(row).partition("/")[0]


def _list_imports(rows: Sequence[str]) -> Iterable[str]:
    is_open = False
    for row in rows:
        if _BLOCK.compiled.match(row):
            is_open = True
        elif is_open and row.startswith(")"):
            is_open = False
        elif is_open or row.startswith("import"):
            yield row
        elif row.startswith("func "):
            return


def _name_package(one: re.Match[str]) -> str:
    if one["name"]:
        return one["name"]
    return _VERSION.compiled.sub("", one["path"]).rpartition("/")[2]
