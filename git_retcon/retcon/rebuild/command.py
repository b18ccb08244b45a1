"""``git retcon run``: rebuild or plan, and print it for people and programs."""

import sys
from dataclasses import asdict, replace
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.errors import Reason, Refused, WrongUsage
from git_retcon.git.graph import is_ancestor, resolve_commit
from git_retcon.git.repository import Repository, explain_libgit2, open_repository
from git_retcon.retcon import events
from git_retcon.retcon.branch.spec_lock import lock_spec
from git_retcon.retcon.engines.choose import ChosenEngine, choose_engine
from git_retcon.retcon.rebuild.explanation import ExplainingEngine
from git_retcon.retcon.rebuild.options import (
    Decisions,
    Request,
    commands_of_spec,
    decide_engine,
    decide_extraction,
    decide_run,
    decides_to_squash,
)
from git_retcon.retcon.rebuild.report import closing_lines, make_ending, make_finished
from git_retcon.retcon.rebuild.run import Result, rebuild
from git_retcon.retcon.rebuild.terminal import RunPrinter
from git_retcon.retcon.rebuild.uncommitted import say_uncommitted
from git_retcon.retcon.spec.discovery import find_spec, is_spec
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.proposed_commands import propose_for_tree
from git_retcon.run.trust import Trust, is_tracked
from git_retcon.settings import TRUSTED, Settings
from git_retcon.show.envelope import PLANNED, Ending
from git_retcon.show.events import open_listeners, write_event
from git_retcon.show.notices import say
from git_retcon.show.pager import page_lines
from git_retcon.show.style import count_columns, shell_word, style_of, write_line

if TYPE_CHECKING:
    from git_retcon.retcon.rebuild.given_plan import GivenPlan


def run(request: Request) -> Ending:
    """Rebuild, or with ``--dry-run`` say what a run would do."""
    _refuse_eaten_spec(request)
    path = find_spec(request.spec)
    repository = open_repository(Path.cwd())
    with explain_libgit2():
        if request.shared.dry_run:
            return _print_plan(request, repository, path)
        return _rebuild_branch(request, repository, path)


def _refuse_eaten_spec(request: Request) -> None:
    """Notice ``--build SPEC``: the option has taken the spec for its command."""
    for option in ("setup", "build", "test"):
        value = getattr(request, option)
        if request.spec is None and value is not None and is_spec(Path(value)):
            raise WrongUsage(
                f"--{option} has taken '{value}' for its command",
                hint=f"give the command too: 'git retcon --{option} CMD {value}'",
            )


def _rebuild_branch(request: Request, repository: Repository, path: Path) -> Ending:
    chosen = Settings.of(repository.config)
    with open_listeners(
        request.shared.output, _make_printer(request, repository), events=request.shared.events
    ) as tell:

        def decide(spec: Spec) -> Decisions:
            _require_trust(request, repository, path, spec, tell)
            return decide_run(request, spec, chosen)

        def open_engine() -> ChosenEngine:
            found = choose_engine(repository, decide_engine(request, chosen), tell)
            if not request.explain:
                return found
            return replace(found, engine=ExplainingEngine(found.engine, tell))

        if request.state is not None:
            _save_state(request, repository, path)
        if request.plan:
            from git_retcon.retcon.rebuild.given_plan import read_plan

            take_plan(repository, path, read_plan(request.plan), restart=request.restart)
        result = rebuild(repository, path, decide, open_engine, tell)
        if result.stuck is None:
            if not result.commands.steps:
                tell(_warn_untested(repository, result))
            tell(make_finished(result))
    _print_closing(request, repository, result)
    ending = make_ending(result)
    if ending.failure and request.shared.output.quiet:
        # Otherwise the events have said it; -q silences those, and no error.
        say("error", ending.failure.error, ending.failure.hint)
    return ending


def _save_state(request: Request, repository: Repository, path: Path) -> None:
    """Write ``--source`` into the spec: every command about this branch must mean the same."""
    with lock_spec(repository, path) as specfile:
        wanted = _choose_state(request, repository, specfile)
        if wanted is not specfile:
            specfile.restore(wanted.render())


def _choose_state(request: Request, repository: Repository, specfile: SpecFile) -> SpecFile:
    """The spec as ``--source`` asks for it, unsaved."""
    if request.state is None:
        return specfile
    if request.state == "branch" and not request.restart:
        _refuse_taking_back(repository, specfile)
    return specfile.with_worktree(wanted=request.state == "worktree")


