"""After a failure: what else belongs here, read from the errors or found by trying."""

import re
from collections.abc import Iterator, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.diagnostics.read import read
from git_retcon.code.filenames import stem
from git_retcon.code.filenames import subject as subject_of
from git_retcon.code.symbols import block, enclosing
from git_retcon.git.atoms import Atom, Kind
from git_retcon.retcon.engine import (
    Blocked,
    Choice,
    Failure,
    Progress,
    Reason,
    Situation,
    Trial,
)
from git_retcon.retcon.offline.answers import alternatives
from git_retcon.retcon.offline.closure import closed, headed
from git_retcon.retcon.offline.inventory import Inventory
from git_retcon.retcon.offline.problems import (
    Problem,
    Problems,
    answered,
    nearer,
    problem,
    problems,
)
from git_retcon.retcon.offline.search import Helps, shrunk
from git_retcon.retcon.offline.wording import out_of_trials, source_fails, subject

# From this attempt on the errors are followed to their end here: a chain of WIP commits, each a
# link of it, tells a reader nothing.
_FOLLOWING = 3
_MOST_ALTERNATIVES = 3
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
    return _Repair(situation, failure, trial).run(attempt)


class _Repair:
    """One assessment: what is known of the failure, and the trials made so far."""

    def __init__(self, situation: Situation, failure: Failure, trial: Trial) -> None:
        self._inventory = Inventory(situation)
        self._situation = situation
        self._failure = failure
        self._diagnostics = read(failure.output)
        self._before = problems(failure)
        self._trial = trial
        self._tried: dict[frozenset[str], Failure | None] = {}

    def run(self, attempt: int) -> Progress | Blocked:
        seeds, asked = self._named(self._diagnostics)
        for answer in seeds:
            if self._affords(1) and not self._answers(answer, asked):
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
        while self._affords(1) and (failure := self._outcome(answer)) is not None:
            more, asked = self._named(read(failure.output))
            wider = answer | more[0] if more else answer
            if wider == answer or not self._affords(1):
                break
            if not answered(problems(failure), self._after(wider), asked):
                break
            answer = wider
        return answer

    def _searched(self, seeds: frozenset[str]) -> Progress | Blocked:
        """Try likely sets, then everything; shrink the first that passes, else that is nearer."""
        near: frozenset[str] | None = None
        for candidate in self._candidates():
            if not self._affords(2):
                break
            if self._passes(candidate):
                return self._progress(self._smallest(candidate, self._passes), *self._by_trying())
            if near is None and self._nearer(candidate):
                near = candidate
        everything = self._inventory.ids
        if near is None and self._affords(1):
            if self._passes(everything):
                return self._progress(self._smallest(everything, self._passes), *self._by_trying())
            if not self._nearer(everything):
                failed = self._outcome(everything) or self._failure
                return Blocked(source_fails(self._situation, failed))
            near = everything
        if near is None:
            involved = seeds or self._mentioned()
            return Blocked(out_of_trials(self._inventory, self._failure, involved))
        return self._progress(self._smallest(near, self._nearer), *self._by_trying())

    def _by_trying(self) -> tuple[str, float]:
        return f"found by trying: the {self._failure.step} gets further with it", 0.7

    def _candidates(self) -> Iterator[frozenset[str]]:
        """Sets worth trying, most specific first, each once."""
        seen: set[frozenset[str]] = {frozenset(), self._inventory.ids}
        seen.update(self._tried)
        named = [self._inventory.path(each.path) for each in self._diagnostics]
        failing = [path for path in dict.fromkeys(named) if path is not None]
        touched = list(dict.fromkeys(atom.path for atom in self._current()))
        beside = self._beside((*failing, *touched))
        of_paths = self._inventory.of_paths
        for seeds in (
            self._same_definitions(),
            of_paths(failing),
            of_paths((*failing, *beside)),
            of_paths((*failing, *beside, *touched)),
            frozenset(
                atom for atom in self._inventory.ids
                if self._situation.planned.get(atom) == self._situation.index
            ),
        ):  # fmt: skip
            candidate = closed(self._inventory, seeds)
            if candidate not in seen:
                seen.add(candidate)
                yield candidate

    def _beside(self, paths: Sequence[bytes]) -> list[bytes]:
        """Files with something left that are a test, a header or an import of some files."""
        subjects = {subject_of(path) for path in paths} - {b""}
        words = frozenset().union(*(self._inventory.file(path).modules for path in paths))
        words |= frozenset().union(*(self._inventory.file(path).imports for path in paths))
        return [
            path
            for path in self._inventory.by_path
            if stem(path).decode("utf-8", "replace") in words
            or (path not in paths and subject_of(path) in subjects)
        ]

    def _current(self) -> list[Atom]:
        taken, index = self._situation.taken, self._situation.index
        atoms = self._situation.difference.atoms
        return [atom for atom in atoms if taken.get(atom.id) == index]

    def _same_definitions(self) -> frozenset[str]:
        """What is left of the outermost definitions that the commit in work has touched."""
        found: set[str] = set()
        for atom in self._current():
            text = self._situation.difference.texts.get(atom.path)
            if text is None or atom.kind is not Kind.LINES or not len(atom.new):
                continue
            heads = enclosing(text.new, atom.new.start)
            first, stop = block(text.new, heads[-1] if heads else atom.new.start)
            found.update(each.id for each in self._inventory.within(atom.path, first, stop))
        return frozenset(found)

    def _mentioned(self) -> frozenset[str]:
        """What is left of definitions whose names the commit in work or the failure mentions."""
        texts = (line for atom in self._current() for line in atom.added)
        words = {word for text in (*texts, self._failure.output) for word in _WORD.findall(text)}
        return frozenset(
            atom.id
            for atom in self._inventory.left
            if any(name.encode() in words for name in self._inventory.added(atom).defined)
        )

    def _smallest(self, found: frozenset[str], helps: Helps) -> frozenset[str]:
        """Shrink by files, then by definitions, then by atoms.

        A failure may not need the head of a new file, but the rest of the file hangs from it.
        """

        def helps_headed(chosen: frozenset[str]) -> bool:
            return helps(headed(self._inventory, chosen))

        atoms = self._inventory.atoms(found)
        for key in (
            lambda atom: (atom.path,),
            lambda atom: (atom.path, atom.scope),
            lambda atom: (atom.id,),
        ):
            groups: dict[tuple[object, ...], set[str]] = {}
            for atom in atoms:
                groups.setdefault(key(atom), set()).add(atom.id)
            kept = shrunk([frozenset(group) for group in groups.values()], helps_headed)
            found = headed(self._inventory, frozenset().union(*kept))
            atoms = self._inventory.atoms(found)
        return found

    def _affords(self, trials: int) -> bool:
        return self._trial.remaining >= trials

    def _outcome(self, atoms: frozenset[str]) -> Failure | None:
        """The failure with these atoms; the present one where no trial is left."""
        if atoms not in self._tried:
            if not self._affords(1):
                return self._failure
            self._tried[atoms] = self._trial(atoms)
        return self._tried[atoms]

    def _after(self, atoms: frozenset[str]) -> Problems | None:
        outcome = self._outcome(atoms)
        return None if outcome is None else problems(outcome)

    def _passes(self, atoms: frozenset[str]) -> bool:
        return self._outcome(atoms) is None

    def _nearer(self, atoms: frozenset[str]) -> bool:
        return nearer(self._before, self._after(atoms))

    def _answers(self, atoms: frozenset[str], asked: frozenset[Problem]) -> bool:
        return answered(self._before, self._after(atoms), asked)

    def _progress(self, atoms: frozenset[str], why: str, confidence: float) -> Progress:
        reasons = {atom: Reason(why + self._moved(atom), confidence) for atom in sorted(atoms)}
        what = subject(self._inventory, atoms, self._diagnostics)
        return Progress(Choice(atoms, reasons=reasons), what)

    def _moved(self, atom: str) -> str:
        commit = self._situation.planned.get(atom, self._situation.index)
        return f"; it was planned for commit {commit + 1}" if commit > self._situation.index else ""
