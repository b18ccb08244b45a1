"""Pins of a spec and the hunks that there are: checked before a plan, named for a reader."""

from collections.abc import Iterator, Mapping, Sequence

from git_retcon.git.atoms import Atom, Kind
from git_retcon.git.difference import Difference
from git_retcon.retcon.planner.pins import Pin, resolve_pins
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.model import Spec
from git_retcon.retcon.spec.pin_entries import PinLine
from git_retcon.show.style import printable, show_path


def check_pins(specfile: SpecFile, difference: Difference) -> Iterator[str]:
    """A warning for each pin whose hunk is gone. ``difference`` is from the base to the source.

    Raises Fatal, with the line, for a pin that could mean two hunks, and for a hunk that two
    commits pin.
    """
    commits = specfile.spec.commits
    if not any(commit.hunks for commit in commits):
        return
    pins = resolve_pins(commits, [atom.id for atom in difference.atoms])
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
    yield from (_warn_gone(specfile, pin) for pin in pins.gone)


def _warn_gone(specfile: SpecFile, pin: Pin) -> str:
    line, comment = specfile.find_pin(pin.commit, pin.text)
    where = f" ({comment})" if comment else ""
    return f"{specfile.path}:{line}: no hunk '{pin.text}' is there any more{where}"


def name_pin(atom: Atom) -> PinLine:
    """The pin of a hunk, with its place and definition for a reader."""
    place = f"{show_path(atom.path)}:{atom.new.start + 1}"
    where = place if atom.kind is Kind.LINES else f"{show_path(atom.path)} {atom.kind.value}"
    return PinLine(atom.id, f"{where} {printable(atom.scope)}".rstrip())


def merge_pins(
    spec: Spec, placed: Mapping[str, int], difference: Difference
) -> Mapping[int, Sequence[PinLine]]:
    """The pins of each commit that changes when these hunks, by id, get these commits.

    Pins of other hunks stay.
    """
    changed = {
        index: [
            *(PinLine(pin) for pin in commit.hunks if not _is_named(pin, placed)),
            *(name_pin(difference[each]) for each, place in placed.items() if place == index),
        ]
        for index, commit in enumerate(spec.commits)
    }
    return {
        index: pins
        for index, pins in changed.items()
        if {pin.id for pin in pins} != set(spec.commits[index].hunks)
    }


def _is_named(pin: str, ids: Mapping[str, int]) -> bool:
    return any(each.startswith(pin) for each in ids)
