"""``git retcon show``: one commit of a plan, or one hunk, with its text and its reason."""

import sys
from collections.abc import Iterator
from pathlib import Path

from git_retcon.errors import Fatal, Reason
from git_retcon.git.atoms import Atom, Kind
from git_retcon.git.repository import open_repository
from git_retcon.options import Output
from git_retcon.retcon.rebuild.dry_run import Plan, make_plan
from git_retcon.retcon.rebuild.explanation import (
    NUMBER_WIDTH,
    describe_hunk,
    hunk_line,
    number_patch,
)
from git_retcon.retcon.rebuild.plan_view import Detail, PlanView
from git_retcon.retcon.spec.discovery import find_spec
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.hunk_parts import is_hunk_id
from git_retcon.show.envelope import PLANNED, Ending
from git_retcon.show.pager import page_lines
from git_retcon.show.style import Style, count_columns, printable, style_of

_CONTEXT = 3  # lines around a hunk


def show_planned(what: str, spec: Path | None, output: Output) -> Ending:
    """Print what a name means: ``SPEC``, ``SPEC:N`` or the id of a hunk."""
    if is_hunk_id(what) and not Path(what).exists():
        return _show_hunk(what, find_spec(spec, "show", what), output)
    path, number = _split_argument(what)
    return _show_commits(path, number, output)


def _split_argument(what: str) -> tuple[Path, int | None]:
    """The spec and the number of a commit in it, from 1."""
    name, colon, number = what.rpartition(":")
    if colon and is_hunk_id(name) and not (Path(name).exists() or Path(what).exists()):
        raise Fatal(
            f"no part of hunk '{name}' is called '{number}'",
            hint=f"'git retcon show {name}' shows its lines, which are numbered from 1",
            reason=Reason.INVALID,
            commands=[["git", "retcon", "show", name]],
        )
    if colon and number.isdecimal() and not Path(what).exists():
        return find_spec(Path(name) if name else None, "show"), int(number)
    return Path(what), None


def _show_commits(path: Path, number: int | None, output: Output) -> Ending:
    repository = open_repository(Path.cwd())
    specfile = SpecFile.load(path)
    plan = make_plan(repository, specfile)
    only = None if number is None else _check_number(number, plan)
    if not output.json:
        style = style_of(sys.stdout, output, repository.config.get)
        view = PlanView(plan, style, Detail(patch=True, reasons=True), count_columns(sys.stdout))
        page_lines(view.lines() if only is None else view.commit_lines(only - 1))
    planned = plan.describe(explain=True)
    commits = [each for each in planned.commits if only in (None, each["position"])]
    if only is not None and not commits:
        commits = [plan.describe_built(only - 1)]
    return Ending(PLANNED, {"tree": planned.tree, "commits": commits})


def _check_number(number: int, plan: Plan) -> int:
    count = len(plan.spec.commits)
    if not 1 <= number <= count:
        raise Fatal(
            f"no commit {number}: the spec has {count}",
            hint="'git retcon status' lists them",
            reason=Reason.INVALID,
            commands=[["git", "retcon", "status"]],
        )
    return number


def _show_hunk(given: str, path: Path, output: Output) -> Ending:
    # Late: cutting reads languages.
    from git_retcon.retcon.branch.hunk_division import find_part

    repository = open_repository(Path.cwd())
    plan = make_plan(repository, SpecFile.load(path))
    atom, tile = find_part(plan.position.difference, given)
    commit, why, confidence = plan.place(tile.id)
    if not output.json:
        style = style_of(sys.stdout, output, repository.config.get)
        page_lines(_format_atom(plan, atom, tile.id, style))
    hunk = describe_hunk(atom)
    return Ending(
        PLANNED,
        {
            "id": atom.id,
            "path": hunk.path,
            "line": hunk.line,
            "commit": None if commit is None else commit + 1,
            "why": why,
            "confidence": confidence,
            "removed": [_decode_line(line) for line in atom.removed],
            "added": [_decode_line(line) for line in atom.added],
        },
    )


def _format_atom(plan: Plan, atom: Atom, owner: str, style: Style) -> Iterator[str]:
    """A hunk in its place: its lines, numbered as in ids, and some of the file around them."""
    yield style.title(hunk_line(describe_hunk(atom)))
    commit, why, confidence = plan.place(owner)
    if commit is None:
        yield "in no commit"
    else:
        sure = f"  {confidence:.0%}" if confidence is not None else ""
        yield f"commit {commit + 1}: {printable(plan.spec.commits[commit].subject)}{sure}"
        if why:
            yield style.faint(printable(why))
    text = plan.position.difference.texts.get(atom.path)
    lines = text.new if text is not None and atom.kind is Kind.LINES else ()
    yield from _quote_lines(lines[max(0, atom.new.start - _CONTEXT) : atom.new.start])
    yield from number_patch(atom, style)
    yield from _quote_lines(lines[atom.new.stop : atom.new.stop + _CONTEXT])


def _quote_lines(lines: tuple[bytes, ...]) -> Iterator[str]:
    for line in lines:
        yield f"{' ' * NUMBER_WIDTH}  {printable(_decode_line(line).rstrip())}"


def _decode_line(line: bytes) -> str:
    return line.decode("utf-8", "backslashreplace")
