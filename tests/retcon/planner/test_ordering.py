"""Labels moved until the constraints hold."""

import math
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.constraints import Constraints, read_constraints
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.ordering import Order, Unit
from tests.repository import TestRepository
from tests.retcon.planner.building import branch, placed, planned


def pairs(whole: Difference, which: Sequence[tuple[int, int]]) -> set[tuple[bytes, bytes]]:
    """Pairs of atoms by what they add or else remove."""
    text = [b"".join(atom.added) or b"".join(atom.removed) for atom in whole.atoms]
    return {(text[a], text[b]) for a, b in which}


def test_a_bracket_opened_and_closed_around_old_lines_is_one_change(repo: TestRepository) -> None:
    body = "".join(f"step_{at}();\n" for at in range(9))
    whole = branch(repo, {"a.js": body}, {"a.js": f"when(() => {{\n{body}}});\n"})
    found = read_constraints(read_facts(whole), whole.texts)
    assert pairs(whole, found.inseparable) == {(b"when(() => {\n", b"});\n")}
    made = planned(whole, ["Begin when", "Close it"])
    assert len(set(placed(whole, made).values())) == 1


def test_changes_that_are_balanced_by_themselves_are_free(repo: TestRepository) -> None:
    body = "".join(f"step_{at}();\n" for at in range(9))
    whole = branch(repo, {"a.js": body}, {"a.js": f"begin(() => {{}});\n{body}end();\n"})
    assert read_constraints(read_facts(whole), whole.texts).inseparable == []


def test_the_head_of_an_unchanged_body_changes_at_once(repo: TestRepository) -> None:
    before = "def f():\n    if a:\n        one()\n        two()\n        three()\n"
    after = "def f():\n    zero()\n    one()\n    while b:\n        two()\n        three()\n"
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    made = planned(whole, ["Call zero", "While b"])
    heads = [
        made.placements[atom.id].commit
        for atom in whole.atoms
        if b":" in b"".join((*atom.added, *atom.removed))
    ]
    assert heads
    assert len(set(heads)) == 1


def test_imports_added_to_an_old_file_follow_each_its_own_use(repo: TestRepository) -> None:
    before = "import os\n\n\ndef f():\n    os.abort()\n"
    after = "import json\nimport os\nimport queue\nimport random\n" + before.removeprefix(
        "import os\n"
    )
    after += "\n\ndef stand():\n    return queue.Queue()\n\n\n"
    after += "def dice():\n    return random.random(), json\n"
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    found = placed(whole, planned(whole, ["Stand in line", "Throw dice"]))
    assert [found[f"import {name}\n".encode()] for name in ("queue", "random", "json")] == [0, 1, 1]


def test_a_parameter_is_no_use_of_another_file_s_definition(repo: TestRepository) -> None:
    tool = "const options = {};\nstart(options);\n"
    library = "function slug(text, options) {\n  return text.join(options);\n}\n"
    whole = branch(repo, {"a": "1\n"}, {"tool.js": tool, "lib.js": library})
    assert read_constraints(read_facts(whole), whole.texts).order == []
    using = library.replace("text, options", "text")
    whole = branch(repo, {"a": "1\n"}, {"tool.js": tool, "lib.js": using})
    assert len(read_constraints(read_facts(whole), whole.texts).order) == 1


@pytest.mark.parametrize(
    ("path", "head"),
    [
        ("tool.js", "#!/usr/bin/env node\n'use strict';\n"),
        ("Tool.java", "package tool;\n"),
        ("tool.h", "#ifndef TOOL_H\n#define TOOL_H\n"),
        ("tool.py", '"""Tools."""\n'),
    ],
)
@pytest.mark.parametrize("first", ["Print the version", "Say hello"])
def test_the_head_of_a_new_file_comes_with_its_first_piece(
    repo: TestRepository, path: str, head: str, first: str
) -> None:
    body = "void version() {\n  print(1);\n}\n\nvoid hello() {\n  print(2);\n}\n"
    whole = branch(repo, {"other": "1\n"}, {"other": "2\n", path: f"{head}\n{body}"})
    wishes = [("Other", "other"), (first, ""), ("Add the package's head and usual lines", "")]
    made = planned(whole, [f"{message} {more}" for message, more in wishes])
    labels = [made.placements[atom.id].commit for atom in whole.atoms if atom.path != b"other"]
    assert len(labels) > 1
    assert labels[0] == min(labels[1:])


