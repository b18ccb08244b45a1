"""Pins of a spec and the hunks that there are: checked before a plan, named for a reader."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from git_retcon.git.atoms import Atom
from git_retcon.git.difference import Difference
from git_retcon.retcon.branch.whole_entries import describe_entry
from git_retcon.retcon.planner.pins import Pin, cover_hunk, resolve_pins
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.hunk_parts import (
    begins_hunk,
    find_hunks,
    name_whole,
    read_hunk_id,
)
from git_retcon.retcon.spec.model import PinLine, Spec
from git_retcon.show.style import printable, show_path


def check_pins(specfile: SpecFile, difference: Difference) -> Iterator[str]:
    """A warning for each pin whose hunk is gone. ``difference`` is from the base to the source.

    Raises Fatal, with the line, for a pin that could mean two hunks, and for a hunk that two
    commits pin.
    """
    commits = specfile.spec.commits
    if not any(commit.hunks for commit in commits):
        return
    pins = resolve_pins(commits, difference.atoms)
    for pin in pins.ambiguous:
        raise specfile.fault_at_pin(
            pin.commit, pin.text, f"several hunks begin with '{pin.text}'", "write more of the id"
        )
    for pin in pins.doubled:
        raise specfile.fault_at_pin(
            pin.commit,
            pin.text,
            f"hunk '{pin.text}' is pinned by another [[commit]] too",
            "keep one of the two",
        )
    for at, commit in enumerate(commits):
        for text in commit.hunks:
            _refuse_part(specfile, Pin(at, text), difference)
    for pin in pins.gone:
        yield _warn_gone(specfile, pin)


def _refuse_part(specfile: SpecFile, pin: Pin, difference: Difference) -> None:
    """Raise Fatal where the hunk of a pin is there, and cannot be cut as it asks."""
    wholes = {name_whole(atom.id) for atom in difference.atoms}
    if ":" not in pin.text or not find_hunks(name_whole(pin.text), sorted(wholes)):
        return
    # Late: few specs have parts, and cutting reads languages.
    from git_retcon.retcon.branch.hunk_cutter import UnusablePart
    from git_retcon.retcon.branch.hunk_division import read_part

    try:
        read_part(difference, pin.text)
    except UnusablePart as fault:
        hint = fault.hint or "write other lines"
        raise specfile.fault_at_pin(pin.commit, pin.text, str(fault), hint) from fault


def _warn_gone(specfile: SpecFile, pin: Pin) -> str:
    line, comment = specfile.find_pin(pin.commit, pin.text)
    where = f" ({comment})" if comment else ""
    return f"{specfile.path}:{line}: no hunk '{pin.text}' is there any more{where}"


def name_pin(atom: Atom) -> PinLine:
    """The pin of a hunk, with its place and definition for a reader."""
    path, change = show_path(atom.path), describe_entry(atom)
    where = f"{path} {change}" if change else f"{path}:{atom.new.start + 1}"
    return PinLine(atom.id, f"{where} {printable(atom.scope)}".rstrip())


def merge_pins(
    spec: Spec, placed: Mapping[str, int], difference: Difference
) -> Mapping[int, Sequence[PinLine]]:
    """The pins of each commit that changes when these hunks, by id, get these commits.

    Pins of other hunks stay.
    """
    changed = {
        index: [
            *map(PinLine, release_pins(commit.hunks, placed, difference)),
            *(name_pin(difference[each]) for each, place in placed.items() if place == index),
        ]
        for index, commit in enumerate(spec.commits)
    }
    return {
        index: pins
        for index, pins in changed.items()
        if {pin.id for pin in pins} != set(spec.commits[index].hunks)
    }


def release_pins(
    pins: Sequence[str], released: Collection[str], difference: Difference
) -> Iterator[str]:
    """What is left of the pins of a commit when some hunks, by id, are pinned no more.

    Of a divided hunk some parts may stay.
    """
    for pin in pins:
        wanted = read_hunk_id(pin)
        own = [atom for atom in difference.atoms if begins_hunk(wanted.hunk, name_whole(atom.id))]
        covered = cover_hunk(wanted, own)
        left = [each for each in covered if each not in released]
        yield from [pin] if len(left) == len(covered) else left
