"""``git heal``: heal what a check finds, show it, ask, and apply what is agreed to."""

import os
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason, WrongUsage
from git_retcon.files.atomic import save
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.heal.check_situation import Checkout, CheckRequest, open_checkout
from git_retcon.heal.engine import Engine
from git_retcon.heal.healing.heal_flow import Healed, Outcome, Rules
from git_retcon.heal.healing.heal_progress import HealProgress
from git_retcon.heal.healing.heal_run import (
    Checked,
    HealRequest,
    HealRun,
    Proposal,
    describe_heal,
    group_outcomes,
    open_heal_run,
)
from git_retcon.heal.healing.work_items import Aim
from git_retcon.heal.patches import write_patch
from git_retcon.heal.records.database import Database, database_path, open_database
from git_retcon.heal.records.heals import HealVerdict, record_heal
from git_retcon.heal.results import Verdict
from git_retcon.heal.review.approval import (
    Choice,
    Reviewer,
    ask_terminal,
    describe_proposal,
    paint_diff,
)
from git_retcon.heal.review.settlement import Settled, Settlement
from git_retcon.options import SharedOptions
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, PLANNED, Ending, Failure
from git_retcon.show.events import open_listeners
from git_retcon.show.notices import say, say_line
from git_retcon.show.style import Style, printable, show_path, style_of, write_line


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


class _Run(NamedTuple):
    """All that the parts of one command share."""

    checkout: Checkout
    options: HealOptions
    shared: SharedOptions
    database: Database
    style: Style
    speaks: bool  # to people, on standard output


class Decided(NamedTuple):
    """What was recorded and what was decided about it."""

    choices: tuple[Choice, ...]
    settled: tuple[Settled, ...]
    needs_answer: bool = False


def show_heal(options: HealOptions, shared: SharedOptions, choose: Callable[..., Engine]) -> Ending:
    """Heal, review, apply. ``choose`` makes the engine."""
    _refuse_contradictions(options)
    checkout = open_checkout(Path.cwd())
    setting = checkout.repository.config.get
    check = CheckRequest("", options.workflow, options.job, trust=options.trust)
    paths = tuple(_read_path(name, checkout.top) for name in options.paths)
    aim = Aim(() if b"" in paths else paths, options.error)
    request = HealRequest(check, aim, Rules(options.allow_tests))
    progress = HealProgress(style_of(sys.stderr, shared.output, setting))
    database_file = database_path(checkout.repository.common_dir)
    with (
        open_listeners(shared.output, progress, events=shared.events) as tell,
        open_database(
            database_file, lambda message, hint: say("warning", message, hint)
        ) as database,
    ):
        speaks = not (shared.output.json or shared.events)
        style = style_of(sys.stdout, shared.output, setting)
        run = _Run(checkout, options, shared, database, style, speaks)
        Settlement(checkout, database).recover()
        engine = choose(checkout, shared, tell)
        with open_heal_run(checkout, request, tell) as heal:
            if shared.dry_run:
                return _show_plan(heal.checked, run)
            return _heal_and_end(heal, request, engine, run)


def _heal_and_end(heal: HealRun, request: HealRequest, engine: Engine, run: _Run) -> Ending:
    started = time.time()
    healed = heal.heal(engine, request.rules)
    proposals = []
    for one in group_outcomes(healed.outcomes):
        times = (started, healed.seconds)
        stored = describe_heal(one, heal.checked.state, engine, healed.proof, times)
        proposals.append(one._replace(number=record_heal(run.database, stored)))
    decided = _decide_proposals(heal, proposals, run)
    return _end_heal(heal.checked, healed, decided, engine, run)


