"""What runners of several scripts at once put before each line: the name of a script or a package.

pnpm, yarn, turbo, lerna, concurrently and npm-run-all do so. A label is only believed where its
runner has said, in a form of its own, what the label means.
"""

from collections.abc import Iterator, Mapping, Sequence

from git_retcon.code.diagnostics.diagnostic import as_bytes
from git_retcon.code.diagnostics.line_index import LineIndex, index_lines
from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.lazy_named_tuple import NamedTuple

_NAME = r"[\w@/.-]{1,80}"
_ANNOUNCED = (
    # What npm prints before a script; npm-run-all, concurrently, turbo and lerna before that.
    LazyPattern(rf"^(?P<label>\[[\w@/.:-]{{1,60}}\] |{_NAME}(?::[\w.:-]{{1,60}})?: )> \S+@\S+ \S"),
    LazyPattern(r"^(?P<label>\[[\w@/.:-]{1,60}\] ).+ exited with code \d+$"),  # concurrently
    LazyPattern(rf"^(?P<label>{_NAME}:[\w.:-]{{1,60}}: )cache (?:miss|hit|bypass)\b"),  # turbo
    LazyPattern(rf"^(?P<label>\[{_NAME}\]: )Process started$"),  # yarn
)
_PNPM = LazyPattern(rf"^(?P<folder>{_NAME}) (?P<script>[\w:.-]{{1,60}})\$ \S")
_SIGNS = ("] > ", ": > ", " exited with code ", ": cache ", "]: Process started")
_SCRIPT = LazyPattern(r"^> (?:\S+@\S+ )?[\w:.-]+(?: /\S+)?$")
_LOCATION = LazyPattern(r"^npm (?:error|ERR!) location (?P<folder>/.+)$")
_NPM = " location /"


class Unlabelled(NamedTuple):
    """Lines as the scripts printed them, and in which folder what is known, by line."""

    lines: LineIndex
    folders: Mapping[int, bytes]


def strip_labels(lines: Sequence[str]) -> Unlabelled:
    """The lines without the labels that a runner announced; as many."""
    index = index_lines(lines)
    labels = _find_labels(index)
    owners = [""] * len(index) if labels or _NPM in index.text else []
    if labels:
        # The longest first: one may begin as another does.
        known = sorted(labels, key=len, reverse=True)
        bare = {label.rstrip(): label for label in known}
        for at, line in enumerate(index):
            label = bare.get(line) or next(filter(line.startswith, known), "")
            owners[at] = label
        index = LineIndex(line[len(owner) :] for line, owner in zip(index, owners, strict=True))
    return Unlabelled(index, dict(_find_folders(index, owners, labels)))


def _find_labels(lines: LineIndex) -> dict[str, bytes]:
    """The labels that were announced, with the folder of each; b"" where that is not known."""
    text = lines.text
    found: dict[str, bytes] = {}
    if any(sign in text for sign in _SIGNS):
        for line in lines:
            for pattern in _ANNOUNCED if line[:1] not in ("", " ") else ():
                if announced := pattern.match(line):
                    found.setdefault(announced["label"], b"")
    if "$ " in text:
        for line in lines:
            if "$ " in line and (announced := _PNPM.match(line)):
                label = f"{announced['folder']} {announced['script']}: "
                found[label] = as_bytes(announced["folder"])
    # One line of a shell session looks as what pnpm prints.
    return {label: folder for label, folder in found.items() if f"\n{label.rstrip()}" in text}


def _find_folders(
    lines: Sequence[str], owners: Sequence[str], labels: Mapping[str, bytes]
) -> Iterator[tuple[int, bytes]]:
    """npm tells the folder of a script behind what the script printed."""
    started: dict[str, int] = {}
    for at, owner in enumerate(owners):
        line = lines[at]
        if labels.get(owner):
            yield at, labels[owner]
        elif line.startswith("> ") and _SCRIPT.match(line):
            started[owner] = at
        elif _NPM in line and (found := _LOCATION.match(line)):
            start = started.pop(owner, None)
            if start is not None:
                folder = as_bytes(found["folder"])
                yield from ((each, folder) for each in range(start, at) if owners[each] == owner)
