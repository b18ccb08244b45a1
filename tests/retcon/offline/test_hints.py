"""What hints name, and what they exclude."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.offline.hints import Hint, matches_any, names_path, read_hint

WORDS = [
    "alpha_one", "beta", "`gamma`", "f()", "in", "not", "without", "Does", "NOT", "include", ",",
    ";", ":", ".", "but", "only", "yet", "and", "or", "leave", "out", "src/a.py", "\n", "\n-", "(",
    "else", "the", "rest", "as well as",
]  # fmt: skip


def test_hints_name_files_directories_and_definitions() -> None:
    found = read_hint(
        "Create src/oauth/mod.rs with OAuthConfig.\nMain work in src/oauth/:\n- run()"
    )
    assert "mod.rs" in found.wanted.files
    assert "src/oauth" in found.wanted.paths
    assert {"OAuthConfig", "run"} <= found.wanted.names
    assert names_path("src/oauth/google.rs", found.wanted)
    assert not names_path("src/auth.rs", found.wanted)


@pytest.mark.parametrize(
    "text",
    [
        "Config only. Does NOT include parse_flow.",
        "Config only. Don't touch parse_flow here.",
        "All of it except parse_flow; that comes later",
        "Config, without `parse_flow`.",
        "Config but not parse_flow yet.",
        "parse_flow not yet.",
        "Leave out parse_flow",
        "Config, excluding parse_flow().",
    ],
)
def test_an_exclusion_is_no_wish(text: str) -> None:
    found = read_hint(text)
    assert excluded_names(found) == {"parse_flow"}
    assert "parse_flow" not in found.wanted.words


@pytest.mark.parametrize(
    "text", ["Use parse_flow, not the old one.", "Move parse_flow. No behaviour changes."]
)
def test_a_plain_not_excludes_nothing(text: str) -> None:
    found = read_hint(text)
    assert "parse_flow" in found.wanted.names
    assert not excluded_names(found)


def test_what_follows_an_exclusion_is_wanted_again() -> None:
    found = read_hint("Does NOT include run_flow yet - just set_up.\nAlso parse_it in a.py.")
    assert excluded_names(found) == {"run_flow"}
    assert {"set_up", "parse_it"} <= found.wanted.names
    assert "a.py" in found.wanted.files


def test_what_explains_an_aside_is_wanted() -> None:
    found = read_hint("Renaming only, no change of behaviour: parse_line is parse_item.")
    assert {"parse_line", "parse_item"} <= found.wanted.names


def excluded_names(hint: Hint) -> set[str]:
    named = [item.what for item in hint.unwanted if item.what is not None]
    return {".".join(target.parts) for target in named}


@pytest.mark.parametrize(
    ("glob", "path", "matches"),
    [
        ("*.py", b"a/b.py", True),
        ("/*.py", b"a/b.py", False),
        ("src/", b"src/a/b.py", True),
        ("src", b"src/a/b.py", True),
        ("src", b"lib/src/a.py", True),
        ("/src", b"lib/src/a.py", False),
        ("docs/*.md", b"docs/a/b.md", False),
        ("docs/**/*.md", b"docs/a/b.md", True),
        ("docs/**", b"docs/a/b.md", True),
        ("**/tests", b"a/tests/x", True),
        ("a?c", b"abc", True),
        ("a[!b]c", b"abc", False),
        ("[ab].c", b"b.c", True),
        ("src", b"srcs/a", False),
        ("r\\*.txt", b"r*.txt", True),
        ("*.\udcff", b"a.\xff", True),
    ],
)
def test_patterns_match_as_in_gitignore(glob: str, path: bytes, matches: bool) -> None:
    assert matches_any(path, (glob,)) is matches


def test_the_last_matching_pattern_decides() -> None:
    assert not matches_any(b"src/keep.py", ("src/", "!src/keep.py"))
    assert matches_any(b"src/keep.py", ("!src/keep.py", "src/"))


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=30).map(" ".join))
def test_any_text_is_read_and_nothing_is_made_up(text: str) -> None:
    found = read_hint(text)
    said = {word for item in found.unwanted for word in re.findall(r"\w+", item.text)}
    assert said | set(re.findall(r"\w+", found.text)) <= set(re.findall(r"\w+", text))
