"""How a run ended: for people, and for programs."""

import contextlib
import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path

from git_retcon.code_commit.answer_grammar import Faulty, parse_answer
from git_retcon.code_commit.commit import choose_message, commit_session
from git_retcon.code_commit.events import Finished, Listener, Planned
from git_retcon.code_commit.logs import Logs
from git_retcon.code_commit.loop import Engine
from git_retcon.code_commit.options import Request
from git_retcon.code_commit.preview import make_patch, show_difference
from git_retcon.code_commit.prompts import Prompt
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Change, Guard, verify_answer
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Reason, Refused
from git_retcon.files.beneath import File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.short_ids import shorten_id
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.redaction import Redactor
from git_retcon.model.spending import Spending
from git_retcon.options import SharedOptions
from git_retcon.run.judges import Sources, find_judges
from git_retcon.show.counting import count, some_of
from git_retcon.show.envelope import PLANNED, Ending, Failure
from git_retcon.show.events import write_event
from git_retcon.show.notices import say
from git_retcon.show.style import Style, show_path, style_of, write_bytes, write_line

_STATUS = {Phase.PASSED: "passed", Phase.FAILED: "failed", Phase.ASKING: "waiting"}

_HOW_TO_ANSWER = (
    "no model was asked: give the prompt to one, and its answer to --response "
    "('-': standard input), or set ANTHROPIC_API_KEY and run again"
)


@dataclass(frozen=True, slots=True)
class Report:
    """How a run ended. ``sandbox`` is the level that confined it, ``judges`` are those of its files
    that decide what passes, ``spent`` is what models used.
    """

    session: Session
    engine: str
    sandbox: str
    judges: Sequence[bytes] = ()
    spent: Spending | None = None

    @property
    def status(self) -> str:
        """``status`` of ``--json``."""
        return _STATUS[self.session.phase]

    def make_ending(self) -> Ending:
        """Make the end of a run for programs (git-code-commit(1), OUTPUT)."""
        return Ending(self.status, self._describe_run(), self._make_failure())

    def _describe_run(self) -> dict[str, object]:
        session = self.session
        logs = Logs(_log_folder(session), Redactor())
        waiting = session.phase is Phase.ASKING
        return {
            "engine": self.engine,
            "sandbox": self.sandbox,
            "build": session.build,
            "attempt": session.attempt,
            "attempts": session.last_attempt,
            "files": [
                {"path": show_path(path), "change": _name_file_change(session, path)}
                for path in sorted(session.latest)
            ],
            "judges": [show_path(path) for path in self.judges],
            "logs": session.logs,
            "prompt": str(logs.path(session.attempt, "query")) if waiting else None,
            "commit": session.commit,
            "tokens": self.spent.usage.total if self.spent else 0,
            "cost_usd": round(self.spent.dollars, 6) if self.spent else 0.0,
        }

    def _make_failure(self) -> Failure | None:
        if self.session.phase is Phase.PASSED:
            return None
        if self.session.phase is Phase.FAILED:
            return Failure(
                Reason.INVALID if self.session.rejected else Reason.NOT_BUILT,
                _explain_end(self.session),
                "'git code-commit undo' goes back to before the run",
                commands=[["git", "code-commit", "undo"]],
            )
        return Failure(
            Reason.NEEDS_ANSWER,
            _explain_end(self.session),
            _HOW_TO_ANSWER,
            commands=[["git", "code-commit", "--response", "-"]],
        )


def find_changed_judges(session: Session, checkout: Checkout) -> Sequence[bytes]:
    """Those of the files it wrote that its build reads by itself, names or calls."""

    def read(path: bytes) -> Iterator[File]:
        with contextlib.suppress(ForbiddenPath, OSError):
            file = checkout.files.read(path)
            if file is not None:
                yield file

    def list_beneath(folder: bytes) -> Iterable[bytes]:
        return checkout.list_tracked(b":(literal)" + folder + b"/")

    judges = find_judges([session.build], Sources(read, list_beneath))
    return [
        path
        for path, state in sorted(session.latest.items())
        if state != session.before.get(path) and judges.holds(path)
    ]


