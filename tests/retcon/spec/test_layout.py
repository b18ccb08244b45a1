"""A specification in sections: joined they are the text, and an edit touches one of them."""

import tomllib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.spec.layout import divide_text, find_headers, hide_long_strings

TEXT = '''\
source = "s" # [[commit]]
list = [
[["x"]],
]
[[commit]] # first
message = """
[[commit]]
"""
[commit.notes]
key = 1
[other]
message = '[[commit]]'
[["commit"]]
message = "two"
'''
LINES = ['a = "[[commit]]"', "b = '''", "'''", "[[commit]]", "[commit.x]", "[t]", "# [[commit]]"]


def test_headers_inside_strings_lists_and_comments_are_none() -> None:
    found = [(header.line, header.name, header.begins_commit) for header in find_headers(TEXT)]
    assert found == [(5, "commit", True), (9, "commit", False), (11, "other", False),
                     (13, "commit", True)]  # fmt: skip


def test_a_table_of_a_commit_belongs_to_it_and_another_does_not() -> None:
    layout = divide_text(TEXT)
    assert [section.is_commit for section in layout.sections] == [False, True, False, True]
    assert layout.sections[1].text.endswith("[commit.notes]\nkey = 1\n")
    assert len(layout.commits) == len(tomllib.loads(TEXT)["commit"])


@given(st.lists(st.sampled_from(LINES)).map("\n".join))
def test_joined_the_sections_are_any_text(text: str) -> None:
    assert divide_text(text).text == text


def test_an_edit_of_one_commit_touches_no_byte_of_another() -> None:
    layout = divide_text(TEXT)
    edited = layout.with_body(layout.commits[1], 'message = "new"\n').text
    assert edited == TEXT.replace('message = "two"', 'message = "new"')


@pytest.mark.parametrize("end", ["", "\n", "\n\n"])
def test_a_new_commit_is_set_off_by_one_blank_line(end: str) -> None:
    added = divide_text('[[commit]]\nmessage = "one"' + end).with_commit('message = "two"\n')
    assert added.text == '[[commit]]\nmessage = "one"\n\n[[commit]]\nmessage = "two"\n'


def test_a_table_below_the_commits_stays_below_a_new_one() -> None:
    text = '[[commit]]\nmessage = "one"\n[table]\nx = 1\n'
    added = divide_text(text).with_commit('message = "two"\n').text
    assert added == (
        '[[commit]]\nmessage = "one"\n\n[[commit]]\nmessage = "two"\n\n[table]\nx = 1\n'
    )


def test_tables_of_a_commit_begin_no_other() -> None:
    text = '[[commit]]\nmessage = "a"\n[[commit.history]]\nstuck = "x"\n[commit.notes]\na = 1\n'
    assert [header.begins_commit for header in find_headers(text)] == [True, False, False]
    assert len(divide_text(text).commits) == 1
    assert find_headers('a = [1, {b = "]"}]\n[t]\n').__next__().line == 2


def test_comments_and_what_is_inside_long_strings_are_hidden() -> None:
    long = "'''"
    text = f"a = 'b' # c\nd = {long}x\n[y]\n{long} # e\n"
    hidden = 'a = \'b\'    \nd = """"\n"""\n"""    \n'
    assert hide_long_strings(text) == hidden
