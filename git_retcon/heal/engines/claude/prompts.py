"""The prompts of ``git_retcon.prompts``, filled in for the errors of one file."""

from collections.abc import Iterator, Sequence
from string import Template

from git_retcon.heal.engine import ModelTask, PastAttempt
from git_retcon.heal.engines.claude.session import Session
from git_retcon.heal.found_errors import FoundError
from git_retcon.prompts import read_prompt
from git_retcon.show.counting import count
from git_retcon.show.style import show_path

_MOST_ERRORS = 20
_MOST_PATCH = 12_000  # bytes


def heal_prompt(session: Session) -> str:
    """The task of answering the errors of one file. What a whole step has in common comes first,
    so that its files share a cached beginning.
    """
    task = session.task
    failed = task.job.failed
    path = task.item.path
    ready = failed.seen.ready
    return Template(read_prompt("heal-task")).substitute(
        workflow=ready.file.decode("utf-8", "replace"),
        job=ready.plan.name,
        step=failed.step.name,
        folder=failed.step.folder or ".",
        command=session.view.show(failed.step.command.encode("utf-8", "replace")),
        log=session.view.show_log(task.run),
        file=f"of {show_path(path)}" if path else "that name no file",
        errors="\n".join(_list_errors(session, task.item.errors)),
        past="\n".join(_list_past(session, task)),
    )


def _list_errors(session: Session, errors: Sequence[FoundError]) -> Iterator[str]:
    for error in errors[:_MOST_ERRORS]:
        yield session.view.describe_error(error)
        if snippet := session.view.show_snippet(error):
            yield snippet
    if len(errors) > _MOST_ERRORS:
        yield f"and {count(len(errors) - _MOST_ERRORS, 'more error')}"


def _list_past(session: Session, task: ModelTask) -> Iterator[str]:
    for number, past in enumerate(task.past, 1):
        yield from _describe_past(session, number, past)


def _describe_past(session: Session, number: int, past: PastAttempt) -> Iterator[str]:
    yield f"\nAttempt {number} did not do. It changed this:\n"
    yield session.files.mask(past.patch[:_MOST_PATCH]) or "(nothing)"
    yield f"Then: {past.ended}"
