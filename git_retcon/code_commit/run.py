"""``git code-commit`` from beginning to end: gate, question, loop, report."""

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from git_retcon.code_commit import events
from git_retcon.code_commit.answer_files import recover
from git_retcon.code_commit.builder import Builder, build_command, build_files
from git_retcon.code_commit.engines import Claude, Pasted
from git_retcon.code_commit.events import Listener
from git_retcon.code_commit.gate import check_gate
from git_retcon.code_commit.inputs import (
    read_codebase,
    read_input,
    read_key,
    read_query,
    redactor_for,
    refuse_uncommitted,
)
from git_retcon.code_commit.logs import Logs, new_log_folder
from git_retcon.code_commit.loop import Engine, Workshop, go_on
from git_retcon.code_commit.options import Asked, Decided, choose_model, decide
from git_retcon.code_commit.prompts import Prompt
from git_retcon.code_commit.report import Report, finish, preview
from git_retcon.code_commit.session import Phase, Session, Store
from git_retcon.code_commit.terminal import Teller
from git_retcon.code_commit.verification import Guard
from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.errors import Refused, WrongUsage
from git_retcon.files.lock import locked
from git_retcon.git.commits import check_identity
from git_retcon.git.refs import read_ref
from git_retcon.git.repository import open_repository
from git_retcon.model.client import Client
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import EngineName, ModelChoice
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.shown_prompts import show_prompt
from git_retcon.run.consent import Consent
from git_retcon.run.sandbox.level import Level, choose
from git_retcon.settings import Settings
from git_retcon.show.envelope import Ending
from git_retcon.show.events import announcing
from git_retcon.show.question import choose_asker
from git_retcon.show.style import style_of


def run(asked: Asked) -> Ending:
    """Ask, or apply what was brought, and build."""
    checkout = open_checkout(open_repository(Path.cwd()))
    store = Store(checkout.state)
    shared = asked.shared
    style = style_of(sys.stderr, shared.output, checkout.repository.config.get)
    teller = Teller(sys.stderr, style, verbose=shared.output.verbose)
    with (
        locked(checkout.state / "lock", "changing this working tree"),
        announcing(shared.output, teller, events=shared.events) as tell,
    ):
        return _Run(asked, checkout, store, tell).run()


@dataclass(frozen=True)
class _Engaged:
    """The engine of a run, and its client where it is a model's."""

    engine: Engine
    description: str
    client: Client | None = None
    hint: str | None = None


