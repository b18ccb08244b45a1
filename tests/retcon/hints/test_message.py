"""What a message says: its area, names, files, options, and the kind of work."""

import pytest

from git_retcon.retcon.hints.message import (
    FLAG_COUNT,
    bare_files_in,
    files_in,
    names_in,
    paths_in,
    read_message,
)
from git_retcon.retcon.hints.words import stems


def test_a_message_says_its_area_names_files_and_options() -> None:
    read = read_message(
        "feat(parser): add --strict to parse_token (#12)\n\nSee src/lex/scan.py and `Reader`.\n\n"
        "Signed-off-by: Somebody Else <s@example.com>\n"
    )
    assert read.area == set(stems("parser"))
    assert {"parse_token", "Reader"} <= read.names
    assert "scan.py" in read.files
    assert "src/lex/scan.py" in read.paths
    assert read.options == {"--strict"}
    assert "somebody" not in read.words
    assert "12" not in read.words


def test_a_path_has_a_slash_and_is_longer_than_an_abbreviation() -> None:
    assert paths_in("I/O and n/a in src/Lex/, a/bc.") == {"src/lex", "a/bc"}


def test_names_are_written_like_names() -> None:
    assert names_in("Call run() and set_up, CamelCase, not words") == {"run", "set_up", "CamelCase"}
    assert files_in("in a/b.rs, not e.g. here") >= {"b.rs"}
    assert paths_in("under src/oauth/:") == {"src/oauth"}


@pytest.mark.parametrize(
    ("subject", "area"),
    [
        ("parser: read more", {"pars"}),
        ("fix(cache): read more", {"cach"}),
        ("feat: read more", set()),
        ("Read more", set()),
    ],
)
def test_the_area_is_what_is_before_the_colon_unless_it_is_a_type(
    subject: str, area: set[str]
) -> None:
    assert read_message(subject).area == area


def test_an_area_is_a_word_of_the_change_and_a_type_is_none() -> None:
    assert read_message("parser: read more").subject == {"pars": 1, "read": 1}
    assert read_message("fix: read more").subject == {"read": 1}
    assert read_message("fix(cache): read more").subject == {"cach": 1, "read": 1}


def test_trailers_quotes_and_numbers_of_issues_say_nothing() -> None:
    read = read_message(
        "Go (#12)\n\nBody.\n\n> quoted words\nFixes: other\nReviewed-by: Some One\n"
    )
    assert read.words == {"go", "body"}
    assert read.body_length == 1
    assert read.subject_length == 1


def test_hints_count_as_body() -> None:
    read = read_message("Go on", "parse_token in a.py")
    assert "parse_token" in read.names
    assert "a.py" in read.files
    assert read.body_length > read.subject_length - 1
    assert "pars" in read.body
    assert "pars" not in read.subject


def test_stems_are_counted() -> None:
    assert read_message("Parse parser parsing").subject["pars"] == 3


def test_the_kind_of_work_is_seen_in_subject_and_body_apart() -> None:
    read = read_message("Add tests\n\nFix a crash.")
    assert len(read.subject_flags) == len(read.body_flags) == FLAG_COUNT
    assert (read.subject_flags[0], read.body_flags[0]) == (1, 0)  # tests
    assert (read.subject_flags[5], read.body_flags[5]) == (0, 1)  # fixes


def test_common_words_in_quotes_are_no_names() -> None:
    assert names_in("`get` the 'parse_it', `is` it `a` or `ab`, io()") == {"parse_it", "ab", "io"}


def test_a_call_is_no_file() -> None:
    assert files_in("os.path() in a.py and src/b.tar.gz") == {"a.py", "b.tar.gz"}
    assert paths_in("a/b in src/lib/x.py. Or http://example.com/x") == {"src/lib/x.py"} | paths_in(
        "a/b"
    )


@pytest.mark.parametrize(
    ("text", "files"),
    [
        ("Makefile, and the rules for it", {"makefile"}),
        ("docs in the makefile and Dockerfile.", {"makefile", "dockerfile"}),
        ("Ignore build products (.gitignore, .env)", {".gitignore", ".env"}),
        ("Ship LICENSE with it; see NOTICE", {"license", "notice"}),
        ("the Kconfig of it", {"kconfig"}),
        ("run `configure`, 'gradlew' and \"mvnw\" first", {"configure", "gradlew", "mvnw"}),
    ],
)
def test_a_file_without_an_ending_is_named_by_its_own_spelling(text: str, files: set[str]) -> None:
    assert bare_files_in(text) == files
    assert files <= read_message("Go on", text).bare_files


@pytest.mark.parametrize(
    "text",
    [
        "the build, the license and the notice of it",
        "License the project",
        "First. Build it: Configure it",
        "- Build it\n* Readme first\n2. Notice it",
        "a profile of the file",
        "LICENSE.txt, src/Makefile and Build() or Node.js",
        "don't say 'it is' or `a b`",
        "I or A",
    ],
)
def test_plain_words_are_no_files(text: str) -> None:
    assert bare_files_in(text) == set()
