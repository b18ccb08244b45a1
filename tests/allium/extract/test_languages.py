"""Which files are read, and by whom."""

import pytest

from git_retcon.allium.extract.languages import name_language, read_facts


@pytest.mark.parametrize(
    ("path", "language"),
    [
        (b"a.py", "python"),
        (b"a.pyi", "python"),
        (b"src/a.tsx", "typescript"),
        (b"a.d.ts", ""),
        (b"a.css", ""),
    ],
)
def test_the_language_of_a_path(path: bytes, language: str) -> None:
    assert name_language(path) == language


def test_binary_files_and_other_languages_declare_nothing() -> None:
    for path, content in ((b"a.py", b"\0class X: pass"), (b"a.css", b"a { }")):
        facts = read_facts(path, content)
        assert facts is not None
        assert facts.declarations == ()
