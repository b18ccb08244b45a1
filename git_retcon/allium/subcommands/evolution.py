"""``git allium evolve``: options in, lines for people and an ending out."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon import settings
from git_retcon.allium.evolve.request import (
    Range,
    is_up_to_date,
    read_branch_name,
    resolve_source,
)
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings
from git_retcon.show.counting import count
from git_retcon.show.envelope import DONE, Ending
from git_retcon.show.notices import say_line
from git_retcon.show.style import write_line

if TYPE_CHECKING:
    from git_retcon.allium.evolve.agenda import Agenda

UP_TO_DATE = "up_to_date"
PLANNED = "planned"


def evolve(shared: SharedOptions, asked: Range, *, estimate: bool) -> Ending:
    """Tell a history, or say what there is to tell."""
    repository = open_repository(Path.cwd())
    chosen = Settings.of(repository.config)
    name = read_branch_name(repository, chosen)
    tip = resolve_source(repository, asked.revision)
    if is_up_to_date(repository, SpecBranch(repository, name), asked, tip):
        return _say_up_to_date(shared, name, tip)
    from git_retcon.allium.evolve.run import lock_branch, plan

    with lock_branch(repository, name) as branch:
        agenda = plan(repository, branch, asked)
        if estimate or shared.dry_run:
            return _show_plan(shared, name, agenda)
        return _tell(shared, repository, chosen, branch, agenda)


def _say_up_to_date(shared: SharedOptions, name: str, tip: str) -> Ending:
    short = name.removeprefix("refs/heads/")
    if not shared.output.quiet and not shared.output.json:
        say_line(f"'{short}' tells {tip[:12]} already")
    return Ending(UP_TO_DATE, {"branch": short, "source": tip, "told": 0})


def _show_plan(shared: SharedOptions, name: str, agenda: "Agenda") -> Ending:
    short = name.removeprefix("refs/heads/")
    merges = sum(len(parents) > 1 for parents in agenda.graph.parents.values())
    data = {
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
    if not shared.output.json:
        total, parts = len(agenda.graph), count(len(agenda.segments), "segment")
        write_line(sys.stdout, f"{count(total, 'commit')} to tell in {parts}, onto '{short}'")
        if shared.output.verbose:
            for each in agenda.segments:
                first, last = each.commits[0][:12], each.commits[-1][:12]
                many = count(len(each.commits), "commit")
                write_line(sys.stdout, f"  {each.id}: {many}, {first}..{last}")
    return Ending(PLANNED, data)


def _tell(
    shared: SharedOptions,
    repository: Repository,
    chosen: Settings,
    branch: SpecBranch,
    agenda: "Agenda",
) -> Ending:
    from git_retcon.allium.engines.offline import OfflineEngine
    from git_retcon.allium.engines.plain_classes import extract_classes
    from git_retcon.allium.evolve import events
    from git_retcon.allium.evolve.run import Limits, count_specification, run
    from git_retcon.allium.evolve.terminal import Terminal
    from git_retcon.model.engine_choice import EngineOptions, choose
    from git_retcon.show.events import EngineChosen, open_listeners

    choice = choose(EngineOptions.of(shared), chosen, settings.MAX_COST)
    engine = OfflineEngine(repository, extract_classes)
    short = branch.name.removeprefix("refs/heads/")
    with open_listeners(shared.output, Terminal(shared.output), events=shared.events) as tell:
        tell(EngineChosen(choice.engine.value, choice.description, choice.hint or ""))
        tell(events.HistoryRead(len(agenda.graph), len(agenda.segments), short))
        outcome = run(repository, branch, agenda, engine, Limits.of(chosen), tell)
        modules, tokens = count_specification(repository, outcome.tip) if outcome.tip else (0, 0)
        tell(
            events.Finished(
                outcome.done, outcome.tip, modules, tokens, tuple(engine.summarize()), outcome.cost
            )
        )
    data = {
        "branch": short,
        "source": agenda.tip,
        "told": outcome.done,
        "tip": outcome.tip,
        "modules": modules,
        "tokens": tokens,
        "incomplete": outcome.incomplete,
        "cost": round(outcome.cost, 6),
    }
    return Ending(DONE, data)
