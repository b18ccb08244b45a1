"""``git retcon edit``: the plan in the user's editor, and what comes of it."""

import contextlib
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason, Refused, UserError, writing_nothing
from git_retcon.files.atomic import save
from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository, open_repository
from git_retcon.options import Output
from git_retcon.retcon.branch.branch_state import Rewind
from git_retcon.retcon.branch.spec_lock import lock_spec
from git_retcon.retcon.editing.drawing import draw_sheet
from git_retcon.retcon.editing.settling import has_changes, settle_sheet
from git_retcon.retcon.editing.sheet import Sheet, SheetFault, list_parts, read_sheet
from git_retcon.retcon.rebuild.dry_run import Plan, Planning
from git_retcon.retcon.rebuild.given_plan import expand_id
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.hunk_parts import name_whole
from git_retcon.retcon.spec.model import Spec
from git_retcon.run.editor import edit_text
from git_retcon.show.counting import count
from git_retcon.show.envelope import Ending
from git_retcon.show.notices import say, say_hint, say_line
from git_retcon.show.question import Asker, ask_person, reason_of_no, say_yes
from git_retcon.show.style import printable, shell_word, shell_words

_FILE = "PLAN"


class _Edited(NamedTuple):
    """What an edit made of a spec."""

    specfile: SpecFile
    rewind: Rewind | None


class _Division(NamedTuple):
    """What plans a spec again where the user divides hunks."""

    planning: Planning
    specfile: SpecFile

    def plan(self, text: str, plan: Plan) -> Plan:
        """The plan with the parts that a sheet names, as far as they can be had."""
        parts = [each for each in list_parts(text) if each not in plan.position.difference]
        if not parts:
            return plan
        wholes = sorted({name_whole(atom.id) for atom in plan.position.difference.atoms})
        full = [expand_id(each, wholes) for each in parts]
        return self.planning.make_plan(self.specfile, full)


def edit_plan(path: Path, output: Output, *, yes: bool) -> Ending:
    """Open the plan of a spec in the editor, and write what is changed into the spec.

    Raises Fatal where the editor fails, or leaves what cannot be read; Refused where commits that
    are built would be built again and nobody says yes.
    """
    ask = say_yes if yes else ask_person
    repository = open_repository(Path.cwd())
    with lock_spec(repository, path) as specfile:
        planning = Planning(repository, specfile)
        plan = planning.make_plan(specfile)
        with writing_nothing():
            sheet, plan = _edit_sheet(
                plan, path, repository, _Division(planning, specfile), diffs=output.verbose
            )
        if sheet is None or not has_changes(sheet, plan):
            _find_kept(repository).unlink(missing_ok=True)
            say_line(f"Nothing changed in {path}")
            return Ending(data={"changed": False, "pins": 0, "rebuilt": 0})
        with _keeping_text(repository):
            edited = _settle_plan(repository, specfile, sheet, plan)
            with writing_nothing():
                rebuilt = _require_yes(edited, ask)
            specfile.restore(edited.specfile.render())
    pins = sum(len(commit.hunks) for commit in edited.specfile.spec.commits)
    if not output.quiet:
        commits = count(len(edited.specfile.spec.commits), "commit")
        say_line(f"{path} has {commits} now, and {count(pins, 'pin')}")
        say_hint(f"'git retcon {shell_word(str(path))}' builds it")
    return Ending(data={"changed": True, "pins": pins, "rebuilt": rebuilt})


def _edit_sheet(
    plan: Plan, path: Path, repository: Repository, division: _Division, *, diffs: bool
) -> tuple[Sheet | None, Plan]:
    """What the user left, read, and the plan with hunks divided as that asks; a faulty text is
    kept, and can be edited again at a terminal.
    """
    kept = _find_kept(repository)
    text = draw_sheet(plan, str(path), diffs=diffs)
    subjects = [commit.subject for commit in plan.spec.commits]
    while True:
        left = edit_text(text.encode(), _FILE)
        if left is None:
            raise Fatal(
                "the editor failed", hint="'git var GIT_EDITOR' says which one it is", again=()
            )
        # An hour of moving lines may be in it.
        kept.parent.mkdir(parents=True, exist_ok=True)
        save(kept, left)
        text = left.decode("utf-8", "replace")
        divided = division.plan(text, plan)
        try:
            return _read_text(text, subjects, divided.position.difference), divided
        except SheetFault as fault:
            if not sys.stdin.isatty():
                raise _refuse_text(fault, path, kept) from fault
            say("error", str(fault))
            if not ask_person("Edit it again?"):
                raise _refuse_text(fault, path, kept) from fault


@contextlib.contextmanager
def _keeping_text(repository: Repository) -> Iterator[None]:
    """Say where the text is if it cannot be written into the spec; else remove it."""
    kept = _find_kept(repository)
    try:
        yield
    except UserError as error:
        error.hint = f"{error.hint}; your text is in '{kept}'"
        raise
    kept.unlink()


def _find_kept(repository: Repository) -> Path:
    return repository.common_dir / "retcon" / _FILE


def _read_text(text: str, subjects: Sequence[str], difference: Difference) -> Sheet | None:
    """What a text says of the hunks of a difference. Raises SheetFault."""

    def find_tile(part: str) -> str:
        # Late: few texts name parts, and cutting reads languages.
        from git_retcon.retcon.branch.hunk_division import find_part

        _, tile = find_part(difference, part)
        return tile.id

    return read_sheet(text, subjects, [atom.id for atom in difference.atoms], find_tile)


def _refuse_text(fault: SheetFault, path: Path, kept: Path) -> Fatal:
    again = ["git", "retcon", "edit", str(path)]
    return Fatal(
        f"the plan cannot be read: {fault}",
        hint=f"the spec was not changed; your text is in '{kept}', and "
        f"'{shell_words(again)}' begins again",
        reason=Reason.INVALID,
        commands=[again],
    )


def _settle_plan(repository: Repository, specfile: SpecFile, sheet: Sheet, plan: Plan) -> _Edited:
    settled, after = settle_sheet(repository, specfile, sheet, plan, plan.position.difference)
    return _Edited(settled, after.rewind)


def _require_yes(edited: _Edited, ask: Asker) -> int:
    """Show which commits would be built again, and have that allowed. Returns how many.

    Raises Refused.
    """
    if edited.rewind is None:
        return 0
    lines = list(_list_rewound(edited.specfile.spec, edited.rewind))
    if not lines:
        return 0
    say_line(f"{count(len(lines), 'built commit')} will be rewound and built again:")
    for line in lines:
        say_line(line)
    if not ask("Change the spec?"):
        raise Refused(
            "the spec was not changed",
            hint="--yes allows it; the branch itself moves when the spec is run next",
            reason=reason_of_no(),
            commands=[["git", "retcon", "edit", "--yes"]],
        )
    return len(lines)


def _list_rewound(spec: Spec, rewind: Rewind) -> Iterator[str]:
    return (
        f"  {index + 1}  {printable(commit.subject)}"
        for index, commit in enumerate(spec.commits)
        if index >= rewind.index and commit.commits
    )
