"""``git retcon run``: rebuild or plan, told to whoever listens."""

import sys
from dataclasses import replace
from pathlib import Path

from git_retcon.code.proposals import propose_commands
from git_retcon.git.repository import Repository, explain_libgit2, open_repository
from git_retcon.retcon import events
from git_retcon.retcon.engines.choose import Engagement, engage
from git_retcon.retcon.rebuild.dry_run import make_plan
from git_retcon.retcon.rebuild.explanation import ExplainingEngine
from git_retcon.retcon.rebuild.options import Request, Wishes, engine_wish, squashes_wip, wishes
from git_retcon.retcon.rebuild.report import closing_lines, ending, finished
from git_retcon.retcon.rebuild.run import Result, rebuild
from git_retcon.retcon.rebuild.terminal import Teller
from git_retcon.retcon.spec.discovery import find_spec
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.model import Spec
from git_retcon.settings import Settings
from git_retcon.show.envelope import Ending
from git_retcon.show.events import announcing
from git_retcon.show.notices import say
from git_retcon.show.style import style_of, write_line


def run(request: Request) -> Ending:
    """Rebuild, or with ``--dry-run`` say what a run would do."""
    path = find_spec(request.spec)
    repository = open_repository(Path.cwd())
    with explain_libgit2():
        if request.shared.dry_run:
            return _plan(request, repository, path)
        return _rebuild(request, repository, path)


def _rebuild(request: Request, repository: Repository, path: Path) -> Ending:
    chosen = Settings.of(repository.config)
    with announcing(
        request.shared.output, _teller(request, repository), events=request.shared.events
    ) as tell:

        def decided(spec: Spec) -> Wishes:
            return wishes(request, spec, chosen)

        def engaged() -> Engagement:
            found = engage(repository, engine_wish(request, chosen), tell)
            if not request.explain:
                return found
            return replace(found, engine=ExplainingEngine(found.engine, tell))

        result = rebuild(repository, path, decided, engaged, tell)
        if result.stuck is None:
            if not result.commands.steps:
                tell(_untested(repository, result))
            tell(finished(result))
    _report(request, repository, result)
    return ending(result)


def _teller(request: Request, repository: Repository) -> Teller:
    output = request.shared.output
    style = style_of(sys.stderr, output, repository.config.get)
    return Teller(sys.stderr, style, verbose=output.verbose)


def _plan(request: Request, repository: Repository, path: Path) -> Ending:
    specfile = SpecFile.load(path)
    squashes = squashes_wip(request, Settings.of(repository.config))
    with specfile.naming_lines():
        plan = make_plan(repository, specfile.spec, restart=request.restart, squashes=squashes)
    output = request.shared.output
    if not output.quiet:
        for warned in specfile.unknown_keys():
            say("warning", warned)
    if not output.json:
        style = style_of(sys.stdout, output, repository.config.get)
        for line in plan.lines(style, explain=request.explain):
            write_line(sys.stdout, line)
    return Ending("planned", plan.as_json())


def _report(request: Request, repository: Repository, result: Result) -> None:
    shared = request.shared
    if result.stuck is None and not (shared.output.json or shared.events):
        style = style_of(sys.stdout, shared.output, repository.config.get)
        for line in closing_lines(result, style):
            write_line(sys.stdout, line)


def _untested(repository: Repository, result: Result) -> events.Warned:
    names = repository.trees.read(result.branches.source.tree).keys()
    found = propose_commands(names)
    build = (found.build or found.test) if found else "…"
    return events.Warned(
        "no build command: these commits were not tested",
        f"name a command, such as --build '{build}', for this run; build = \"{build}\" at the "
        "top of the spec, or 'git config retcon.build', for all",
    )
