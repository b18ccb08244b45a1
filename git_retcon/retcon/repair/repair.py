"""The repair after a failure: what else belongs here, read from the errors or found by trying."""

import itertools
import re
from collections.abc import Sequence
from dataclasses import replace

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
from git_retcon.retcon.repair.answers import find_answers
from git_retcon.retcon.repair.claims import Claims, read_claims
from git_retcon.retcon.repair.closure import add_beginnings, find_closure
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.retcon.repair.problems import (
    Problem,
    is_answered,
    read_problem,
    read_problems,
)
from git_retcon.retcon.repair.ranking import rank_groups
from git_retcon.retcon.repair.release import Releases
from git_retcon.retcon.repair.trials import Trials
from git_retcon.retcon.repair.wording import (
    blame_source,
    report_excluded,
    report_no_repair,
    warn_of_claims,
    write_subject,
)
from git_retcon.run.failure import Failure
from git_retcon.run.smallest_set import Helps, find_smallest, grow_sizes

# From this attempt on the errors are followed to their end here: a chain of WIP commits, each a
# link of it, tells a reader nothing.
_FOLLOWING = 3
_MOST_ALTERNATIVES = 3
# Builds to make a set smaller that helps already: a few hunks too many cost less than time.
_SHRINKING = 10
_WORD = re.compile(rb"\w+")


def find_repair(
    situation: Situation, failure: Failure, attempt: int, trial: Trial
) -> Progress | Blocked:
    """More to take for the commit in work, or why nothing helps.

    ``attempt`` counts from 1. Progress always names atoms that were left, so that a loop that takes
    them ends. The same arguments (and verdicts) give the same answer.
    """
    if not situation.left:
        return Blocked(blame_source(situation, failure))
    claims = read_claims(situation)
    trials = Trials(failure, trial)
    withheld = {**claims.claimed, **dict.fromkeys(claims.barred)}
    releases = Releases(situation, failure)
    answer: Progress | Blocked = Blocked("")
    # First without what later commits claim; only where that cannot help, with it and a warning.
    for kept in dict.fromkeys((frozenset(withheld), claims.barred)):
        answer = _Repair(situation, failure, trials, claims, kept).run(attempt)
        if isinstance(answer, Progress):
            better = _weigh_release(releases, trials, answer)
            return better or _warn_of_emptied(situation, releases, answer)
    released = _try_releases(releases, trials, releases.list_candidates(frozenset()))
    excluded = claims.barred - situation.released.keys()
    return released or _explain_exclusion(situation, failure, trials, excluded) or answer


def _weigh_release(releases: Releases, trials: Trials, pull: Progress) -> Progress | None:
    """What the commit is better without; None where it is better with what was found for it."""
    pulled = releases.select_planned_later(pull.choice.atoms)
    if not pulled:
        return None
    cost = releases.measure(pulled)
    # Strong hunks leave their commit only where nothing weak can leave this one.
    is_strong = any(map(releases.is_strong, pulled))
    robs = releases.robs_commit(pulled)
    candidates = [
        atoms
        for atoms in releases.list_candidates(pulled)
        if robs
        or releases.measure(atoms) < cost
        or (is_strong and not any(map(releases.is_strong, atoms)))
    ]
    return _try_releases(releases, trials, sorted(candidates, key=releases.measure))


def _warn_of_emptied(situation: Situation, releases: Releases, pull: Progress) -> Progress:
    """The same with a warning where nothing is left for a later commit: the last resort."""
    emptied = releases.find_emptied(pull.choice.atoms)
    if emptied is None or pull.warning:
        return pull
    commits = situation.spec.commits
    return replace(
        pull,
        warning=f"nothing is left for commit {emptied + 1} '{commits[emptied].subject}': commit "
        f"{situation.index + 1} '{commits[situation.index].subject}' needs all of it",
        remedy="merge the two in the spec, or put the later one first",
    )


def _try_releases(
    releases: Releases, trials: Trials, candidates: Sequence[frozenset[str]]
) -> Progress | None:
    """The first of these sets without which the commit passes, or comes nearer to that."""
    for atoms in candidates:
        if trials.helps_without(atoms):
            return Progress(Choice(frozenset(), released=atoms), releases.describe(atoms))
    return None