def finish(
    request: Request, checkout: Checkout, store: Store, report: Report, tell: Listener
) -> Ending:
    """Commit where ``--commit`` says so, and say how the run ended."""
    session = report.session
    if session.phase is Phase.COMMITTING:
        if request.commit:
            message = choose_message(request.message, session, store)
            session = commit_session(checkout, session, store, message)
        else:
            # A session that was begun with --commit may be finished without it.
            session = replace(session, phase=Phase.PASSED)
            store.save(session)
        report = replace(report, session=session)
    tell(Finished(report.status, session.attempt, session.last_attempt, session.commit))
    output = request.shared.output
    if not output.quiet:
        style = style_of(sys.stderr, output, checkout.repository.config.get)
        for line in _closing_lines(report, style):
            write_line(sys.stderr, line)
    # Even ``--quiet`` says why a run failed.
    elif session.phase is not Phase.PASSED:
        say(
            "error",
            _explain_end(session),
            None if session.phase is Phase.FAILED else _HOW_TO_ANSWER,
        )
    return report.make_ending()


def print_preview(
    shared: SharedOptions, checkout: Checkout, guard: Guard, engine: Engine, prompt: Prompt
) -> Ending:
    """``--dry-run``: print the difference the answer to ``prompt`` would make."""
    answer = engine.answer(prompt)
    if answer is None:
        raise Refused(
            "there is no answer to show",
            hint="bring one with --response, or set ANTHROPIC_API_KEY",
            reason=Reason.NEEDS_ANSWER,
            again=["--response", "-"],
        )
    try:
        if answer.is_cut_off:
            raise Refused(
                "the answer was cut off at the output limit",
                hint="nothing was changed",
                reason=Reason.INVALID,
            )
        changes = verify_answer(parse_answer(answer.text), checkout, guard)
    except Faulty as faulty:
        raise Refused(
            f"the answer cannot be used:\n{faulty}",
            hint="nothing was changed",
            reason=Reason.INVALID,
        ) from faulty
    planned = _describe_changes(changes)
    if shared.events:
        write_event(sys.stdout, planned)
    elif not shared.output.json:
        style = style_of(sys.stdout, shared.output, checkout.repository.config.get)
        # In a pipe, a patch that 'git apply' takes.
        if style.on or sys.stdout.isatty():
            for line in show_difference(changes, style):
                write_line(sys.stdout, line)
        else:
            write_bytes(sys.stdout, make_patch(changes))
    return Ending(PLANNED, asdict(planned))


def _closing_lines(report: Report, style: Style) -> Sequence[str]:
    session = report.session
    lines = [""]
    if session.phase is Phase.PASSED:
        lines.append(style.good("The build passes."))
        lines.append(
            f"  commit {shorten_id(session.commit)}"
            if session.commit
            else "  to see it: git diff HEAD"
        )
    elif session.phase is Phase.FAILED:
        lines.append(style.bad(f"T{_explain_end(session)[1:]}."))
        lines.append("  the files are as the last answer left them")
    else:
        lines.append(f"T{_explain_end(session)[1:]}")
        lines.append("  then: git code-commit --response FILE   (or '-' for standard input)")
        lines.append("  or set ANTHROPIC_API_KEY and run it again, and Claude is asked")
    if report.judges:
        names = some_of([show_path(path) for path in report.judges], 5)
        lines.append(f"  look at what judges the change, and changed with it: {names}")
    if session.latest:
        lines.append("  to go back: git code-commit undo")
    if report.spent is not None:
        lines.append(f"  spent: ${report.spent.dollars:.4f}, {report.spent.usage.total:,} tokens")
    return lines


def _explain_end(session: Session) -> str:
    """Say why a run ended that did not pass."""
    if session.phase is Phase.FAILED and session.rejected:
        return f"the answer cannot be used after {count(session.attempt, 'attempt')}"
    if session.phase is Phase.FAILED:
        return f"the build does not pass after {count(session.attempt, 'attempt')}"
    log = Logs(_log_folder(session), Redactor()).path(session.attempt, "query")
    return f"the prompt of attempt {session.attempt} is ready to paste: {log}"


def _describe_changes(changes: Sequence[Change]) -> Planned:
    return Planned(
        [
            {
                "path": show_path(c.path),
                "change": _name_change(c.old is not None, c.new is not None),
            }
            for c in changes
        ]
    )


def _name_file_change(session: Session, path: bytes) -> str:
    return _name_change(session.before.get(path) is not None, session.latest[path] is not None)


def _name_change(before: bool, after: bool) -> str:
    if not after:
        return "removed" if before else "none"
    return "replaced" if before else "created"


def _log_folder(session: Session) -> Path:
    return Path(session.logs)
