"""``--plan``: a plan that a person or a program gives back, wholly or for some hunks only.

It is the JSON of ``-n --json``, perhaps edited. What it places elsewhere than the planner would
becomes pins of the spec; the planner fills the rest.
"""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.errors import Fatal, Reason
from git_retcon.git.difference import Difference
from git_retcon.git.short_ids import shorten_id
from git_retcon.retcon.branch.progress import find_atoms
from git_retcon.retcon.spec.hunk_parts import find_hunks, is_hunk_id, name_whole
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.counting import inflect, some_of
from git_retcon.show.envelope import VERSION

_MOST_NAMED = 5
_PLAN = ["git", "retcon", "-n", "--json"]
_AGAIN = "make the plan again with 'git retcon -n --json', and correct that"


class GivenPlan(NamedTuple):
    """The source's tree that it was made for, and the ids of hunks by commit, from 0."""

    tree: str
    hunks: Mapping[int, Sequence[str]]


def read_plan(name: str) -> GivenPlan:
    """Read a plan from a file, or from standard input for ``-``. Raises Fatal."""
    try:
        content = sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
        document = json.loads(content)
    except OSError as error:
        raise Fatal(
            f"cannot read the plan '{name}': {error.strerror}", hint="name a file, or - for stdin"
        ) from error
    except (ValueError, RecursionError) as error:
        raise _make_fault(name, f"is not JSON: {error}") from error
    if not isinstance(document, dict) or not isinstance(document.get("tree"), str):
        raise _make_fault(name, "has no 'tree'")
    _require_version(name, document.get("version", VERSION))
    commits = document.get("commits")
    if not isinstance(commits, list):
        raise _make_fault(name, "has no list 'commits'")
    hunks: dict[int, Sequence[str]] = {}
    for commit in commits:
        position, ids = _read_commit(name, commit)
        if position in hunks:
            raise _make_fault(name, f"has two commits of position {position + 1}")
        hunks[position] = ids
    return GivenPlan(document["tree"], hunks)


def _require_version(name: str, version: object) -> None:
    """Raise Fatal for a plan of another version; one written by hand may leave it out."""
    if type(version) is not int or version != VERSION:
        raise _make_fault(name, f"has version {json.dumps(version)}, and only {VERSION} is known")


def _read_commit(name: str, commit: object) -> tuple[int, Sequence[str]]:
    if not isinstance(commit, dict) or type(commit.get("position")) is not int:
        raise _make_fault(name, "has a commit without 'position'")
    hunks = commit.get("hunks")
    # A list, or an object whose values are confidences: a text would be read letter by letter.
    ids = list(hunks) if isinstance(hunks, list | dict) else []
    if not (hunks is None or isinstance(hunks, list | dict)) or not all(
        isinstance(each, str) for each in ids
    ):
        raise _make_fault(name, f"has hunks of commit {commit['position']} that are no ids")
    return commit["position"] - 1, ids


def _make_fault(name: str, what: str) -> Fatal:
    return Fatal(
        f"the plan '{name}' {what}",
        hint="a plan is what 'git retcon -n --json' prints",
        reason=Reason.INVALID,
        commands=[_PLAN],
    )


def expand_given(given: GivenPlan, difference: Difference) -> GivenPlan:
    """The same plan with its abbreviated ids in full; one that several hunks have stays."""
    wholes = sorted({name_whole(atom.id) for atom in difference.atoms})
    return given._replace(
        hunks={at: [expand_id(each, wholes) for each in ids] for at, ids in given.hunks.items()}
    )


def expand_id(text: str, wholes: Sequence[str]) -> str:
    """An abbreviated id of a hunk, or of a part of one, in full; any other text as it is."""
    whole, colon, lines = text.partition(":")
    meant = find_hunks(whole, wholes) if is_hunk_id(text) else []
    return f"{meant[0]}{colon}{lines}" if len(meant) == 1 else text


def divide_given(given: GivenPlan, difference: Difference) -> Difference:
    """A difference with its hunks divided as a plan for it divides them. Raises UnusablePart."""
    parts = [each for ids in given.hunks.values() for each in ids if ":" in each]
    parts = [each for each in parts if is_hunk_id(each) and each not in difference]
    if not parts or given.tree != difference.target:
        return difference
    # Late: few plans have parts, and cutting reads languages.
    from git_retcon.retcon.branch.hunk_division import divide_hunks, read_part

    divided = divide_hunks(difference, parts)
    wholes = {name_whole(atom.id) for atom in difference.atoms}
    for each in parts:
        if name_whole(each) in wholes:
            read_part(divided, each)
    return divided


def place_given(given: GivenPlan, spec: Spec, difference: Difference) -> Mapping[str, int]:
    """The commit of each hunk that a plan names, by id.

    Raises Fatal for a plan of another source, a commit that is not there, and ids that are unknown
    or given twice.
    """
    if given.tree != difference.target:
        raise Fatal(
            f"the plan is for another state of '{spec.source}' (tree {shorten_id(given.tree)})",
            hint=_AGAIN,
            reason=Reason.STALE_PLAN,
            commands=[_PLAN],
        )
    named = [(each, position) for position, ids in given.hunks.items() for each in ids]
    _refuse_commits(spec, given.hunks.keys() - set(range(len(spec.commits))))
    unknown = [each for each, _ in named if not find_atoms(difference, each)]
    if unknown:
        raise _fault_of_ids("unknown", unknown)
    places = [(atom, at) for each, at in named for atom in find_atoms(difference, each)]
    placed = dict(places)
    doubled = [each for each, position in places if placed[each] != position]
    if doubled:
        raise _fault_of_ids("doubled", doubled)
    return placed


def _refuse_commits(spec: Spec, positions: set[int]) -> None:
    if positions:
        raise Fatal(
            f"the plan has a commit {min(positions) + 1}, the spec has {len(spec.commits)}",
            hint=_AGAIN,
            reason=Reason.STALE_PLAN,
            commands=[_PLAN],
        )


def _fault_of_ids(what: str, ids: Sequence[str]) -> Fatal:
    named = some_of(dict.fromkeys(ids), _MOST_NAMED)
    return Fatal(
        f"the plan has {what} {inflect(len(ids), 'id')}: {named}",
        hint=_AGAIN,
        reason=Reason.STALE_PLAN,
        commands=[_PLAN],
    )
