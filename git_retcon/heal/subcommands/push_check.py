"""``git heal pre-push``: what the hook runs. It refuses what failed, and nothing else."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from git_retcon.errors import Reason, UserError
from git_retcon.git.graph import resolve_commit
from git_retcon.heal.check_events import CheckEvent
from git_retcon.heal.check_progress import CheckProgress
from git_retcon.heal.check_report import count_rows, list_lines, list_members, summarize
from git_retcon.heal.check_run import Findings, run_check
from git_retcon.heal.check_situation import Checkout, CheckRequest, open_checkout
from git_retcon.heal.results import Verdict
from git_retcon.heal.subcommands.leftovers import remove_leftovers
from git_retcon.options import Output
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.events import open_listeners
from git_retcon.show.notices import say
from git_retcon.show.style import style_of, write_line

_TERMINAL = "/dev/tty"
_NOTHING = "0"  # all digits of the id of a ref that is deleted
_PASS = "'git push --no-verify' pushes all the same"


def check_push(output: Output) -> Ending:
    """Check the commit that is checked out, if it is among those that standard input lists as git
    does for a pre-push hook. What cannot be said is said, and lets the push through.
    """
    pushed = _read_objects(sys.stdin)
    if not pushed:
        return Ending(data={"checked": None})
    with _ask_on_terminal():
        try:
            checkout = open_checkout(Path.cwd())
            remove_leftovers(checkout.repository)
            head = resolve_commit(checkout.repository, "HEAD")
            if head is None or head not in _list_commits(checkout, pushed):
                say("warning", "what is pushed is not checked out here, so it is not checked")
                return Ending(data={"checked": None})
            findings = _check_head(checkout, head, output)
        except UserError as error:
            say("warning", f"this push is not checked: {error}", _choose_hint(error))
            return Ending(data={"checked": None})
    return _judge_findings(findings)


def _choose_hint(error: UserError) -> str | None:
    # 'git push' itself has no --trust.
    asks = (Reason.NOT_TRUSTED, Reason.NEEDS_ANSWER, Reason.DECLINED)
    return "'git heal check' shows the commands and asks" if error.reason in asks else error.hint


def _check_head(checkout: Checkout, head: str, output: Output) -> Findings:
    setting = checkout.repository.config.get
    style = style_of(sys.stderr, output, setting)
    progress = CheckProgress(style)
    with open_listeners(output, progress, events=False) as tell:

        def tell_one(event: CheckEvent) -> None:
            tell(event)

        findings = run_check(checkout, CheckRequest(commit=head), tell_one)
    if not output.quiet or findings.run.verdict is Verdict.FAILED:
        # git's own standard output is for programs.
        for line in list_lines(findings, style, verbose=output.verbose, screen=count_rows()):
            write_line(sys.stderr, line)
    return findings


def _judge_findings(findings: Findings) -> Ending:
    run = findings.run
    data = {"checked": run.commit, **list_members(findings)}
    if run.verdict is Verdict.FAILED:
        error = f"this push is refused: {count(run.count(Verdict.FAILED), 'job')} failed"
        say("error", error, _PASS)
        return Ending(FAILED, data, Failure(Reason.ERRORS_FOUND, error, _PASS))
    if run.verdict is Verdict.NOT_RUN:
        say("warning", f"nothing ran, so this push is not checked ({summarize(run)})")
    elif run.verdict is Verdict.INCOMPLETE:
        say("warning", f"this push is not checked whole: {summarize(run)}")
    return Ending(data=data)


@contextlib.contextmanager
def _ask_on_terminal() -> Iterator[None]:
    """Let a person answer, where there is one: the list of refs came on standard input."""
    kept = sys.stdin
    with contextlib.ExitStack() as stack:
        with contextlib.suppress(OSError):
            sys.stdin = stack.enter_context(open(_TERMINAL))  # noqa: PTH123
        try:
            yield
        finally:
            sys.stdin = kept


def _read_objects(lines: Iterable[str]) -> list[str]:
    """What refs are set to: "<local ref> <its object> <remote ref> <its object>" a line. Notes are
    no code.
    """
    words = (line.split() for line in lines)
    refs = (line for line in words if len(line) == 4 and not line[2].startswith("refs/notes/"))
    listed = (line[1] for line in refs if set(line[1]) != {_NOTHING})
    return list(dict.fromkeys(listed))


def _list_commits(checkout: Checkout, objects: Sequence[str]) -> set[str | None]:
    """The commits among these, those of tags too."""
    return {resolve_commit(checkout.repository, f"{one}^{{commit}}") for one in objects}
