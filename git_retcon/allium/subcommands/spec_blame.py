"""``git allium blame``: the source commits and lines that a declaration, or a part, comes from."""

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from git_retcon.allium.reconcile.positions import NOWHERE, Position, SourcePositions
from git_retcon.allium.store.declared_facts import name_fact
from git_retcon.allium.store.module_text import find_cited_path
from git_retcon.allium.store.spec_store import FOLDER
from git_retcon.allium.subcommands.spec_views import find_spec, open_view
from git_retcon.allium.views.declaration_blame import (
    Blame,
    Part,
    PartChange,
    PlacedDeclaration,
    find_origin,
    select_items,
)
from git_retcon.errors import Fatal, Reason
from git_retcon.git.commits import Identity
from git_retcon.git.graph import is_commit, read_commit
from git_retcon.git.repository import Repository
from git_retcon.git.short_ids import shorten_id
from git_retcon.options import Output
from git_retcon.show.envelope import DONE, Ending
from git_retcon.show.style import printable, shorten, show_path, write_line
from git_retcon.show.suggestion import find_similar

_LONGEST_NAME = 20  # characters of a person


class _Origin(NamedTuple):
    """Who changed a part, when, and where that is in their source. ``source`` is None for what
    somebody wrote on the spec branch; ``is_boundary``: this commit, or one before it.
    """

    change: PartChange
    source: str | None
    is_boundary: bool
    author: str
    date: str
    subject: str
    position: Position


class _Blamed(NamedTuple):
    """A declaration, and the parts of it that somebody asked about."""

    place: PlacedDeclaration
    parts: Sequence[Part]


def blame_declaration(name: str, revision: str, output: Output) -> Ending:
    """Say which commits brought and changed what a name means in the specification of a revision.

    Raises Fatal where it means nothing there.
    """
    view = open_view()
    blame = Blame(view.repository, find_spec(view, revision))
    found = _find_lines(blame, name)
    origins = _Origins(view.repository)
    if not output.json:
        for blamed in found:
            for line in _list_lines(blamed, origins):
                write_line(sys.stdout, line)
    data = [
        {
            "module": show_path(place.module),
            "declaration": place.title,
            "line": place.line,
            "parts": [
                {
                    "item": part.item,
                    "value": part.value,
                    "changes": [
                        _describe_origin(origins.find(part, each)) for each in part.changes
                    ],
                }
                for part in parts
            ],
        }
        for place, parts in found
    ]
    return Ending(DONE, {"declarations": data})


def _find_lines(blame: Blame, name: str) -> Sequence[_Blamed]:
    found: list[_Blamed] = []
    known: list[str] = []
    for place in blame.list_declarations():
        known.append(place.text.name)
        items = blame.read_items(place)
        chosen = select_items(place, items, name)
        if chosen:
            found.append(_Blamed(place, blame.trace(place, chosen)))
    if not found:
        raise Fatal(
            f"the specification has no '{name}'",
            hint=_suggest_name(name, known),
            reason=Reason.INVALID,
            commands=[["git", "allium", "show"]],
        )
    return found


def _suggest_name(name: str, known: Sequence[str]) -> str:
    declaration = name.partition(".")[0]
    if declaration and declaration in known:
        return f"'git allium blame {declaration}' lists its parts"
    spelled = {each.lower(): each for each in known}
    similar = find_similar(declaration, spelled)
    if similar is None:
        return "'git allium show' prints all of it"
    return f"did you mean '{spelled[similar]}'?"


class _Origins:
    """Reads the source commits of changes. Trees are kept: many parts come from one commit."""

    def __init__(self, repository: Repository) -> None:
        self._repository = repository
        self._positions: dict[str, SourcePositions] = {}

    def find(self, part: Part, change: PartChange) -> _Origin:
        """What is known of one change."""
        source, is_boundary = find_origin(self._repository, change.spec)
        is_here = source is not None and is_commit(self._repository, source)
        commit = read_commit(self._repository, source if source and is_here else change.spec)
        person = Identity.parse(commit.author)
        date = datetime.fromtimestamp(person.seconds, UTC).strftime("%Y-%m-%d")
        subject = commit.subject.removeprefix("" if is_here else "allium: ")
        position = self._locate_part(commit.tree, part, change) if is_here else NOWHERE
        return _Origin(change, source, is_boundary, person.name, date, subject, position)

    def _locate_part(self, tree: str, part: Part, change: PartChange) -> Position:
        if tree not in self._positions:
            self._positions[tree] = SourcePositions(self._repository, tree)
        positions = self._positions[tree]
        places = [
            (positions.find(path, symbol), positions.find(path, symbol, part.item))
            for cited, symbol in change.citations
            if positions.has_file(path := find_cited_path(cited, positions.has_file))
        ]
        # The first that says it: of a class and its base, the one that has the field.
        said = (place for whole, place in places if place != whole or not part.item)
        return next(said, places[0][1] if places else NOWHERE)


def _list_lines(blamed: _Blamed, origins: _Origins) -> Iterator[str]:
    """A line for each part with its last change; of a single part, for each change."""
    place, parts = blamed
    where = f"{show_path(FOLDER + place.module)}:{place.line}"
    if len(parts) > 1:
        yield f"{where}: {printable(place.title)}"
        changed = [(part, origins.find(part, part.changes[0])) for part in parts]
        texts = [_say_part(place, part) for part in parts]
        yield from _align_lines([origin for _, origin in changed], texts)
        return
    part = parts[0]
    section = name_fact((place.text.kind, place.text.name, part.item))
    yield f"{where}: {printable(section)}"
    found = [origins.find(part, change) for change in part.changes]
    yield from _align_lines(
        found, [f"{each.subject} ({_say_change(each.change)})" for each in found]
    )


def _align_lines(origins: Sequence[_Origin], texts: Sequence[str]) -> Iterator[str]:
    people = [printable(shorten(each.author, _LONGEST_NAME)) for each in origins]
    places = [_show_position(each.position) for each in origins]
    widths = [max(map(len, column), default=0) for column in (people, places)]
    for origin, person, place, text in zip(origins, people, places, texts, strict=True):
        mark = "^" if origin.is_boundary else " "
        commit = shorten_id(origin.source) if origin.source else "by hand".ljust(12)
        row = f"{mark}{commit} {origin.date} {person:<{widths[0]}} {place:<{widths[1]}}"
        yield f"{row}  {printable(text)}"


def _show_position(position: Position) -> str:
    return f"{show_path(position.path)}:{position.line}" if position.path else "-"


def _say_part(place: PlacedDeclaration, part: Part) -> str:
    if not part.item:
        return place.title
    # A clause of a rule is what it says.
    is_whole = part.value.startswith(part.item) or not part.value
    return part.value or part.item if is_whole else f"{part.item}: {part.value}"


def _say_change(change: PartChange) -> str:
    if change.before is None:
        return "added"
    return f"{change.before} became {change.after}" if change.before else "changed"


def _describe_origin(origin: _Origin) -> Mapping[str, object]:
    change, source, is_boundary, author, date, subject, position = origin
    return {
        "source": source,
        "spec": change.spec,
        "boundary": is_boundary,
        "author": author,
        "date": date,
        "subject": subject,
        "before": change.before,
        "after": change.after,
        "path": show_path(position.path) if position.path else None,
        "line": position.line or None,
    }
