"""Lines that are whole by themselves are parts of their own; lines that need others are not."""

import ast
import json
import random
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.cuts import Run, find_cuts
from git_retcon.code.versions import read_version
from git_retcon.git.lines import diff_lines, split_lines


def parts(path: bytes, old: str, new: str) -> list[tuple[int, int, str, str]]:
    """Every part as (old line, old end, removed, added)."""
    before = read_version(path, split_lines(old.encode()))
    after = read_version(path, split_lines(new.encode()))
    found: list[tuple[int, int, str, str]] = []
    for hunk in diff_lines(before.lines, after.lines):
        a, b = hunk.old.start, hunk.new.start
        runs = (
            Run(before, hunk.old.start, hunk.old.stop),
            Run(after, hunk.new.start, hunk.new.stop),
        )
        for c, d in find_cuts(*runs):
            removed, added = b"".join(before.lines[a:c]), b"".join(after.lines[b:d])
            found.append((a, c, removed.decode(), added.decode()))
            a, b = c, d
    return found


def added(path: bytes, old: str, new: str) -> list[str]:
    return [part for *_, part in parts(path, old, new)]


@pytest.mark.parametrize(
    ("path", "before", "one", "two", "after"),
    [
        (b"a.py", "import os\n", "import re\n", "import sys\n", ""),
        (b"a.py", "import os\n", "from a import (\n    b,\n)\n", "import sys\n", ""),
        (b"a.py", "from a import (\n", "    b,\n", "    c,\n", "    d,\n)\n"),
        (b"a.js", "", "import a from 'a';\n", "import { b } from 'b';\n", "f();\n"),
        (b"a.js", "'use strict';\n", "const a = require('a');\n", "const b = require('b');\n", ""),
        (b"a.rs", "use a;\n", "use b::{\n    c, d,\n};\n", "pub mod e;\n", ""),
        (b"a.c", "#include <a.h>\n", "#include <b.h>\n", '#include "c.h"\n', ""),
        (b"a.go", 'import (\n\t"a"\n', '\t"b"\n', '\tc "d/e"\n', ")\n"),
        (b"A.java", "package a;\n", "import b.C;\n", "import d.E;\n", ""),
        (b"a.rs", "struct A {\n    a: u8,\n", "    /// b\n    b: u8,\n", "    c: u8,\n", "}\n"),
        (b"a.go", "type A struct {\n\tA int\n", "\tB string // b\n", "\tC []int\n", "}\n"),
        (b"a.c", "struct a {\n  int a;\n", "  int b;\n", "  char *c; /* c */\n", "};\n"),
        (b"a.ts", "interface A {\n  a: string;\n", "  b?: number;\n", "  c(): void;\n", "}\n"),
        (b"a.py", "class A(NamedTuple):\n    a: int\n", "    b: int\n", "    c: int = 1\n", ""),
        (b"a.py", "class A(Enum):\n    A = 1\n", "    B = 2\n", "    C = 3\n", ""),
        (b"a.c", "enum a {\n  A,\n", "  B,\n", "  C = 7,\n", "  D\n};\n"),
        (b"A.java", "enum A {\n  A,\n", "  B,\n", "  C(1),\n", "  D;\n}\n"),
        (b"a.py", "A = {\n", '    "b": 1,\n', '    "c": [\n        2,\n    ],\n', "}\n"),
        (b"a.py", "A = [\n    1,\n", "    2,\n", "    3\n", "]\n"),
        (b"a.py", "f(\n    1,\n", "    a=1,\n", "    b=2,\n", ")\n"),
        (b"a_test.go", "x := []T{\n\t{1, 2},\n", "\t{3, 4},\n", "\t{5, 6},\n", "}\n"),
        (b"a.json", '{\n  "a": 1,\n', '  "b": 2,\n', '  "c": 3,\n', '  "d": 4\n}\n'),
        (b"Cargo.toml", '[dependencies]\na = "1"\n', 'b = "1"\n', 'c = { path = "c" }\n', ""),
        (b"a.yml", "on:\n  - a\n", "  - b\n", "  - c: 1\n    d: 2\n", ""),
        (b"a.yml", "a: 1\n", "b: 2\n", "c:\n  - d\n", ""),
        (b"t.sh", "set -e\n", "check one 1\n", "check two 2\n", "echo done\n"),
        (b"requirements.txt", "a==1\n", "b>=2\n", "# why\nc\n", ""),
        (b".gitignore", "*.o\n", "/build\n", "*.log\n", ""),
        (b"CHANGES.md", "# 1.0\n\n", "- one\n  more\n", "- two\n", "- old\n"),
    ],
)  # fmt: skip
def test_two_that_come_side_by_side_are_two_pieces(
    path: bytes, before: str, one: str, two: str, after: str
) -> None:
    assert added(path, before + after, before + one + two + after) == [one, two]
    assert [gone for _, _, gone, _ in parts(path, before + one + two + after, before + after)] == [
        one,
        two,
    ]


