"""What was found of a job comes back as it was, and what is damaged does not."""

from pathlib import Path

from git_retcon.heal import stored_verdicts
from git_retcon.heal.results import (
    Annotation,
    JobResult,
    StepResult,
    StepVerdict,
    UsedTool,
    Verdict,
)
from git_retcon.heal.stored_verdicts import StoredVerdict, StoredVerdicts, make_digest
from git_retcon.heal.workflows.expressions.values import UNKNOWN

INNER = StepResult(1, "inner", 7, StepVerdict.SKIPPED, "needs root")
STEPS = (
    StepResult(
        1, "one \udce9", 3, StepVerdict.FAILED, "exit status 1", "false", 1, 0.5, "/log",
        (Annotation("error", "bad", "T", "a.py", 1, 2, 3, 4),), ('{"problemMatcher": []}',),
    ),
    StepResult(2, "two", 4, StepVerdict.PASSED, inner=(INNER,)),
)  # fmt: skip
TOOLS = (UsedTool("go", "1.22", "1.21", "/bin/go", False),)


def test_a_verdict_comes_back_as_it_was(tmp_path: Path) -> None:
    kept = StoredVerdict(
        Verdict.FAILED, "why", STEPS, TOOLS, 1.5, (("a", "text"), ("b", UNKNOWN), ("c", ""))
    )
    store = StoredVerdicts(tmp_path)
    assert store.find("key") is None
    store.keep("key", kept)
    assert StoredVerdicts(tmp_path).find("key") == kept
    assert store.find("other") is None


def test_all_jobs_of_a_check_come_back_as_they_were(tmp_path: Path) -> None:
    jobs = (
        JobResult(b"a\xe9.yml", "job", "job (1)", 3, Verdict.PASSED, "", STEPS, TOOLS, 1.0, True,
                  ("caller",)),
        JobResult(b"b.yml", "x", "x", 1, Verdict.NOT_RUN, "needs macOS"),
    )  # fmt: skip
    store = StoredVerdicts(tmp_path)
    store.keep_all("key", jobs)
    assert store.find_all("key") == jobs


def test_what_cannot_be_read_is_as_if_it_were_not_there(tmp_path: Path) -> None:
    store = StoredVerdicts(tmp_path)
    store.keep("key", StoredVerdict(Verdict.PASSED, "", STEPS, (), 0.0, ()))
    (file,) = (tmp_path / "verdicts").iterdir()
    whole = file.read_text()
    for damaged in ("", "{}", whole[:-9], whole.replace('"passed"', '"splendid"'), "[]", "null"):
        file.write_text(damaged)
        assert store.find("key") is None, damaged
    file.write_text(whole.replace(f'"version": {stored_verdicts._VERSION}', '"version": 1'))
    assert store.find("key") is None


def test_a_key_tells_apart_what_has_the_same_letters() -> None:
    assert make_digest(["ab", "c"]) != make_digest(["a", "bc"])
    assert make_digest(["ab"]) == make_digest([b"ab"])
