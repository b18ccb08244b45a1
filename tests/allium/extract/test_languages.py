"""Which files are read, and by whom."""

import importlib.metadata

import pytest

from git_retcon.allium.extract.languages import name_language, read_facts, spell_installation


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


@pytest.mark.parametrize(
    ("path", "content"),
    [
        (b"a.ts", b"export class Kind { size: number }\nexport enum Kind { One = 'one' }\n"),
        (b"a.py", b"import enum\nclass Kind:\n    s: int\nclass Kind(enum.Enum):\n    ONE = 1\n"),
    ],
)
def test_of_two_types_with_one_symbol_a_file_declares_one(path: bytes, content: bytes) -> None:
    facts = read_facts(path, content)
    assert facts is not None
    assert [declaration.evidence[0].symbol for declaration in facts.declarations] == ["Kind"]


def test_grammars_are_installed_as_extras_or_beside_a_checkout(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("sys.executable", "/my tools/.venv/bin/python")

    def fail(name: str) -> str:
        raise importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", fail)
    assert spell_installation(["go", "csharp"]) == (
        "'/my tools/.venv/bin/python' -m pip install tree-sitter tree-sitter-c-sharp tree-sitter-go"
    )
    monkeypatch.setattr("importlib.metadata.version", lambda _: "1.0")
    assert spell_installation(["go", "csharp"]) == "pip install 'git-retcon[csharp,go]'"
