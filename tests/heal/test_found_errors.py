"""Errors are at places that exist in the state, and nothing is invented."""

from pathlib import Path

from git_retcon.heal.found_errors import Tree, list_errors, names_fault
from git_retcon.heal.results import Annotation, JobResult, StepResult, StepVerdict, Verdict

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


def step(log: Path, text: str, *annotations: Annotation, failed: bool = True) -> StepResult:
    log.write_text(text)
    verdict = StepVerdict.FAILED if failed else StepVerdict.PASSED
    return StepResult(1, "step", 3, verdict, log=str(log), annotations=annotations)


def found(top: Path, *steps: StepResult) -> list[tuple[bytes, int]]:
    job = JobResult(b"ci.yml", "job", "job", 1, Verdict.FAILED, steps=steps)
    return [(one.file, one.line) for one in list_errors([job, job], Tree({b"src/a.py"}, top))]


def test_only_failed_steps_name_errors_and_each_is_named_once(tmp_path: Path) -> None:
    log = tmp_path / "log"
    assert found(tmp_path, step(log, SYNTAX)) == [(b"src/a.py", 7)]
    assert found(tmp_path, step(log, SYNTAX, failed=False)) == []
    outer = StepResult(1, "x", 1, StepVerdict.FAILED, inner=(step(log, SYNTAX),))
    assert found(tmp_path, outer) == [(b"src/a.py", 7)]


def test_a_place_that_is_not_in_the_state_is_none(tmp_path: Path) -> None:
    said = [
        Annotation("error", "other", file="other.py", line=1),
        Annotation("error", "outside", file="/etc/passwd", line=1),
        Annotation("error", "up", file="../src/a.py", line=1),
        Annotation("warning", "warned", file="src/a.py", line=1),
        Annotation("error", "whole", file=f"{tmp_path}/src/a.py", line=2),
        Annotation("error", "dotted", file="./src/a.py", line=4),
    ]
    steps = step(tmp_path / "log", "nothing to read here\n", *said)
    assert found(tmp_path, steps) == [(b"src/a.py", 2), (b"src/a.py", 4)]


def test_what_this_machine_lacks_is_no_fault_of_the_files(tmp_path: Path) -> None:
    tree = Tree({b"src/a.py"}, tmp_path)
    lack = step(tmp_path / "lack", TRACEBACK.format(top=tmp_path))
    assert not names_fault(lack, tree)
    assert names_fault(step(tmp_path / "fault", SYNTAX), tree)
    assert not names_fault(step(tmp_path / "none", "make: tool: No such file\n"), tree)


def test_a_log_that_is_gone_says_nothing(tmp_path: Path) -> None:
    gone = step(tmp_path / "log", SYNTAX)
    (tmp_path / "log").unlink()
    assert found(tmp_path, gone) == []
