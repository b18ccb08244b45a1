"""How the names in hints speak for an atom: its file, its definition, and both together."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from git_retcon.retcon.hints.hint import Mentions, names_directory, names_path
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
        matches = [_match(one, each, match) for each, match in zip(wanted, in_file, strict=True)]
        yield _row(one, matches, wanted)


def _match_file(path: bytes, definitions: set[str], wanted: Mentions) -> _FileMatch:
    text = path.decode("utf-8", "replace").lower()
    return _FileMatch(
        file=names_path(text, wanted),
        directory=names_directory(text, wanted),
        definition=any(name in wanted.words for name in definitions),
    )


def _match(one: Facts, wanted: Mentions, in_file: _FileMatch) -> _Match:
    own = (*one.names[:1], *one.defines, *one.undefines)
    return _Match(
        in_file,
        own=any(name in wanted.words for name in own),
        around=any(name in wanted.words for name in one.names[1:]),
    )


def _row(one: Facts, matches: Sequence[_Match], wanted: Sequence[Mentions]) -> Row:
    files = sum(match.in_file.file for match in matches)
    owns = sum(match.own for match in matches)
    arounds = sum(match.around for match in matches)
    both = sum(match.both for match in matches)
    row: Row = {}
    for k, match in enumerate(matches):
        file, directory, definition = match.in_file
        if not (file or directory or definition or match.own or match.around):
            continue  # every feature is 0
        others = definition and not match.own
        vector = (
            file,
            file / max(files, 1),
            match.own,
            match.own / max(owns, 1),
            match.around / max(arounds, 1),
            match.both,
            file and files == 1,
            match.both / max(both, 1),
            file and others and bool(one.names),
            file and others and not owns,
            file and not definition and not one.names,
            file and not wanted[k].names and not definition,
            not files and definition,
            match.both and files > 1 and owns == 1,
            directory,
        )
        if any(vector):
            row[k] = [float(value) for value in vector]
    return row
