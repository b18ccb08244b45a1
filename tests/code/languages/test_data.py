"""What is known of formats of data."""

from git_retcon.code.entries import find_entries
from git_retcon.code.languages.data import JSON, TOML, YAML
from git_retcon.code.languages.known import language_of
from git_retcon.code.versions import read_version
from tests.code.languages.reading import attached, defined, opened


def entries(path: bytes, text: str) -> list[int]:
    version = read_version(path, text.encode().splitlines(keepends=True))
    return list(find_entries(version, 0, len(version.lines)))


def test_keys_are_definitions() -> None:
    assert defined(b"a.json", '{\n  "one": 1,\n  two: 2\n') == ["one", "two"]
    assert defined(b"a.toml", "[tool.ruff]\nlimit = 1\n[[each]]\n# a = 1\n") == [
        *("tool.ruff", "limit", "each"),
    ]
    assert defined(b"a.yml", "on:\n  - a: 1\n  b: 2\n") == ["on", "b"]


def test_strings() -> None:
    assert opened(b"a.toml", "a = '''\n\\'''\nb = '\\'\nc\n") == [True, False, False]
    assert attached(b"a.yaml", "# why")
    assert not attached(b"a.json", "// why")


def test_keys_stand_by_themselves() -> None:
    assert entries(b"a.yml", "a: 1\nb: 2\nc:\n  - d\n") == [1, 2]
    assert entries(b"a.toml", "a = 1\nb = 2\n") == [1]
    assert JSON.only_items
    assert not JSON.ends_with_comma


def test_files() -> None:
    assert language_of(b"a/poetry.lock") is TOML
    assert language_of(b"setup.cfg") is TOML
    assert language_of(b"a.yaml") is YAML
    assert language_of(b"tsconfig.jsonc") is JSON
