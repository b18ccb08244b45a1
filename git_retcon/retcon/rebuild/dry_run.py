"""``--dry-run``: which hunks would go into which commit; no ref is written."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import asdict, replace
from typing import TYPE_CHECKING

from git_retcon.git.atoms import Atom
from git_retcon.git.difference import Difference
from git_retcon.git.provenance import Provenance
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.branch.branch_state import Rewind
from git_retcon.retcon.branch.branches import list_source_commits
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.branch.reconcile import expand_recorded_ids
from git_retcon.retcon.branch.source_history import read_source_history
from git_retcon.retcon.branch.squash import can_fold
from git_retcon.retcon.engine import Choice, Situation, read_case
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.events import PlacedHunk, Planned
from git_retcon.retcon.rebuild.explanation import place_hunks
from git_retcon.retcon.rebuild.hinted_files import check_hinted_files, find_taken_files
from git_retcon.retcon.rebuild.pinned_hunks import check_pins
from git_retcon.retcon.rebuild.start import Start, find_start
from git_retcon.retcon.rebuild.unmatched_patterns import check_patterns
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import Spec

if TYPE_CHECKING:
    from git_retcon.retcon.branch.working_source import WorkingSource


@dataclass(frozen=True)
class Plan:
    """For each pending commit, by position, what it would take; and what nothing takes.

    ``folds`` gives the number of WIP commits that would be folded into a commit, by position,
    ``warnings`` what of the spec is not read or is gone.
    """

    spec: Spec
    choices: Mapping[int, Choice]
    position: Position
    folds: Mapping[int, int]
    warnings: tuple[str, ...] = ()

    @property
    def leftover(self) -> tuple[Atom, ...]:
        """What no commit takes."""
        taken = set(self.position.taken).union(*(c.atoms for c in self.choices.values()))
        return tuple(a for a in self.position.difference.atoms if a.id not in taken)

    def place(self, hunk: str) -> tuple[int | None, str | None, float | None]:
        """The commit of a hunk (None for none), why it is there, and how sure that is."""
        for index, choice in self.choices.items():
            if hunk in choice.atoms:
                reason = choice.reasons.get(hunk)
                return index, *((reason.why, reason.confidence) if reason else (None, None))
        return self.position.taken.get(hunk), None, None

    def find_built(self, index: int) -> Choice:
        """What a commit holds that is built already."""
        taken = self.position.taken
        return Choice(frozenset(atom for atom, commit in taken.items() if commit == index))

    def describe_built(self, index: int) -> dict[str, object]:
        """For programs: a commit that is built already. All its hunks are there for sure."""
        commit, hunks = self.spec.commits[index], self._list_hunks(self.find_built(index))
        return {
            "position": index + 1,
            "subject": commit.subject,
            "built": list(commit.commits),
            "hunks": dict.fromkeys((hunk.id for hunk in hunks), 1.0),
            "remarks": [],
            "warnings": [],
            "atoms": [asdict(hunk) for hunk in hunks],
        }

    def describe(self, *, explain: bool) -> Planned:
        """The plan for programs (git-retcon(1), OUTPUT); with reasons where they are asked for."""
        return Planned(
            tree=self.position.difference.target,
            commits=[
                self._describe_commit(index, choice, explain=explain)
                for index, choice in self.choices.items()
            ],
            leftover=[atom.id for atom in self.leftover],
            folds=[{"position": index + 1, "wip": wips} for index, wips in self.folds.items()],
        )

    def _describe_commit(self, index: int, choice: Choice, *, explain: bool) -> dict[str, object]:
        hunks = self._list_hunks(choice)
        reasons = {"atoms": [asdict(hunk) for hunk in hunks]} if explain else {}
        return {
            "position": index + 1,
            "subject": self.spec.commits[index].subject,
            "hunks": {hunk.id: round(hunk.confidence or 0, 2) for hunk in hunks},
            "remarks": list(choice.remarks),
            "warnings": list(choice.warnings),
            **reasons,
        }

    def _list_hunks(self, choice: Choice) -> tuple[PlacedHunk, ...]:
        return place_hunks(self.position.difference.atoms, choice)


def make_plan(
    repository: Repository,
    specfile: SpecFile,
    *,
    restart: bool = False,
    squashes: bool = False,
) -> Plan:
    """Plan the commits that are still to be built, with the offline engine.

    ``squashes``: WIP commits that are there are folded once all is complete.
    """
    return Planning(repository, specfile, restart=restart, squashes=squashes).make_plan(specfile)


class Planning:
    """What all plans of one spec share: where it starts, its hunks, where their lines came from.

    Raises Fatal as ``find_start`` does.
    """

    def __init__(
        self,
        repository: Repository,
        specfile: SpecFile,
        *,
        restart: bool = False,
        squashes: bool = False,
    ) -> None:
        self._repository, self._spec = repository, specfile.spec
        self._restart, self._squashes = restart, squashes
        with specfile.naming_lines():
            self._start = start = find_start(repository, specfile, restart=restart)
        found = read_source_history(
            repository, start.branches, list_source_commits(repository, start.branches)
        )
        tracker = ProgressTracker(repository, found.granularity, repository.trees)
        self._base = start.base_position(tracker)
        self._position = start.position(tracker, self._base)
        self._found = found
        self._origin = found.of(self._position.difference)
        self._divided: dict[tuple[str, ...], tuple[Position, Provenance]] = {}
        self._engine = OfflineEngine()

    @property
    def difference(self) -> Difference:
        """All hunks of the branch, from the base to the source, built or not."""
        return self._base.difference

    @property
    def working(self) -> "WorkingSource | None":
        """The state of the worktree, where that is the source."""
        return self._start.branches.working

    @property
    def provenance(self) -> Provenance:
        """The source commits that each hunk came from."""
        return self._origin

    @property
    def rewind(self) -> Rewind | None:
        """What of the branch a run would build again, if anything."""
        return self._start.state.rewind

    def make_plan(self, specfile: SpecFile, parts: Collection[str] = ()) -> Plan:
        """Plan the commits that are still to be built, of a spec that differs in pins at most.

        ``parts`` are ids of parts of hunks that are wished besides those that it pins.
        """
        if self._is_rewound_by(specfile.spec):
            again = Planning(
                self._repository, specfile, restart=self._restart, squashes=self._squashes
            )
            return again.make_plan(specfile, parts)
        pins = [pin for commit in specfile.spec.commits for pin in commit.hunks]
        base = self._base.divide([*pins, *parts])
        position, origin = self._divide([*pins, *parts])
        pending = self._start.pending
        warnings = (
            *specfile.unknown_keys(),
            *check_pins(specfile, base.difference),
            *check_patterns(specfile, base.difference, read_case(self._repository)),
            *check_hinted_files(self._repository, specfile, pending, base.difference),
            *find_taken_files(specfile, pending, position, self.rewind),
        )
        folds = _count_folds(self._repository, self._start) if self._squashes else {}
        if self._start.state.finished:
            return Plan(specfile.spec, {}, position, folds, warnings)
        choices = self._plan_choices(specfile.spec, position, origin)
        return Plan(specfile.spec, dict(choices), position, folds, warnings)

    def _divide(self, ids: Collection[str]) -> tuple[Position, Provenance]:
        """The position with hunks divided, and where its lines came from; made once for each
        division, since a plan of the same difference costs less."""
        parts = tuple(sorted({each for each in ids if ":" in each}))
        if parts not in self._divided:
            position = self._position.divide(parts)
            same = position.difference is self._position.difference
            origin = self._origin if same else self._found.of(position.difference)
            self._divided[parts] = position, origin
        return self._divided[parts]

    def _is_rewound_by(self, spec: Spec) -> bool:
        """Whether other pins of a commit that is begun, or built, make it start elsewhere."""
        return any(
            now.history and now.hunks != before.hunks
            for now, before in zip(spec.commits, self._spec.commits, strict=True)
        )

    def _plan_choices(
        self, spec: Spec, position: Position, origin: Provenance
    ) -> Iterator[tuple[int, Choice]]:
        case = read_case(self._repository)
        pending = _take_pins(self._start.pending, spec)
        taken = dict(position.taken)
        for index, commit in enumerate(pending.commits):
            # A commit that has begun gets its further hunks from repairs, which nobody can
            # foretell.
            if commit.status is Status.COMPLETE or commit.commits:
                continue
            situation = Situation(
                pending,
                index,
                position.difference,
                taken,
                origin.origin,
                origin.subjects,
                released=position.released,
                case=case,
            )
            choice = self._engine.extract(situation)
            yield index, choice
            # As if it had been built: the next commit is planned around it.
            taken = taken | dict.fromkeys(choice.atoms, index)


def _count_folds(repository: Repository, start: Start) -> Mapping[int, int]:
    full = expand_recorded_ids(repository, start.pending)
    if start.state.finished and not can_fold(full, start.state.tip):
        return {}
    counts = {index: commit.wips for index, commit in enumerate(full.commits)}
    return {index: wips for index, wips in counts.items() if wips > 0}


def _take_pins(spec: Spec, pinned: Spec) -> Spec:
    commits = zip(spec.commits, pinned.commits, strict=True)
    return replace(spec, commits=tuple(replace(a, hunks=b.hunks) for a, b in commits))