@pytest.mark.parametrize(
    ("path", "before", "run", "after"),
    [
        # What is at a place in a call means nothing without the others.
        (b"a.py", "f(\n", "    a,\n    b,\n", "    c,\n)\n"),
        # Neither the declaration without its first name, nor the string without its first part.
        (b"a.js", "f(() => {\n", "  let a = 1,\n    b = 2;\n", "})\n"),
        (b"a.py", "A = [\n", '    "b"\n    "c",\n', "]\n"),
        # A condition without its end is an error.
        (b"a.c", "#include <a.h>\n", "#ifdef B\n#include <b.h>\n#include <c.h>\n#endif\n", ""),
        # The list hangs from its key, the table from its head, the member from its type.
        (b"a.yml", "a: 1\n", "b:\n- c\n- d\n", ""),
        (b"a.toml", "[a]\nb = 1\n", "[c]\nd = 2\ne = 3\n", ""),
        (b"a.py", "a = 1\n", "class B(Enum):\n    C = 2\n    D = 3\n", ""),
        (b"go.txt", "a\n", "b\nc\n", ""),
        # One command of several lines, and one statement after another.
        (b"t.sh", "set -e\n", "check one \\\ntwo\n", ""),
        (b"a.py", "a()\n", "b = a()\nc = b\n", ""),
    ],
)
def test_what_hangs_together_is_one_piece(path: bytes, before: str, run: str, after: str) -> None:
    assert added(path, before + after, before + run + after) == [run]


def test_what_follows_a_list_of_entries_is_no_part_of_its_last() -> None:
    run = "import re\nimport sys\nX = re.I\n"
    assert added(b"a.py", "import os\n", "import os\n" + run) == run.splitlines(keepends=True)


def test_changed_entries_are_pieces_one_by_one() -> None:
    found = parts(b"requirements.txt", "a-b==1.2\nc-d==1.2\n", "a-b==1.3\nc-d==1.3\n")
    assert [each[2:] for each in found] == [
        ("a-b==1.2\n", "a-b==1.3\n"),
        ("c-d==1.2\n", "c-d==1.3\n"),
    ]


def test_a_comma_stays_with_the_item_that_it_came_for() -> None:
    found = parts(b"a.py", "A = [\n    1\n]\n", "A = [\n    1,\n    2\n]\n")
    assert [each[2:] for each in found] == [("    1\n", "    1,\n    2\n")]


def taken(old: str, all_pieces: list[tuple[int, int, str, str]], chosen: set[int]) -> str:
    """The old text with some of the parts."""
    lines = old.splitlines(keepends=True)
    for number in sorted(chosen, reverse=True):
        start, stop, _, new = all_pieces[number]
        lines[start:stop] = [new]
    return "".join(lines)


ITEMS = st.dictionaries(st.integers(0, 12), st.integers(0, 1), max_size=9)


def as_json(items: dict[int, int]) -> str:
    inner = ",\n".join(f'    "key {key}": {value}' for key, value in sorted(items.items()))
    return f'{{\n  "a": {{\n{inner}\n  }}\n}}\n' if items else '{\n  "a": {\n  }\n}\n'


def as_python(items: dict[int, int]) -> str:
    imports = "".join(f"import m{key}\n" for key, _ in sorted(items.items()))
    inner = ",\n".join(f'    "key {key}": {value}' for key, value in sorted(items.items()))
    return f"{imports}\nA = {{\n{inner}\n}}\n\n\nclass E(Enum):\n    pass\n" + "".join(
        f"    K{key} = {value}\n" for key, value in sorted(items.items())
    )


@pytest.mark.parametrize(
    ("path", "write", "parse"),
    [(b"a.json", as_json, json.loads), (b"a.py", as_python, ast.parse)],
)
@given(before=ITEMS, after=ITEMS, seed=st.integers(0, 2**16))
@settings(max_examples=150, deadline=None)
def test_any_subset_of_the_pieces_parses(
    path: bytes,
    write: Callable[[dict[int, int]], str],
    parse: Callable[[str], object],
    before: dict[int, int],
    after: dict[int, int],
    seed: int,
) -> None:
    old, new = write(before), write(after)
    found = parts(path, old, new)
    assert taken(old, found, set(range(len(found)))) == new
    chance = random.Random(seed)
    parse(taken(old, found, {at for at in range(len(found)) if chance.random() < 0.5}))


def test_a_bullet_is_a_piece_though_its_run_begins_with_another_line() -> None:
    run = "Changed:\n- one\n- two\n"
    assert added(b"a.md", "", run) == ["Changed:\n- one\n", "- two\n"]