def _refuse_taking_back(repository: Repository, specfile: SpecFile) -> None:
    """Raise Refused where commits hold what is on no branch: with the branch as the source, the
    next commit would take it back."""
    spec = specfile.spec
    made = [oid for commit in spec.commits for oid in commit.commits]
    last = resolve_commit(repository, made[-1]) if made and spec.worktree else None
    tip = resolve_commit(repository, spec.source)
    if last is None or tip is None or is_ancestor(repository, last, tip):
        return
    name = shell_word(str(specfile.path))
    raise Refused(
        f"commits of '{spec.cleaned}' may hold what is not committed on '{spec.source}', and the "
        "branch alone would take it back",
        hint=f"'git retcon --restart --source=branch {name}' builds them again without it; "
        f"'git retcon {name}' goes on with it",
        reason=Reason.UNSAVED_WORK,
        commands=[
            ["git", "retcon", "--restart", "--source=branch", str(specfile.path)],
            ["git", "retcon", str(specfile.path)],
        ],
    )


def take_plan(repository: Repository, path: Path, given: "GivenPlan", *, restart: bool) -> None:
    """Write into the spec, as pins, what a given plan changes."""
    from git_retcon.retcon.rebuild.pinning import settle_given_plan

    with lock_spec(repository, path) as specfile:
        settled = settle_given_plan(repository, specfile, given, restart=restart)
        content = settled.render()
        if content != specfile.content:  # else the file keeps its time, for editors and for make
            specfile.restore(content)


def _require_trust(
    request: Request, repository: Repository, path: Path, spec: Spec, tell: events.Listener
) -> None:
    """Raise Refused where git tracks the spec and nobody trusts the commands that it names."""
    commands = commands_of_spec(request, spec)
    if commands and is_tracked(path, repository):
        trust = Trust(TRUSTED, repository, request.trust, lambda line: tell(events.Warned(line)))
        trust.require(str(path), commands)


def _make_printer(request: Request, repository: Repository) -> RunPrinter:
    output = request.shared.output
    style = style_of(sys.stderr, output, repository.config.get)
    return RunPrinter(sys.stderr, style, verbose=output.verbose)


def _print_plan(request: Request, repository: Repository, path: Path) -> Ending:
    # What only a dry run needs would be a twentieth of a small run.
    from git_retcon.retcon.rebuild.dry_run import make_plan
    from git_retcon.retcon.rebuild.plan_view import Detail, PlanView

    specfile = _choose_state(request, repository, SpecFile.load(path))
    if request.plan:
        from git_retcon.retcon.rebuild.given_plan import read_plan
        from git_retcon.retcon.rebuild.pinning import settle_given_plan

        given = read_plan(request.plan)
        specfile = settle_given_plan(repository, specfile, given, restart=request.restart)
    chosen = Settings.of(repository.config)
    squashes = decides_to_squash(request, chosen)
    # The plan does not need it, but the run that follows refuses a bad one.
    decide_extraction(chosen)
    plan = make_plan(
        repository,
        specfile,
        restart=request.restart,
        squashes=squashes,
    )
    output = request.shared.output
    if not output.quiet:
        for warning in plan.warnings:
            say("warning", warning)
    say_uncommitted(repository, specfile, output)
    planned = plan.describe(explain=request.explain)
    if request.shared.events:
        write_event(sys.stdout, planned)
    elif not output.json:
        style = style_of(sys.stdout, output, repository.config.get)
        detail = Detail(patch=request.patch, reasons=request.explain)
        page_lines(PlanView(plan, style, detail, count_columns(sys.stdout)).lines())
    return Ending(PLANNED, asdict(planned))


def _print_closing(request: Request, repository: Repository, result: Result) -> None:
    shared = request.shared
    if result.stuck is None and not (shared.output.json or shared.events):
        style = style_of(sys.stdout, shared.output, repository.config.get)
        for line in closing_lines(result, style):
            write_line(sys.stdout, line)


def _warn_untested(repository: Repository, result: Result) -> events.Warned:
    found = propose_for_tree(repository, result.branches.source.tree)
    build = (found.build or found.test) if found else "…"
    return events.Warned(
        "no build command: these commits were not tested",
        f"name a command, such as --build '{build}', for this run; build = \"{build}\" at the "
        "top of the spec, or 'git config retcon.build', for all",
    )
