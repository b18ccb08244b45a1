"""What is left, by names, by places, and by what can see what."""

from git_retcon.retcon.engine import Situation
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository
from tests.retcon.planner.building import branch
from tests.retcon.repair.trials import Bench, Make

BEFORE = {
    "lib.py": "import os\n\nKEPT = 1\n\n\ndef old(x):\n    return os.sep\n",
    "app.py": "from lib import old\n\nold(1)\n",
    "cmd/a.go": "package cmd\n",
}
AFTER = {
    "lib.py": "KEPT = 1\n\n\ndef new(x):\n    return KEPT\n\n\ndef other():\n    return new(2)\n",
    "app.py": "from lib import new\n\nnew(1)\n",
    "fresh.py": '"""Fresh."""\n\nimport json\n\n\ndef load():\n    return json\n',
    "cmd/a.go": "package cmd\n\nfunc A() { B() }\n",
    "cmd/b.go": "package cmd\n\nfunc B() {}\n",
    "web/c.go": "package web\n\nfunc C() {}\n",
}


def built(bench: Make) -> Bench:
    return bench(BEFORE, AFTER, "true")


def test_atoms_are_found_by_what_they_do_to_a_name(bench: Make) -> None:
    made = built(bench)
    inventory = Inventory(made.situation())

    def files(atoms: object) -> set[bytes]:
        return {atom.path for atom in atoms}  # type: ignore[attr-defined]

    assert files(inventory.definers("new")) == {b"lib.py", b"app.py"}  # app.py imports it
    assert files(inventory.heads("new")) == {b"lib.py"}
    assert files(inventory.users("new")) == {b"lib.py", b"app.py"}
    assert files(inventory.mentioners("KEPT")) == {b"lib.py"}
    assert files(inventory.removers("old")) == {b"lib.py", b"app.py"}
    assert files(inventory.stoppers("old")) == {b"lib.py", b"app.py"}
    assert not inventory.definers("nowhere")


def test_what_is_taken_or_withheld_is_not_left(bench: Make) -> None:
    made = built(bench)
    taken, withheld = made.holding("def other"), made.holding("func A")
    inventory = Inventory(made.situation(taken), withheld)
    assert not inventory.ids & (taken | withheld)
    assert not inventory.definers("other")
    assert inventory.atoms(taken | inventory.ids) == inventory.left
    left = [atom.id for atom in inventory.left if atom.path in (b"cmd/b.go", b"app.py")]
    assert inventory.of_paths([b"cmd/b.go", b"app.py"]) == frozenset(left)


def test_a_tool_s_path_is_found_in_any_folder_it_ran_in(bench: Make) -> None:
    inventory = Inventory(built(bench).situation())
    assert inventory.path(b"/tmp/x/cmd/a.go") == b"cmd/a.go"
    assert inventory.path(b"./lib.py") == b"lib.py"
    assert inventory.path(b"nowhere.py") is None
    assert inventory.path(None) is None


def test_new_files_are_those_of_which_nothing_is_there_yet(bench: Make) -> None:
    made = built(bench)
    assert {"fresh", "b", "c"} <= Inventory(made.situation()).new_files.keys()
    begun = Inventory(made.situation(made.holding("import json")))
    assert "fresh" not in begun.new_files


def test_a_file_sees_its_folder_in_go_and_what_it_imports_in_python(bench: Make) -> None:
    made = built(bench)
    inventory = Inventory(made.situation())
    (b,) = (atom for atom in inventory.heads("B"))
    (c,) = (atom for atom in inventory.heads("C"))
    (new,) = (atom for atom in inventory.heads("new"))
    assert inventory.is_visible(b"cmd/a.go", b, "B")
    assert not inventory.is_visible(b"cmd/a.go", c, "C")
    assert inventory.is_visible(b"app.py", new, "new")
    assert not inventory.is_visible(b"fresh.py", new, "new")
    old = next(atom for atom in inventory.removers("old") if atom.path == b"lib.py")
    assert inventory.was_visible(b"app.py", old, "old")


def test_a_definition_comes_whole_and_an_atom_inside_with_its_frame(repo: TestRepository) -> None:
    body = "".join(f"    step_{at} = {{\n        {at}: go_{at}(),\n    }}\n" for at in range(9))
    whole = branch(repo, {"a.py": "x = 1\n"}, {"a.py": f"x = 1\n\n\ndef long():\n{body}"})
    spec = Spec("source", "base", "cleaned", (LogicalCommit("all"),))
    inventory = Inventory(Situation(spec, 0, whole, {}))
    (head,) = inventory.heads("long")
    assert len(whole.atoms) > 1
    inside = {atom.id for atom in whole.atoms if b"step_" in b"".join(atom.added)}
    assert {head.id} | inside <= inventory.definition(head, "long")
    last = next(atom for atom in inventory.left if b"step_7 = {\n" in b"".join(atom.added))
    assert last != head
    assert head.id in inventory.frame(last)
    assert len(inventory.frame(last)) < len(whole.atoms)


def test_the_beginning_of_a_new_file_is_its_head_and_its_imports(bench: Make) -> None:
    made = built(bench)
    beginning = Inventory(made.situation()).beginnings[b"fresh.py"]
    assert made.texts([atom.id for atom in beginning.head]) == {'"""Fresh."""'}
    assert made.texts([atom.id for atom in beginning.imports]) == {"import json"}
    assert b"lib.py" not in Inventory(made.situation()).beginnings


def test_distance_is_counted_in_the_tree_as_it_is(bench: Make) -> None:
    lines = [f"v{at} = {at}\n" for at in range(20)]
    after = ["new = 1\n", "new = 2\n", *lines[:9], "v9 = 0\n", *lines[10:]]
    made = bench({"a.py": "".join(lines)}, {"a.py": "".join(after)}, "true")
    (changed,) = (each for each in made.difference.atoms if b"v9 = 0\n" in each.added)
    plain = Inventory(made.situation())
    assert plain.distance(changed, b"a.py", 10) == (0, 0)
    assert plain.distance(changed, b"a.py", 12) == (0, 2)
    shifted = Inventory(made.situation(made.holding("new = ")))
    assert shifted.distance(changed, b"a.py", 12) == (0, 0)
    assert shifted.distance(changed, b"a.py", 10) == (0, 2)
    # right before a hunk that is taken, and right behind it
    first = next(each for each in made.difference.atoms if b"new = 1\n" in each.added)
    assert [shifted.distance(first, b"a.py", line) for line in (1, 2, 3, 4)] == [
        (0, 0), (0, 0), (0, 0), (0, 1),
    ]  # fmt: skip
    assert plain.distance(changed, b"a.py", None) == (0, 0)
    assert plain.distance(changed, b"b.py", 1) == (1, 0)
