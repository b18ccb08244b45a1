"""What a run elsewhere printed: its errors at their places here, and nothing run for it."""

import json
from pathlib import Path

import pytest

from tests.heal.recorded import list_recorded
from tests.heal.test_check_run import counting
from tests.program import Ran, heal_here
from tests.repository import TestRepository, new_repository

LOG = """\
2026-11-20T10:00:00.0000000Z ##[group]Run ruff check .
2026-11-20T10:00:01.0000000Z src/a.py:1:8: F401 [*] `os` imported but unused
2026-11-20T10:00:01.0000000Z src/gone.py:3:1: E999 SyntaxError: invalid
2026-11-20T10:00:02.0000000Z /home/runner/work/p/p/src/b.py:1:1: F821 undefined name 'q'
2026-11-20T10:00:03.0000000Z ##[error]Process completed with exit code 1.
"""
JUNIT = """\
<testsuites><testsuite name="s"><testcase classname="t" name="test_b" file="src/b.py" line="2">
<failure message="assert 1 == 2">src/b.py:2: AssertionError</failure></testcase>
<testcase classname="t" name="test_ok"/></testsuite></testsuites>
"""
SARIF = {
    "version": "2.1.0",
    "runs": [
        {
            "tool": {"driver": {"name": "CodeQL"}},
            "results": [
                {
                    "ruleId": "py/sqli",
                    "level": "error",
                    "message": {"text": "query from input"},
                    "locations": [
                        {
                            "physicalLocation": {
                                "artifactLocation": {"uri": "src/a.py"},
                                "region": {"startLine": 2},
                            }
                        }
                    ],
                }
            ],
        }
    ],
}


def new_project(path: Path) -> TestRepository:
    repository = new_repository(path, "-b", "main")
    repository.commit("one", {"src/a.py": "import os\nprint(1)\n", "src/b.py": "x = 1\ny = 2\n"})
    return repository


def read(repository: TestRepository, form: str, text: str, *arguments: str) -> Ran:
    file = repository.path.parent / "output"
    file.write_text(text)
    return heal_here(repository.path, "check", f"--{form}={file}", *arguments)


def list_places(done: Ran) -> list[tuple[str, int, str]]:
    errors = json.loads(done.out)["errors"]
    return [(one["file"], one["line"], one["message"]) for one in errors]


def test_a_log_is_read_and_its_errors_are_placed_in_the_files_here(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    done = read(repository, "log", LOG)
    assert done.status == 1
    assert done.out.splitlines()[0] == "src/a.py:1:8: `os` imported but unused [F401]"
    assert "src/b.py:1:1: undefined name 'q' [F821]" in done.out
    assert "gone.py" not in done.out
    assert "warning: left out: 1 error in files or at lines that do not exist here" in done.err
    assert list_recorded(repository)[0] == "1 failed"
    assert "src/a.py:1:8" in heal_here(repository.path, "errors").ok().out


@pytest.mark.parametrize(
    "workspace",
    [
        "/home/runner/work/p/p/",
        "/Users/runner/work/p/p/",
        "D:\\a\\p\\p\\",
        "/opt/runner/_work/p/p/",
        "/__w/p/p/",
        "/github/workspace/",
        "/home/vsts/work/1/s/",
        "/builds/group/p/",
        "/home/circleci/project/",
        "/home/travis/build/me/p/",
    ],
)
def test_a_file_at_the_top_is_known_by_where_the_run_had_the_tree(
    tmp_path: Path, workspace: str
) -> None:
    repository = new_project(tmp_path / "project")
    repository.commit("two", {"main.py": "import os\n", "src/main.py": "print(1)\n"})
    log = f"{workspace}main.py:1:8: F401 [*] `os` imported but unused\n"
    log += "/opt/tool/main.py:1:1: F821 undefined name 'q'\n"
    done = read(repository, "log", log, "--json")
    assert list_places(done) == [("main.py", 1, "`os` imported but unused")]


@pytest.mark.slow
def test_an_error_behind_many_warnings_is_found_and_what_is_too_much_is_counted(
    tmp_path: Path,
) -> None:
    repository = new_project(tmp_path / "project")
    warnings = "".join(f"src/b.py:1:{n}: warning: unused [-Wx]\n" for n in range(1, 10_501))
    done = read(repository, "log", f"{warnings}src/a.py:1:1: error: bad\n", "--json")
    assert list_places(done) == [("src/a.py", 1, "bad")]
    assert json.loads(done.out)["cut"] == 0
    errors = "".join(f"src/b.py:1:1: error: bad {n}\n" for n in range(1, 40_001))
    done = read(repository, "log", errors, "--json")
    assert len(list_places(done)) == 10_000
    assert json.loads(done.out)["cut"] == 30_000
    assert "warning: left out: about 30,000 more errors than can be kept" in done.err


def test_nothing_is_run_for_it(tmp_path: Path) -> None:
    repository, counter = counting(tmp_path)
    read(repository, "log", "a:1:1: error: bad\n")
    assert counter.read_text() == ""


def test_standard_input_is_a_log_too(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    done = heal_here(repository.path, "check", "--log=-", "--json", stdin=LOG.encode())
    assert [one[:2] for one in list_places(done)] == [("src/a.py", 1), ("src/b.py", 1)]


def test_reports_of_tests_and_of_analysis_are_read(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    done = read(repository, "junit", JUNIT, "--json")
    assert list_places(done) == [("src/b.py", 2, "assert 1 == 2")]
    done = read(repository, "sarif", json.dumps(SARIF), "--json")
    assert list_places(done) == [("src/a.py", 2, "query from input")]
    assert [line for line in list_recorded(repository) if line[0] != " "] == [
        "1 failed",
        "2 failed",
    ]
    done = read(repository, "sarif", json.dumps(SARIF), "--format=github")
    assert done.out.startswith("::error file=src/a.py,line=2,")


def test_what_names_no_error_is_no_success(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    done = read(repository, "log", "all is well\n")
    assert done.status == 1
    assert "error: no error is recognized in '" in done.err
    assert list_recorded(repository) == ["1 not run"]


def test_a_file_of_another_form_is_refused(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    for form, text, said in (
        ("sarif", "{}", "is not a SARIF log: it has no runs"),
        ("sarif", "no json", "is not a SARIF log: Expecting value"),
        ("junit", "<a/>", "is not a JUnit report: it has no test suite"),
        ("junit", "{}", "is not a JUnit report: bad XML"),
    ):
        done = read(repository, form, text)
        assert (done.status, said in done.err) == (128, True), done.err
    done = heal_here(repository.path, "check", "--log=missing")
    assert (done.status, "cannot read 'missing'" in done.err) == (128, True)
    assert list_recorded(repository) == []


def test_options_of_a_run_do_not_go_with_it(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "project")
    for other in ("--job=a", "--force", "--junit=b", "--secret=HOME"):
        done = heal_here(repository.path, "check", "--log=-", other)
        assert done.status == 129
        assert "--log runs nothing, and goes with no option of a run" in done.err


def test_secrets_in_it_are_masked(tmp_path: Path) -> None:
    token = "ghp_" + "0123456789abcdefghijABCDEFGHIJ012345"
    repository = new_project(tmp_path / "project")
    done = read(repository, "log", f"src/a.py:1:8: F401 `{token}` imported but unused\n")
    assert "src/a.py:1:8" in done.out
    assert token[:30] not in done.out
    assert token[:30].encode() not in (repository.path / ".git/heal/heal.db").read_bytes()
