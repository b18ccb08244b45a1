"""Errors are at places that exist in the state, and nothing is invented."""

import json
from pathlib import Path

import pytest

from git_retcon.code.diagnostics import kept_complaints
from git_retcon.heal.found_errors import StepErrors, Tree, find_blame, list_errors
from git_retcon.heal.results import Annotation, Blame, JobResult, StepResult, StepVerdict, Verdict
from tests.heal.checks import check, new_project

TRACEBACK = """\
Traceback (most recent call last):
  File "{top}/src/a.py", line 3, in <module>
    import missing
ModuleNotFoundError: No module named 'missing'
"""
SYNTAX = """\
  File "src/a.py", line 7
    def f(:
          ^
SyntaxError: invalid syntax
"""


def step(
    log: Path, text: str, *, failed: bool = True, matchers: tuple[str, ...] = ()
) -> StepResult:
    log.write_text(text)
    verdict = StepVerdict.FAILED if failed else StepVerdict.PASSED
    return StepResult(1, "step", 3, verdict, log=str(log), matchers=matchers)


def write_tree(top: Path) -> Tree:
    (top / "src").mkdir(parents=True, exist_ok=True)
    (top / "src/a.py").write_text("line\n" * 9)
    return Tree(lambda: frozenset({b"src/a.py"}), top)


def found(top: Path, *steps: StepResult) -> list[tuple[bytes | None, int | None]]:
    job = JobResult(b"ci.yml", "job", "job", 1, Verdict.FAILED, steps=steps)
    errors = list_errors([job, job], write_tree(top))
    return [(one.path, one.finding.line) for one in errors]


def test_only_failed_steps_name_errors_and_each_is_named_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert found(tmp_path, step(log, SYNTAX)) == [(b"src/a.py", 7)]
    assert found(tmp_path, step(log, SYNTAX, failed=False)) == []
    outer = StepResult(1, "x", 1, StepVerdict.FAILED, inner=(step(log, SYNTAX),))
    assert found(tmp_path, outer) == [(b"src/a.py", 7)]


def test_the_package_whose_script_failed_has_the_file(tmp_path: Path) -> None:
    paths = frozenset({b"packages/a/src/a.ts", b"packages/b/src/a.ts"})
    for path in paths:
        (tmp_path / path.decode()).parent.mkdir(parents=True)
        (tmp_path / path.decode()).write_text("line\n" * 9)
    said = "packages/b lint$ tsc\npackages/b lint: src/a.ts(1,14): error TS2322: wrong\n"
    errors = StepErrors(Tree(lambda: paths, tmp_path)).read(step(tmp_path / "log", said))
    assert [(one.path, one.finding.line) for one in errors] == [(b"packages/b/src/a.ts", 1)]


def test_linters_of_go_fail_for_style_too(tmp_path: Path) -> None:
    log = tmp_path / "log"
    log.write_text("a.go:2:1: unused (U1000)\na.go:1:1: use for {} instead (S1006)\n")
    (tmp_path / "a.go").write_text("line\n" * 9)
    failed = StepResult(1, "step", 3, StepVerdict.FAILED, log=str(log))
    errors = StepErrors(Tree(lambda: frozenset({b"a.go"}), tmp_path)).read(failed)
    assert [one.finding.line for one in errors] == [2, 1]


def test_a_linter_that_fails_for_style_is_believed_in_style_too(tmp_path: Path) -> None:
    unused = "src/a.py:2:1: F401 'os' imported but unused\n"
    unsorted = "src/a.py:1:1: I001 Import block is un-sorted or un-formatted\n"
    assert found(tmp_path, step(tmp_path / "log", unused + unsorted)) == [
        (b"src/a.py", 2),
        (b"src/a.py", 1),
    ]


def test_a_place_that_is_not_in_the_state_is_none(tmp_path: Path) -> None:
    said = f"""\
::error file=other.py,line=1::other
::error file=/etc/passwd,line=1::outside
::error file=src/a.py,line=99::beyond
::warning file=src/a.py,line=1::warned
::error file={tmp_path}/src/a.py,line=2::whole
::error file=./src/a.py,line=4::dotted
"""
    assert found(tmp_path, step(tmp_path / "log", said)) == [(b"src/a.py", 2), (b"src/a.py", 4)]


def test_a_linter_fails_for_what_it_calls_a_warning(tmp_path: Path) -> None:
    rubocop = "src/a.py:2:1: C: Style/Documentation: Missing comment.\n"
    compiler = "src/a.py:4:1: warning: unused variable 'x' [-Wunused-variable]\n"
    graver = "src/a.py:3:1: E: Lint/Syntax: unexpected token.\n"
    log = tmp_path / "log"
    assert found(tmp_path, step(log, rubocop + compiler)) == [(b"src/a.py", 2)]
    assert found(tmp_path, step(log, rubocop + compiler + graver)) == [(b"src/a.py", 3)]
    assert found(tmp_path, step(log, compiler)) == [(None, None)]  # the step itself
    assert found(tmp_path, step(log, rubocop, failed=False)) == []


def test_a_tool_names_files_from_where_it_ran(tmp_path: Path) -> None:
    below = step(tmp_path / "log", "::error file=a.py,line=3::here\n")._replace(folder="src")
    assert found(tmp_path, below) == [(b"src/a.py", 3)]


def test_matchers_of_the_workflow_and_of_actions_are_obeyed(tmp_path: Path) -> None:
    pattern = {"regexp": "^BAD (.+)@(\\d+) (.*)$", "file": 1, "line": 2, "message": 3}
    own = json.dumps({"problemMatcher": [{"owner": "mine", "pattern": [pattern]}]})
    said = step(tmp_path / "log", "BAD src/a.py@5 broken\n", matchers=(own, "action:a/b", "{"))
    assert found(tmp_path, said) == [(b"src/a.py", 5)]


