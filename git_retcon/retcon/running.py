"""From what was asked on the command line to a run, a plan or a demonstration."""

import json
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TextIO

from git_retcon import settings
from git_retcon.errors import Fatal, WrongUsage
from git_retcon.git.config import Config
from git_retcon.git.repository import Repository, open_repository
from git_retcon.retcon import events
from git_retcon.retcon.checks import Commands, worktrees_directory
from git_retcon.retcon.engines import EngineWish, engage
from git_retcon.retcon.events import Event, Listener
from git_retcon.retcon.planning import plan_lines
from git_retcon.retcon.rebuild import Result, Wishes, rebuild
from git_retcon.retcon.report import as_json, closing_lines
from git_retcon.retcon.spec import Spec
from git_retcon.retcon.specfile import SpecFile
from git_retcon.retcon.telling import Teller
from git_retcon.settings import Settings
from git_retcon.show.style import Style, When, style_for, write_line


class _Output(Protocol):
    @property
    def json(self) -> bool: ...
    @property
    def quiet(self) -> bool: ...
    @property
    def verbose(self) -> bool: ...
    @property
    def color(self) -> str: ...


class _Shared(Protocol):
    @property
    def output(self) -> _Output: ...
    @property
    def offline(self) -> bool: ...
    @property
    def engine(self) -> str | None: ...
    @property
    def model(self) -> str | None: ...
    @property
    def max_cost(self) -> float | None: ...
    @property
    def max_tokens(self) -> int | None: ...
    @property
    def sandbox(self) -> str | None: ...
    @property
    def yes(self) -> bool: ...
    @property
    def dry_run(self) -> bool: ...
    @property
    def events(self) -> bool: ...
    @property
    def show_prompt(self) -> bool: ...


@dataclass(frozen=True)
class Request:
    """The command line of one run."""

    shared: _Shared
    spec: Path | None = None
    explain: bool = False
    build: str | None = None
    test: str | None = None
    setup: str | None = None
    timeout: float | None = None
    leftover: str | None = None
    restart: bool = False
    squash_wip: bool = False
    no_cache: bool = False

    @classmethod
    def of(cls, shared: _Shared, options: Mapping[str, object]) -> "Request":
        """From options as they were parsed."""
        return cls(shared, **options)  # type: ignore[arg-type]


def run(request: Request) -> int:
    """Rebuild, or with ``--dry-run`` say what a run would do."""
    path = spec_path(request.spec)
    repository = open_repository(Path.cwd())
    chosen = Settings.of(repository.config)
    if request.shared.dry_run:
        return _plan(request, repository, path)
    wishes = _wishes(request, repository, SpecFile.load(path).spec, chosen)
    tell = _listener(request, repository)

    def engaged(found: Repository, spec: Spec) -> "object":
        return engage(found, spec, _engine_wish(request, chosen), wishes, tell)

    result = rebuild(repository, path, wishes, engaged, tell)  # type: ignore[arg-type]
    _report(request, repository, result)
    if not wishes.commands.steps and result.stuck is None:
        _say_unproved(tell)
    return 0 if result.stuck is None else 1


def spec_path(given: Path | None) -> Path:
    """The spec asked for, or the only one in this directory. Raises WrongUsage otherwise."""
    if given is not None:
        return given
    found = [path for path in sorted(Path.cwd().glob("*.toml")) if _is_spec(path)]
    if len(found) == 1:
        return Path(found[0].name)
    names = ", ".join(path.name for path in found)
    raise WrongUsage(
        f"which spec? there are {len(found)} here: {names}" if found else "no spec file here",
        hint="'git retcon SPEC'; 'git retcon prompt' says how to write one",
    )


def _is_spec(path: Path) -> bool:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    return "[[commit]]" in text and "cleaned" in text


