"""``--dry-run``: which pieces would go into which commit, and why; nothing is written to a ref."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from git_retcon.files.patterns import Case
from git_retcon.git.atoms import Atom, Kind
from git_retcon.git.repository import Repository
from git_retcon.retcon.branch.branches import source_commits
from git_retcon.retcon.branch.progress import Position, ProgressTracker
from git_retcon.retcon.branch.source_history import SourceHistory, read_source_history
from git_retcon.retcon.engine import Choice, Situation, case_of
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.rebuild.start import find_start
from git_retcon.retcon.spec.history import Status
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.style import Style, printable, show_path


@dataclass(frozen=True)
class Plan:
    """For each pending commit, by position, what it would take; and what nothing takes."""

    spec: Spec
    choices: Mapping[int, Choice]
    position: Position

    @property
    def leftover(self) -> tuple[Atom, ...]:
        """What no commit takes."""
        taken = set(self.position.taken).union(*(c.atoms for c in self.choices.values()))
        return tuple(a for a in self.position.difference.atoms if a.id not in taken)

    def lines(self, style: Style, *, explain: bool) -> Iterator[str]:
        """The plan for people: commit → pieces."""
        total = len(self.spec.commits)
        for index, choice in self.choices.items():
            subject = printable(self.spec.commits[index].subject)
            yield style.title(f"Commit {index + 1}/{total}: {subject}")
            if explain:
                yield from (style.faint(f"  {printable(remark)}") for remark in choice.remarks)
            for atom in self._atoms(choice):
                yield f"  {_shown(atom)}"
                reason = choice.reasons.get(atom.id)
                if explain and reason is not None:
                    yield style.faint(f"      {reason.confidence:4.0%}  {printable(reason.why)}")
            if not choice.atoms:
                yield "  nothing"
            yield ""
        if not self.choices and not self.leftover:
            yield "Nothing is left to plan."
        if self.leftover:
            yield style.warn(f"Left over, in no commit: {len(self.leftover)}")
            yield from (f"  {_shown(atom)}" for atom in self.leftover)

    def as_json(self) -> dict[str, object]:
        """The shape documented in git-retcon(1), OUTPUT."""
        return {
            "version": 1,
            "commits": [
                {
                    "position": index + 1,
                    "subject": self.spec.commits[index].subject,
                    "remarks": list(choice.remarks),
                    "atoms": [self._atom_json(atom, choice) for atom in self._atoms(choice)],
                }
                for index, choice in self.choices.items()
            ],
            "leftover": [atom.id for atom in self.leftover],
        }

    def _atoms(self, choice: Choice) -> list[Atom]:
        return [atom for atom in self.position.difference.atoms if atom.id in choice.atoms]

    def _atom_json(self, atom: Atom, choice: Choice) -> dict[str, object]:
        reason = choice.reasons.get(atom.id)
        return {
            "id": atom.id,
            "kind": atom.kind.value,
            "path": show_path(atom.path),
            "scope": atom.scope,
            "removed": len(atom.removed),
            "added": len(atom.added),
            "why": reason.why if reason else None,
            "confidence": round(reason.confidence, 3) if reason else None,
        }


def make_plan(repository: Repository, spec: Spec, *, restart: bool = False) -> Plan:
    """Plan the commits that are still to be built, with the offline engine."""
    start = find_start(repository, spec, restart=restart)
    found = read_source_history(
        repository, start.branches, source_commits(repository, start.branches)
    )
    position = start.position(ProgressTracker(repository, found.granularity, repository.trees))
    if start.state.finished:
        return Plan(spec, {}, position)
    choices = _choices(start.pending, position, found, case_of(repository))
    return Plan(spec, dict(choices), position)


def _choices(
    spec: Spec, position: Position, found: SourceHistory, case: Case
) -> Iterator[tuple[int, Choice]]:
    engine = OfflineEngine()
    origin = found.of(position.difference)
    taken = dict(position.taken)
    for index, commit in enumerate(spec.commits):
        if commit.status is Status.COMPLETE or commit.commits:
            continue
        situation = Situation(
            spec,
            index,
            position.difference,
            taken,
            origin.origin,
            origin.subjects,
            case=case,
        )
        choice = engine.extract(situation)
        yield index, choice
        taken |= dict.fromkeys(choice.atoms, index)


def _shown(atom: Atom) -> str:
    where = show_path(atom.path)
    if atom.kind is Kind.LINES:
        where += f":{atom.new.start + 1}"
    size = f"+{len(atom.added)} -{len(atom.removed)}"
    kind = "" if atom.kind is Kind.LINES else f" {atom.kind.value}"
    scope = f"  {printable(atom.scope)}" if atom.scope else ""
    return f"{atom.id}  {where}{kind}  {size}{scope}"
