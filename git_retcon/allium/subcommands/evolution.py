"""``git allium evolve``: options in, lines for people and an ending out."""

import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon import settings
from git_retcon.allium.evolve.request import (
    Range,
    advise_beginning,
    is_behind,
    is_up_to_date,
    read_branch_name,
    refuse_specification,
    resolve_source,
)
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.errors import Refused
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings
from git_retcon.show.counting import count
from git_retcon.show.envelope import DONE, Ending
from git_retcon.show.notices import say, say_line
from git_retcon.show.style import write_line

if TYPE_CHECKING:
    from git_retcon.allium.engine import Reconciler
    from git_retcon.allium.engines.engine_opening import OpenedEngine
    from git_retcon.allium.evolve.agenda import Agenda
    from git_retcon.allium.evolve.estimate import Estimate
    from git_retcon.allium.reconcile.change_size import SelectSource
    from git_retcon.allium.reconcile.scheduler import Scheduler
    from git_retcon.allium.requests.talk import Models
    from git_retcon.model.engine_choice import ModelChoice

UP_TO_DATE = "up_to_date"
PLANNED = "planned"
# Options that override the environment, which overrides the configuration.
_LIMITS = {
    "window_size": settings.ALLIUM_WINDOW_SIZE,
    "process_depth": settings.ALLIUM_PROCESS_DEPTH,
    "max_diff_tokens": settings.ALLIUM_MAX_DIFF_TOKENS,
    "max_concurrency": settings.ALLIUM_MAX_CONCURRENCY,
    "reconciliation_strategy": settings.ALLIUM_STRATEGY,
    "reconciliation_interval": settings.ALLIUM_INTERVAL,
}


def evolve_specification(
    shared: SharedOptions, asked: Range, limits: Mapping[str, int | str | None], *, estimate: bool
) -> Ending:
    """Describe a history, or say what there is to describe. ``limits`` are options by name."""
    repository = open_repository(Path.cwd())
    given = {_LIMITS[name].variable: str(limit) for name, limit in limits.items() if limit}
    chosen = Settings(repository.config, {**os.environ, **given})
    name = read_branch_name(repository, chosen)
    tip = resolve_source(repository, asked.revision)
    branch = SpecBranch(repository, name)
    if is_up_to_date(repository, branch, asked, tip):
        _check_strategy(chosen)
        return _say_up_to_date(shared, name, tip)
    refuse_specification(repository, tip, asked.revision)
    from git_retcon.allium.engines.engine_opening import (
        choose_estimated,
        choose_models,
        choose_scheduler,
        name_models,
    )
    from git_retcon.allium.evolve.agenda import make_agenda
    from git_retcon.allium.evolve.run import lock_branch, read_branch

    scheduler = choose_scheduler(chosen)  # a wrong name is refused before anything is read
    with read_branch(branch) if shared.dry_run or estimate else lock_branch(repository, branch):
        agenda = make_agenda(repository, branch, asked, tip)
        is_done = not len(agenda.graph) and branch.has_notes and not asked.is_all
        if is_done and is_behind(repository, branch, tip):
            return _say_up_to_date(shared, name, tip)
        choice = choose_estimated(shared, chosen) if estimate else choose_models(shared, chosen)
        if estimate:
            cost = None
            if _asks_model(choice):
                models = name_models(shared, chosen, choice)
                cost = _estimate_run(repository, chosen, models, branch, agenda, scheduler)
            return _show_plan(shared, name, agenda, cost)
        return describe(shared, repository, chosen, choice, branch, agenda, scheduler)


def describe(
    shared: SharedOptions,
    repository: Repository,
    chosen: Settings,
    choice: "ModelChoice",
    branch: SpecBranch,
    agenda: "Agenda",
    scheduler: "Scheduler",
) -> Ending:
    """Describe an agenda, after a yes where a model is asked. With ``--dry-run``, show it."""
    from git_retcon.allium.engines.engine_opening import name_models
    from git_retcon.git.commits import check_identity

    published = branch.list_published()
    if published and not shared.output.quiet:
        message = f"'{published[0]}' has a specification already, and this is another one"
        say("warning", message, advise_beginning(branch).hint)
    cost = None
    if _asks_model(choice) and len(agenda.graph) > 0:
        models = name_models(shared, chosen, choice)
        cost = _estimate_run(repository, chosen, models, branch, agenda, scheduler)
    if shared.dry_run:
        return _show_plan(shared, branch.name, agenda, cost)
    # Notes and spec commits need a committer, and a model's answer that cannot be kept is paid for.
    check_identity(repository)
    if cost is not None:
        _ask_leave(shared, cost, choice)
    return _write_history(shared, repository, chosen, choice, branch, agenda, scheduler)


def _check_strategy(chosen: Settings) -> None:
    """Raises Fatal for an unknown one, though nothing depends on it now."""
    strategy = chosen.get(settings.ALLIUM_STRATEGY) or ""
    if strategy != settings.ALLIUM_STRATEGY.default:
        from git_retcon.allium.reconcile.scheduler import create_scheduler

        create_scheduler(strategy)


def _say_up_to_date(shared: SharedOptions, name: str, tip: str) -> Ending:
    short = name.removeprefix("refs/heads/")
    if not shared.output.quiet and not shared.output.json:
        say_line(f"'{short}' describes {shorten_id(tip)} already")
    return Ending(UP_TO_DATE, {"branch": short, "source": tip, "described": 0})


def _asks_model(choice: "ModelChoice") -> bool:
    """Whether a model is asked, which takes money."""
    from git_retcon.model.engine_choice import EngineName

    return choice.engine is not EngineName.OFFLINE


