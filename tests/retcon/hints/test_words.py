"""How words of code and of prose meet."""

import pytest

from git_retcon.retcon.hints.message import files_in, names_in, paths_in, read_message
from git_retcon.retcon.hints.words import stems


@pytest.mark.parametrize(
    ("code", "prose"),
    [
        ("parseTokens", "parse token"),
        ("HTTPServer", "http server"),
        ("validate_session", "validating sessions"),
        ("caching", "cache"),
        ("retries", "retry"),
    ],
)
def test_code_and_prose_share_stems(code: str, prose: str) -> None:
    assert set(stems(code)) == {stem for word in prose.split() for stem in stems(word)}


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


def test_names_are_written_like_names() -> None:
    assert names_in("Call run() and set_up, CamelCase, not words") == {"run", "set_up", "CamelCase"}
    assert files_in("in a/b.rs, not e.g. here") >= {"b.rs"}
    assert paths_in("under src/oauth/:") == {"src/oauth"}
