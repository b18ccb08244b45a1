"""Definitions come before their uses and go after them; a name that was known before is no sign."""

from git_retcon.retcon.planner.definition_order import (
    bind_moves,
    bind_parts,
    is_code,
    order_uses,
    order_variables,
)
from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.vocabulary import Vocabulary
from tests.repository import TestRepository
from tests.retcon.planner.building import Files, branch, pairs, placed, planned


class Read:
    """What each rule says of two versions, by first lines."""

    def __init__(self, repo: TestRepository, before: Files, after: Files) -> None:
        self.whole = whole = branch(repo, before, after)
        facts = read_facts(whole)
        words = Vocabulary(facts, whole.texts)
        parts, moves = bind_parts(facts), bind_moves(facts)
        self.uses = pairs(whole, order_uses(facts, words))
        self.variables = pairs(whole, order_variables(facts, words))
        self.parts = pairs(whole, parts.order)
        self.kept = pairs(whole, parts.together)
        self.moves = pairs(whole, moves.order)
        self.moved = pairs(whole, moves.together)


APP, LIB = "def main():\n    pass\n", "x = 1\n"
CALL = APP.replace("pass", "fetch_all()")
DEFINED = f"{LIB}\n\ndef fetch_all():\n    return 1\n"


def test_a_new_definition_comes_before_its_use(repo: TestRepository) -> None:
    found = Read(repo, {"app.py": APP, "lib.py": LIB}, {"app.py": CALL, "lib.py": DEFINED})
    assert found.uses == {("def fetch_all():", "fetch_all()")}


def test_a_removed_definition_goes_after_its_use(repo: TestRepository) -> None:
    found = Read(repo, {"app.py": CALL, "lib.py": DEFINED}, {"app.py": APP, "lib.py": LIB})
    assert found.uses == {("pass", "def fetch_all():")}


def test_a_name_that_the_old_text_knows_binds_nothing(repo: TestRepository) -> None:
    known = f"{LIB}# fetch_all is to come\n"
    found = Read(
        repo,
        {"app.py": APP, "lib.py": known},
        {"app.py": CALL, "lib.py": DEFINED.replace(LIB, known)},
    )
    assert found.uses == set()


def test_a_name_of_another_language_or_of_data_binds_nothing(repo: TestRepository) -> None:
    found = Read(
        repo,
        {"app.js": "run();\n", "lib.py": LIB, "data.json": "1\n"},
        {"app.js": "fetch_all();\n", "lib.py": DEFINED, "data.json": '"fetch_all"\n'},
    )
    assert found.uses == set()


def test_a_name_defined_everywhere_binds_nothing(repo: TestRepository) -> None:
    for count, bound in ((3, True), (4, False)):
        files = {f"m{at}.py": f"def set_up():\n    return {at}\n" for at in range(count)}
        found = Read(repo, {"app.py": APP}, {**files, "app.py": APP.replace("pass", "set_up()")})
        assert bool(found.uses) is bound


def test_a_short_name_binds_nothing(repo: TestRepository) -> None:
    for name, bound in (("go", False), ("run", True)):
        after = {
            "app.py": APP.replace("pass", f"{name}()"),
            "lib.py": f"{LIB}\n\ndef {name}():\n    z\n",
        }
        assert bool(Read(repo, {"app.py": APP, "lib.py": LIB}, after).uses) is bound


def test_a_parameter_is_no_use_of_another_file_s_definition(repo: TestRepository) -> None:
    tool = "const options = {};\nstart(options);\n"
    library = "function slug(text, options) {\n  return text.join(options);\n}\n"
    assert Read(repo, {"a": "1\n"}, {"tool.js": tool, "lib.js": library}).uses == set()
    using = library.replace("text, options", "text")
    assert len(Read(repo, {"a": "1\n"}, {"tool.js": tool, "lib.js": using}).uses) == 1


BODY = "".join(f"    step_{at} = call_{at}()\n" for at in range(9))