def _estimate_run(
    repository: Repository,
    chosen: Settings,
    models: "Models",
    branch: SpecBranch,
    agenda: "Agenda",
    scheduler: "Scheduler",
) -> "Estimate":
    from git_retcon.allium.evolve.estimate import estimate_cost
    from git_retcon.allium.evolve.run import plan_checkpoints
    from git_retcon.allium.evolve.source_files import SourceFiles
    from git_retcon.model.prices import find_prices

    files = SourceFiles(repository, chosen.all(settings.ALLIUM_IGNORE))
    return estimate_cost(
        repository,
        branch,
        agenda,
        plan_checkpoints(repository, branch, agenda, files, scheduler),
        files,
        find_prices(os.environ),
        models,
        chosen.whole_number(settings.ALLIUM_MAX_DIFF_TOKENS),
    )


def _ask_leave(shared: SharedOptions, estimate: "Estimate", choice: "ModelChoice") -> None:
    """Say what it would cost, and ask. Raises Refused without a yes."""
    from git_retcon.show.question import choose_asker, reason_of_no

    if not (estimate.steps or estimate.reconciliations):
        return
    if not shared.output.quiet:
        say_line(str(estimate))
    if not choose_asker(shared)(f"Ask {choice.model} about them?"):
        raise Refused(
            "nothing was sent: the estimate needs a yes",
            hint="--yes agrees to it, --last N begins late, --offline asks no model",
            reason=reason_of_no(),
            again=["--yes"],
        )


def _show_plan(
    shared: SharedOptions, name: str, agenda: "Agenda", cost: "Estimate | None"
) -> Ending:
    short = name.removeprefix("refs/heads/")
    merges = sum(len(parents) > 1 for parents in agenda.graph.parents.values())
    data: dict[str, object] = {
        "branch": short,
        "source": agenda.tip,
        "commits": len(agenda.graph),
        "merges": merges,
        "segments": [
            {
                "id": each.id,
                "kind": each.kind.value,
                "commits": len(each.commits),
                "first": each.commits[0],
                "last": each.commits[-1],
                "forkFrom": each.fork_from,
                "mergesInto": list(each.merges_into),
            }
            for each in agenda.segments
        ],
    }
    if cost is not None:
        data["estimate"] = _list_figures(cost)
    if not shared.output.json:
        total, parts = len(agenda.graph), count(len(agenda.segments), "segment")
        write_line(sys.stdout, f"{count(total, 'commit')} to describe in {parts}, onto '{short}'")
        if shared.output.verbose:
            for each in agenda.segments:
                first, last = shorten_id(each.commits[0]), shorten_id(each.commits[-1])
                many = count(len(each.commits), "commit")
                write_line(sys.stdout, f"  {each.id}: {many}, {first}..{last}")
        if cost is not None:
            write_line(sys.stdout, str(cost))
    return Ending(PLANNED, data)


def _list_figures(cost: "Estimate") -> dict[str, object]:
    return {
        "steps": cost.steps,
        "reconciliations": cost.reconciliations,
        "dollars": [round(amount, 4) for amount in cost.dollars],
        "hours": [round(amount, 2) for amount in cost.hours],
    }


def _write_history(
    shared: SharedOptions,
    repository: Repository,
    chosen: Settings,
    choice: "ModelChoice",
    branch: SpecBranch,
    agenda: "Agenda",
    scheduler: "Scheduler",
) -> Ending:
    from git_retcon.allium.engines.engine_opening import open_engine
    from git_retcon.allium.evolve import events
    from git_retcon.allium.evolve.run import Grounds, Limits, count_specification, run
    from git_retcon.allium.evolve.terminal import Terminal
    from git_retcon.show.events import EngineChosen, Warned, open_listeners

    short = branch.name.removeprefix("refs/heads/")
    terminal = Terminal(shared.output, repository.config.get)
    with open_listeners(shared.output, terminal, events=shared.events) as tell:
        tell(EngineChosen(choice.engine.value, choice.description, choice.hint or ""))
        tell(events.HistoryRead(len(agenda.graph), len(agenda.segments), short))
        opened = open_engine(repository, shared, chosen, choice, lambda line: tell(Warned(line)))
        engine = opened.engine
        grounds = Grounds(scheduler, _heed_accepted(repository, branch, opened))
        outcome = run(repository, branch, agenda, engine, Limits.of(chosen), tell, grounds)
        size = count_specification(repository, outcome.tip) if outcome.tip else (0, 0)
        summary = tuple(engine.summarize())
        tell(events.Finished(outcome.done, outcome.tip, *size, summary, outcome.cost))
    data = {
        "branch": short,
        "source": agenda.tip,
        "described": outcome.done,
        "tip": outcome.tip,
        "modules": size[0],
        "tokens": size[1],
        "incomplete": outcome.incomplete,
        "cost": round(outcome.cost, 6),
        "reconciliations": outcome.reconciliations,
    }
    return Ending(DONE, data)


def _heed_accepted(
    repository: Repository, branch: SpecBranch, opened: "OpenedEngine"
) -> "Callable[[SelectSource], Reconciler]":
    """How to open the engine's reconciler, with what people accepted on the branch until now."""
    from git_retcon.allium.engines.engine_opening import open_offline
    from git_retcon.allium.reconcile.drift import HeedingReconciler

    # What a branch that is not merged yet has of it comes along when it is merged.
    tips = sorted(branch.heads.values())
    if not tips:
        return opened.open_reconciler

    def open_reconciler(select: "SelectSource") -> "Reconciler":
        inner = opened.open_reconciler(select)
        return HeedingReconciler(repository, inner, open_offline(repository, select), tips)

    return open_reconciler