def _wishes(request: Request, repository: Repository, spec: Spec, chosen: Settings) -> Wishes:
    def command(option: str | None, in_spec: str | None, key: settings.Key) -> str | None:
        found = option if option is not None else in_spec
        return (found if found is not None else chosen.get(key)) or None

    leftover = request.leftover or chosen.one_of(settings.LEFTOVER, ("commit", "stop"))
    wip = chosen.one_of(settings.WIP, ("keep", "squash"))
    commands = Commands(
        setup=command(request.setup, spec.setup, settings.SETUP),
        build=command(request.build, spec.build, settings.BUILD),
        test=command(request.test, spec.test, settings.TEST),
        timeout=request.timeout or Commands.timeout,
    )
    return Wishes(
        commands=commands,
        worktrees=worktrees_directory(chosen.get(settings.WORKTREE_DIR)),
        keep_leftover=leftover == "commit",
        squash_wip=request.squash_wip or wip == "squash",
        restart=request.restart,
        cache=not request.no_cache,
        explain=request.explain,
    )


def _engine_wish(request: Request, chosen: Settings) -> EngineWish:
    shared = request.shared
    return EngineWish(
        engine="offline" if shared.offline else (shared.engine or chosen.get(settings.ENGINE) or ""),
        model=shared.model or chosen.get(settings.MODEL) or "",
        max_cost=chosen.number(settings.MAX_COST) if shared.max_cost is None else shared.max_cost,
        max_tokens=shared.max_tokens,
        sandbox=shared.sandbox or chosen.one_of(settings.SANDBOX, ("auto", "require", "off")),
        never_send=chosen.all(settings.NEVER_SEND),
        show_prompt=shared.show_prompt,
    )


def _plan(request: Request, repository: Repository, path: Path) -> int:
    style = style_of(sys.stdout, request.shared.output, repository.config)
    plan = plan_lines(repository, path, style, explain=request.explain)
    if request.shared.output.json:
        write_line(sys.stdout, json.dumps(plan.as_json(), indent=2))
        return 0
    for line in plan.lines():
        write_line(sys.stdout, line)
    return 0


def _listener(request: Request, repository: Repository) -> Listener:
    """Whoever is told: people on standard error, and machines on standard output."""
    output = request.shared.output
    listeners: list[Listener] = []
    if not output.quiet:
        style = style_of(sys.stderr, output, repository.config)
        listeners.append(Teller(sys.stderr, style, verbose=output.verbose))
    if request.shared.events:
        listeners.append(_tell_machine)

    def tell(event: Event) -> None:
        for listener in listeners:
            listener(event)

    return tell


def _tell_machine(event: Event) -> None:
    write_line(sys.stdout, json.dumps(events.as_json(event)))
    sys.stdout.flush()


def style_of(stream: TextIO, output: _Output, config: Config) -> Style:
    """The style of a stream, as git would colour it."""
    configured = config.get("color.retcon") or config.get("color.ui")
    return style_for(stream, When(output.color), configured, os.environ)


def _report(request: Request, repository: Repository, result: Result) -> None:
    output = request.shared.output
    if output.json:
        write_line(sys.stdout, json.dumps(as_json(result), indent=2))
    elif result.stuck is None and not request.shared.events:
        for line in closing_lines(result, style_of(sys.stdout, output, repository.config)):
            write_line(sys.stdout, line)


def _say_unproved(tell: Listener) -> None:
    tell(
        events.Warned(
            "nothing was built: these commits are not proved",
            "name a command with --build, with build = \"…\" at the top of the spec, or with "
            "'git config retcon.build'",
        )
    )


def demonstrate(directory: Path | None, request: Request) -> int:
    """Build the demonstration repository and rebuild its branch."""
    from git_retcon.retcon.demo.session import demonstrate as session

    return session(directory, lambda spec: run(_with_spec(request, spec)))


def _with_spec(request: Request, spec: Path) -> Request:
    from dataclasses import replace

    return replace(request, spec=spec)


__all__ = ["Fatal", "Request", "demonstrate", "run", "spec_path"]
