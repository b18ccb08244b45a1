"""The line that a message names is the one a person looks at."""

from git_retcon.retcon.spec.line_numbers import Lines

TEXT = '''\
source = "s"
[[commit]]
message = """
files = "in a string"
[[commit]]
"""
files = ["a"]
history = [ { stuck = "a" }, "complete",
  { resolved = "b" } ]

[[commit]]
message = "two"
[[commit.history]]
stuck = "c"
[[commit.history]]
resolved = "d"
'''
LINES = Lines(TEXT)


def test_commits_are_counted_outside_of_strings() -> None:
    assert [LINES.commit(index) for index in (0, 1)] == [2, 11]


def test_a_key_is_looked_for_in_its_commit_or_at_the_top() -> None:
    assert LINES.key("source") == 1
    assert LINES.key("files", 0) == 7
    assert LINES.key("message", 1) == 12


def test_a_key_that_is_not_found_gives_the_commit() -> None:
    assert LINES.key("files", 1) == 11


def test_each_entry_of_a_history_has_its_line() -> None:
    assert [LINES.history_entry(0, number) for number in (0, 1, 2)] == [8, 8, 9]
    assert [LINES.history_entry(1, number) for number in (0, 1)] == [13, 15]


def test_the_last_line_and_bytes_that_are_no_text() -> None:
    assert Lines.of(b"a\n\xff").last == 2
    assert Lines.of(b"").last == 1


def test_quoted_names_and_quotation_marks_in_comments_do_not_hide_a_commit() -> None:
    text = "# a ''' here\n[['commit']]\n\"message\" = 'one'\n[[ \"commit\" ]]\nfiles = []\n# '''\n"
    lines = Lines(text)
    assert [lines.commit(index) for index in (0, 1)] == [2, 4]
    assert lines.key("message", 0) == 3
    assert lines.key("files", 1) == 5


def test_an_entry_that_is_not_there_is_where_the_history_begins() -> None:
    assert LINES.history_entry(0, 3) == 8
    assert LINES.history_entry(1, 5) == 15
    assert LINES.commit(7) == 1


def test_entries_are_counted_behind_the_key_only() -> None:
    lines = Lines("[[commit]]\n'history' = [\n'complete', 7,\n{ stuck = \"a\" }]\n")
    assert [lines.history_entry(0, number) for number in (0, 1, 2)] == [3, 3, 4]
