"""What a run came to: for people, for machines, and as an exit status."""

import json
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TextIO

from git_retcon.code_commit import events
from git_retcon.code_commit.asked import Asked
from git_retcon.code_commit.checkout import Checkout
from git_retcon.code_commit.committing import commit_session, message_for
from git_retcon.code_commit.difference import difference
from git_retcon.code_commit.events import Event, Listener
from git_retcon.code_commit.grammar import Faulty, parse
from git_retcon.code_commit.logs import Logs
from git_retcon.code_commit.loop import Engine, next_prompt
from git_retcon.code_commit.request import initial_prompt
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.telling import Teller
from git_retcon.code_commit.verifying import Change, Guard, verify
from git_retcon.errors import Refused
from git_retcon.git.config import Config
from git_retcon.model.redaction import Redactor
from git_retcon.model.spending import Spending
from git_retcon.options import Output, Shared
from git_retcon.show.style import Style, When, show_path, style_for, write_line

_STATUS = {Phase.PASSED: "passed", Phase.FAILED: "failed", Phase.ASKING: "waiting"}


@dataclass(frozen=True, slots=True)
class Report:
    """How a run ended. ``sandbox`` is the level that was in force, ``spent`` what models used."""

    session: Session
    engine: str
    sandbox: str
    spent: Spending | None = None

    def as_json(self) -> dict[str, object]:
        """The object of ``--json`` (git-code-commit(1), OUTPUT)."""
        session = self.session
        logs = Logs(_folder(session), Redactor())
        waiting = session.phase is Phase.ASKING
        return {
            "version": 1,
            "status": _STATUS[session.phase],
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


def finish(asked: Asked, checkout: Checkout, store: Store, report: Report, tell: Listener) -> int:
    """Commit where that was asked for, and say how the run ended. The exit status."""
    session = report.session
    if session.phase is Phase.PASSED and asked.commit:
        session = commit_session(
            checkout, session, store, message_for(asked.message, session, store)
        )
        report = replace(report, session=session)
    output = asked.shared.output
    if output.json:
        write_line(sys.stdout, json.dumps(report.as_json(), indent=2))
    elif output.quiet:
        if session.phase is not Phase.PASSED:
            write_line(sys.stderr, f"error: {_refusal(session)}")
    else:
        for line in _closing(report, style_of(sys.stderr, output, checkout.repository.config)):
            write_line(sys.stderr, line)
    return 0 if session.phase is Phase.PASSED else 1


def preview(
    shared: Shared, checkout: Checkout, guard: Guard, engine: Engine,
    session: Session | None, store: Store, query: bytes, codebase: bytes,
) -> int:  # fmt: skip
    """``--dry-run``: print the difference the answer would make. The exit status."""
    prompt = initial_prompt(query, codebase) if session is None else next_prompt(session, store)
    answer = engine.answer(prompt)
    if answer is None:
        raise Refused(
            "there is no answer to show", hint="bring one with --response, or set ANTHROPIC_API_KEY"
        )
    try:
        if answer.is_cut_off:
            raise Refused("the answer was cut off at the output limit", hint="nothing was changed")
        changes = verify(parse(answer.text), checkout, guard)
    except Faulty as faulty:
        raise Refused(
            f"the answer cannot be used:\n{faulty}", hint="nothing was changed"
        ) from faulty
    if shared.output.json:
        write_line(sys.stdout, json.dumps(_previewed(changes), indent=2))
        return 0
    for line in difference(
        changes, style_of(sys.stdout, shared.output, checkout.repository.config)
    ):
        write_line(sys.stdout, line)
    return 0


def listener(shared: Shared, checkout: Checkout) -> Listener:
    """Whoever is told: people on standard error, and machines on standard output."""
    listeners: list[Listener] = []
    if not shared.output.quiet:
        style = style_of(sys.stderr, shared.output, checkout.repository.config)
        listeners.append(Teller(sys.stderr, style, verbose=shared.output.verbose))
    if shared.events:
        listeners.append(_tell_machine)

    def tell(event: Event) -> None:
        for each in listeners:
            each(event)

    return tell


def style_of(stream: TextIO, output: Output, config: Config) -> Style:
    """The style of a stream, as git would colour it."""
    configured = config.get("color.code-commit") or config.get("color.ui")
    return style_for(stream, When(output.color), configured, os.environ)


def _tell_machine(event: Event) -> None:
    write_line(sys.stdout, json.dumps(events.as_json(event)))
    sys.stdout.flush()


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
        count = session.attempt
        return f"the build does not pass after {count} attempt{'' if count == 1 else 's'}"
    log = Logs(_folder(session), Redactor()).path(session.attempt, "query")
    return f"the prompt of attempt {session.attempt} is ready to paste: {log}"


def _previewed(changes: Sequence[Change]) -> dict[str, object]:
    return {
        "version": 1,
        "status": "dry-run",
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
