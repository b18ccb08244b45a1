"""What a fix may not change, and the suppressions that it adds."""

from pathlib import Path

import pytest

from git_retcon.files.beneath import Beneath, File
from git_retcon.heal.healing.tampering import (
    explain_frozen,
    find_frozen,
    is_harmless,
    list_suppressions,
)
from git_retcon.heal.patches import FileChange
from git_retcon.run.judges import Judges


def change(path: str, old: str | None = "1\n", new: str | None = "2\n") -> FileChange:
    before = None if old is None else File(old.encode())
    return FileChange(path.encode(), before, None if new is None else File(new.encode()))


@pytest.mark.parametrize(
    "path",
    [
        ".github/workflows/ci.yml", "pyproject.toml", "setup.cfg", "tox.ini", ".flake8",
        "conftest.py", "sub/conftest.py", "sitecustomize.py", "Makefile", "package.json",
        ".pre-commit-config.yaml", ".gitattributes", "tests/test_a.py", "a_test.go",
        "src/a.spec.ts", "scripts/lint.sh", "scripts/inner.sh", "checks/lint.py", "my.cfg",
    ],
)  # fmt: skip
def test_what_judges_stays(path: str, tmp_path: Path) -> None:
    (tmp_path / "scripts").mkdir()
    (tmp_path / "scripts/lint.sh").write_text("./inner.sh\n")
    (tmp_path / "scripts/inner.sh").write_text("true\n")
    (tmp_path / "checks").mkdir()
    (tmp_path / "checks/lint.py").write_text("pass\n")
    commands = [
        "sh scripts/lint.sh && python3 checks/lint.py src/a.py",
        "flake8 --config my.cfg src",
    ]
    paths = [b"scripts/lint.sh", b"scripts/inner.sh", b"checks/lint.py", b"src/a.py"]
    judges = find_frozen(commands, Beneath(tmp_path).read, paths)
    assert explain_frozen(change(path), judges, allow_tests=False)
    assert not explain_frozen(change("src/a.py"), judges, allow_tests=False)


def test_tests_may_change_where_that_is_allowed(tmp_path: Path) -> None:
    judges = find_frozen(["pytest"], Beneath(tmp_path).read, [])
    assert not explain_frozen(change("tests/test_a.py"), judges, allow_tests=True)
    assert explain_frozen(change("tests/conftest.py"), judges, allow_tests=True)


def test_format_and_unused_imports_of_a_test_are_harmless() -> None:
    old = "import os\nimport sys\n\ndef test_a():\n  assert f( 1 )==sys.x\n"
    assert is_harmless(
        change("t.py", old, "import sys\n\n\ndef test_a():\n    assert f(1) == sys.x\n")
    )
    assert not is_harmless(change("t.py", old, old.replace("f( 1 )", "1")))
    assert not is_harmless(change("t.py", old, old.replace("import sys\n", "")))
    assert not is_harmless(change("t.py", old, "import evil\n" + old))
    assert not is_harmless(change("t.py", old, None))


@pytest.mark.parametrize(
    "line",
    [
        "x = 1  # noqa", "x = f()  # type: ignore[x]", "// eslint-disable-next-line",
        "// @ts-ignore",
        "#[allow(dead_code)]", "x() //nolint", "@pytest.mark.skip", "@pytest.mark.xfail(x)",
        "@unittest.skip('x')", "make test || true", "it.skip('x', f)", "sys.exit(0)", "# nosec",
        "# fmt: off", "# pylint: disable=x", "with contextlib.suppress(E):",
    ],
)  # fmt: skip
def test_a_new_suppression_is_listed(line: str) -> None:
    assert list_suppressions(change("a", "a\n", f"a\n{line}\n")) == [line]
    assert list_suppressions(change("a", f"a\n{line}\n", f"b\n{line}\n")) == []


def test_a_handler_that_does_nothing_is_listed() -> None:
    assert list_suppressions(change("a", "f()\n", "try:\n    f()\nexcept E:\n    pass\n"))


@pytest.mark.parametrize(
    "path",
    [
        ".ignore", ".mypy.ini", "src/.newtoolrc", ".newtool/config.json", "newtool.toml",
        "src/newtool.ini", "newtool.cfg", "src/staticcheck.conf", "newtoolrc", "newtoolrc.json",
        "newtool.config.mjs", "newtool.yaml", ".eslintignore", "pylintrc", "phpstan.neon",
    ],
)  # fmt: skip
def test_what_is_called_as_settings_are_stays(path: str) -> None:
    assert explain_frozen(change(path, None), Judges(), allow_tests=True)


@pytest.mark.parametrize(
    "path", ["data/cities.toml", ".newtoolrc", "src/app.config.ts", "new.json"]
)
def test_a_file_that_the_error_names_may_change_though_it_looks_like_settings(path: str) -> None:
    assert explain_frozen(change(path, None), Judges(), allow_tests=True)
    name = path.encode()
    assert not explain_frozen(change(path, None), Judges(), allow_tests=True, named=[name])
    assert explain_frozen(change("mypy.ini"), Judges(), allow_tests=True, named=[b"mypy.ini"])


@pytest.mark.parametrize("path", ["src/bad.pyi", "src/bad.d.ts", "src/globals.d.mts"])
def test_a_new_stub_stays_away_and_an_old_one_may_change(path: str) -> None:
    assert explain_frozen(change(path, None), Judges(), allow_tests=True)
    assert not explain_frozen(change(path), Judges(), allow_tests=True)


@pytest.mark.parametrize(
    "path", ["src/crc.py", "src/arc.js", "src/config.py", "data/x.json", "x.c"]
)
def test_sources_and_data_are_no_settings(path: str) -> None:
    assert not explain_frozen(change(path, None), Judges(), allow_tests=True)
