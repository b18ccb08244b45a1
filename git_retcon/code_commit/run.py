"""``git code-commit`` from start to end: gate, question, loop, report."""

import os
import sys
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from git_retcon.code_commit import events
from git_retcon.code_commit.answer_files import is_as_built, recover_session
from git_retcon.code_commit.builder import Builder, build_command, build_files
from git_retcon.code_commit.engines import Claude, PastedAnswer
from git_retcon.code_commit.events import Listener
from git_retcon.code_commit.gate import check_gate
from git_retcon.code_commit.inputs import (
    make_redactor,
    read_codebase,
    read_input,
    read_key,
    read_query,
    refuse_uncommitted,
)
from git_retcon.code_commit.kept_work import find_earlier, keep_work
from git_retcon.code_commit.logs import Logs, new_log_folder
from git_retcon.code_commit.loop import Engine, LoopParts, next_prompt, run_session
from git_retcon.code_commit.options import Decisions, Request, choose_model, decide
from git_retcon.code_commit.prompts import Prompt, initial_prompt
from git_retcon.code_commit.report import Report, find_changed_judges, finish, print_preview
from git_retcon.code_commit.session import KeptWork, Phase, Session, Store, hold_store
from git_retcon.code_commit.terminal import RunPrinter
from git_retcon.code_commit.verification import Guard, protect_link_targets
from git_retcon.code_commit.working_tree import Checkout, open_checkout
from git_retcon.errors import Reason, Refused, WrongUsage
from git_retcon.files.beneath import File
from git_retcon.git.commits import check_identity
from git_retcon.git.ref_locks import release_dead_locks
from git_retcon.git.refs import read_ref
from git_retcon.git.repository import open_repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.client import Client
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import EngineName, ModelChoice
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.shown_prompts import show_prompt
from git_retcon.run.consent import Consent
from git_retcon.run.executed_files import find_executed
from git_retcon.run.sandbox.level import Level, Sandbox, choose
from git_retcon.run.sandbox.tree_secrets import find_withheld
from git_retcon.settings import Settings
from git_retcon.show.counting import some_of
from git_retcon.show.envelope import Ending
from git_retcon.show.events import open_listeners
from git_retcon.show.question import choose_asker
from git_retcon.show.style import show_path, style_of


def run(request: Request) -> Ending:
    """Ask for an answer, or take the one of ``--response``, apply it and build."""
    checkout = open_checkout(open_repository(Path.cwd()))
    shared = request.shared
    style = style_of(sys.stderr, shared.output, checkout.repository.config.get)
    printer = RunPrinter(sys.stderr, style, verbose=shared.output.verbose)
    with (
        hold_store(checkout.state) as store,
        open_listeners(shared.output, printer, events=shared.events) as tell,
    ):
        # Here too, as a run that goes on after a kill may move no ref of its own any more.
        release_dead_locks(checkout.repository.common_dir)
        return _Run(request, checkout, store, tell).run()


def _require_other_home(root: Path) -> None:
    """Raise Refused where a sandbox would open what it is there to close."""
    home = os.path.realpath(Path.home())
    if Path(home).is_relative_to(os.path.realpath(root)):
        raise Refused(
            "your home folder is in this working tree, and a build may read and change all of it",
            hint="work in another one ('git worktree add'), or build without a sandbox by "
            "'--sandbox=off'",
            reason=Reason.NO_SANDBOX,
            again=["--sandbox=off"],
        )


@dataclass(frozen=True)
class _OpenEngine:
    """The engine of a run, and its client where it is a model's."""

    engine: Engine
    description: str
    client: Client | None = None
    hint: str = ""


class _Asked(NamedTuple):
    """What the user asked, and the code that goes with it."""

    query: bytes
    codebase: bytes


