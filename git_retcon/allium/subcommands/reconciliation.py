"""``git allium reconcile``: the specification and its source, compared when somebody asks."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon import settings
from git_retcon.allium.evolve.request import (
    Range,
    is_grounded,
    read_branch_name,
    refuse_specification,
    resolve_source,
)
from git_retcon.allium.history.spec_branch import SpecBranch
from git_retcon.errors import Reason, lower_first
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import SharedOptions
from git_retcon.settings import Settings
from git_retcon.show.envelope import DONE, FAILED, PLANNED, Ending, Failure
from git_retcon.show.notices import engine_lines, say, say_hint, say_line
from git_retcon.show.style import printable, show_path, write_line

if TYPE_CHECKING:
    from git_retcon.allium.engine import Checkpoint, Finding, Grounding
    from git_retcon.model.engine_choice import ModelChoice

UP_TO_DATE = "up_to_date"


def reconcile(shared: SharedOptions, revision: str, *, is_full: bool) -> Ending:
    """Compare, and write what that gives; with ``--dry-run`` print it instead."""
    repository = open_repository(Path.cwd())
    chosen = Settings.of(repository.config)
    name = read_branch_name(repository, chosen)
    source = resolve_source(repository, revision)
    branch = SpecBranch(repository, name)
    if not is_full and is_grounded(repository, branch, source):
        return _say_up_to_date(shared, name, source)
    refuse_specification(repository, source, revision)
    from git_retcon.allium.engines.engine_opening import choose_models
    from git_retcon.allium.evolve.run import lock_branch, read_branch

    choice = choose_models(shared, chosen)
    with read_branch(branch) if shared.dry_run else lock_branch(repository, branch):
        if branch.tip is None:
            return _begin_specification(shared, repository, chosen, choice, branch, source)
        return _compare_source(shared, repository, chosen, choice, branch, source, is_full=is_full)


def _say_up_to_date(shared: SharedOptions, name: str, source: str) -> Ending:
    short = name.removeprefix("refs/heads/")
    if not shared.output.quiet and not shared.output.json:
        say_line(f"'{short}' is reconciled with {shorten_id(source)} already")
    return Ending(UP_TO_DATE, {"branch": short, "source": source, "findings": []})


def _begin_specification(
    shared: SharedOptions,
    repository: Repository,
    chosen: Settings,
    choice: "ModelChoice",
    branch: SpecBranch,
    source: str,
) -> Ending:
    """Make the first specification, of a snapshot; evolve goes on from it."""
    from git_retcon.allium.evolve.agenda import make_agenda
    from git_retcon.allium.reconcile.schedulers.n_commits import NCommits
    from git_retcon.allium.subcommands.evolution import describe

    agenda = make_agenda(repository, branch, Range(source, since=source), source)
    return describe(shared, repository, chosen, choice, branch, agenda, NCommits(1))


def _compare_source(
    shared: SharedOptions,
    repository: Repository,
    chosen: Settings,
    choice: "ModelChoice",
    branch: SpecBranch,
    source: str,
    *,
    is_full: bool,
) -> Ending:
    from git_retcon.allium.engines.engine_opening import open_engine, open_offline
    from git_retcon.allium.evolve.on_demand import make_checkpoint, write_grounding
    from git_retcon.allium.evolve.source_files import SourceFiles
    from git_retcon.allium.reconcile.drift import find_accepted
    from git_retcon.allium.store.source_map import parse_root

    assert branch.tip is not None, "it is compared with something"
    before = branch.tip.commit
    root = parse_root(chosen.get(settings.ALLIUM_ROOT))
    checkpoint = make_checkpoint(repository, branch, source, root, is_full=is_full)
    files = SourceFiles(repository, chosen.all(settings.ALLIUM_IGNORE))
    offline = open_offline(repository, files.select)
    accepted = find_accepted(repository, offline, checkpoint, [before])
    checkpoint = checkpoint._replace(accepted=accepted)
    _say_engine(shared, choice)
    _ask_leave(shared, repository, choice, checkpoint, files)
    opened = open_engine(repository, shared, chosen, choice, say_line)
    grounding = opened.open_reconciler(files.select).reconcile(checkpoint)
    _warn_of_gaps(grounding)
    if shared.dry_run:
        return _end_comparison(shared, grounding, branch, source, None)
    most = chosen.whole_number(settings.ALLIUM_MAX_MODULE_TOKENS)
    spec = write_grounding(repository, branch, checkpoint, grounding, most)
    if spec == before and not (grounding.findings or grounding.failures):
        return _say_up_to_date(shared, branch.name, source)
    return _end_comparison(shared, grounding, branch, source, spec)


def _end_comparison(
    shared: SharedOptions,
    grounding: "Grounding",
    branch: SpecBranch,
    source: str,
    spec: str | None,
) -> Ending:
    """``spec`` is the tip of the branch now, None where nothing was to be written."""
    short = branch.name.removeprefix("refs/heads/")
    data = {"branch": short, "source": source, **_describe_grounding(grounding)}
    if spec is None:
        _print_planned(shared, grounding)
    else:
        data["tip"] = spec
    if grounding.failures:
        return _fail(shared, data)
    if spec is None:
        return Ending(PLANNED, data)
    _print_written(shared, grounding, _summarize_grounding(grounding, short, source))
    return Ending(DONE, data)


def _fail(shared: SharedOptions, data: dict[str, object]) -> Ending:
    """A part was not compared or not corrected, which was said already."""
    error = "not all of the source is compared with the specification"
    hint = "run the same command again to compare the rest; --offline does so without a model"
    if not (shared.output.json or shared.output.quiet):
        say("error", error)
        say_hint(hint)
    return Ending(FAILED, data, Failure(Reason.STUCK, error, hint, again=()))


def _say_engine(shared: SharedOptions, choice: "ModelChoice") -> None:
    if not shared.output.quiet:
        for line in engine_lines(choice.description, choice.hint or ""):
            say_line(line)


def _print_written(shared: SharedOptions, grounding: "Grounding", summary: str) -> None:
    if not shared.output.json and shared.output.verbose:
        print_findings(grounding.findings)
    if not (shared.output.json or shared.output.quiet):
        say_line(summary)


def _print_planned(shared: SharedOptions, grounding: "Grounding") -> None:
    """What would be corrected."""
    if shared.output.json:
        return
    print_findings(grounding.findings)
    if not shared.output.quiet:
        for each in grounding.account:
            say_line(lower_first(each))
    has_said = grounding.findings or grounding.account or grounding.skipped or grounding.failures
    if not (has_said or shared.output.quiet):
        say_line("nothing to correct")


def _ask_leave(
    shared: SharedOptions,
    repository: Repository,
    choice: "ModelChoice",
    checkpoint: "Checkpoint",
    files: object,
) -> None:
    """Say how much source a model would be asked about, and ask. Raises Refused without a yes, and
    Fatal where git knows no committer to keep the answer.
    """
    from git_retcon.allium.evolve.source_files import SourceFiles
    from git_retcon.allium.reconcile.change_size import count_tokens_between
    from git_retcon.errors import Refused
    from git_retcon.git.commits import check_identity
    from git_retcon.model.engine_choice import EngineName
    from git_retcon.show.counting import count
    from git_retcon.show.question import choose_asker, reason_of_no

    assert isinstance(files, SourceFiles)
    if not shared.dry_run:
        check_identity(repository)
    if choice.engine is EngineName.OFFLINE:
        return
    tokens = count_tokens_between(repository, files.select, checkpoint.base, checkpoint.commit.oid)
    if not choose_asker(shared)(f"Ask {choice.model} about {count(tokens, 'token')} of source?"):
        raise Refused(
            "nothing was sent: a model is asked only after a yes",
            hint="--yes agrees to it, --offline asks no model",
            reason=reason_of_no(),
            again=["--yes"],
        )


def _warn_of_gaps(grounding: "Grounding") -> None:
    for path, why in grounding.skipped_files:
        say("warning", f"'{show_path(path)}' is not compared: {why}")
    if grounding.skipped:
        say("warning", f"nothing was compared: {grounding.skipped}")
    for each in grounding.failures:
        say("warning", lower_first(each))


def print_findings(findings: "Sequence[Finding]") -> None:
    """One line for each."""
    signs = {"addition": "+", "removal": "-", "modification": "~"}
    for each in findings:
        mark = " (open)" if each.question else ""
        line = f"{signs[each.type.value]} {each.section}: {each.description}{mark}"
        write_line(sys.stdout, printable(line))


def describe_finding(finding: "Finding") -> dict[str, object]:
    """A finding as programs get it."""
    return {
        "type": finding.type.value,
        "specSection": finding.section,
        "description": finding.description,
        "sourcePaths": list(finding.paths),
        "module": show_path(finding.module),
        "question": finding.question or None,
    }


def _describe_grounding(grounding: "Grounding") -> dict[str, object]:
    return {
        "findings": [describe_finding(each) for each in grounding.findings],
        "skippedFiles": [
            {"path": show_path(path), "why": why} for path, why in grounding.skipped_files
        ],
        "skipped": grounding.skipped or None,
        "failures": list(grounding.failures),
        "model": grounding.model,
        "cost": round(grounding.cost, 6),
    }


def _summarize_grounding(grounding: "Grounding", short: str, source: str) -> str:
    from git_retcon.show.counting import count

    if grounding.skipped:
        return f"'{short}' goes on from {shorten_id(source)}"
    questions = {each.question for each in grounding.findings if each.question}
    opened = f", {count(len(questions), 'open question')}" if questions else ""
    found = count(len(grounding.findings), "finding")
    return f"'{short}' is reconciled with {shorten_id(source)}: {found}{opened}"