def test_what_this_machine_lacks_is_no_fault_of_the_files(tmp_path: Path) -> None:
    def blame(text: str) -> Blame:
        return find_blame(step(tmp_path / "log", text), write_tree(tmp_path))

    assert blame(SYNTAX) is Blame.FILES
    assert blame(TRACEBACK.format(top=tmp_path)) is Blame.UNKNOWN
    assert blame("script.sh: line 1: tool: command not found\n") is Blame.MACHINE
    assert blame("curl: (6) Could not resolve host: example.org\n") is Blame.MACHINE
    assert blame(f"{SYNTAX}curl: (6) Could not resolve host: example.org\n") is Blame.FILES
    assert blame("make: *** [all] Error 1\n") is Blame.UNKNOWN
    # A line that asks for a compiler is no fault of its file.
    lacks = "CMake Error at src/a.py:2 (project):\n  The CMAKE_C_COMPILER:\n\n    gcc-10\n\n"
    assert blame(f"{lacks}  is not a full path and was not found in the PATH.\n") is Blame.MACHINE
    assert blame("CMake Error at src/a.py:2 (project):\n  Unknown\n") is Blame.FILES


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("match value:", "invalid syntax"),
        ("except* ValueError:", "expected ':'"),
        ("type Name = int", "invalid syntax"),
        ("def first[T](of: list[T]) -> T:", "expected '('"),
        ("except KeyError, ValueError:", "multiple exception types must be parenthesized"),
        ('print(t"{name}")', "invalid syntax"),
        ("print(f'{a['b']}')", "f-string: unmatched '['"),
    ],
)
def test_what_a_newer_python_may_read_is_no_sure_fault(
    tmp_path: Path, line: str, message: str
) -> None:
    def blame(line: str, message: str) -> Blame:
        tree = write_tree(tmp_path / "tree")
        (tmp_path / "tree/src/a.py").write_text(f"{line}\n")
        text = f'  File "src/a.py", line 1\n    {line}\n    ^\nSyntaxError: {message}\n'
        return find_blame(step(tmp_path / "log", text), tree)

    assert blame(line, message) is Blame.UNKNOWN
    assert blame("print(a", "'(' was never closed") is Blame.FILES


def test_a_workflow_that_github_refuses_is_an_error_where_it_says(tmp_path: Path) -> None:
    said = Annotation("error", "unexpected key", file="src/a.py", line=2, column=1)
    refused = StepResult(1, "read", 2, StepVerdict.FAILED, annotations=(said,))
    assert found(tmp_path, refused) == [(b"src/a.py", 2)]


def test_a_place_is_found_where_nothing_could_run_and_so_no_worktree_is(tmp_path: Path) -> None:
    repository = new_project(tmp_path / "repo", "on: push\njobs:\n  a:\n    runs-on: [x\n")
    (error,) = check(repository).data["errors"]
    assert (error["file"], error["line"]) == (".github/workflows/ci.yml", 4)


def test_a_link_out_of_the_tree_shows_nothing_of_what_it_names(tmp_path: Path) -> None:
    tree = write_tree(tmp_path / "tree")
    (tmp_path / "secret").write_text("hush\n")
    (tmp_path / "tree/out.py").symlink_to("../secret")
    (tmp_path / "tree/in.py").symlink_to("src/a.py")
    linked = tree._replace(list_paths=lambda: frozenset({b"src/a.py", b"out.py", b"in.py"}))
    text = "out.py:1:1: error: stolen\nin.py:1:1: error: own\n"
    outer, inner = StepErrors(linked).read(step(tmp_path / "log", text))
    assert (outer.path, outer.finding.snippet) == (b"out.py", ())
    assert (inner.path, inner.finding.snippet[0].text) == (b"in.py", "line")


def test_a_failed_step_that_names_no_error_is_one(tmp_path: Path) -> None:
    failed = step(tmp_path / "log", "all is well\n")._replace(reason="exit status 3")
    forgiven = failed._replace(verdict=StepVerdict.FORGIVEN)
    (error,) = StepErrors(write_tree(tmp_path)).read(failed)
    assert (error.path, error.finding.diagnostic.message) == (None, "step: exit status 3")
    assert StepErrors(write_tree(tmp_path)).read(forgiven) == []


def test_errors_that_are_too_many_are_counted_once_in_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(kept_complaints, "MOST_KEPT", 2)
    text = "".join(f"src/a.py:{n}:1: error: bad\n" for n in range(1, 6))
    said: list[str] = []
    errors = StepErrors(write_tree(tmp_path), warn=said.append)
    assert [one.finding.line for one in errors.read(step(tmp_path / "log", text))] == [1, 2]
    assert said == ["step: left out: about 3 more errors than can be kept"]


def test_a_log_that_is_gone_says_only_that_its_step_failed(tmp_path: Path) -> None:
    gone = step(tmp_path / "log", SYNTAX)
    (tmp_path / "log").unlink()
    assert found(tmp_path, gone) == [(None, None)]


def test_secrets_in_the_lines_around_an_error_are_masked(tmp_path: Path) -> None:
    tree = write_tree(tmp_path)
    (tmp_path / "src/a.py").write_text("line\n" * 5 + "key = 'hush-hush'\ndef f(:\n")
    errors = StepErrors(tree, lambda: lambda text: text.replace("hush-hush", "***"))
    (error,) = errors.read(step(tmp_path / "log", SYNTAX))
    assert [one.text for one in error.finding.snippet][-2:] == ["key = '***'", "def f(:"]