def _explain_exclusion(
    situation: Situation, failure: Failure, trials: Trials, barred: frozenset[str]
) -> Blocked | None:
    """Stuck because of the commit's own ``exclude``, if what that keeps out would have helped."""
    inventory = Inventory(situation)
    if not barred or not (trials.affords(1) or trials.is_known(inventory.ids)):
        return None
    if not trials.is_nearer(inventory.ids):
        return Blocked(blame_source(situation, trials.outcome(inventory.ids) or failure))
    likeliest = (find_answers(inventory, each)[:1] for each in failure.diagnostics)
    named = frozenset().union(*itertools.chain.from_iterable(likeliest))
    helpful = find_closure(inventory, named) & barred
    if not helpful:
        groups = [each & barred for each in rank_groups(inventory, failure, ()) if each & barred]
        rest = inventory.ids - barred
        limited = trials.limit(_SHRINKING)
        helpful = find_smallest(
            groups, lambda atoms: limited(rest | atoms) and trials.is_nearer(rest | atoms)
        )
    return Blocked(report_excluded(inventory, failure, helpful))


class _Repair:
    """The search for one repair, without the atoms ``withheld``."""

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
        seeds, asked = self._answer_diagnostics(self._diagnostics)
        for answer in seeds:
            if self._trials.affords(1) and not self._trials.answers(answer, asked):
                continue
            if attempt >= _FOLLOWING:
                answer = self._follow_answer(answer)
            return self._report_progress(
                answer, f"the {self._failure.step} named what it lacks", 0.9
            )
        return self._search_fix(frozenset().union(*seeds))

    def _answer_diagnostics(
        self, diagnostics: Sequence[Diagnostic]
    ) -> tuple[list[frozenset[str]], frozenset[Problem]]:
        """Closed answers to all diagnostics at once, likeliest first, and the problems they answer.

        Of the diagnostics that have fewer alternatives, the last is kept.
        """
        choices = {each: find_answers(self._inventory, each) for each in diagnostics}
        having = {each: found for each, found in choices.items() if found}
        ranks = min(max(map(len, having.values()), default=0), _MOST_ALTERNATIVES)
        answers: dict[frozenset[str], None] = {}
        for rank in range(ranks):
            seeds = (found[min(rank, len(found) - 1)] for found in having.values())
            answers.setdefault(find_closure(self._inventory, frozenset().union(*seeds)))
        # All alternatives together, as the last one: two may each be half of the answer.
        if len(answers) > 1:
            answers.setdefault(frozenset().union(*answers))
        return [answer for answer in answers if answer], frozenset(map(read_problem, having))

    def _follow_answer(self, answer: frozenset[str]) -> frozenset[str]:
        """The answer with the answers to the errors that it brings to light, as far as they go."""
        trials = self._trials
        while trials.affords(1) and (failure := trials.outcome(answer)) is not None:
            more, asked = self._answer_diagnostics(failure.diagnostics)
            wider = answer | more[0] if more else answer
            # The last trial is not spent: what cannot be checked is not added.
            if wider == answer or not trials.affords(1):
                break
            if not is_answered(read_problems(failure), trials.problems(wider), asked):
                break
            answer = wider
        return answer

    def _search_fix(self, seeds: frozenset[str]) -> Progress | Blocked:
        """Try the likeliest, then more and more; shrink the first that passes, else is nearer."""
        trials = self._trials
        # Whole files are withheld: one build shows that nothing here helps. Without a pinned hunk
        # the rest of its own file may not build, which shows nothing.
        if self._withheld - self._claims.pinned and not (
            self._inventory.ids and trials.is_nearer(self._inventory.ids)
        ):
            return self._block_repair(seeds)
        groups = self._rank_seeds(seeds)
        near = tried = before = 0
        for size in grow_sizes(len(groups)):
            if not trials.affords(1):
                break
            some = self._complete_atoms(frozenset().union(*groups[:size]))
            if trials.passes(some):
                return self._shrink_groups(groups[:size], trials.passes, tried)
            # Remembered, not taken: a larger set may pass altogether.
            if not near and trials.is_nearer(some):
                near, before = size, tried
            tried = size
        if near:
            return self._shrink_groups(groups[:near], trials.is_nearer, before)
        return self._block_repair(seeds)

    def _block_repair(self, seeds: frozenset[str]) -> Blocked:
        everything = self._inventory.ids
        if not self._withheld and self._trials.is_known(everything):
            failed = self._trials.outcome(everything) or self._failure
            return Blocked(blame_source(self._situation, failed))
        involved = seeds or self._find_mentioned()
        return Blocked(report_no_repair(self._inventory, self._failure, involved))

    def _rank_seeds(self, seeds: frozenset[str]) -> list[frozenset[str]]:
        """All that is left in parts; first what the errors named, though alone it did not help."""
        found = rank_groups(self._inventory, self._failure, self._taken_here())
        return [
            *(each for each in found if each & seeds),
            *(each for each in found if not each & seeds),
        ]

    def _complete_atoms(self, atoms: frozenset[str]) -> frozenset[str]:
        """With what these need. No error may name the head of a new file, but the rest of the
        file depends on it."""
        return add_beginnings(self._inventory, find_closure(self._inventory, atoms))

    def _shrink_groups(
        self, groups: Sequence[frozenset[str]], helps: Helps, failing: int
    ) -> Progress:
        """What is needed of the groups, by files, then by definitions, and what these need."""
        limited = self._trials.limit(_SHRINKING)
        floor = max(0, self._trials.remaining - _SHRINKING)

        def still_helps(atoms: frozenset[str]) -> bool:
            # What hunks need takes long to find on a large branch, and nothing could be tried.
            if self._trials.remaining <= floor:
                return False
            atoms = self._complete_atoms(atoms)
            return limited(atoms) and helps(atoms)

        files: dict[bytes, frozenset[str]] = {}
        for group in groups:
            files[self._find_path(group)] = files.get(self._find_path(group), frozenset()) | group
        kept = find_smallest(list(files.values()), still_helps)
        known = sum(group <= kept for group in groups[:failing])
        groups = [group for group in groups if group <= kept]
        found = self._complete_atoms(find_smallest(groups, still_helps, known))
        why = f"found by trying: the {self._failure.step} gets further with it"
        return self._report_progress(found, why, 0.7)

    def _find_path(self, group: frozenset[str]) -> bytes:
        return self._situation.difference[min(group)].path

    def _taken_here(self) -> list[Atom]:
        taken, index = self._situation.taken, self._situation.index
        atoms = self._situation.difference.atoms
        return [atom for atom in atoms if taken.get(atom.id) == index]

    def _find_mentioned(self) -> frozenset[str]:
        """What is left of definitions whose names the commit in work or the failure mentions."""
        texts = (line for atom in self._taken_here() for line in atom.added)
        words = {word for text in (*texts, self._failure.output) for word in _WORD.findall(text)}
        return frozenset(
            atom.id
            for atom in self._inventory.left
            if any(name.encode() in words for name in self._inventory.find_added(atom).defined)
        )

    def _report_progress(self, atoms: frozenset[str], why: str, confidence: float) -> Progress:
        reasons = {
            atom: Reason.in_words(why + self._explain_move(atom), confidence)
            for atom in sorted(atoms)
        }
        what = write_subject(self._inventory, atoms, self._diagnostics)
        claimed = {
            atom.path: self._claims.claimed[atom.id]
            for atom in self._inventory.atoms(atoms)
            if atom.id in self._claims.claimed
        }
        against = warn_of_claims(self._situation, claimed) if claimed else ("", "")
        return Progress(Choice(atoms, reasons=reasons), what, *against)

    def _explain_move(self, atom: str) -> str:
        claimant = self._claims.claimed.get(atom)
        if claimant is not None:
            return f"; it is claimed by commit {claimant + 1}'s files, but nothing else helps"
        commit = self._situation.planned.get(atom, self._situation.index)
        return f"; it was planned for commit {commit + 1}" if commit > self._situation.index else ""
