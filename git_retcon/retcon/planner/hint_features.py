"""How the names in hints speak for an atom: its file, its definition, and both together."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.retcon.hints.hint import Mentions, names_directory, names_path
from git_retcon.retcon.hints.words import WORD
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.word_scores import Row

FEATURES = (
    "hint: file", "hint: file share", "hint: definition", "hint: definition share",
    "hint: around share", "hint: file and definition", "hint: file of one only",
    "hint: file and definition share", "hint: another definition hinted",
    "hint: another definition hinted, none here", "hint: file alone, no definition",
    "hint: file, no names", "hint: definitions of an unhinted file",
    "hint: shared file, own definition",
    "hint: directory",
)  # fmt: skip


class _FileMatch(NamedTuple):
    """What one commit's hints say of a file: do they name it, a directory with a slash that holds
    it, or a definition in it?"""

    file: bool
    directory: bool
    definition: bool


class _Match(NamedTuple):
    """What one commit's hints name of an atom: its own definition, or one around that."""

    in_file: _FileMatch
    own: bool
    around: bool

    @property
    def both(self) -> bool:
        return self.in_file.file and self.own


def hint_features(facts: Sequence[Facts], descriptions: Sequence[Description]) -> Iterator[Row]:
    """The hint features of every atom, for every commit whose hints name something of it."""
    # Most specs have no hints, and there is nothing to match then.
    if all(description.hint.is_empty for description in descriptions):
        yield from ({} for _ in facts)
        return
    names: dict[bytes, set[str]] = {}
    for one in facts:
        names.setdefault(one.atom.path, set()).update(one.names, one.defines, one.undefines)
    wanted = [description.hint.wanted for description in descriptions]
    files = {path: [_match_file(path, own, each) for each in wanted] for path, own in names.items()}
    for one in facts:
        in_file = files[one.atom.path]
        matches = [
            _match_mentions(one, each, match) for each, match in zip(wanted, in_file, strict=True)
        ]
        yield _make_row(one, matches, wanted)


def _match_file(path: bytes, definitions: set[str], wanted: Mentions) -> _FileMatch:
    text = path.decode("utf-8", "replace").lower()
    return _FileMatch(
        file=names_path(text, wanted),
        directory=names_directory(text, wanted),
        definition=any(name in wanted.words for name in definitions),
    )


def _match_mentions(one: Facts, wanted: Mentions, in_file: _FileMatch) -> _Match:
    # The innermost name is the definition that the atom is in: to change its body is to change it.
    own = {*one.names[:1], *one.defines, *one.undefines}
    # "Line is Item" speaks of the lines that have one of these names, not of all that is in it.
    if own & wanted.renamed and not wanted.renamed.intersection(
        WORD.findall(f"{one.added}\n{one.removed}")
    ):
        own -= wanted.renamed
    return _Match(
        in_file,
        own=not own.isdisjoint(wanted.words),
        around=any(name in wanted.words for name in one.names[1:]),
    )


class _Totals(NamedTuple):
    """How many commits name an atom's file, its definition, one around that, and both."""

    files: int
    owns: int
    arounds: int
    both: int


def _make_row(one: Facts, matches: Sequence[_Match], wanted: Sequence[Mentions]) -> Row:
    totals = _Totals(
        files=sum(match.in_file.file for match in matches),
        owns=sum(match.own for match in matches),
        arounds=sum(match.around for match in matches),
        both=sum(match.both for match in matches),
    )
    row: Row = {}
    for k, match in enumerate(matches):
        if any(match.in_file) or match.own or match.around:
            vector = _make_vector(match, totals, bool(one.names), bool(wanted[k].names))
            if any(vector):
                row[k] = vector
    return row


def _make_vector(
    match: _Match, totals: _Totals, in_definition: bool, has_names: bool
) -> list[float]:
    """The values of ``FEATURES``; ``in_definition`` is of the atom, ``has_names`` of the hints."""
    file, directory, definition = match.in_file
    others = file and definition and not match.own
    file_alone = file and not definition
    return [
        float(value)
        for value in (
            file,
            file / max(totals.files, 1),
            match.own,
            match.own / max(totals.owns, 1),
            match.around / max(totals.arounds, 1),
            match.both,
            file and totals.files == 1,
            match.both / max(totals.both, 1),
            others and in_definition,
            others and not totals.owns,
            file_alone and not in_definition,
            file_alone and not has_names,
            not totals.files and definition,
            match.both and totals.files > 1 and totals.owns == 1,
            directory,
        )
    ]
