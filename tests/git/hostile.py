"""Generated trees that hold all that git lets a tree hold, and a plain model of applying."""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from git_retcon.git.atoms import Atom, FileText, Hunk, Kind, Span
from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.git.trees import EMPTY_TREE, Trees
from tests.repository import TestRepository

Leaf = tuple[bytes, bytes]  # mode, and content (of a submodule: the commit in hexadecimal)
Files = dict[bytes, Leaf]

NAMES = [
    b"a", b"A", b"b", b"a.txt", b"a-b", b"a0", b"dir", b'q"uote', b"t\tab", b"n\newline", b" sp ",
    b"-dash", b"--", b"\xff\xfe", "\N{GRINNING FACE}".encode(), b"back\\slash", b":(top)x", b"*",
]  # fmt: skip
LINES = [
    b"", b"a", b"b", b"}", b"same", b"cr\r", b"\r", b"\x0c", "x\u2028y".encode(),
    "x\u0085y".encode(), b"\xff\xfe", b"\xe9", b"  indented", b"<<<<<<<", b"-- ", b"\\ No newline",
]  # fmt: skip
FATES = ["keep", "edit", "edit", "delete", "mode", "type", "move", "below", "above", "case"]
COMMITS = [b"1" * 40, b"2" * 40]

text = st.builds(
    lambda lines, ended: b"\n".join(lines) + (b"\n" if ended and lines else b""),
    st.lists(st.sampled_from(LINES), max_size=8),
    st.booleans(),
)
content = st.one_of(
    text,
    text,
    st.sampled_from([b"", b"\n", b"one\rtwo\rthree", b"no end", b"nul\0nul\n", b"\0\1\2"]),
)
leaf = st.one_of(
    st.tuples(st.sampled_from([b"100644", b"100644", b"100755", b"100664"]), content),
    st.tuples(st.sampled_from([b"100644", b"100644", b"100755", b"100664"]), content),
    st.tuples(st.just(b"120000"), st.sampled_from([b"a", b"../\xff", b"x\ny"])),
    st.tuples(st.just(b"160000"), st.sampled_from(COMMITS)),
)
path = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map(b"/".join)


@dataclass(frozen=True)
class Pair:
    """Two trees to compare, and how each spells its directories."""

    base: Files
    target: Files
    base_directory: bytes
    target_directory: bytes

    def write(self, repository: Repository) -> tuple[str, str]:
        return (
            write_tree(repository, self.base, self.base_directory),
            write_tree(repository, self.target, self.target_directory),
        )


def possible(entries: Iterable[tuple[bytes, Leaf]]) -> Files:
    """The entries that fit into one tree, first come first served."""
    files: Files = {}
    directories: set[bytes] = set()
    for name, entry in entries:
        parts = name.split(b"/")
        above = {b"/".join(parts[:depth]) for depth in range(1, len(parts))}
        if name in directories or above & files.keys():
            continue
        files[name] = entry
        directories |= above
    return files


@st.composite
def pairs(draw: st.DrawFn) -> Pair:
    """A tree, with each of its entries kept, changed or gone, and some new ones."""
    base = possible(draw(st.lists(st.tuples(path, leaf), max_size=7)))
    became: list[tuple[bytes, Leaf]] = []
    for name, (mode, data) in base.items():
        match draw(st.sampled_from(FATES)):
            case "keep":
                became.append((name, (mode, data)))
            case "edit":
                became.append((name, (mode, draw(edited(data)) if mode[:3] == b"100" else data)))
            case "mode":
                became.append((name, (b"100755" if mode == b"100644" else b"100644", data)))
            case "type":
                became.append((name, draw(leaf)))
            case "move":
                became.append((draw(path), (mode, data)))
            case "below":
                became.append((name + b"/" + draw(st.sampled_from(NAMES)), (mode, data)))
            case "above":
                became.append((name.rpartition(b"/")[0] or name, (mode, data)))
            case "case":
                became.append((name.swapcase(), (mode, data)))
    became += draw(st.lists(st.tuples(path, leaf), max_size=4))
    spelling = st.sampled_from([b"40000", b"40000", b"040000"])
    target = possible(_sound(became))
    return Pair(base, target, draw(spelling), draw(spelling))


def _sound(entries: Iterable[tuple[bytes, Leaf]]) -> list[tuple[bytes, Leaf]]:
    # A submodule whose mode became a file's keeps its commit's name as the content.
    return [
        (name, (mode, data if mode != b"160000" or data in COMMITS else COMMITS[0]))
        for name, (mode, data) in entries
    ]


