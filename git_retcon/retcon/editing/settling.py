"""A sheet turned into a spec whose plan is what the sheet shows, with as few pins as that takes."""

from collections.abc import Mapping, Sequence

from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.retcon.editing.sheet import Heading, Sheet, list_numbers
from git_retcon.retcon.rebuild.dry_run import Plan, Planning
from git_retcon.retcon.rebuild.pinned_hunks import release_pins
from git_retcon.retcon.rebuild.pinning import pin_until_planned
from git_retcon.retcon.spec.commit_order import CommitEntry
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.model import LogicalCommit, PinLine, Spec


def has_changes(sheet: Sheet, plan: Plan) -> bool:
    """Whether a sheet says anything that a plan does not."""
    subjects = [Heading(at, commit.subject) for at, commit in enumerate(plan.spec.commits)]
    return list(sheet.headings) != subjects or bool(
        _find_moved(sheet, plan) or _find_released(sheet, plan)
    )


def settle_sheet(
    repository: Repository, specfile: SpecFile, sheet: Sheet, plan: Plan, difference: Difference
) -> tuple[SpecFile, Planning]:
    """The spec that a sheet asks for, unsaved, and how it would be planned.

    ``plan`` is the one that the sheet was drawn from. Raises Fatal where the spec's layout forbids
    it, and where a person's commits would be lost.
    """
    wanted = [_make_entry(heading, specfile.spec) for heading in sheet.headings]
    base = _release_pins(specfile.rearrange(wanted), _find_released(sheet, plan), difference)
    moved = _find_moved(sheet, plan)
    return pin_until_planned(repository, base, sheet.places, moved, difference)


def _make_entry(heading: Heading, spec: Spec) -> CommitEntry:
    if heading.origin is None:
        return CommitEntry(None, heading.subject)
    commit = spec.commits[heading.origin]
    return CommitEntry(heading.origin, _replace_subject(commit, heading.subject))


def _replace_subject(commit: LogicalCommit, subject: str) -> str:
    if subject == commit.subject:
        return commit.message
    _, line_end, body = commit.message.strip().partition("\n")
    return subject + line_end + body


def _find_moved(sheet: Sheet, plan: Plan) -> Mapping[str, int]:
    """The hunks that are in another commit than in the plan, with their new one."""
    numbers = list_numbers(sheet.headings)
    now = {atom: plan.place(atom)[0] for atom in sheet.places}
    return {
        atom: at
        for atom, at in sheet.places.items()
        if (before := now[atom]) is None or numbers.get(before) != at
    }


def _find_released(sheet: Sheet, plan: Plan) -> Sequence[str]:
    """The hunks that had a commit and are left to the planner now."""
    atoms = (atom.id for atom in plan.position.difference.atoms)
    return [each for each in atoms if each not in sheet.places and plan.place(each)[0] is not None]


def _release_pins(specfile: SpecFile, released: Sequence[str], difference: Difference) -> SpecFile:
    """The file without the pins of some hunks."""
    kept = {
        index: list(release_pins(commit.hunks, released, difference))
        for index, commit in enumerate(specfile.spec.commits)
    }
    return specfile.write_pins(
        {
            index: [PinLine(pin) for pin in pins]
            for index, pins in kept.items()
            if pins != list(specfile.spec.commits[index].hunks)
        }
    )
