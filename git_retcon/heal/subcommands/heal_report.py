"""What a heal says at its end: for people, for programs, and as an exit status."""

from collections.abc import Iterator, Sequence
from typing import TextIO

from git_retcon.errors import Reason
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.found_errors import FoundError
from git_retcon.heal.healing.heal_flow import Healed, Outcome
from git_retcon.heal.healing.heal_run import Checked
from git_retcon.heal.records.heals import HealVerdict
from git_retcon.heal.results import Verdict
from git_retcon.heal.review.approval import Choice
from git_retcon.heal.review.settled_heals import Settled
from git_retcon.heal.subcommands.held_back import end_held_back
from git_retcon.heal.subcommands.nothing_ran import explain_nothing
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.counting import count
from git_retcon.show.envelope import FAILED, Ending, Failure
from git_retcon.show.notices import say
from git_retcon.show.style import printable, show_path, write_line


class Decided(NamedTuple):
    """What was recorded and what was decided about it. ``needs_answer``: nobody was there to
    ask.
    """

    choices: tuple[Choice, ...]
    settled: tuple[Settled, ...]
    needs_answer: bool = False


def end_heal(
    checkout: Checkout,
    checked: Checked,
    healed: Healed,
    decided: Decided,
    engine: str,
    stream: TextIO | None,
) -> Ending:
    """The ending of a heal, told to people on ``stream``, too."""
    decided = _note_doubts(decided)
    healed = healed._replace(outcomes=_list_outcomes(healed, decided))
    outcomes = healed.outcomes
    data: dict[str, object] = {
        "run_id": checked.state.run_id,
        "run": checked.run,
        "engine": engine,
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
    if stream is not None:
        for line in _list_lines(checked, healed, decided):
            write_line(stream, line)
    if not checked.has_run:
        return _end_empty(checkout, checked, data)
    return _finish_heal(checked, healed, decided, data)


def _note_doubts(decided: Decided) -> Decided:
    """The same where no fix is called healed that was applied beside other files than it was proved
    with.
    """
    doubts = {one.number: one.doubt for one in decided.settled if one.doubt}
    choices = []
    for choice in decided.choices:
        proposal = choice.proposal
        doubt = doubts.get(proposal.number)
        if doubt and proposal.verdict is HealVerdict.HEALED:
            outcomes = tuple(
                one._replace(verdict=HealVerdict.UNVERIFIED, reason=doubt)
                if one.verdict is HealVerdict.HEALED
                else one
                for one in proposal.outcomes
            )
            choice = choice._replace(proposal=proposal._replace(outcomes=outcomes))
        choices.append(choice)
    return decided._replace(choices=tuple(choices))


def _list_outcomes(healed: Healed, decided: Decided) -> tuple[Outcome, ...]:
    """The outcomes as they were decided on: of some only a part was chosen."""
    chosen = {id(one.item): one for choice in decided.choices for one in choice.proposal.outcomes}
    return tuple(chosen.get(id(one.item), one) for one in healed.outcomes)


def _finish_heal(
    checked: Checked, healed: Healed, decided: Decided, data: dict[str, object]
) -> Ending:
    """Whether nothing is left to do."""
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
    waiting = [one for one in decided.choices if one.undecided]
    if waiting and not bad:
        return _end_waiting(waiting, data)
    behind = healed.proof.behind if healed.proof is not None else ()
    held_back = [one for one in decided.settled if one.reason]
    if held_back and not (bad or declined):
        return end_held_back(held_back, data)
    if not (bad or declined or behind or _is_silent(checked)):
        return Ending(data=data)
    if behind and not (bad or declined):
        error = f"{count(len(behind), 'step')} behind the healed ones fails too"
        hint = "apply the fixes, then 'git heal' again looks at what comes behind them"
        say("error", error, hint)
        failure = Failure(Reason.ERRORS_FOUND, error, hint, None, [["git", "heal"]])
        return Ending(FAILED, data, failure)
    left = sum(len(one.item.errors) for one in bad)
    error = f"{count(left, 'error')} not healed" if bad else "not all is healed"
    hint = "'git heal check' says what is left"
    commands = []
    if waiting:
        numbers = [str(one.proposal.number) for one in waiting]
        commands = [["git", "heal", "apply", *numbers]]
        hint = f"'git heal apply {' '.join(numbers)}' applies what is not proved; {hint}"
    say("error", error, hint)
    return Ending(FAILED, data, Failure(Reason.ERRORS_FOUND, error, hint, None, commands))


def _end_empty(checkout: Checkout, checked: Checked, data: dict[str, object]) -> Ending:
    why, hint = explain_nothing(checkout, checked.branch, checked.jobs)
    if why:
        error = f"nothing ran: {why}"
    else:
        error = "nothing ran, so there is nothing to heal"
        hint = "'git heal workflows' says why; 'git config --add heal.step COMMAND' names a command"
    say("error", error, hint)
    commands = [["git", "heal", "workflows"]]
    return Ending(FAILED, data, Failure(Reason.NOT_READY, error, hint, None, commands))


def _end_waiting(waiting: Sequence[Choice], data: dict[str, object]) -> Ending:
    """Fixes are healed, and not applied: --yes is no answer to those that silence a tool."""
    numbers = [str(one.proposal.number) for one in waiting]
    error = f"{count(len(numbers), 'fix', 'fixes')} not applied"
    hint = f"'git heal apply {' '.join(numbers)}' applies every hunk, refused ones too"
    say("error", error, hint)
    commands = [["git", "heal", "apply", *numbers]]
    return Ending(FAILED, data, Failure(Reason.NEEDS_ANSWER, error, hint, None, commands))


def _is_silent(checked: Checked) -> bool:
    """Whether a job failed without an error that could be healed."""
    known = {id(one.seen) for one in checked.failed if one.items}
    failed = sum(job.verdict is Verdict.FAILED for job in checked.jobs)
    return failed > len(known)


def _list_lines(checked: Checked, healed: Healed, decided: Decided) -> list[str]:
    if not checked.has_run:
        return []
    if checked.is_good and not healed.outcomes:
        return ["there is nothing to heal: no job fails"]
    lines = [""] if decided.choices else []
    numbers = {id(one): choice for choice in decided.choices for one in choice.proposal.outcomes}
    settled = {one.number: one for one in decided.settled}
    for one in healed.outcomes:
        path = show_path(one.item.path) if one.item.path else "(no file)"
        choice = numbers.get(id(one))
        is_left = one.verdict is HealVerdict.LEFT
        done = settled.get(choice.proposal.number) if choice and not is_left else None
        said = [one.verdict.value] + ([f"heal {choice.proposal.number}"] if choice else [])
        said += [done.deed] if done else []
        said += list(_describe_cost(one))
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


def _describe_cost(outcome: Outcome) -> Iterator[str]:
    """What models were asked for it; nothing where none was."""
    tokens = sum(attempt.tokens for attempt in outcome.attempts)
    if tokens:
        dollars = sum(attempt.dollars for attempt in outcome.attempts)
        yield f"{tokens:,} tokens, ${dollars:.4f}"


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
        "tokens": sum(attempt.tokens for attempt in outcome.attempts),
        "cost": sum(attempt.dollars for attempt in outcome.attempts),
    }


def _tell_error(error: FoundError) -> dict[str, object]:
    said = error.finding
    return {
        "fingerprint": said.fingerprint,
        "line": said.line,
        "message": said.diagnostic.message,
        "rule": said.diagnostic.rule,
        "step": error.step,
    }