class _Run:
    """One run, with what its steps share."""

    def __init__(self, asked: Asked, checkout: Checkout, store: Store, tell: Listener) -> None:
        self._asked = asked
        self._checkout = checkout
        self._store = store
        self._chosen = Settings.of(checkout.repository.config)
        self._decided: Decided = decide(asked, self._chosen)
        self._tell = tell

    def run(self) -> Ending:
        check_gate(self._checkout)
        session = self._open_session()
        command = self._command(session)
        redactor = redactor_for(self._checkout, os.environ)
        guard = Guard(self._decided.patterns, build_files(command, self._checkout), redactor)
        if self._asked.commit:
            check_identity(self._checkout.repository)
        given = (self._asked.response, self._asked.file)
        refuse_uncommitted(self._checkout, guard, session, given, force=self._asked.force)
        query, codebase = self._question(session)
        engaged = self._engage()
        sandbox = choose(self._decided.policy)
        self._tell(events.Started(engaged.description, sandbox.description))
        if engaged.hint:
            self._tell(events.Warned(engaged.hint))
        if self._asked.shared.dry_run:
            return preview(self._asked.shared, self._checkout, guard, engaged.engine,
                           session, self._store, query, codebase)  # fmt: skip
        builder = self._consented(
            Builder(self._checkout, command, sandbox, self._decided.timeout), session
        )
        unconfined = command if builder.sandbox is not sandbox else None
        if session is None:
            session = self._begin(query, codebase, command, unconfined)
        else:
            session = self._resumed(session, command, unconfined)
            session = self._with_answer(session, engaged.engine)
        shop = self._workshop(session, guard, builder, engaged, redactor)
        session = go_on(session, shop)
        spending = engaged.client.spending if engaged.client else None
        report = Report(session, engaged.engine.name, builder.sandbox.record, spending)
        return finish(self._asked, self._checkout, self._store, report, self._tell)

    def _consented(self, builder: Builder, session: Session | None) -> Builder:
        """The builder in the sandbox that it has, or without where somebody agreed to that.

        Tried once a session, on the user's own tree: with an answer in it, a failure says nothing
        about the sandbox. What was agreed to counts for the whole session.
        """
        consent = Consent(self._decided.policy, choose_asker(self._asked.shared), self._warn)
        if session is not None and builder.sandbox.level is not Level.NONE:
            if session.unconfined == builder.command:
                return replace(builder, sandbox=consent.recall(builder.command))
            if session.latest or session.build == builder.command:
                return builder
        return builder.consented(consent, lambda: self._tell(events.Trying(builder.command)))

    def _open_session(self) -> Session | None:
        """The session that goes on, whole again after a kill; None where a new one begins."""
        session = self._store.load()
        if session is None or not session.phase.is_open:
            return None
        session = recover(session, self._checkout, self._store)
        # the working tree may have been moved since
        logs = self._checkout.config_folder / "logs" / Path(session.logs).name
        session = replace(session, logs=str(logs))
        wants_other = self._asked.question.is_given or self._asked.response is None
        if wants_other and self._is_other(session):
            raise Refused(
                f"another question is open (attempt {session.attempt} of {session.last_attempt})",
                hint="bring its answer with --response, end it with 'git code-commit --abort', or "
                "take it back with 'git code-commit undo'",
                commands=[
                    ["git", "code-commit", "--response", "-"],
                    ["git", "code-commit", "--abort"],
                    ["git", "code-commit", "undo"],
                ],
            )
        return session

    def _is_other(self, session: Session) -> bool:
        query = read_query(self._asked.question, self._checkout)
        return query != self._store.blobs.content(session.query)

    def _command(self, session: Session | None) -> str:
        command = build_command(self._checkout, self._decided.build)
        if session is not None and self._asked.build is None:
            return session.build
        return command

    def _question(self, session: Session | None) -> tuple[bytes, bytes]:
        if session is not None:
            return self._store.blobs.content(session.query), self._store.blobs.content(
                session.codebase
            )
        return read_query(self._asked.question, self._checkout), read_codebase(self._checkout)

    def _engage(self) -> _Engaged:
        asked = self._asked
        key = read_key(self._checkout)
        choice = choose_model(asked, self._chosen, key)
        if asked.response is not None:
            if asked.shared.engine == EngineName.CLAUDE:
                raise WrongUsage("--response and --engine claude contradict each other")
            answer = read_input(asked.response, "answer")
            return _Engaged(Pasted(answer), choice.description)
        if choice.engine is EngineName.OFFLINE:
            return _Engaged(Pasted(), choice.description, hint=choice.hint)
        return self._claude(choice, key)

    def _claude(self, choice: ModelChoice, key: str | None) -> _Engaged:
        client = open_client(choice, os.environ, "code-commit", self._warn, key=key)
        return _Engaged(Claude(client, choice.model), choice.description, client)

    def _warn(self, message: str) -> None:
        self._tell(events.Warned(message))

    def _begin(
        self, query: bytes, codebase: bytes, command: str, unconfined: str | None
    ) -> Session:
        self._store.forget()
        logs = new_log_folder(self._checkout.config_folder / "logs", time.time())
        session = Session(
            query=self._store.blobs.keep(query),
            codebase=self._store.blobs.keep(codebase),
            build=command,
            repairs=self._decided.repairs,
            logs=str(logs),
            head=read_ref(self._checkout.git, "HEAD"),
            unconfined=unconfined,
            products=self._checkout.changed(),
        )
        self._store.save(session)
        return session

    def _resumed(self, session: Session, command: str, unconfined: str | None) -> Session:
        self._tell(events.Resumed(session.attempt))
        repairs = self._asked.repairs
        session = replace(
            session,
            build=command,
            repairs=session.repairs if repairs is None else repairs,
            unconfined=unconfined or session.unconfined,
        )
        self._store.save(session)
        return session

    def _with_answer(self, session: Session, engine: Engine) -> Session:
        """After a kill an answer may be there that was not judged yet; one that is brought now is
        taken instead, or is the same.
        """
        if session.phase is Phase.ASKING or not isinstance(engine, Pasted):
            return session
        brought = engine.take()
        if brought is None or self._store.blobs.keep(brought) == session.answer:
            return session
        session = replace(session, phase=Phase.ANSWERED, answer=self._store.blobs.keep(brought))
        self._store.save(session)
        return session

    def _workshop(
        self,
        session: Session,
        guard: Guard,
        builder: Builder,
        engaged: _Engaged,
        redactor: Redactor,
    ) -> Workshop:
        return Workshop(
            checkout=self._checkout,
            store=self._store,
            logs=Logs(Path(session.logs), redactor),
            guard=guard,
            never_send=NeverSend(self._decided.never_send),
            builder=builder,
            engine=engaged.engine,
            tell=_redacted(self._tell, redactor),
            show=_shower(engaged.engine, redactor) if self._asked.shared.show_prompt else _nobody,
        )


def _shower(engine: Engine, redactor: Redactor) -> Callable[[Prompt], None]:
    whom = engine.model if isinstance(engine, Claude) else "paste"

    def show(prompt: Prompt) -> None:
        parts = (prompt.system, prompt.parts.decode("utf-8", "replace"))
        show_prompt(whom, parts, redactor, sys.stderr)

    return show


def _nobody(prompt: Prompt) -> None:
    pass


def _redacted(tell: Listener, redactor: Redactor) -> Listener:
    """Tell on, with every secret masked in what a model said."""

    def told(event: events.Event) -> None:
        match event:
            case events.Rejected(attempt, faults):
                event = events.Rejected(attempt, tuple(map(redactor.text, faults)))
        tell(event)

    return told
