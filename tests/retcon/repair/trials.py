"""Trials that really check out, build and test; and a plain way to cut text finely."""

import itertools
import shutil
import subprocess
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from git_retcon.git.atoms import FileText, Hunk, Span
from git_retcon.git.difference import Difference, compare_trees
from git_retcon.retcon.engine import Blocked, Progress, Situation
from git_retcon.retcon.repair.repair import find_repair
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from git_retcon.run.failure import Failure
from tests.repository import TestRepository


class TopLevel:
    """Cut added text before each line that starts in the first column, or at a given depth."""

    def split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        if len(hunk.old):
            return (hunk,)
        cuts = [
            at
            for at in range(hunk.new.start + 1, hunk.new.stop)
            if not text.new[at][:1].isspace() and text.new[at][:1] not in b"})]"
        ]
        edges = [hunk.new.start, *cuts, hunk.new.stop]
        return [Hunk(hunk.old, Span(start, stop)) for start, stop in itertools.pairwise(edges)]

    def scope(self, text: FileText, hunk: Hunk) -> str:
        return ""


@dataclass
class RealTrial:
    """Checks out base + taken + atoms into one folder and runs the commands there."""

    repository: TestRepository
    difference: Difference
    taken: Collection[str]
    build: str
    test: str | None
    folder: Path
    remaining: int = 40
    made: list[frozenset[str]] = field(default_factory=list)

    def __call__(self, atoms: Collection[str], released: Collection[str] = ()) -> Failure | None:
        assert self.remaining > 0, "more trials than allowed"
        self.remaining -= 1
        self.made.append(frozenset(atoms))
        return self.outcome((frozenset(self.taken) | frozenset(atoms)) - frozenset(released))

    def outcome(self, chosen: Collection[str]) -> Failure | None:
        """The failure of the tree of base plus the chosen atoms."""
        tree = self.difference.tree(chosen)
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)
        archive = subprocess.run(
            ["git", "-C", str(self.repository.path), "archive", tree],
            capture_output=True,
            check=True,
        )
        subprocess.run(["tar", "-x"], input=archive.stdout, cwd=self.folder, check=True)
        for step, command in (("build", self.build), ("test", self.test)):
            if command is None:
                continue
            done = subprocess.run(
                ["sh", "-c", command],
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                check=False,
            )
            if done.returncode:
                return Failure(step, command, done.returncode, done.stdout)
        return None


@dataclass
class Bench:
    """A repository whose source is ``after`` and whose base is ``before``."""

    repository: TestRepository
    folder: Path
    before: Mapping[str, str | None]
    after: Mapping[str, str | None]
    build: str
    test: str | None = None
    trials: int = 40

    def __post_init__(self) -> None:
        base = self.repository.commit("base", self.before)
        source = self.repository.commit("source", self.after)
        opened = self.repository.open()
        self.difference = compare_trees(
            opened,
            self.repository.tree(base),
            self.repository.tree(source),
            granularity=TopLevel(),
        )

    def holding(self, *texts: str) -> frozenset[str]:
        """The atoms that add or remove any of these texts."""
        return frozenset(
            atom.id
            for atom in self.difference.atoms
            if any(text.encode() in b"".join((*atom.added, *atom.removed)) for text in texts)
        )

    def situation(
        self,
        taken: Collection[str] = (),
        *,
        planned: Mapping[str, int] | None = None,
        commits: int = 3,
        index: int = 0,
    ) -> Situation:
        """The loop's state with these atoms taken for the commit in work."""
        logical = tuple(LogicalCommit(f"commit {number}") for number in range(1, commits + 1))
        spec = Spec("source", "base", "cleaned", logical)
        taken_here = dict.fromkeys(taken, index)
        return Situation(spec, index, self.difference, taken_here, planned=planned or {})

    def texts(self, atoms: Collection[str]) -> set[str]:
        """The first written line that each atom adds or else removes."""
        found = (self.difference[each] for each in atoms)
        lines = (b"".join(atom.added or atom.removed).decode().strip() for atom in found)
        return {line.partition("\n")[0] for line in lines}

    def trial(self, taken: Collection[str]) -> RealTrial:
        return RealTrial(
            self.repository,
            self.difference,
            taken,
            self.build,
            self.test,
            self.folder,
            self.trials,
        )

    def repair(
        self,
        taken: Collection[str],
        *,
        attempt: int = 1,
        planned: Mapping[str, int] | None = None,
        commits: int | Sequence[LogicalCommit] = 4,
        index: int = 1,
        origin: Mapping[str, Mapping[int, int]] | None = None,
        sure: Mapping[str, float] | None = None,
    ) -> "Answer":
        """Build the tree of what is taken, which must fail, and ask what to do."""
        trial = self.trial(taken)
        failure = trial.outcome(taken)
        assert failure is not None, "the partial tree was meant to fail"
        if isinstance(commits, int):
            commits = [LogicalCommit(f"commit {number}") for number in range(1, commits + 1)]
        spec = Spec("source", "base", "cleaned", tuple(commits))
        situation = Situation(
            spec,
            index,
            self.difference,
            dict.fromkeys(taken, index),
            origin=origin or {},
            planned=planned or {},
            sure=sure or {},
        )
        return Answer(find_repair(situation, failure, attempt, trial), failure, trial)


@dataclass(frozen=True)
class Answer:
    """What repair said, of what failure, and the trials it made."""

    said: Progress | Blocked
    failure: Failure
    trial: RealTrial

    @property
    def progress(self) -> Progress:
        assert isinstance(self.said, Progress), self.said
        return self.said

    @property
    def atoms(self) -> frozenset[str]:
        return self.progress.choice.atoms

    @property
    def summary(self) -> str:
        assert isinstance(self.said, Blocked), self.said
        return self.said.summary

    @property
    def after(self) -> Failure | None:
        """The failure of the tree with what was answered."""
        return self.trial.outcome(frozenset(self.trial.taken) | self.atoms)


Make = Callable[..., Bench]