def test_the_hunks_of_a_new_definition_follow_its_first_line(repo: TestRepository) -> None:
    found = Read(repo, {"a.py": LIB}, {"a.py": f"{LIB}\n\ndef long():\n{BODY}"})
    assert found.parts
    assert {first for first, _ in found.parts} == {"def long():"}
    assert found.kept == found.parts


def test_the_hunks_of_a_removed_definition_go_before_its_first_line(repo: TestRepository) -> None:
    found = Read(repo, {"a.py": f"{LIB}\n\ndef long():\n{BODY}"}, {"a.py": LIB})
    assert found.parts
    assert {last for _, last in found.parts} == {"def long():"}
    assert found.kept == {(last, part) for part, last in found.parts}


def test_a_renamed_definition_is_no_condition_for_its_body(repo: TestRepository) -> None:
    before = "def render(rows):\n    keep(rows)\n    old_name(rows)\n    return rows\n"
    after = before.replace("render", "render_text").replace("old_name", "new_name")
    found = Read(repo, {"a.py": before}, {"a.py": after})
    assert found.parts == found.kept == set()


MOVED = "def validate_all(x):\n    check(x)\n    return x\n"


def test_a_moved_definition_moves_in_one_commit(repo: TestRepository) -> None:
    found = Read(
        repo,
        {"a.py": f"one = 1\n\n\n{MOVED}\n\ntwo = 2\n", "b.py": "three = 3\n"},
        {"a.py": "one = 1\n\n\ntwo = 2\n", "b.py": f"three = 3\n\n\n{MOVED}"},
    )
    assert found.moved == found.moves == {("def validate_all(x):", "def validate_all(x):")}
    made = planned(found.whole, ["Tidy a", "Extend b"])
    assert len(set(placed(found.whole, made).values())) == 1


def test_a_definition_written_anew_elsewhere_only_comes_first(repo: TestRepository) -> None:
    other = "def validate_all(x):\n    y = x + 1\n    go(y)\n    return other(y)\n"
    found = Read(
        repo,
        {"a.py": f"one = 1\n\n\n{MOVED}\n\ntwo = 2\n", "b.py": "three = 3\n"},
        {"a.py": "one = 1\n\n\ntwo = 2\n", "b.py": f"three = 3\n\n\n{other}"},
    )
    assert len(found.moves) == 1
    assert found.moved == set()


TWO = "def f():\n    go()\n    stay()\n    end()\n\n\ndef g():\n    stay()\n    end()\n"


def test_a_variable_is_bound_before_it_is_used_in_its_definition(repo: TestRepository) -> None:
    after = TWO.replace("    go()\n", "    count = 1\n    go()\n")
    after = after.replace("    end()\n", "    end(count)\n")
    found = Read(repo, {"a.py": TWO}, {"a.py": after})
    whole = [atom for atom in found.whole.atoms if b"    end(count)\n" in atom.added]
    assert len(whole) == 2  # in f and in g
    assert found.variables == {("count = 1", "end(count)")}
    gone = Read(repo, {"a.py": after}, {"a.py": TWO})
    assert gone.variables == {("end()", "count = 1")}


def test_a_variable_of_one_definition_is_no_other_s(repo: TestRepository) -> None:
    after = TWO.replace("    go()\n", "    count = 1\n    go()\n", 1)
    after = after[: after.index("def g")] + "def g():\n    stay()\n    end(count)\n"
    assert Read(repo, {"a.py": TWO}, {"a.py": after}).variables == set()


def test_a_variable_that_was_there_before_binds_nothing(repo: TestRepository) -> None:
    before = TWO.replace("go()", "go(count)")
    after = before.replace("    go(", "    count = 1\n    go(").replace("end()", "end(count)")
    assert Read(repo, {"a.py": before}, {"a.py": after}).variables == set()


def test_generated_files_and_data_are_no_code(repo: TestRepository) -> None:
    whole = branch(
        repo, {"x": "1\n"}, {"a.py": "x = 1\n", "b.json": "{}\n", "c.lock": "c\n", "x": "1\n"}
    )
    code = {one.atom.path for one in read_facts(whole) if is_code(one)}
    assert b"a.py" in code
    assert b"b.json" not in code
