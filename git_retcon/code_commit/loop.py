"""One attempt and its repairs: ask, verify, apply, build, and again with what went wrong.

The session is saved after every step, so that a run which was stopped goes on at the next one.
"""

import contextlib
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Protocol

from git_retcon.code_commit import events
from git_retcon.code_commit.answer_files import apply, with_built
from git_retcon.code_commit.builder import Builder
from git_retcon.code_commit.events import Listener
from git_retcon.code_commit.grammar import Faulty, parse
from git_retcon.code_commit.logs import Logs
from git_retcon.code_commit.prompts import Prompt, initial_prompt, repair_prompt
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.verification import Guard, verify
from git_retcon.code_commit.working_tree import Checkout
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.model.never_send import LARGEST_FILE, NeverSend, hide_lines
from git_retcon.model.tokens import count_tokens
from git_retcon.run.failure import Failure, read_failure
from git_retcon.run.stalled import Headway
from git_retcon.show.style import show_path

_MOST_FAULTS = 50


@dataclass(frozen=True, slots=True)
class Given:
    """An answer as it came. What is cut off must not be used, however whole it looks."""

    text: bytes
    is_cut_off: bool = False


class Engine(Protocol):
    """Whoever answers prompts."""

    @property
    def name(self) -> str:
        """What it is called."""

    def answer(self, prompt: Prompt) -> Given | None:
        """The answer; None where a person is to bring it with another command."""


@dataclass(frozen=True)
class Workshop:
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


def go_on(session: Session, shop: Workshop) -> Session:
    """Take a session as far as it goes: to a build that passes, to the last failure, or to where
    an answer has to come from a person (its phase is then ASKING).
    """
    headway = Headway(lambda: (shop.checkout.root,))
    while session.phase.is_open:
        if session.phase is Phase.ASKING:
            answered = _ask(session, shop, headway)
            if answered is None:
                return session
            session = answered
        elif session.phase is Phase.ANSWERED:
            session = _apply(session, shop, headway)
        else:
            session = _build(session, shop, headway)
        shop.store.save(session)
    return session


def next_prompt(session: Session, store: Store) -> Prompt:
    """The prompt that is due."""
    query, codebase = store.blobs.content(session.query), store.blobs.content(session.codebase)
    if session.feedback is None:
        return initial_prompt(query, codebase)
    latest = {
        path: None if state is None else store.blobs.content(state.blob)
        for path, state in session.latest.items()
    }
    return repair_prompt(store.blobs.content(session.feedback), query, codebase, latest)


def _ask(session: Session, shop: Workshop, headway: Headway) -> Session | None:
    prompt = next_prompt(session, shop.store)
    shop.logs.write(session.attempt, "query", prompt.whole)
    shop.show(prompt)
    tokens = count_tokens(prompt.whole)
    shop.tell(events.Asking(session.attempt, session.last_attempt, tokens))
    started = time.monotonic()
    answer = shop.engine.answer(prompt)
    if answer is None:
        return None
    log = shop.logs.write(session.attempt, "response", answer.text)
    shop.tell(events.Answered(session.attempt, str(log), time.monotonic() - started))
    if answer.is_cut_off:
        return _rejected(session, ("the answer was cut off at the output limit",), shop, headway)
    return replace(session, phase=Phase.ANSWERED, answer=shop.store.blobs.keep(answer.text))


def _apply(session: Session, shop: Workshop, headway: Headway) -> Session:
    assert session.answer is not None
    try:
        answer = parse(shop.store.blobs.content(session.answer))
        changes = verify(answer, shop.checkout, shop.guard)
    except Faulty as faulty:
        return _rejected(session, tuple(map(str, faulty.faults)), shop, headway)
    if answer.message and session.message is None:  # repairs name the repair only
        session = replace(session, message=shop.guard.redactor.text(answer.message))
    session = apply(changes, session, shop.checkout, shop.store)
    written = tuple(show_path(change.path) for change in changes if change.new is not None)
    removed = tuple(show_path(change.path) for change in changes if change.new is None)
    shop.tell(events.Applied(session.attempt, written, removed))
    return session


def _build(session: Session, shop: Workshop, headway: Headway) -> Session:
    shop.tell(events.Building(session.attempt, shop.builder.command))
    with shop.logs.streamed(session.attempt, "build") as log:
        verdict = shop.builder.run(log)
        log(b"\n" + verdict.closing)
    outcome = verdict.outcome
    failure = read_failure("build", outcome, shop.guard.redactor.data)
    cause = "" if verdict.passed else failure.headline
    where = str(shop.logs.path(session.attempt, "build"))
    shop.tell(
        events.Built(session.attempt, verdict.passed, outcome.status, outcome.seconds, cause, where)
    )
    session = with_built(session, shop.checkout, shop.store)
    if verdict.passed:
        return replace(session, phase=Phase.PASSED)
    return _failed(session, failure, _sendable(verdict.text, shop), shop, headway)


def _sendable(printed: bytes, shop: Workshop) -> bytes:
    """What a build printed, without lines of files that must not leave this machine."""
    if not shop.never_send.patterns:
        return printed
    text = printed.decode("utf-8", "backslashreplace")
    return hide_lines(text, _withheld_lines(shop)).encode("utf-8", "surrogatepass")


def _withheld_lines(shop: Workshop) -> Iterator[bytes]:
    checkout = shop.checkout
    for path in sorted({*checkout.tracked(), *checkout.changed()}):
        if shop.never_send.matches(path):
            with contextlib.suppress(ForbiddenPath, OSError):
                file = checkout.files.read(path)
                if file is not None and len(file.content) <= LARGEST_FILE:
                    yield from file.content.split(b"\n")


def _rejected(
    session: Session, faults: tuple[str, ...], shop: Workshop, headway: Headway
) -> Session:
    shop.tell(events.Rejected(session.attempt, faults[:_MOST_FAULTS]))
    more = len(faults) - _MOST_FAULTS
    told = (*faults[:_MOST_FAULTS], f"and {more} more") if more > 0 else faults
    lines = ("The answer was not used; nothing of it was written:", *told)
    feedback = "".join(f"{line}\n" for line in lines).encode("utf-8", "backslashreplace")
    unusable = Failure("answer", "", 1, feedback)
    return _failed(session, unusable, feedback, shop, headway)


def _failed(
    session: Session, failure: Failure, feedback: bytes, shop: Workshop, headway: Headway
) -> Session:
    """After a failed attempt: the next one, if one is left and the last ones brought something."""
    session = replace(session, feedback=shop.store.blobs.keep(feedback), answer=None)
    stalled = headway.why_stalled(failure)
    if session.attempt >= session.last_attempt:
        return replace(session, phase=Phase.FAILED)
    if stalled is not None:
        shop.tell(events.GaveUp(session.attempt, stalled))
        return replace(session, phase=Phase.FAILED)
    return replace(session, phase=Phase.ASKING, attempt=session.attempt + 1)
