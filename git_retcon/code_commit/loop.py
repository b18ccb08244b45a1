"""One attempt and its repairs: ask, verify, apply, build, and again with what went wrong.

The session is saved after every step, so that a run which was stopped goes on at the next one.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Protocol

from git_retcon.code_commit import events
from git_retcon.code_commit.answer_files import apply_changes, record_build
from git_retcon.code_commit.answer_grammar import Faulty, parse_answer
from git_retcon.code_commit.builder import Builder
from git_retcon.code_commit.events import Listener
from git_retcon.code_commit.logs import Logs
from git_retcon.code_commit.prompts import Prompt, initial_prompt, repair_prompt
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Guard, verify_answer
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.never_send import LARGEST_FILE, NeverSend, hide_lines
from git_retcon.model.token_count import count_tokens
from git_retcon.run.failure import Failure, read_failure
from git_retcon.run.stalled import Headway
from git_retcon.show.counting import list_some
from git_retcon.show.style import show_path

_MOST_FAULTS = 50


@dataclass(frozen=True, slots=True)
class RawAnswer:
    """An answer before it is parsed. One that is cut off is not used, even if it parses."""

    text: bytes
    is_cut_off: bool = False


class Engine(Protocol):
    """Answers prompts."""

    @property
    def name(self) -> str:
        """As recorded: "offline" or "claude"."""

    def answer(self, prompt: Prompt) -> RawAnswer | None:
        """The answer; None where a person will bring it with another command."""


@dataclass(frozen=True)
class LoopParts:
    """Everything that one run works with."""

    checkout: Checkout
    store: Store
    logs: Logs
    guard: Guard
    never_send: NeverSend
    builder: Builder
    engine: Engine
    tell: Listener
    show: Callable[[Prompt], None]
    commits: bool = False


def run_session(session: Session, parts: LoopParts) -> Session:
    """Take a session to a build that passes, to the last failure, or to where a person must answer.

    The phase is then PASSED (COMMITTING where a commit is to be made), FAILED or ASKING.
    """
    headway = Headway(lambda: (parts.checkout.root,))
    while session.phase.is_open and session.phase is not Phase.COMMITTING:
        if session.phase is Phase.ASKING:
            answered = _ask_model(session, parts, headway)
            if answered is None:
                return session
            session = answered
        elif session.phase is Phase.ANSWERED:
            session = _apply_answer(session, parts, headway)
        else:
            session = _build_tree(session, parts, headway)
        # After every step: what was paid for, or written to files, is never done twice.
        parts.store.save(session)
    return session


def next_prompt(session: Session, store: Store) -> Prompt:
    """The prompt of the next attempt."""
    query, codebase = store.blobs.content(session.query), store.blobs.content(session.codebase)
    if session.feedback is None:
        return initial_prompt(query, codebase)
    latest = {
        path: None if state is None else store.blobs.content(state.blob)
        for path, state in session.latest.items()
    }
    return repair_prompt(store.blobs.content(session.feedback), query, codebase, latest)


def _ask_model(session: Session, parts: LoopParts, headway: Headway) -> Session | None:
    prompt = next_prompt(session, parts.store)
    parts.logs.write(session.attempt, "query", prompt.whole)
    parts.show(prompt)
    tokens = count_tokens(prompt.whole)
    parts.tell(events.Asking(session.attempt, session.last_attempt, tokens))
    started = time.monotonic()
    answer = parts.engine.answer(prompt)
    if answer is None:
        return None
    log = parts.logs.write(session.attempt, "response", answer.text)
    parts.tell(events.Answered(session.attempt, str(log), time.monotonic() - started))
    # Half an answer may parse, and would replace a file by its first half.
    if answer.is_cut_off:
        return _reject_answer(
            session, ("the answer was cut off at the output limit",), parts, headway
        )
    return replace(session, phase=Phase.ANSWERED, answer=parts.store.blobs.keep(answer.text))


def _apply_answer(session: Session, parts: LoopParts, headway: Headway) -> Session:
    assert session.answer is not None
    try:
        answer = parse_answer(parts.store.blobs.content(session.answer))
        changes = verify_answer(answer, parts.checkout, parts.guard)
    except Faulty as faulty:
        return _reject_answer(session, tuple(map(str, faulty.faults)), parts, headway)
    if answer.message and session.message is None:  # repairs name the repair only
        session = replace(session, message=parts.guard.redactor.redact_text(answer.message))
    session = replace(session, rejected=False)
    session = apply_changes(changes, session, parts.checkout, parts.store)
    written = tuple(show_path(change.path) for change in changes if change.new is not None)
    removed = tuple(show_path(change.path) for change in changes if change.new is None)
    parts.tell(events.Applied(session.attempt, written, removed))
    return session


def _build_tree(session: Session, parts: LoopParts, headway: Headway) -> Session:
    parts.tell(events.StepStarted("build", parts.builder.command))
    with parts.logs.open_stream(session.attempt, "build") as log:
        verdict = parts.builder.run(log)
        log(b"\n" + verdict.closing_lines)
    outcome = verdict.outcome
    redact = parts.guard.redactor.redact_bytes
    failure = None if verdict.passed else read_failure("build", outcome, redact)
    where = str(parts.logs.path(session.attempt, "build"))
    end = events.describe_end("build", failure, outcome.seconds, log=where)
    # A build can pass in its own eyes: what it printed does not say then why it failed.
    parts.tell(replace(end, cause=verdict.spoiled.headline or end.cause))
    session = record_build(session, parts.checkout, parts.store)
    if failure is None:
        return replace(session, phase=Phase.COMMITTING if parts.commits else Phase.PASSED)
    return _fail_attempt(session, failure, _hide_withheld(verdict.text, parts), parts, headway)


def _hide_withheld(printed: bytes, parts: LoopParts) -> bytes:
    """Hide, in what a build printed, lines of files that must not leave this machine."""
    if not parts.never_send.patterns:
        return printed
    text = printed.decode("utf-8", "backslashreplace")
    return hide_lines(text, _read_withheld(parts)).encode("utf-8", "surrogatepass")


def _read_withheld(parts: LoopParts) -> Iterator[bytes]:
    checkout = parts.checkout
    # A withheld file may be new and untracked; the build reads it all the same.
    for path in sorted({*checkout.list_tracked(), *checkout.list_changed()}):
        if parts.never_send.matches(path):
            # What cannot be read here, the build most likely cannot print either.
            with contextlib.suppress(ForbiddenPath, OSError):
                file = checkout.files.read(path)
                if file is not None and len(file.content) <= LARGEST_FILE:
                    yield from file.content.split(b"\n")


def _reject_answer(
    session: Session, faults: tuple[str, ...], parts: LoopParts, headway: Headway
) -> Session:
    parts.tell(events.Rejected(session.attempt, faults[:_MOST_FAULTS]))
    listed = list_some(faults, _MOST_FAULTS, "fault")
    # The next prompt does not hold the answer: without a word, its other blocks would be missing.
    lines = (
        "The answer was not used. Write all of its blocks again, without these faults:",
        *listed,
    )
    feedback = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    unusable = Failure("answer", "", 1, feedback)
    return _fail_attempt(replace(session, rejected=True), unusable, feedback, parts, headway)


def _fail_attempt(
    session: Session, failure: Failure, feedback: bytes, parts: LoopParts, headway: Headway
) -> Session:
    """Begin the next attempt after a failed one, unless none is left or they lead nowhere."""
    # What is masked in the log lies nowhere unmasked.
    kept = parts.store.blobs.keep(parts.guard.redactor.redact_bytes(feedback))
    session = replace(session, feedback=kept, answer=None)
    # Asked even when no attempt is left: the measure has to see every failure in order.
    stalled = headway.why_stalled(failure)
    if session.attempt >= session.last_attempt:
        return replace(session, phase=Phase.FAILED)
    if stalled is not None:
        parts.tell(events.GaveUp(session.attempt, stalled))
        return replace(session, phase=Phase.FAILED)
    return replace(session, phase=Phase.ASKING, attempt=session.attempt + 1)
