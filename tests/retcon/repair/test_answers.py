"""What could answer a complaint, likeliest first, by the kind of complaint."""

import pytest

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Kind
from git_retcon.retcon.repair.answers import find_answers
from git_retcon.retcon.repair.inventory import Inventory
from tests.retcon.repair.trials import Bench, Make

FIRST = "".join(f"a{at} = {at}\n" for at in range(9))
LAST = "".join(f"b{at} = {at}\n" for at in range(9))
OLD = f"import os\n{FIRST}\n\ndef gone():\n    return 1\n\n\n{LAST}y = gone()\nend = 1\n"
NEW = (
    f"import os\nimport json\n{FIRST}\n\n{LAST}y = 2\nend = 1\n\n\n"
    "def load(path):\n    return path\n\n\nz = load(y)\nw = json.dumps(z)\n"
)


def answers(made: Bench, kind: Kind, *missing: str, **more: object) -> list[set[str]]:
    """Each answer by the first lines of its atoms."""
    fields = {"path": b"a.py", "line": 1, **more}
    taken = made.holding("import json")
    complaint = Diagnostic(message="", kind=kind, missing=missing, **fields)  # type: ignore[arg-type]
    found = find_answers(Inventory(made.situation(taken)), complaint)
    return [made.texts(answer) for answer in found]


def python(bench: Make) -> Bench:
    return bench(
        {"a.py": OLD, "b.py": "import a\n"},
        {
            "a.py": NEW,
            "b.py": "import a\n\na.load(1)\n",
            "lib/load.py": "def load(path):\n    return path\n",
        },
        "true",
    )


def test_a_missing_name_is_answered_by_its_definition_in_the_file_itself(bench: Make) -> None:
    assert answers(python(bench), Kind.UNDEFINED, "load")[0] == {"def load(path):"}
    assert answers(python(bench), Kind.UNDEFINED, "nowhere") == []


def test_the_owner_that_a_tool_names_decides_the_file(bench: Make) -> None:
    made = bench(
        {"a.py": "x = 1\n"},
        {"one.py": "def go():\n    1\n", "two.py": "def go():\n    2\n", "a.py": "x = 1\n"},
        "true",
    )
    for owner in ("one", "two"):
        inventory = Inventory(made.situation())
        complaint = Diagnostic(b"a.py", 1, "", ("go",), kind=Kind.IMPORT, owner=owner)
        (answer, *_) = find_answers(inventory, complaint)
        assert {made.difference[atom].path for atom in answer} == {f"{owner}.py".encode()}


def test_of_two_definitions_the_one_that_can_be_meant_is_likelier(bench: Make) -> None:
    """A function rather than a method, and one in the same folder."""
    method = "class A:\n    def go(self):\n        1\n"
    for files, meant in (
        ({"a1.py": method, "b1.py": "def go():\n    1\n"}, b"b1.py"),
        ({"x/a1.py": "def go():\n    1\n", "z1.py": "def go():\n    2\n"}, b"z1.py"),
    ):
        made = bench({"a.py": "x = 1\n"}, {"a.py": "x = 2\n", **files}, "true")
        complaint = Diagnostic(b"a.py", 1, "", ("go",), kind=Kind.UNDEFINED)
        (answer, *_) = find_answers(Inventory(made.situation()), complaint)
        assert {made.difference[atom].path for atom in answer} == {meant}


def test_a_missing_file_is_answered_by_all_of_it(bench: Make) -> None:
    made = bench(
        {"a.py": "x = 1\n"},
        {"a.py": "x = 1\n", "pkg/fresh.py": "A = 1\n\nB = 2\n", "other.py": "C = 1\n"},
        "true",
    )
    assert answers(made, Kind.FILE, wants_file=(b"pkg.fresh",))[0] == {"A = 1", "B = 2"}


def test_a_missing_package_is_answered_by_its_line_and_the_lock_file(bench: Make) -> None:
    made = bench(
        {"Cargo.toml": "[dependencies]\n", "Cargo.lock": "# lock\n", "x/Cargo.lock": "# x\n"},
        {
            "Cargo.toml": '[dependencies]\nserde_json = "1"\n',
            "Cargo.lock": "# lock\nname\n",
            "x/Cargo.lock": "# x\nname\n",
        },
        "true",
    )
    found = answers(made, Kind.FILE, path=b"a.rs", wants_file=(b"serde-json",))
    assert {'serde_json = "1"', "name"} in found


def test_what_was_removed_too_early_is_answered_by_the_end_of_its_use(bench: Make) -> None:
    made = python(bench)
    assert any("y = 2" in answer for answer in answers(made, Kind.UNDEFINED, "gone"))


def test_something_unused_is_answered_by_its_nearest_use_or_its_removal(bench: Make) -> None:
    assert answers(python(bench), Kind.UNUSED, "json")[0] == {"w = json.dumps(z)"}
    removed = answers(python(bench), Kind.UNUSED, "gone")
    assert {"def gone():"} in removed


def test_something_defined_twice_is_answered_by_its_removal(bench: Make) -> None:
    assert {"def gone():"} in answers(python(bench), Kind.DUPLICATE, "gone")


SHOP = "class Shop:\n    def __init__(self):\n        self.a = 1\n"


@pytest.mark.parametrize("owner", ["Shop.__init__", "a.Shop.__init__", "Shop"])
def test_a_disagreement_with_a_constructor_is_one_with_its_class(bench: Make, owner: str) -> None:
    made = bench({"a.py": "Shop()\n"}, {"a.py": f"{SHOP}\n\nShop()\n"}, "true")
    found = answers(made, Kind.MISMATCH, owner=owner)
    assert {"class Shop:"} in found


def test_a_constructor_of_no_known_class_is_no_crash(bench: Make) -> None:
    made = bench({"a.py": "x = 1\n"}, {"a.py": "x = 2\n"}, "true")
    assert answers(made, Kind.MISMATCH, "b", owner="__init__") == [{"x = 2"}]


def test_a_missing_parameter_is_looked_for_in_its_owner(bench: Make) -> None:
    made = bench(
        {"a.py": "def f(x):\n    return 1\n\n\ndef g(x):\n    return 2\n"},
        {"a.py": "def f(x, deep):\n    return 1\n\n\ndef g(x, deep):\n    return 2\n"},
        "true",
    )
    assert answers(made, Kind.MISMATCH, "deep", owner="g")[0] == {"def g(x, deep):"}


def test_a_syntax_error_is_answered_nearby(bench: Make) -> None:
    lines = [f"v{at} = {at}\n" for at in range(20)]
    changed = [*lines]
    changed[2], changed[15] = "v2 = (\n", "v15 = )\n"
    made = bench({"a.py": "".join(lines)}, {"a.py": "".join(changed)}, "true")
    assert answers(made, Kind.SYNTAX, line=14)[0] == {"v15 = )"}
    assert answers(made, Kind.SYNTAX, line=3)[0] == {"v2 = ("}
    assert answers(made, Kind.SYNTAX, path=b"b.py") == []


def test_a_complaint_of_no_known_kind_has_no_answer(bench: Make) -> None:
    assert answers(python(bench), Kind.OTHER, "load") == []