class _Run:
    """One run, with what its steps share."""

    def __init__(self, request: Request, checkout: Checkout, store: Store, tell: Listener) -> None:
        self._request = request
        self._checkout = checkout
        self._store = store
        self._settings = Settings.of(checkout.repository.config)
        self._decisions: Decisions = decide(request, self._settings)
        self._tell = tell

    def run(self) -> Ending:
        check_gate(self._checkout)
        session = self._open_session()
        command = self._choose_command(session)
        redactor = make_redactor(self._checkout, os.environ)
        guard = self._make_guard(command, redactor)
        if self._request.commit:
            check_identity(self._checkout.repository)
        # Before the engine is opened: nobody pays for an answer that may not be written.
        forced = self._find_forced(guard, session)
        asked = self._read_question(session)
        opened = self._open_engine()
        sandbox = choose(self._decisions.policy)
        self._tell(events.EngineChosen(opened.engine.name, opened.description, opened.hint))
        self._tell(events.Confined(sandbox.level.value, sandbox.description))
        if self._request.shared.dry_run:
            return self._print_preview(session, asked, guard, opened.engine)
        builder = self._choose_sandbox(self._make_builder(command, sandbox), session)
        # After the sandbox is agreed on, as a refusal leaves nothing behind.
        session = self._enter_session(
            session, asked, forced, builder, is_confined=builder.sandbox is sandbox
        )
        session = self._take_answer(session, opened.engine)
        session = run_session(session, self._make_parts(session, guard, builder, opened, redactor))
        return self._end_run(session, opened, builder)

    def _make_guard(self, command: str, redactor: Redactor) -> Guard:
        root = self._checkout.root
        executed = find_executed(self._checkout.repository, root)
        guard = Guard(
            self._decisions.patterns,
            build_files(command, self._checkout),
            redactor,
            frozenset(os.fsencode(place.relative_to(root)) for place in executed),
        )
        return protect_link_targets(self._checkout, guard)

    def _find_forced(self, guard: Guard, session: Session | None) -> Mapping[bytes, File | None]:
        """The uncommitted files that ``--force`` lets a run replace. Raises Refused without it."""
        given = (self._request.response, self._request.file)
        force = self._request.force
        return refuse_uncommitted(self._checkout, guard, session, given, force=force)

    def _print_preview(
        self, session: Session | None, asked: _Asked, guard: Guard, engine: Engine
    ) -> Ending:
        prompt = initial_prompt(*asked) if session is None else next_prompt(session, self._store)
        return print_preview(self._request.shared, self._checkout, guard, engine, prompt)

    def _enter_session(
        self,
        session: Session | None,
        asked: _Asked,
        forced: Mapping[bytes, File | None],
        builder: Builder,
        *,
        is_confined: bool,
    ) -> Session:
        """Begin a session or go on with the open one; nothing was written before."""
        unconfined = None if is_confined else builder.command
        kept = self._keep_forced(forced)
        if session is None:
            return self._begin_session(asked, builder.command, unconfined, kept)
        session = self._resume_session(session, builder.command, unconfined)
        return self._return_to_forced(session, forced, kept)

    def _end_run(self, session: Session, opened: _OpenEngine, builder: Builder) -> Ending:
        spending = opened.client.spending if opened.client else None
        judges = find_changed_judges(session, self._checkout)
        report = Report(session, opened.engine.name, builder.sandbox.record, judges, spending)
        return finish(self._request, self._checkout, self._store, report, self._tell)

    def _make_builder(self, command: str, sandbox: Sandbox) -> Builder:
        timeout = self._decisions.timeout
        return Builder(self._checkout, command, sandbox, timeout, self._find_withheld())

    def _choose_sandbox(self, builder: Builder, session: Session | None) -> Builder:
        """The builder with its sandbox, or without one where the user agrees to that.

        The build is tried once a session, on the user's own tree: with an answer in the tree, a
        failure would say nothing about the sandbox. Consent counts for the whole session.
        """
        if builder.sandbox.level is not Level.NONE:
            _require_other_home(self._checkout.root)
        consent = Consent(
            self._decisions.policy, choose_asker(self._request.shared), self._give_warning
        )
        if session is not None and builder.sandbox.level is not Level.NONE:
            if session.unconfined == builder.command:
                return replace(builder, sandbox=consent.recall(builder.command))
            if session.latest or session.build == builder.command:
                consent.admit(builder.sandbox)
                return builder.recall_reading()
        return builder.with_consent(consent, lambda: self._tell(events.Trying(builder.command)))

    def _find_withheld(self) -> tuple[Path, ...]:
        patterns = NeverSend(self._decisions.never_send)
        return find_withheld(self._checkout.root, patterns.matches) if patterns.patterns else ()

    def _open_session(self) -> Session | None:
        """The open session, recovered after a kill; None where a new one begins."""
        session = self._store.load()
        if session is None or not session.phase.is_open:
            return None
        session = recover_session(session, self._checkout, self._store)
        # Not the saved path: the working tree may have been moved since.
        logs = self._checkout.config_folder / "logs" / Path(session.logs).name
        session = replace(session, logs=str(logs))
        wants_other = self._request.question.is_given or self._request.response is None
        # With --response and no query the answer belongs to the question that is open.
        if wants_other and self._is_other(session):
            if session.phase is Phase.COMMITTING:
                raise _refuse_other_commit()
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
        query = read_query(self._request.question, self._checkout)
        return query != self._store.blobs.content(session.query)

    def _choose_command(self, session: Session | None) -> str:
        command = build_command(self._checkout, self._decisions.build)
        # The session's own: what an earlier attempt failed is what the next one has to pass.
        if session is not None and self._request.build is None:
            return session.build
        return command

    def _read_question(self, session: Session | None) -> _Asked:
        if session is not None:
            read_blob = self._store.blobs.content
            return _Asked(read_blob(session.query), read_blob(session.codebase))
        query = read_query(self._request.question, self._checkout)
        return _Asked(query, read_codebase(self._checkout))

    def _open_engine(self) -> _OpenEngine:
        request = self._request
        key = read_key(self._checkout)
        choice = choose_model(request, self._settings, key)
        if request.response is not None:
            if request.shared.engine == EngineName.CLAUDE:
                raise WrongUsage("--response and --engine claude contradict each other")
            answer = read_input(request.response, "answer")
            return _OpenEngine(PastedAnswer(answer), choice.description)
        if choice.engine is EngineName.OFFLINE:
            return _OpenEngine(PastedAnswer(), choice.description, hint=choice.hint or "")
        return self._open_claude(choice, key)

    def _open_claude(self, choice: ModelChoice, key: str | None) -> _OpenEngine:
        client = open_client(choice, os.environ, "code-commit", self._give_warning, key=key)
        return _OpenEngine(Claude(client, choice.model), choice.description, client)

    def _give_warning(self, message: str) -> None:
        self._tell(events.Warned(message))

    def _keep_forced(self, forced: Mapping[bytes, File | None]) -> tuple[KeptWork, ...]:
        """Keep the user's uncommitted work, if there is any, before anything touches it."""
        if not forced:
            return ()
        kept = keep_work(self._checkout, forced, self._give_warning)
        names = some_of([show_path(path) for path in forced], 5)
        self._give_warning(f"uncommitted changes are kept as {kept.ref}: {names}")
        return (kept,)

    def _return_to_forced(
        self, session: Session, forced: Mapping[bytes, File | None], kept: tuple[KeptWork, ...]
    ) -> Session:
        """Let ``undo`` go back to what the user made of the files of an open session."""
        if not forced:
            return session
        states = {
            path: self._store.blobs.keep_file(file)
            for path, file in forced.items()
            if path in session.before
        }
        session = replace(
            session, before=dict(session.before) | states, kept=(*session.kept, *kept)
        )
        self._store.save(session)
        return session

    def _begin_session(
        self, asked: _Asked, command: str, unconfined: str | None, kept: tuple[KeptWork, ...]
    ) -> Session:
        logs = new_log_folder(self._checkout.config_folder / "logs", time.time())
        session = Session(
            query=self._store.blobs.keep(asked.query),
            codebase=self._store.blobs.keep(asked.codebase),
            build=command,
            repairs=self._decisions.repairs,
            logs=str(logs),
            head=read_ref(self._checkout.git, "HEAD"),
            unconfined=unconfined,
            products=self._checkout.list_changed(),
            kept=kept,
            earlier=find_earlier(self._checkout, self._store.load()),
        )
        self._store.begin(session)
        return session

    def _resume_session(self, session: Session, command: str, unconfined: str | None) -> Session:
        self._tell(events.Resumed(session.attempt))
        repairs = self._request.repairs
        session = replace(
            session,
            build=command,
            repairs=session.repairs if repairs is None else repairs,
            unconfined=unconfined or session.unconfined,
        )
        if session.phase is Phase.COMMITTING and not is_as_built(session, self._checkout):
            session = replace(session, phase=Phase.BUILDING)  # that is not what passed
        self._store.save(session)
        return session

    def _take_answer(self, session: Session, engine: Engine) -> Session:
        """Take a new answer instead of one that a killed run has not judged yet."""
        if session.phase is Phase.ASKING or not isinstance(engine, PastedAnswer):
            return session
        brought = engine.take()
        if brought is None or self._store.blobs.keep(brought) == session.answer:
            return session
        session = replace(session, phase=Phase.ANSWERED, answer=self._store.blobs.keep(brought))
        self._store.save(session)
        return session

    def _make_parts(
        self,
        session: Session,
        guard: Guard,
        builder: Builder,
        opened: _OpenEngine,
        redactor: Redactor,
    ) -> LoopParts:
        return LoopParts(
            checkout=self._checkout,
            store=self._store,
            logs=Logs(Path(session.logs), redactor),
            guard=guard,
            never_send=NeverSend(self._decisions.never_send),
            builder=builder,
            engine=opened.engine,
            tell=events.mask_answers(self._tell, redactor),
            commits=self._request.commit,
            show=_make_prompt_printer(opened.engine, redactor)
            if self._request.shared.show_prompt
            else _print_nothing,
        )


def _refuse_other_commit() -> Refused:
    return Refused(
        "the change of another question passed, and is not committed yet",
        hint="ask that question again with --commit, keep the files with 'git code-commit "
        "--abort', or take them back with 'git code-commit undo'",
        commands=[["git", "code-commit", "--abort"], ["git", "code-commit", "undo"]],
    )


def _make_prompt_printer(engine: Engine, redactor: Redactor) -> Callable[[Prompt], None]:
    whom = engine.model if isinstance(engine, Claude) else "paste"

    def show(prompt: Prompt) -> None:
        parts = (prompt.system, prompt.parts.decode("utf-8", "replace"))
        show_prompt(whom, parts, redactor, sys.stderr)

    return show


def _print_nothing(prompt: Prompt) -> None:
    pass