def _decide_proposals(heal: HealRun, proposals: Sequence[Proposal], run: _Run) -> Decided:
    options = run.options
    if not proposals:
        return Decided((), ())
    choices, needs_answer = _choose_fixes(proposals, run)
    settlement = Settlement(run.checkout, run.database)
    chosen = [_verify_part(heal, choice, run) for choice in choices if not choice.undecided]
    if options.patch:
        _write_patch_file(options.patch, chosen)
        return Decided(tuple(choices), ())
    if options.no_apply:
        return Decided(tuple(choices), ())
    settled = settlement.settle(
        chosen,
        heal.checked.state.run_id,
        heal.checked.state.commit,
        branch=options.branch,
        commit=options.commit,
        decided_by="--yes" if run.shared.yes else "",
    )
    return Decided(tuple(choices), tuple(settled), needs_answer)


def _choose_fixes(proposals: Sequence[Proposal], run: _Run) -> tuple[list[Choice], bool]:
    """What to apply, and whether nobody was there to ask."""
    options = run.options
    every = bool(options.patch or options.no_apply or options.branch)
    if run.shared.yes or every:
        if run.speaks:
            _print_proposals(proposals, run)
        return [_accept_proposal(one, options, every) for one in proposals], False
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
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


def _verify_part(heal: HealRun, choice: Choice, run: _Run) -> Choice:
    """A part that was chosen, or edited, is another fix than the one that was proved."""
    if choice.whole or not choice.changes:
        return choice
    say_line("only a part was chosen: its proof runs now")
    proof = heal.prove(choice.changes)
    passes = not proof.broken and not proof.unproved
    failed = [work for work in heal.checked.failed if _is_about(work.items, choice.proposal)]
    if passes and all(map(proof.passes, failed)):
        return choice
    say_line("the part does not pass by itself: it is applied as unverified")
    outcomes = tuple(
        one._replace(verdict=HealVerdict.UNVERIFIED, reason="only a part was applied")
        for one in choice.proposal.outcomes
    )
    return choice._replace(proposal=choice.proposal._replace(outcomes=outcomes))


def _is_about(items: Sequence[object], proposal: Proposal) -> bool:
    return any(one.item in items for one in proposal.outcomes)


def _print_proposals(proposals: Sequence[Proposal], run: _Run) -> None:
    for proposal in proposals:
        for line in describe_proposal(proposal, run.style):
            write_line(sys.stdout, line)
        for line in paint_diff(write_patch(proposal.changes), run.style):
            write_line(sys.stdout, line)


def _write_patch_file(name: str, choices: Sequence[Choice]) -> None:
    patch = b"".join(write_patch(choice.changes) for choice in choices)
    if name == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(patch)
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


def _end_heal(
    checked: Checked, healed: Healed, decided: Decided, engine: Engine, run: _Run
) -> Ending:
    outcomes = healed.outcomes
    data: dict[str, object] = {
        "run_id": checked.state.run_id,
        "engine": engine.name,
        "healed": [_describe_outcome(one) for one in outcomes if one.verdict is HealVerdict.HEALED],
        "unverified": [
            _describe_outcome(one) for one in outcomes if one.verdict is HealVerdict.UNVERIFIED
        ],
        "left": [_describe_outcome(one) for one in outcomes if one.verdict is HealVerdict.LEFT],
        "machine": [_tell_error(one) for failed in checked.failed for one in failed.machine],
        "heals": [choice.proposal.number for choice in decided.choices],
        "applied": [one.as_json() for one in decided.settled],
        "tokens": sum(attempt.tokens for one in outcomes for attempt in one.attempts),
        "cost": sum(attempt.dollars for one in outcomes for attempt in one.attempts),
    }
    if run.speaks:
        for line in _list_lines(checked, healed, decided):
            write_line(sys.stdout, line)
    return _finish_heal(checked, healed, decided, data)