def test_an_import_stays_until_something_else_binds_its_name(repo: TestRepository) -> None:
    before = (
        "from report import render\n\n\ndef main(rows):\n    check(rows)\n    print(render(rows))\n"
    )
    after = before.replace("from report import render\n", "").replace(
        "    print", "    render = pick(rows)\n    print"
    )
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    found = pairs(whole, read_constraints(read_facts(whole), whole.texts).order)
    assert (b"    render = pick(rows)\n", b"from report import render\n") in found


def test_a_renamed_definition_is_no_condition_for_its_body(repo: TestRepository) -> None:
    before = "def render(rows):\n    keep(rows)\n    old_name(rows)\n    return rows\n"
    after = before.replace("render", "render_text").replace("old_name", "new_name")
    whole = branch(repo, {"a.py": before}, {"a.py": after})
    found = read_constraints(read_facts(whole), whole.texts)
    assert pairs(whole, found.order) == set()
    assert pairs(whole, found.together) == set()


def test_a_misread_file_binds_nothing(repo: TestRepository) -> None:
    body = "".join(f"x{at} = 1\n" for at in range(9))
    whole = branch(repo, {"a.py": body}, {"a.py": f'y = """\n{body}z = 1\n'})
    assert read_constraints(read_facts(whole), whole.texts).inseparable == []


def test_a_moved_definition_moves_in_one_commit(repo: TestRepository) -> None:
    moved = "def validate_all(x):\n    check(x)\n    return x\n"
    whole = branch(
        repo,
        {"a.py": f"one = 1\n\n\n{moved}\n\ntwo = 2\n", "b.py": "three = 3\n"},
        {"a.py": "one = 1\n\n\ntwo = 2\n", "b.py": f"three = 3\n\n\n{moved}"},
    )
    found = read_constraints(read_facts(whole), whole.texts)
    assert len(found.together) == 1
    made = planned(whole, ["Tidy a", "Extend b"])
    assert len(set(placed(whole, made).values())) == 1


COUNT = 4
SCORES = st.lists(st.floats(-9, 0), min_size=COUNT, max_size=COUNT)
EDGES = st.lists(st.tuples(st.integers(0, 7), st.integers(0, 7)), max_size=12)


@given(st.lists(SCORES, min_size=8, max_size=8), EDGES)
@settings(max_examples=200, deadline=None)
def test_every_constraint_holds_in_the_end(
    scores: list[list[float]], edges: list[tuple[int, int]]
) -> None:
    units = [Unit((at,), line, 1.0) for at, line in enumerate(scores)]
    order = Order(units, Constraints(order=edges), COUNT)
    order.enforce()
    order.fill(range(COUNT))
    assert all(order.labels[a] <= order.labels[b] for a, b in edges)


@given(
    st.lists(SCORES, min_size=8, max_size=8), st.lists(st.integers(0, 3), min_size=8, max_size=8)
)
@settings(max_examples=100, deadline=None)
def test_without_constraints_only_empty_commits_change_anything(
    scores: list[list[float]], closed: list[int]
) -> None:
    for line, never in zip(scores, closed, strict=True):
        line[never] = -math.inf
    units = [Unit((at,), line, 1.0) for at, line in enumerate(scores)]
    order = Order(units, Constraints(), COUNT)
    order.enforce()
    assert order.labels == [unit.best for unit in units]
    order.fill(range(COUNT))
    assert all(line[k] > -math.inf for line, k in zip(scores, order.labels, strict=True))
