"""A language that says little of itself is read as most languages are."""

from git_retcon.code.definitions import find_definitions
from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.languages.known import KNOWN, language_of
from git_retcon.code.languages.language import Content, Files, Language
from git_retcon.code.languages.usual import USUAL_CONTINUATION
from git_retcon.code.symbols import find_names

PLAIN = Language("plain", Files())


def test_what_is_left_out_is_as_usual() -> None:
    assert find_definitions(b"  func run(x) {\n", PLAIN) == ("run",)
    assert find_definitions(b"# func run(x)\n", PLAIN) == ()
    assert find_names([b"from a import b\n"], PLAIN).imports == {"b"}


def test_a_language_is_a_key_by_itself() -> None:
    """Caches are kept by language; to hash all its fields would cost more than they save."""
    assert hash(PLAIN) != hash(Language("plain", Files()))
    assert len(set(KNOWN)) == len(KNOWN)


def test_code_and_style_sheets_are_code() -> None:
    for path, content in ((b"a.go", Content.CODE), (b"a.css", Content.STYLE)):
        assert language_of(path).content is content
        assert FileClass.CODE in file_classes(path)
    for path in (b"a.md", b"a.json", b".gitignore", b"a.unheard-of"):
        assert FileClass.CODE not in file_classes(path)


def test_clauses_go_on_with_their_statement() -> None:
    for line in (b"} else {\n", b"elif x:\n", b"  .then()\n", b"&& y\n", b"fi\n"):
        assert USUAL_CONTINUATION.match(line)
    for line in (b"elsewhere()\n", b"x = 1\n", b"endless = 2\n", b"-1\n"):
        assert not USUAL_CONTINUATION.match(line)
