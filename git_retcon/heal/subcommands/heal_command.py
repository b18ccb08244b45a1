"""``git heal``: heal what a check finds, show it, ask, and apply what is agreed to."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TextIO

from git_retcon.errors import Fatal, Reason, WrongUsage
from git_retcon.files.atomic import save
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.git.refs import check_branch_name, read_ref
from git_retcon.heal.check_situation import Checkout, CheckRequest, open_checkout
from git_retcon.heal.healing.fix_proof import Proof
from git_retcon.heal.healing.heal_events import Tell
from git_retcon.heal.healing.heal_flow import Rules
from git_retcon.heal.healing.heal_progress import HealProgress
from git_retcon.heal.healing.heal_run import (
    Checked,
    HealRequest,
    HealRun,
    Proposal,
    describe_heal,
    describe_part,
    group_outcomes,
    open_heal_run,
    take_part,
)
from git_retcon.heal.healing.model_stage import Engines
from git_retcon.heal.healing.silenced import list_silenced
from git_retcon.heal.healing.work_items import Aim
from git_retcon.heal.patches import write_patch
from git_retcon.heal.records.database import Database, database_path, open_database
from git_retcon.heal.records.heal_costs import assign_requests
from git_retcon.heal.records.heals import HealVerdict, record_heal, record_part
from git_retcon.heal.records.kept_answers import drop_answers
from git_retcon.heal.review.approval import (
    Choice,
    Reviewer,
    ask_terminal,
    describe_proposal,
)
from git_retcon.heal.review.settlement import Settlement
from git_retcon.heal.subcommands.heal_report import Decided, end_heal
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.options import SharedOptions
from git_retcon.settings import HEAL_JOBS, Settings
from git_retcon.show.counting import count
from git_retcon.show.envelope import PLANNED, Ending
from git_retcon.show.events import open_listeners
from git_retcon.show.notices import say, say_line
from git_retcon.show.painted_diff import paint_diff
from git_retcon.show.question import is_anybody_there
from git_retcon.show.style import Style, printable, show_path, style_of, write_bytes, write_line


class HealOptions(NamedTuple):
    """The options of ``git heal`` beside those that every run has."""

    paths: tuple[str, ...] = ()
    error: str = ""
    workflow: str = ""
    job: str = ""
    trust: bool = False
    allow_tests: bool = False
    no_apply: bool = False
    branch: str = ""
    patch: str = ""
    commit: bool = False
    sonnet: bool = False
    is_ours: bool = False  # this program wrote the commands of the workflows
    jobs: int | None = None  # None is for the configuration to say
    batch: bool = False
    resume: bool = False
    no_wait: bool = False


class _Run(NamedTuple):
    """All that the parts of one command share."""

    checkout: Checkout
    options: HealOptions
    shared: SharedOptions
    database: Database
    style: Style
    speaks: bool  # to people, on ``stream``
    stream: TextIO
    jobs: int  # that are healed side by side at most


def show_heal(
    options: HealOptions, shared: SharedOptions, choose: Callable[..., Engines]
) -> Ending:
    """Heal, review, apply. ``choose`` makes the engine."""
    _refuse_contradictions(options, shared)
    if options.patch not in ("", "-"):
        _refuse_unwritable(options.patch)
    checkout = open_checkout(Path.cwd())
    if options.branch:  # before a fix is looked for, or paid for
        _refuse_branch(options.branch, checkout)
    setting = checkout.repository.config.get
    request = _make_request(options, checkout)
    progress = HealProgress(style_of(sys.stderr, shared.output, setting))
    database_file = database_path(checkout.repository.common_dir)
    with (
        open_listeners(shared.output, progress, events=shared.events) as tell,
        open_database(
            database_file, lambda message, hint: say("warning", message, hint)
        ) as database,
    ):
        speaks = not (shared.output.json or shared.events)
        # What is piped to "git apply" is the patch alone.
        stream = sys.stderr if options.patch == "-" else sys.stdout
        style = style_of(stream, shared.output, setting)
        jobs = _count_jobs(checkout, options)
        run = _Run(checkout, options, shared, database, style, speaks, stream, jobs)
        if request.aim.error:
            from git_retcon.heal.subcommands.error_view import list_known_errors

            list_known_errors(database, request.aim.error)
        Settlement(checkout, database).recover()
        if (options.batch or options.resume) and not shared.dry_run:
            return _heal_by_batch(run, request, tell)
        engines = choose(checkout, shared, tell, database, sonnet=options.sonnet)
        with open_heal_run(checkout, request, tell) as heal:
            if shared.dry_run:
                return _show_plan(heal.checked, run)
            return _heal_and_end(heal, request, engines, run)


def _refuse_branch(name: str, checkout: Checkout) -> None:
    """Raise Fatal where fixes of HEAD cannot be put on a branch."""
    from git_retcon.heal.review.heal_branch import refuse_taken_branch

    ref = check_branch_name(checkout.git, name)
    refuse_taken_branch(
        checkout.repository, checkout.git, ref, read_ref(checkout.git, "HEAD") or ""
    )


def _make_request(options: HealOptions, checkout: Checkout) -> HealRequest:
    check = CheckRequest(
        "", options.workflow, options.job, trust=options.trust, is_ours=options.is_ours
    )
    paths = tuple(_read_path(name, checkout.top) for name in options.paths)
    aim = Aim(() if b"" in paths else paths, options.error.lower())
    return HealRequest(check, aim, Rules(options.allow_tests))


def _heal_by_batch(run: _Run, request: HealRequest, tell: Tell) -> Ending:
    from git_retcon.heal.subcommands.batched_heal import BatchedHeal

    def finish(heal: HealRun, asked: HealRequest, engines: Engines) -> Ending:
        return _heal_and_end(heal, asked, engines, run)

    options = run.options
    batched = BatchedHeal(
        run.checkout, run.database, run.shared, tell, finish, not options.no_wait, options.sonnet
    )
    return batched.resume(request.check) if options.resume else batched.send(request)


def _heal_and_end(heal: HealRun, request: HealRequest, engines: Engines, run: _Run) -> Ending:
    started = time.time()
    healed = heal.heal(engines, request.rules, run.jobs)
    healed = heal.offer_reported(healed, run.database, engines.offline, request.aim)
    healed = heal.offer_reverts(healed, run.checkout.repository, run.database)
    proposals = []
    for one in group_outcomes(healed):
        times = (started, healed.seconds)
        stored = describe_heal(one, heal.checked, engines, healed.proof, times)
        number = record_heal(run.database, stored)
        assign_requests(run.database, number, stored.attempts)
        proposals.append(one._replace(number=number))
    drop_answers(run.database, heal.checked.state.run_id)
    decided = _decide_proposals(heal, proposals, run)
    stream = run.stream if run.speaks else None
    return end_heal(run.checkout, heal.checked, healed, decided, engines.name, stream)


def _count_jobs(checkout: Checkout, options: HealOptions) -> int:
    """How many parts are healed side by side at most. Raises Fatal for a setting that is none."""
    if options.jobs is not None:
        return options.jobs
    return Settings.of(checkout.repository.config).whole_number(HEAL_JOBS, 1)


def _decide_proposals(heal: HealRun, proposals: Sequence[Proposal], run: _Run) -> Decided:
    options = run.options
    if not proposals:
        return Decided((), ())
    asked, needs_answer = _choose_fixes(proposals, run)
    choices = _verify_choices(heal, asked, run)
    chosen = [choice for choice in choices if not choice.undecided]
    if options.patch:
        _write_patch_file(options.patch, chosen)
        return Decided(choices, ())
    if options.no_apply:
        return Decided(choices, ())
    settled = Settlement(run.checkout, run.database).settle(
        chosen,
        heal.checked.state,
        branch=options.branch,
        commit=options.commit,
        decided_by="--yes" if run.shared.yes else "",
    )
    return Decided(choices, tuple(settled), needs_answer)


def _choose_fixes(proposals: Sequence[Proposal], run: _Run) -> tuple[list[Choice], bool]:
    """What to apply, and whether nobody was there to ask."""
    options = run.options
    every = bool(options.patch or options.no_apply or options.branch)
    if run.shared.yes or every:
        if run.speaks:
            _print_proposals(proposals, run)
        return [_accept_proposal(one, options, every) for one in proposals], False
    if not is_anybody_there():
        if run.speaks:
            _print_proposals(proposals, run)
        return [Choice(one, (), undecided=True) for one in proposals], True
    return Reviewer(run.style, ask_terminal).review(proposals), False


def _accept_proposal(proposal: Proposal, options: HealOptions, every: bool) -> Choice:
    """``--yes`` agrees to what is proved and silences no tool; the rest waits for a person."""
    proved = proposal.verdict is HealVerdict.HEALED and not proposal.suppressions
    if proved or (every and not options.branch):
        return Choice(proposal, proposal.changes)
    return Choice(proposal, (), undecided=True)


def _verify_choices(heal: HealRun, choices: Sequence[Choice], run: _Run) -> tuple[Choice, ...]:
    """All fixes were proved together. Where some are left out, or a part of one, what is chosen is
    another fix: it is proved, and recorded in its place.
    """
    chosen = [choice for choice in choices if choice.changes]
    if not chosen or all(choice.whole and choice.changes for choice in choices):
        return tuple(choices)
    say_line("only a part was chosen: its proof runs now")
    proof = heal.prove([change for choice in chosen for change in choice.changes])
    judged = [_judge_choice(heal, choice, proof, run) for choice in choices]
    bad = [one for one in judged if one.changes and one.proposal.verdict is not HealVerdict.HEALED]
    if not (bad and run.shared.yes):
        return tuple(judged)
    # Nobody agreed to what is not proved: it waits, and what is left has to pass without it.
    left = [one._replace(changes=(), undecided=True) if one in bad else one for one in judged]
    return _verify_choices(heal, left, run)


def _judge_choice(heal: HealRun, choice: Choice, proof: Proof, run: _Run) -> Choice:
    proposal = choice.proposal
    if not choice.changes or (choice.whole and proposal.verdict is not HealVerdict.HEALED):
        return choice
    failed = [work for work in heal.checked.failed if _is_about(work.items, proposal)]
    passes = bool(failed) and not (proof.broken or proof.unproved)
    passes = passes and all(map(proof.passes, failed))
    items = [one.item for one in proposal.outcomes]
    hides = any(list_silenced(one, items) for one in choice.changes)
    part = take_part(proposal, choice.changes, proved=passes and not hides)
    if not passes:
        name = show_path(proposal.path) if proposal.path else "what names no file"
        say_line(f"the fix of {name} does not pass without the rest: it is unverified")
    record_part(run.database, part.number, describe_part(part, proof))
    return choice._replace(proposal=part)


def _is_about(items: Sequence[object], proposal: Proposal) -> bool:
    return any(one.item in items for one in proposal.outcomes)


def _print_proposals(proposals: Sequence[Proposal], run: _Run) -> None:
    for proposal in proposals:
        for line in describe_proposal(proposal, run.style):
            write_line(run.stream, line)
        if run.options.patch == "-":  # which prints it
            continue
        for line in paint_diff(write_patch(proposal.changes), run.style):
            write_line(run.stream, line)


def _write_patch_file(name: str, choices: Sequence[Choice]) -> None:
    patch = b"".join(write_patch(choice.changes) for choice in choices)
    if name == "-":
        write_bytes(sys.stdout, patch)
    else:
        save(Path(name), patch)


def _show_plan(checked: Checked, run: _Run) -> Ending:
    """``-n``: what would be attempted, in its order."""
    planned = []
    for failed in checked.failed:
        for item in failed.items:
            path = show_path(item.path) if item.path else None
            name = failed.seen.ready.plan.name
            planned.append({"path": path, "errors": len(item.errors), "job": name,
                            "step": failed.step.name})  # fmt: skip
            if run.speaks:
                where = path or "(no file)"
                number = count(len(item.errors), "error")
                write_line(sys.stdout, f"{where}: {number} of '{printable(failed.step.name)}'")
    if run.speaks and not planned:
        write_line(sys.stdout, "there is nothing to heal")
    return Ending(PLANNED, {"run_id": checked.state.run_id, "planned": planned})


def _read_path(name: str, top: Path) -> bytes:
    """A path as git knows it. Raises Fatal for one outside of the working tree."""
    if not os.path.lexists(name):
        hint = "name files or folders of this checkout; 'git heal -h' lists commands"
        raise Fatal(f"there is no file '{name}'", hint=hint, reason=Reason.INVALID)
    place = os.path.relpath(os.path.abspath(name), os.path.realpath(top))  # noqa: PTH100
    if place == ".":
        return b""
    try:
        return clean_path(os.fsencode(place))
    except ForbiddenPath as error:
        hint = "name files of this checkout"
        raise Fatal(f"'{name}': {error}", hint=hint, reason=Reason.INVALID) from error


def _refuse_unwritable(name: str) -> None:
    """Raise Fatal where a patch could not be written, before it is looked for, or paid for."""
    path = Path(name)
    if path.is_dir():
        raise Fatal(f"'{name}' is a folder", hint="name a file in it", reason=Reason.INVALID)
    if not path.parent.is_dir():
        hint = "make it, or name a file elsewhere"
        raise Fatal(f"there is no folder '{path.parent}'", hint=hint, reason=Reason.INVALID)


def _refuse_contradictions(options: HealOptions, shared: SharedOptions) -> None:
    ways = {"--no-apply": options.no_apply, "--branch": options.branch, "--patch": options.patch}
    given = [name for name, value in ways.items() if value]
    if len(given) > 1:
        raise WrongUsage(f"{' and '.join(given)} contradict each other", hint="give one")
    _refuse_mixed_batch(options, shared)
    if options.commit and given:
        raise WrongUsage(f"--commit and {given[0]} contradict each other", hint="give one")
    if options.patch == "-" and (shared.output.json or shared.events):
        raise WrongUsage(
            "--patch=- is the patch alone, on the same standard output", hint="name a file"
        )


def _refuse_mixed_batch(options: HealOptions, shared: SharedOptions) -> None:
    way = "--batch" if options.batch else "--resume"
    others = {
        "--resume": options.batch and options.resume,
        "--jobs": options.jobs is not None,
        "--offline": shared.offline or shared.engine == "offline",
        "--dry-run": options.resume and shared.dry_run,
    }
    # What is healed was said when the batch was sent.
    aims = {"PATHS": options.paths, "--error": options.error, "--workflow": options.workflow,
            "--job": options.job, "--allow-tests": options.allow_tests}  # fmt: skip
    named = [*others.items(), *(aims.items() if options.resume else ())]
    bad = next((name for name, value in named if value), "")
    if bad and (options.batch or options.resume):
        raise WrongUsage(f"{way} and {bad} contradict each other", hint="give one")
    if options.no_wait and not (options.batch or options.resume):
        raise WrongUsage("--no-wait goes with --batch or --resume", hint="give one of them")
