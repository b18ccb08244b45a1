"""The end of a run: for people, and for programs."""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from git_retcon.code_commit.commit import commit_session, message_for
from git_retcon.code_commit.events import Finished, Listener
from git_retcon.code_commit.grammar import Faulty, parse
from git_retcon.code_commit.logs import Logs
from git_retcon.code_commit.loop import Engine, next_prompt
from git_retcon.code_commit.options import Asked
from git_retcon.code_commit.preview import difference
from git_retcon.code_commit.prompts import initial_prompt
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Change, Guard, verify
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Reason, Refused
from git_retcon.model.redaction import Redactor
from git_retcon.model.spending import Spending
from git_retcon.options import Shared
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending, Failure
from git_retcon.show.notices import say
from git_retcon.show.style import Style, show_path, style_of, write_line

_STATUS = {Phase.PASSED: "passed", Phase.FAILED: "failed", Phase.ASKING: "waiting"}


@dataclass(frozen=True, slots=True)
class Report:
    """How a run ended. ``sandbox`` is the level that was in force, ``spent`` what models used."""

    session: Session
    engine: str
    sandbox: str
    spent: Spending | None = None

    @property
    def status(self) -> str:
        """``status`` of ``--json``."""
        return _STATUS[self.session.phase]

    def ending(self) -> Ending:
        """The end of a run for programs (git-code-commit(1), OUTPUT)."""
        return Ending(self.status, self._data(), self._failure())

    def _data(self) -> dict[str, object]:
        session = self.session
        logs = Logs(_folder(session), Redactor())
        waiting = session.phase is Phase.ASKING
        return {
            "engine": self.engine,
            "sandbox": self.sandbox,
            "build": session.build,
            "attempt": session.attempt,
            "attempts": session.last_attempt,
            "files": [
                {"path": show_path(path), "change": _kind(session, path)}
                for path in sorted(session.latest)
            ],
            "logs": session.logs,
            "prompt": str(logs.path(session.attempt, "query")) if waiting else None,
            "commit": session.commit,
            "tokens": self.spent.usage.total if self.spent else 0,
            "cost_usd": round(self.spent.dollars, 6) if self.spent else 0.0,
        }

    def _failure(self) -> Failure | None:
        if self.session.phase is Phase.PASSED:
            return None
        if self.session.phase is Phase.FAILED:
            return Failure(
                Reason.NOT_BUILT,
                _refusal(self.session),
                "'git code-commit undo' goes back to before the run",
                commands=[["git", "code-commit", "undo"]],
            )
        return Failure(
            Reason.NEEDS_ANSWER,
            _refusal(self.session),
            "give the prompt to a model, and its answer to --response ('-': standard input)",
            commands=[["git", "code-commit", "--response", "-"]],
        )


def finish(
    asked: Asked, checkout: Checkout, store: Store, report: Report, tell: Listener
) -> Ending:
    """Commit where that was asked for, and say how the run ended."""
    session = report.session
    if session.phase is Phase.PASSED and asked.commit:
        session = commit_session(
            checkout, session, store, message_for(asked.message, session, store)
        )
        report = replace(report, session=session)
    tell(Finished(report.status, session.attempt, session.last_attempt, session.commit))
    output = asked.shared.output
    if not output.quiet:
        style = style_of(sys.stderr, output, checkout.repository.config.get)
        for line in _closing(report, style):
            write_line(sys.stderr, line)
    elif session.phase is not Phase.PASSED:
        say("error", _refusal(session))
    return report.ending()


def preview(
    shared: Shared, checkout: Checkout, guard: Guard, engine: Engine,
    session: Session | None, store: Store, query: bytes, codebase: bytes,
) -> Ending:  # fmt: skip
    """``--dry-run``: print the difference the answer would make."""
    prompt = initial_prompt(query, codebase) if session is None else next_prompt(session, store)
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
        changes = verify(parse(answer.text), checkout, guard)
    except Faulty as faulty:
        raise Refused(
            f"the answer cannot be used:\n{faulty}",
            hint="nothing was changed",
            reason=Reason.INVALID,
        ) from faulty
    if not shared.output.json:
        style = style_of(sys.stdout, shared.output, checkout.repository.config.get)
        for line in difference(changes, style):
            write_line(sys.stdout, line)
    return Ending("dry-run", _previewed(changes))


def _closing(report: Report, style: Style) -> Sequence[str]:
    session = report.session
    lines = [""]
    if session.phase is Phase.PASSED:
        lines.append(style.good("The build passes."))
        lines.append(
            f"  commit {session.commit[:12]}" if session.commit else "  to see it: git diff HEAD"
        )
    elif session.phase is Phase.FAILED:
        lines.append(style.bad(f"T{_refusal(session)[1:]}."))
        lines.append("  the files are as the last answer left them")
    else:
        lines.append(f"T{_refusal(session)[1:]}")
        lines.append("  then: git code-commit --response FILE   (or '-' for standard input)")
    if session.latest:
        lines.append("  to go back: git code-commit undo")
    if report.spent is not None:
        lines.append(f"  spent: ${report.spent.dollars:.4f}, {report.spent.usage.total:,} tokens")
    return lines


def _refusal(session: Session) -> str:
    """Why a run that did not pass has ended."""
    if session.phase is Phase.FAILED:
        return f"the build does not pass after {count(session.attempt, 'attempt')}"
    log = Logs(_folder(session), Redactor()).path(session.attempt, "query")
    return f"the prompt of attempt {session.attempt} is ready to paste: {log}"


def _previewed(changes: Sequence[Change]) -> dict[str, object]:
    return {
        "files": [
            {"path": show_path(c.path), "change": _word(c.old is not None, c.new is not None)}
            for c in changes
        ],
    }


def _kind(session: Session, path: bytes) -> str:
    return _word(session.before.get(path) is not None, session.latest[path] is not None)


def _word(before: bool, after: bool) -> str:
    if not after:
        return "removed" if before else "none"
    return "replaced" if before else "created"


def _folder(session: Session) -> Path:
    return Path(session.logs)
