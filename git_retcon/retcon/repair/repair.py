"""After a failure: what else belongs here, read from the errors or found by trying."""

import itertools
import re
from collections.abc import Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.git.atoms import Atom
from git_retcon.retcon.engine import (
    Blocked,
    Choice,
    Progress,
    Reason,
    Situation,
    Trial,
)
from git_retcon.retcon.repair.answers import alternatives
from git_retcon.retcon.repair.claims import Claims, claims_of
from git_retcon.retcon.repair.closure import closed, headed
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.retcon.repair.problems import (
    Problem,
    answered,
    problem,
    problems,
)
from git_retcon.retcon.repair.ranking import ranked
from git_retcon.retcon.repair.search import Helps, sizes, smallest
from git_retcon.retcon.repair.trials import Trials
from git_retcon.retcon.repair.wording import (
    excluded,
    out_of_trials,
    source_fails,
    subject,
    taken_though_claimed,
)
from git_retcon.run.failure import Failure

# From this attempt on the errors are followed to their end here: a chain of WIP commits, each a
# link of it, tells a reader nothing.
_FOLLOWING = 3
_MOST_ALTERNATIVES = 3
# Builds to make a set smaller that helps already: a few pieces too many cost less than time.
_SHRINKING = 10
_WORD = re.compile(rb"\w+")


def repair(
    situation: Situation, failure: Failure, attempt: int, trial: Trial
) -> Progress | Blocked:
    """More to take for the commit in work, or why nothing helps.

    ``attempt`` counts from 1. Progress always names atoms that were left, so that a loop that takes
    them ends. The same arguments (and verdicts) give the same answer.
    """
    if not situation.left:
        return Blocked(source_fails(situation, failure))
    claims = claims_of(situation)
    trials = Trials(failure, trial)
    withheld = {**claims.claimed, **dict.fromkeys(claims.barred)}
    answer: Progress | Blocked = Blocked("")
    for kept in dict.fromkeys((frozenset(withheld), claims.barred)):
        answer = _Repair(situation, failure, trials, claims, kept).run(attempt)
        if isinstance(answer, Progress):
            return answer
    return _excluded(situation, failure, trials, claims.barred) or answer


def _excluded(
    situation: Situation, failure: Failure, trials: Trials, barred: frozenset[str]
) -> Blocked | None:
    """Stuck for what the commit's own ``exclude`` keeps from it, if that would have helped."""
    inventory = Inventory(situation)
    if not barred or not (trials.affords(1) or trials.known(inventory.ids)):
        return None
    if not trials.nearer(inventory.ids):
        return Blocked(source_fails(situation, trials.outcome(inventory.ids) or failure))
    likeliest = (alternatives(inventory, each)[:1] for each in failure.diagnostics)
    named = frozenset().union(*itertools.chain.from_iterable(likeliest))
    helpful = closed(inventory, named) & barred
    if not helpful:
        groups = [each & barred for each in ranked(inventory, failure, ()) if each & barred]
        rest = inventory.ids - barred
        limited = trials.limited(_SHRINKING)
        helpful = smallest(
            groups, lambda atoms: limited(rest | atoms) and trials.nearer(rest | atoms)
        )
    return Blocked(excluded(inventory, failure, helpful))


