"""What is read of an atom without any message."""

from git_retcon.code.file_classes import FileClass
from git_retcon.retcon.planner.facts import TRAITS, Facts, read_facts
from tests.repository import TestRepository
from tests.retcon.planner.building import Files, branch


def read(repo: TestRepository, before: Files, after: Files) -> dict[str, Facts]:
    """The facts by the first written line that an atom adds or else removes."""
    facts = read_facts(branch(repo, before, after))
    return {(one.added or one.removed).strip().partition("\n")[0]: one for one in facts}


def traits(one: Facts) -> set[str]:
    return {name for at, name in enumerate(TRAITS) if one.traits >> at & 1}


SHOP = "class Shop:\n    def close(self):\n        a = 1\n        b = 2\n        c = 3\n"


def test_an_atom_knows_the_definitions_around_it_innermost_first(repo: TestRepository) -> None:
    found = read(repo, {"a.py": SHOP}, {"a.py": SHOP.replace("b = 2", "b = 5")})
    one = found["b = 5"]
    assert one.names == ("close", "Shop")
    assert one.headers == (1, 0)
    assert one.outermost == "a.py\0Shop"
    assert one.around.split() == ["def", "close(self):", "class", "Shop:"]
    assert one.near.split("\n")[:2] == ["    def close(self):", "        a = 1"]
    assert one.bindings == one.unbindings == {"b"}
    assert (one.size, one.weight) == (2, 2.0)


def test_an_atom_s_own_definition_is_the_innermost(repo: TestRepository) -> None:
    added = f"{SHOP}\n    def reopen(self):\n        pass\n"
    one = read(repo, {"a.py": SHOP}, {"a.py": added})["def reopen(self):"]
    assert one.names[0] in ("reopen", "Shop")
    assert one.defines == {"reopen"}
    assert one.undefines == set()
    gone = read(repo, {"a.py": added}, {"a.py": SHOP})["def reopen(self):"]
    assert gone.undefines == {"reopen"}
    assert gone.defines == set()


def test_traits_say_what_sort_of_change_it_is(repo: TestRepository) -> None:
    found = read(
        repo,
        {"a.py": "import os\n\n\nx = 1\n", "gone.py": "g = 1\n"},
        {
            "a.py": "import os\nimport json\n\n\nx = 2\n",
            "tests/test_new.py": "# only\n# words\n# here\n",
        },
    )
    assert {"imports", "pure add", "short", "code"} <= traits(found["import json"])
    assert found["import json"].imports_only
    assert {"mixed", "short"} <= traits(found["x = 2"])
    assert not {"imports", "pure add", "pure del", "new file"} & traits(found["x = 2"])
    assert {"new file", "comments", "test"} <= traits(found["# only"])
    assert "short" not in traits(found["# only"])
    assert "deleted file" in traits(found["g = 1"]) or "pure del" in traits(found["g = 1"])
    assert FileClass.TEST in found["# only"].classes
    assert all("any" in traits(one) for one in found.values())


def test_more_than_eight_lines_are_long_whether_they_come_or_go(repo: TestRepository) -> None:
    # words in a row without a pair: a paragraph stays one hunk
    def prose(word: str, lines: int) -> str:
        return "".join(f"{word} {word} {word}\n" for _ in range(lines))

    for before, after, is_long in ((4, 4, False), (5, 4, True), (1, 8, True), (1, 1, False)):
        facts = read_facts(
            branch(repo, {"a.txt": prose("old", before)}, {"a.txt": prose("new", after)})
        )
        whole = [one for one in facts if one.size == before + after]
        assert [("long" in traits(one)) for one in whole] == [is_long] * len(whole)


def test_size_counts_at_most_ten_lines_as_weight(repo: TestRepository) -> None:
    data = "".join(f"{at},{at}\n" for at in range(30))
    found = read_facts(branch(repo, {"x": "1\n"}, {"x": "1\n", "data.csv": data}))
    assert sum(one.size for one in found) == 30
    assert max(one.weight for one in found) <= 10.0


def test_a_whole_entry_has_no_text_and_still_weighs_something(repo: TestRepository) -> None:
    (one,) = read_facts(branch(repo, {"logo.png": b"\0 1"}, {"logo.png": b"\0 2"}))
    assert (one.added, one.names, one.size) == ("", (), 1)
    assert one.outermost == "logo.png"
