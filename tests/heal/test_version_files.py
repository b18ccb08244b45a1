"""Which version of a tool a file of a repository asks for."""

import pytest

from git_retcon.heal.version_files import read_wanted_version


@pytest.mark.parametrize(
    ("tool", "file", "content", "version"),
    [
        ("python", ".python-version", "# pinned\n\n3.12 # here\n3.11\n", "3.12"),
        ("node", "web/.nvmrc", "v20.1.0\n", "v20.1.0"),
        ("ruby", ".ruby-version", "ruby-3.2.2\n", "3.2.2"),
        ("java", ".java-version", "", ""),
        ("go", "go.mod", "module x\n\ngo 1.21\n\nrequire a v1\n", "1.21"),
        ("go", "go.mod", "go 1.21\ntoolchain go1.22.3\n", "1.22.3"),
        ("go", "go.work", "use ./a\n", ""),
        ("node", ".tool-versions", "python 3.11.4 3.10\n#nodejs 1\nnodejs 20.1.0 # x\n", "20.1.0"),
        ("python", ".tool-versions", "python 3.11.4 3.10\n", "3.11.4"),
        ("rust", ".tool-versions", "python 3.11.4\nrust\n", ""),
        ("node", "package.json", '{"engines": {"node": ">=18"}}', ">=18"),
        ("node", "package.json", '{"volta": {"node": "20.1"}, "engines": {"node": "1"}}', "20.1"),
        ("pnpm", "package.json", '{"packageManager": "pnpm@9.1.0+sha512.abc"}', "9.1.0"),
        ("pnpm", "package.json", '{"packageManager": "yarn@4"}', ""),
        ("node", "package.json", '{"engines": [1]}', ""),
        ("node", "package.json", "[" * 100_000, ""),
        ("dotnet", "global.json", '{"sdk": {"version": "8.0.100"}}', "8.0.100"),
        ("python", "pyproject.toml", '[project]\nrequires-python = ">=3.11"\n', ">=3.11"),
        ("uv", "pyproject.toml", '[tool.uv]\nrequired-version = "0.5"\n', "0.5"),
        ("ruby", "pyproject.toml", "[project]\n", ""),
        ("python", "pyproject.toml", "project = [", ""),
    ],
)
def test_a_file_says_which_version_it_wants(
    tool: str, file: str, content: str, version: str
) -> None:
    assert read_wanted_version(tool, file, content.encode()) == version


def test_a_file_that_is_no_text_wants_nothing_that_is_a_version() -> None:
    assert read_wanted_version("go", "go.mod", b"\xff\xfe\x00") == ""
    assert read_wanted_version("node", "package.json", b"\xff\xfe\x00") == ""