class _Repair:
    """One assessment without the pieces ``withheld``."""

    def __init__(
        self,
        situation: Situation,
        failure: Failure,
        trials: Trials,
        claims: Claims,
        withheld: frozenset[str],
    ) -> None:
        self._inventory = Inventory(situation, withheld)
        self._situation = situation
        self._failure = failure
        self._diagnostics = failure.diagnostics
        self._trials = trials
        self._claims = claims
        self._withheld = withheld

    def run(self, attempt: int) -> Progress | Blocked:
        seeds, asked = self._named(self._diagnostics)
        for answer in seeds:
            if self._trials.affords(1) and not self._trials.answers(answer, asked):
                continue
            if attempt >= _FOLLOWING:
                answer = self._followed(answer)
            return self._progress(answer, f"the {self._failure.step} named what it lacks", 0.9)
        return self._searched(frozenset().union(*seeds))

    def _named(
        self, diagnostics: Sequence[Diagnostic]
    ) -> tuple[list[frozenset[str]], frozenset[Problem]]:
        """Closed answers to all diagnostics at once, likeliest first, and the problems they answer.

        Of the diagnostics that have fewer alternatives, the last is kept.
        """
        choices = {each: alternatives(self._inventory, each) for each in diagnostics}
        having = {each: found for each, found in choices.items() if found}
        ranks = min(max(map(len, having.values()), default=0), _MOST_ALTERNATIVES)
        answers: dict[frozenset[str], None] = {}
        for rank in range(ranks):
            seeds = (found[min(rank, len(found) - 1)] for found in having.values())
            answers.setdefault(closed(self._inventory, frozenset().union(*seeds)))
        if len(answers) > 1:
            answers.setdefault(frozenset().union(*answers))
        return [answer for answer in answers if answer], frozenset(map(problem, having))

    def _followed(self, answer: frozenset[str]) -> frozenset[str]:
        """The answer with the answers to the errors that it brings to light, as far as they go."""
        trials = self._trials
        while trials.affords(1) and (failure := trials.outcome(answer)) is not None:
            more, asked = self._named(failure.diagnostics)
            wider = answer | more[0] if more else answer
            if wider == answer or not trials.affords(1):
                break
            if not answered(problems(failure), trials.after(wider), asked):
                break
            answer = wider
        return answer

    def _searched(self, seeds: frozenset[str]) -> Progress | Blocked:
        """Try the likeliest, then more and more; shrink the first that passes, else is nearer."""
        trials = self._trials
        if self._withheld and not (self._inventory.ids and trials.nearer(self._inventory.ids)):
            return self._blocked(seeds)  # one build says that nothing here helps
        groups = self._likeliest(seeds)
        near = tried = before = 0
        for size in sizes(len(groups)):
            if not trials.affords(1):
                break
            some = self._closed(frozenset().union(*groups[:size]))
            if trials.passes(some):
                return self._shrunk(groups[:size], trials.passes, tried)
            if not near and trials.nearer(some):
                near, before = size, tried
            tried = size
        if near:
            return self._shrunk(groups[:near], trials.nearer, before)
        return self._blocked(seeds)

    def _blocked(self, seeds: frozenset[str]) -> Blocked:
        everything = self._inventory.ids
        if not self._withheld and self._trials.known(everything):
            failed = self._trials.outcome(everything) or self._failure
            return Blocked(source_fails(self._situation, failed))
        involved = seeds or self._mentioned()
        return Blocked(out_of_trials(self._inventory, self._failure, involved))

    def _likeliest(self, seeds: frozenset[str]) -> list[frozenset[str]]:
        """All that is left in parts; first what the errors named, though alone it did not help."""
        found = ranked(self._inventory, self._failure, self._current())
        return [
            *(each for each in found if each & seeds),
            *(each for each in found if not each & seeds),
        ]

    def _closed(self, atoms: frozenset[str]) -> frozenset[str]:
        """With what these need. A failure may not need the head of a new file, but the rest of
        the file hangs from it."""
        return headed(self._inventory, closed(self._inventory, atoms))

    def _shrunk(self, groups: Sequence[frozenset[str]], helps: Helps, failing: int) -> Progress:
        """What is needed of the groups, by files, then by definitions, and what these need."""
        limited = self._trials.limited(_SHRINKING)

        def still(atoms: frozenset[str]) -> bool:
            atoms = self._closed(atoms)
            return limited(atoms) and helps(atoms)

        files: dict[bytes, frozenset[str]] = {}
        for group in groups:
            files[self._path(group)] = files.get(self._path(group), frozenset()) | group
        kept = smallest(list(files.values()), still)
        known = sum(group <= kept for group in groups[:failing])
        groups = [group for group in groups if group <= kept]
        found = self._closed(smallest(groups, still, known))
        why = f"found by trying: the {self._failure.step} gets further with it"
        return self._progress(found, why, 0.7)

    def _path(self, group: frozenset[str]) -> bytes:
        return self._situation.difference[min(group)].path

    def _current(self) -> list[Atom]:
        taken, index = self._situation.taken, self._situation.index
        atoms = self._situation.difference.atoms
        return [atom for atom in atoms if taken.get(atom.id) == index]

    def _mentioned(self) -> frozenset[str]:
        """What is left of definitions whose names the commit in work or the failure mentions."""
        texts = (line for atom in self._current() for line in atom.added)
        words = {word for text in (*texts, self._failure.output) for word in _WORD.findall(text)}
        return frozenset(
            atom.id
            for atom in self._inventory.left
            if any(name.encode() in words for name in self._inventory.added(atom).defined)
        )

    def _progress(self, atoms: frozenset[str], why: str, confidence: float) -> Progress:
        reasons = {atom: Reason.said(why + self._moved(atom), confidence) for atom in sorted(atoms)}
        what = subject(self._inventory, atoms, self._diagnostics)
        claimed = {
            atom.path: self._claims.claimed[atom.id]
            for atom in self._inventory.atoms(atoms)
            if atom.id in self._claims.claimed
        }
        against = taken_though_claimed(self._situation, claimed) if claimed else ("", "")
        return Progress(Choice(atoms, reasons=reasons), what, *against)

    def _moved(self, atom: str) -> str:
        claimant = self._claims.claimed.get(atom)
        if claimant is not None:
            return f"; it is claimed by commit {claimant + 1}'s files, but nothing else helps"
        commit = self._situation.planned.get(atom, self._situation.index)
        return f"; it was planned for commit {commit + 1}" if commit > self._situation.index else ""