def _finish_heal(
    checked: Checked, healed: Healed, decided: Decided, data: dict[str, object]
) -> Ending:
    """Whether nothing is left to do."""
    if not checked.has_run:
        error = "nothing ran, so there is nothing to heal"
        hint = "'git heal workflows' says why; 'git config --add heal.step COMMAND' names a command"
        say("error", error, hint)
        commands = [["git", "heal", "workflows"]]
        return Ending(FAILED, data, Failure(Reason.NOT_READY, error, hint, None, commands))
    if decided.needs_answer:
        numbers = [str(choice.proposal.number) for choice in decided.choices]
        error = f"{count(len(numbers), 'fix', 'fixes')} found, and nobody was there to ask"
        hint = f"'git heal apply {' '.join(numbers)}' applies, '--yes' applies what is proved"
        say("error", error, hint)
        commands = [["git", "heal", "apply", *numbers]]
        failure = Failure(Reason.NEEDS_ANSWER, error, hint, ["--yes"], commands)
        return Ending(FAILED, data, failure)
    bad = [one for one in healed.outcomes if one.verdict is not HealVerdict.HEALED]
    declined = [one for one in decided.choices if not one.changes and not one.undecided]
    if checked.is_good or not (bad or declined or _is_silent(checked)):
        return Ending(data=data)
    left = sum(len(one.item.errors) for one in bad)
    error = f"{count(left, 'error')} not healed" if bad else "not all is healed"
    hint = "'git heal check' says what is left"
    say("error", error, hint)
    return Ending(FAILED, data, Failure(Reason.ERRORS_FOUND, error, hint))


def _is_silent(checked: Checked) -> bool:
    """Whether a job failed without an error that could be healed."""
    known = {id(one.seen) for one in checked.failed if one.items}
    failed = sum(job.verdict is Verdict.FAILED for job in checked.jobs)
    return failed > len(known)


def _list_lines(checked: Checked, healed: Healed, decided: Decided) -> list[str]:
    if not checked.has_run:
        return []
    if checked.is_good:
        return ["there is nothing to heal: no job fails"]
    lines = [""] if decided.choices else []
    numbers = {id(one): choice for choice in decided.choices for one in choice.proposal.outcomes}
    settled = {one.number: one for one in decided.settled}
    for one in healed.outcomes:
        path = show_path(one.item.path) if one.item.path else "(no file)"
        choice = numbers.get(id(one))
        done = settled.get(choice.proposal.number) if choice else None
        said = [one.verdict.value] + ([f"heal {choice.proposal.number}"] if choice else [])
        said += [done.text] if done else []
        reason = f": {printable(one.reason)}" if one.reason else ""
        lines.append(f"{path}: {', '.join(said)}{reason}")
    for failed in checked.failed:
        lines += [
            f"{printable(one.finding.diagnostic.message)}: it is the machine's, no file's fault"
            for one in failed.machine
        ]
    if healed.proof is not None:
        lines += [f"fails with and without the fixes: {one}" for one in healed.proof.behind]
    return lines


def _describe_outcome(outcome: Outcome) -> dict[str, object]:
    path = outcome.item.path
    return {
        "path": show_path(path) if path else None,
        "errors": [_tell_error(error) for error in outcome.item.errors],
        "reason": outcome.reason,
        "how": outcome.how,
        "attempts": len(outcome.attempts),
        "files": [show_path(change.path) for change in outcome.changes],
        "suppressions": list(outcome.suppressions),
    }


def _tell_error(error: object) -> dict[str, object]:
    from git_retcon.heal.found_errors import FoundError

    assert isinstance(error, FoundError)
    said = error.finding
    return {
        "fingerprint": said.fingerprint,
        "line": said.line,
        "message": said.diagnostic.message,
        "rule": said.diagnostic.rule,
        "step": error.step,
    }


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


def _refuse_contradictions(options: HealOptions) -> None:
    ways = {"--no-apply": options.no_apply, "--branch": options.branch, "--patch": options.patch}
    given = [name for name, value in ways.items() if value]
    if len(given) > 1:
        raise WrongUsage(f"{' and '.join(given)} contradict each other", hint="give one")
    if options.commit and given:
        raise WrongUsage(f"--commit and {given[0]} contradict each other", hint="give one")