@st.composite
def edited(draw: st.DrawFn, data: bytes) -> bytes:
    """The same text with some lines replaced, removed and added, its end included."""
    lines = data.split(b"\n")
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(lines)))
        stop = min(len(lines), at + draw(st.integers(0, 2)))
        lines[at:stop] = draw(st.lists(st.sampled_from(LINES), max_size=4))
    return b"\n".join(lines)


@dataclass(frozen=True)
class Cuts:
    """A granularity that cuts anywhere at all, the same way for the same hunk."""

    seed: int

    def split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        chance = random.Random(f"{self.seed} {text.path!r} {hunk}")
        old, new = hunk.old.start, hunk.new.start
        parts: list[Hunk] = []
        while (old, new) != (hunk.old.stop, hunk.new.stop):
            old_stop = chance.randint(old, hunk.old.stop)
            new_stop = chance.randint(new, hunk.new.stop)
            if (old_stop, new_stop) != (old, new):
                parts.append(Hunk(Span(old, old_stop), Span(new, new_stop)))
            old, new = old_stop, new_stop
        return parts

    def scope(self, text: FileText, hunk: Hunk) -> str:
        return ""


def write_tree(repository: Repository, files: Files, directory: bytes = b"40000") -> str:
    """Write a tree the plain way, apart from the code under test."""
    from pygit2.enums import ObjectType

    here: dict[bytes, tuple[bytes, bytes]] = {}
    below: dict[bytes, Files] = {}
    for name, (mode, data) in files.items():
        first, slash, rest = name.partition(b"/")
        if slash:
            below.setdefault(first, {})[rest] = (mode, data)
        elif mode == b"160000":
            here[first] = (mode, bytes.fromhex(data.decode()))
        else:
            here[first] = (mode, repository.objects.create_blob(data).raw)
    for first, inner in below.items():
        tree = write_tree(repository, inner, directory)
        here[first + b"/"] = (directory, bytes.fromhex(tree))
    raw = b"".join(
        mode + b" " + name.rstrip(b"/") + b"\0" + oid for name, (mode, oid) in sorted(here.items())
    )
    return str(repository.objects.odb.write(ObjectType.TREE, raw))


def read_files(repository: Repository, tree: str) -> Files:
    """Every entry of a tree, in full."""
    return {
        name: (
            entry.mode,
            entry.oid.encode() if entry.is_submodule else repository.objects.odb.read(entry.oid)[1],
        )
        for name, entry in Trees(repository.objects).files(tree)
    }


def modelled(pair: Pair, found: Difference, chosen: Iterable[str]) -> Files:
    """What the chosen atoms make of the base, told the plain way."""
    files = dict(pair.base)
    taken = [found[name] for name in chosen]
    whole = [atom for atom in taken if atom.kind not in (Kind.LINES, Kind.MODE)]
    for atom in whole:
        for entry in atom.entries:
            files.pop(entry.path, None)
    for atom in whole:
        for entry in atom.entries:
            if entry.new is not None:
                files[entry.path] = pair.target[entry.path]
    for name in {atom.path for atom in taken} - {atom.path for atom in whole}:
        own = [atom for atom in taken if atom.path == name]
        mode, data = pair.base.get(name, (pair.target[name][0], b""))
        if any(atom.kind is Kind.MODE for atom in own):
            mode = pair.target[name][0]
        order = [atom.id for atom in found.atoms]
        lines = [atom for atom in own if atom.kind is Kind.LINES]
        lines.sort(key=lambda atom: order.index(atom.id), reverse=True)
        files[name] = (mode, _replaced(data, lines))
    return files


def _replaced(data: bytes, last_first: Sequence[Atom]) -> bytes:
    lines = lines_of(data)
    for atom in last_first:
        assert tuple(lines[atom.old.start : atom.old.stop]) == atom.removed
        lines[atom.old.start : atom.old.stop] = atom.added
    return b"".join(lines)


def lines_of(data: bytes) -> list[bytes]:
    """Lines with their ends, where only a newline ends one."""
    parts = data.split(b"\n")
    return [part + b"\n" for part in parts[:-1]] + [parts[-1]] * bool(parts[-1])


def as_git_lists(repo: TestRepository, tree: str) -> Mapping[bytes, bytes]:
    """Path → mode as ``git ls-tree -r`` reads the tree."""
    if tree == EMPTY_TREE:
        return {}
    listing = repo.git("ls-tree", "-r", "-z", tree).encode("utf-8", "surrogateescape")
    items = [item.split(b"\t", 1) for item in listing.split(b"\0") if item]
    return {name: meta.split(b" ")[0] for meta, name in items}
