"""Words are found whole, and once for a file."""

from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.planner.facts import read_facts
from git_retcon.retcon.planner.vocabulary import FileWords, Vocabulary, find_words, index_words
from tests.repository import TestRepository
from tests.retcon.planner.building import branch


def test_a_name_counts_as_a_whole_word_only() -> None:
    words = FileWords({b"a.py": [b"parse_token(x1)\n", b"total = 0x10\n"], b"b.py": [b"other\n"]})
    assert words.has(b"a.py", "parse_token")
    assert not words.has(b"a.py", "parse")
    assert not words.has(b"a.py", "token")
    assert not words.has(b"a.py", "x")
    assert not words.has(b"a.py", "other")
    assert words.has(b"b.py", "other")
    assert not words.has(b"missing.py", "other")
    assert words.everywhere >= {"parse_token", "total", "other"}
    assert "parse" not in words.everywhere


def test_a_name_between_letters_of_another_script_counts() -> None:
    words = FileWords({b"a.py": ["# die Größe von total, 变量count的值\n".encode()]})
    assert words.has(b"a.py", "Größe")
    assert words.has(b"a.py", "count")


NAMES = st.sampled_from(["alpha", "beta", "alphabet", "a1", "_x"])


@given(st.lists(st.lists(NAMES | st.sampled_from(["1", "(", " ", "-"]), max_size=6)), NAMES)
def test_files_read_in_turn_do_not_mix(lines: list[list[str]], name: str) -> None:
    files = {f"{at}".encode(): [" ".join(line).encode()] for at, line in enumerate(lines)}
    words = FileWords(files)
    for _ in range(2):
        for path, (text,) in files.items():
            assert words.has(path, name) == (name.encode() in text.split())


def test_the_words_of_atoms_are_those_they_add_and_those_they_remove(repo: TestRepository) -> None:
    whole = branch(repo, {"a.py": "old = one()\n"}, {"a.py": "new = one()\n"})
    words = Vocabulary(read_facts(whole), whole.texts)
    assert words.added == [frozenset({"new", "one"})]
    assert words.removed == [frozenset({"old", "one"})]
    assert words.old.has(b"a.py", "old")
    assert not words.new.has(b"a.py", "old")


def test_words_of_lines_are_names_without_numbers() -> None:
    assert find_words([b"for i in range(10):\n", b"    go_on()\n"]) == {
        "for", "i", "in", "range", "go_on",
    }  # fmt: skip
    assert index_words([2, 0], {0: frozenset("ab"), 2: frozenset("b")}) == {"b": [2, 0], "a": [0]}
