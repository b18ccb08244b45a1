"""What hints name, and what they exclude."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.retcon.hints.hint import Hint, names_path, read_hint

WORDS = [
    "alpha_one", "beta", "`gamma`", "f()", "in", "not", "without", "Does", "NOT", "include", ",",
    ";", ":", ".", "but", "only", "yet", "and", "or", "leave", "out", "src/a.py", "\n", "\n-", "(",
    "else", "the", "rest", "as well as",
]  # fmt: skip


@pytest.mark.parametrize(
    ("hints", "empty"),
    [("", True), (" \n", True), ("run()", False), ("Does NOT include half.", False)],
)
def test_hints_are_empty_where_they_ask_for_nothing_and_exclude_nothing(
    hints: str, empty: bool
) -> None:
    assert read_hint(hints).is_empty is empty


def test_short_words_and_common_ones_name_nothing() -> None:
    assert read_hint("Move it to the go_on of x").wanted.words == {"Move", "go_on"}


def test_hints_name_files_directories_and_definitions() -> None:
    found = read_hint(
        "Create src/oauth/mod.rs with OAuthConfig.\nMain work in src/oauth/:\n- run()"
    )
    assert "mod.rs" in found.wanted.files
    assert "src/oauth" in found.wanted.paths
    assert {"OAuthConfig", "run"} <= found.wanted.names
    assert names_path("src/oauth/google.rs", found.wanted)
    assert not names_path("src/auth.rs", found.wanted)


def test_a_file_without_an_ending_is_named_where_it_exists() -> None:
    found = read_hint("Build rules: the Makefile, .gitignore and LICENSE. HTTP stays.").wanted
    assert names_path("makefile", found)
    assert names_path("sub/.gitignore", found)
    assert names_path("license", found)
    assert not names_path("license.txt", found)
    assert not names_path("rules", found)
    assert "HTTP" in found.words


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


@pytest.mark.parametrize(
    "text",
    [
        "Retry on every status except 404 in calc.py: half, sub.",
        "Handle the unary minus in parse_unary() (parser.c) and eval_unary() (eval.c).",
        "Ignore errors other than NotFound in open_file(), in file.rs and its test",
        'Replaces bare "except:" in utils.py with "except ValueError:" (parse_int, parse_float).',
        "New --exclude option: cli.py (add_exclude_option), walker.py (Walker.excluded).",
        "Adds `exclude` key to the config: Config.exclude in config.rs, matches_glob in glob.rs",
        'Fix "does not include" wording in hints.py: MARKER, read_hint.',
        "Changes tsconfig.json to exclude dist/ and to include tests/",
        "The docs are not included in the wheel any more: pyproject.toml, MANIFEST.in.",
        "Tests are not part of the package now: setup.cfg, MANIFEST.in",
        "Not only half() but also sub() in calc.py.",
        "Response does not contain the password any more: UserSerializer in serializers.py",
        "Log lines don't contain secrets: redact() in log.py, test_redact",
        "Config parser now leaves out empty sections: write_config in config.py.",
        "Skip empty lines in parse_file (reader.py), and omit the newline in write_file.",
        "Leave out empty values in to_json(): serializer.py, test_serializer.py.",
        "Exclude hidden files in walk_dir() in fs.py.",
        "The rest of the parser changes in src/parser.c",
    ],
)
def test_what_is_said_of_the_code_is_a_wish_word_for_word(text: str) -> None:
    found = read_hint(text)
    assert found.text == text
    assert not found.unwanted
    assert not found.claims_rest


@pytest.mark.parametrize(
    ("text", "wanted", "excluded"),
    [
        ("a.py (everything except half), b.py, c.py", "a.py b.py c.py", "half"),
        ("net.py: connect() (does not include retry) and close()", "net.py connect close", "retry"),
        ("All of a.py except half; b.py; c.py", "a.py b.py c.py", "half"),
        ("- a.py: f() without g_(); h()", "a.py f h", "g_"),
        ("Except for half, everything in pkg/sub.", "pkg/sub", "half"),
        ("f() in a.py, no retry_loop yet, tests in b.py", "a.py f b.py", "retry_loop"),
        ("a.py, without retry_loop, and b.py", "a.py b.py", "retry_loop"),
        ("a.py without retry_loop, plus b.py", "a.py b.py", "retry_loop"),
        ("It works without a header: f_a in a.c, b.c.", "f_a a.c b.c", ""),
        ("Stops without losing it (f_a in a.go), b.go", "f_a a.go b.go", ""),
        ("Not in this commit: f_a, F_B", "", "f_a F_B"),
        ("f_a; g_a and h_a come in the next commit", "f_a", "g_a h_a"),
        ("leave lib/b.js for the next commit; a.js", "a.js", "lib/b.js"),
        ("Does NOT include the exchange of tokens (f_a, g_a), or h_a", "", "f_a g_a h_a"),
        ("Does NOT include:\nf_a\nF_B\n\ng_a in a.py", "g_a a.py", "f_a F_B"),
        ("Extract A from net.py into con.py, but not retry_loop.", "net.py con.py", "retry_loop"),
        ("a.py - not b.py, not the tests, not c.py.", "a.py", "b.py tests c.py"),
        ("prompt typing - not b.py, not c.py.", "prompt", "b.py c.py"),
        ("a.py. No README.md or docs yet.", "a.py", "readme.md docs"),
        ("a.py excluding f_a", "a.py", "f_a"),
        ("utils.py (leave __getattr__ for the next commit)", "utils.py", "__getattr__"),
        ("Keep f_a and g_a out.", "", "f_a g_a"),
        ("- a.py: f_a, not g_a\n- b.py: everything but main()", "a.py f_a b.py", "g_a main"),
    ],
)
def test_wishes_and_exclusions_stand_side_by_side(text: str, wanted: str, excluded: str) -> None:
    found = read_hint(text)
    for word in wanted.split():
        assert word in found.text
    targets = [item.name for item in found.unwanted if item.name is not None]
    named = {
        each.path if any(mark in each.path for mark in "./*") else each.parts[-1]
        for each in targets
    }
    assert named == set(excluded.split())
    for word in excluded.split():
        assert word not in found.text.replace(",", " ").split()


@pytest.mark.slow
@pytest.mark.parametrize(
    "text", ["a" * 50_000, "+" * 50_000, "not (" * 10_000, "Use it, not b " * 4_000, "a(" * 25_000]
)
def test_long_nonsense_is_read_at_all(text: str) -> None:
    """A pattern that goes back and forth over it would not come to an end."""
    assert read_hint(text).text


@pytest.mark.parametrize("text", ["Everything else.", "All the rest", "Everything else: docs, CI."])
def test_the_rest_is_claimed(text: str) -> None:
    assert read_hint(text).claims_rest


def excluded_names(hint: Hint) -> set[str]:
    named = [item.name for item in hint.unwanted if item.name is not None]
    return {".".join(target.parts) for target in named}


@given(st.lists(st.sampled_from(WORDS) | st.text(max_size=8), max_size=30).map(" ".join))
def test_any_text_is_read_and_nothing_is_made_up(text: str) -> None:
    found = read_hint(text)
    said = {word for item in found.unwanted for word in re.findall(r"\w+", item.text)}
    assert said | set(re.findall(r"\w+", found.text)) <= set(re.findall(r"\w+", text))
