"""``git retcon run``: rebuild or plan, told to whoever listens."""

import contextlib
import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from git_retcon.code.proposals import propose_commands
from git_retcon.errors import UserError
from git_retcon.git.config import Config
from git_retcon.git.repository import Repository, explain_libgit2, open_repository
from git_retcon.options import Output
from git_retcon.retcon import events
from git_retcon.retcon.engines.choose import Engagement, engage
from git_retcon.retcon.events import Event, Listener
from git_retcon.retcon.rebuild.dry_run import make_plan
from git_retcon.retcon.rebuild.options import Request, Wishes, engine_wish, spec_path, wishes
from git_retcon.retcon.rebuild.report import as_json, closing_lines, finished
from git_retcon.retcon.rebuild.run import Result, rebuild
from git_retcon.retcon.rebuild.terminal import Teller
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.model import Spec
from git_retcon.settings import Settings
from git_retcon.show.style import Style, When, style_for, write_line


def run(request: Request) -> int:
    """Rebuild, or with ``--dry-run`` say what a run would do. The exit status."""
    try:
        path = spec_path(request.spec)
        repository = open_repository(Path.cwd())
        with explain_libgit2():
            if request.shared.dry_run:
                return _plan(request, repository, path)
            return _rebuild(request, repository, path)
    except UserError as error:
        if request.shared.output.json:
            failed = {"version": 1, "status": "failed", "error": str(error), "hint": error.hint}
            write_line(sys.stdout, json.dumps(failed, indent=2))
        raise


def _rebuild(request: Request, repository: Repository, path: Path) -> int:
    chosen = Settings.of(repository.config)
    with listener(request, repository) as tell:

        def decided(spec: Spec) -> Wishes:
            return wishes(request, spec, chosen)

        def engaged() -> Engagement:
            return engage(repository, engine_wish(request, chosen), tell)

        result = rebuild(repository, path, decided, engaged, tell)
        if result.stuck is None:
            if not result.commands.steps:
                tell(_unproved(repository, result))
            tell(finished(result))
    _report(request, repository, result)
    return 0 if result.stuck is None else 1


@contextlib.contextmanager
def listener(request: Request, repository: Repository) -> Iterator[Listener]:
    """Whoever is told: people on standard error, and machines on standard output."""
    output = request.shared.output
    listeners: list[Listener] = []
    style = style_of(sys.stderr, output, repository.config)
    teller = Teller(sys.stderr, style, verbose=output.verbose)
    if not output.quiet:
        listeners.append(teller)
    if request.shared.events:
        listeners.append(_tell_machine)

    def tell(event: Event) -> None:
        for each in listeners:
            each(event)

    try:
        yield tell
    finally:
        teller.end_line()


def style_of(stream: TextIO, output: Output, config: Config) -> Style:
    """The style of a stream, as git would colour it."""
    configured = config.get("color.retcon") or config.get("color.ui")
    return style_for(stream, When(output.color), configured, os.environ)


def _plan(request: Request, repository: Repository, path: Path) -> int:
    specfile = SpecFile.load(path)
    with specfile.naming_lines():
        plan = make_plan(repository, specfile.spec, restart=request.restart)
    output = request.shared.output
    if not output.quiet:
        teller = Teller(sys.stderr, style_of(sys.stderr, output, repository.config))
        for said in specfile.misspelled():
            teller(events.Warned(said))
    if output.json:
        write_line(sys.stdout, json.dumps(plan.as_json(), indent=2))
        return 0
    style = style_of(sys.stdout, output, repository.config)
    for line in plan.lines(style, explain=request.explain):
        write_line(sys.stdout, line)
    return 0


def _tell_machine(event: Event) -> None:
    write_line(sys.stdout, json.dumps(events.as_json(event)))
    sys.stdout.flush()


def _report(request: Request, repository: Repository, result: Result) -> None:
    output = request.shared.output
    if output.json:
        write_line(sys.stdout, json.dumps(as_json(result), indent=2))
    elif result.stuck is None and not request.shared.events:
        for line in closing_lines(result, style_of(sys.stdout, output, repository.config)):
            write_line(sys.stdout, line)


def _unproved(repository: Repository, result: Result) -> events.Warned:
    names = repository.trees.read(result.branches.source.tree).keys()
    found = propose_commands(names)
    build = (found.build or found.test) if found else "…"
    return events.Warned(
        "nothing was built: these commits are not proved",
        f"name a command, such as --build '{build}', for this run; build = \"{build}\" at the "
        "top of the spec, or 'git config retcon.build', for all",
    )
