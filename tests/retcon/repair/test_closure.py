"""A set of atoms with what it needs: definitions, ends of use, new files, and their beginnings."""

from git_retcon.retcon.repair.closure import add_beginnings, find_closure
from git_retcon.retcon.repair.inventory import Inventory
from tests.retcon.repair.trials import Bench, Make


def closed(made: Bench, *texts: str) -> set[str]:
    """The first lines of what the atoms with some texts need, and of these."""
    return made.texts(find_closure(Inventory(made.situation()), made.holding(*texts)))


def test_a_use_needs_its_definition_and_what_that_needs(bench: Make) -> None:
    made = bench(
        {"a.py": "x = 1\n"},
        {
            "a.py": "x = 1\n\ndef one():\n    return two()\n\ndef two():\n    return 2\n\n"
            "def three():\n    return 3\n\nmain = one()\n"
        },
        "true",
    )
    assert closed(made, "main = ") == {"main = one()", "def one():", "def two():"}
    assert closed(made, "def two") == {"def two():"}


def test_a_name_of_another_file_is_meant_only_where_it_is_imported(bench: Make) -> None:
    after = {"lib.py": "x = 1\n\ndef helper():\n    return 1\n", "app.py": "y = 1\n\nhelper()\n"}
    made = bench({"lib.py": "x = 1\n", "app.py": "y = 1\n"}, after, "true")
    assert closed(made, "helper()\n") >= {"helper()"}
    assert "def helper():" not in made.texts(
        find_closure(
            Inventory(made.situation()),
            [atom.id for atom in made.difference.atoms if atom.path == b"app.py"],
        )
    )
    importing = {**after, "app.py": "y = 1\n\nfrom lib import helper\n\nhelper()\n"}
    made = bench({"lib.py": "x = 1\n", "app.py": "y = 1\n"}, importing, "true")
    use = [
        atom.id
        for atom in made.difference.atoms
        if atom.path == b"app.py" and atom.added[-1] == b"helper()\n"
    ]
    found = made.texts(find_closure(Inventory(made.situation()), use))
    assert {"from lib import helper", "def helper():"} <= found


def test_a_method_of_another_file_is_meant_where_its_module_is_named(bench: Make) -> None:
    shop = "class Shop:\n    x = 1\n\n    def reopen(self):\n        return 1\n"
    before = {"shop.py": "class Shop:\n    x = 1\n", "app.py": "import shop\n\ny = 1\n"}
    for call, meant in (("shop.Shop().reopen()", True), ("anything.reopen()", False)):
        after = {"shop.py": shop, "app.py": f"import shop\n\ny = 1\n\n{call}\n"}
        made = bench(before, after, "true")
        use = [atom.id for atom in made.difference.atoms if atom.path == b"app.py"]
        found = find_closure(Inventory(made.situation()), use)
        assert (made.holding("def reopen") <= found) is meant


def test_a_removed_definition_needs_the_ends_of_its_uses(bench: Make) -> None:
    made = bench(
        {"a.py": "def gone():\n    return 1\n\n\nx = 1\n\nprint(gone())\n"},
        {"a.py": "x = 1\n\nprint(x)\n"},
        "true",
    )
    assert closed(made, "def gone") == {"def gone():", "print(x)"}


def test_a_moved_definition_leaves_and_arrives_together(bench: Make) -> None:
    text = "def moved():\n    return 1\n"
    rest = "".join(f"x{at} = {at}\n" for at in range(9))
    made = bench({"a.py": f"{text}\n\n{rest}"}, {"a.py": f"{rest}\n\n{text}"}, "true")
    leaves = [atom.id for atom in made.difference.atoms if not atom.added]
    assert made.holding("def moved") <= find_closure(Inventory(made.situation()), leaves)
    assert len(made.holding("def moved")) == 2


def test_an_import_of_a_new_file_needs_all_of_it(bench: Make) -> None:
    made = bench(
        {"a.py": "x = 1\n"},
        {"a.py": "x = 1\n\nimport fresh\n", "fresh.py": "A = 1\n\nB = 2\n", "else.py": "C = 1\n"},
        "true",
    )
    assert closed(made, "import fresh") == {"import fresh", "A = 1", "B = 2"}


def test_c_includes_need_the_header_and_go_does_not_look_into_other_folders(bench: Make) -> None:
    made = bench(
        {"a.c": "int x;\n"},
        {"a.c": '#include "fresh.h"\nint x;\n', "fresh.h": "int f(void);\n", "fresh.py": "f = 1\n"},
        "true",
    )
    assert closed(made, '#include "fresh.h"') == {'#include "fresh.h"', "int f(void);"}


def test_a_line_of_a_new_file_needs_its_preamble(bench: Make) -> None:
    go = "package tool\n\nfunc One() {}\n\nfunc Two() {}\n"
    made = bench({"x": "1\n"}, {"x": "1\n", "tool/a.go": go}, "true")
    assert closed(made, "func Two") == {"package tool", "func Two() {}"}


def test_a_beginning_is_the_head_and_the_imports_that_are_used(bench: Make) -> None:
    text = '"""Tools."""\n\nimport json\n\nimport zlib\n\ndef load():\n    return json\n'
    made = bench({"x": "1\n"}, {"x": "1\n", "tool.py": text}, "true")
    inventory = Inventory(made.situation())
    found = add_beginnings(inventory, made.holding("def load"))
    assert made.texts(found) == {'"""Tools."""', "import json", "def load():"}
    assert add_beginnings(inventory, frozenset()) == frozenset()


def test_what_is_not_left_is_no_part_of_a_closure(bench: Make) -> None:
    made = bench({"a.py": "x = 1\n"}, {"a.py": "x = 1\n\ndef f():\n    pass\n\nf()\n"}, "true")
    inventory = Inventory(made.situation(made.holding("def f")))
    found = made.texts(find_closure(inventory, {each.id for each in made.difference.atoms}))
    assert "f()" in found
    assert "def f():" not in found
