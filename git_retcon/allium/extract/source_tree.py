"""The facts of a source tree in git: each version of a file is read once a run."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from git_retcon.allium.extract.languages import find_missing_extra, name_language, read_facts
from git_retcon.allium.extract.source_facts import (
    Configuration,
    Declaration,
    Evidence,
    FileFacts,
    share_facts,
)
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, find_object_size, read_object

_LARGEST = 4 * 1024 * 1024  # bytes; a larger file is data
_MOST_KEPT = 1 << 12  # files, each version for itself


class FactsReader:
    """Reads files, and lists them by language, each once for all its versions."""

    def __init__(self, repository: Repository) -> None:
        self._odb = repository.objects.odb
        self._known: dict[tuple[bytes, str], FileFacts | None] = {}
        self._last: dict[bytes, FileFacts] = {}
        self.read_files: defaultdict[str, set[bytes]] = defaultdict(set)
        # Those with a version that cannot be read.
        self.unreadable: defaultdict[str, set[bytes]] = defaultdict(set)
        # Languages that were read in outline, with the extra that reads them whole.
        self.outlined: dict[str, str] = {}
        self.other: set[bytes] = set()

    def read(self, path: bytes, entry: Entry) -> FileFacts | None:
        """The facts of one version of a file; None where it cannot be read."""
        key = path, entry.oid
        if key not in self._known:
            if len(self._known) >= _MOST_KEPT:
                # The oldest: a history is read forwards, and its oldest versions do not return.
                del self._known[next(iter(self._known))]
            self._known[key] = self._share(path, self._parse_file(path, entry))
        return self._known[key]

    def _share(self, path: bytes, facts: FileFacts | None) -> FileFacts | None:
        """What a version says, as the same objects where the one read before says the same."""
        if facts is None:
            return None
        before = self._last.pop(path, None)
        if before is not None:
            facts = share_facts(facts, before)
        elif len(self._last) >= _MOST_KEPT:
            del self._last[next(iter(self._last))]
        self._last[path] = facts
        return facts

    def read_content(self, entry: Entry) -> bytes:
        """The text of one version of a file."""
        return read_object(self._odb, entry.oid)

    def _parse_file(self, path: bytes, entry: Entry) -> FileFacts | None:
        language = name_language(path)
        if not language:
            self.other.add(path)
            return FileFacts(path)
        found = None
        # A copy of a repository may lack its largest files.
        size = find_object_size(self._odb, entry.oid)
        if size is not None and size <= _LARGEST:
            found = read_facts(path, self.read_content(entry))
        self.read_files[language].add(path)
        extra = find_missing_extra(path)
        if extra:
            self.outlined[language] = extra
        if found is None:
            self.unreadable[language].add(path)
        return found


class GitTree:
    """One tree. ``moved`` are old path → new path: a renamed file is read as if it had been at its
    new path before, and is found at both. ``replaced`` are files that count as what they are there.
    A file that cannot be read counts as what it is in the tree that ``find_earlier`` has for it.
    """

    def __init__(
        self,
        repository: Repository,
        reader: FactsReader,
        tree: str,
        moved: Mapping[bytes, bytes] | None = None,
        replaced: Mapping[bytes, Entry | None] | None = None,
        find_earlier: "Callable[[bytes], GitTree | None] | None" = None,
    ) -> None:
        self._trees = repository.trees
        self._reader = reader
        self._tree = tree
        self._moved = moved or {}
        self._replaced = replaced or {}
        self._find_earlier = find_earlier
        self._old = {new: old for old, new in self._moved.items()}
        self._folders: dict[bytes, Mapping[bytes, Entry]] = {}
        self._facts: dict[bytes, FileFacts | None] = {}

    def read(self, path: bytes) -> FileFacts | None:
        """The facts of a file; None where there is none, or it could never be read."""
        if path not in self._facts:
            entry = self._find_entry(self._old.get(path, path))
            facts = self._read_entry(path, entry) if entry is not None else None
            earlier = self.open_earlier(path) if entry is not None and facts is None else None
            self._facts[path] = earlier.read(path) if earlier is not None else facts
        return self._facts[path]

    def read_content(self, path: bytes) -> bytes:
        """The text of a file; empty where there is none."""
        earlier = self.open_earlier(path) if self.is_broken(path) else None
        if earlier is not None:
            return earlier.read_content(path)
        entry = self._find_entry(self._old.get(path, path))
        return self._reader.read_content(entry) if entry is not None else b""

    def find_version(self, path: bytes) -> str | None:
        """What identifies the content of a file; None where there is none."""
        entry = self._find_entry(self._old.get(path, path))
        return entry.oid if entry is not None else None

    def has_moved(self, path: bytes) -> bool:
        """Whether a file is read from another path."""
        return path in self._old

    def is_broken(self, path: bytes) -> bool:
        """Whether there is a file that cannot be read."""
        entry = self._find_entry(self._old.get(path, path))
        return entry is not None and self._read_entry(path, entry) is None

    def open_earlier(self, path: bytes) -> "GitTree | None":
        """The tree that has what a file said before it could not be read; None where there is none,
        or no such file.
        """
        is_there = self._find_entry(self._old.get(path, path)) is not None
        return self._find_earlier(path) if is_there and self._find_earlier is not None else None

    def list_folder(self, folder: bytes) -> Sequence[bytes]:
        """The paths of the files right in a folder, sorted."""
        prefix = folder + b"/" if folder else b""
        found = {prefix + name for name, each in self._list_entries(folder).items() if each.is_file}
        own = {path for path in self._replaced if path.rpartition(b"/")[0] == folder}
        there = {path for path in own if self._find_entry(path) is not None}
        return sorted(found - own | there)

    def locate(self, place: Evidence) -> bytes:
        """The path of the file that has what its evidence says to be at a place."""
        return place.path

    def _read_entry(self, path: bytes, entry: Entry) -> FileFacts | None:
        old = self._old.get(path, path)
        facts = self._reader.read(old, entry)
        new = self._moved.get(old, old)
        return facts if facts is None or new == old else _move_facts(facts, new)

    def _find_entry(self, path: bytes) -> Entry | None:
        if path in self._replaced:
            replaced = self._replaced[path]
            return replaced if replaced is not None and replaced.is_file else None
        folder, _, name = path.rpartition(b"/")
        entry = self._list_entries(folder).get(name)
        return entry if entry is not None and entry.is_file else None

    def _list_entries(self, folder: bytes) -> Mapping[bytes, Entry]:
        # Kept for the life of the tree: an import is looked for in many folders that are not there.
        found = self._folders.get(folder)
        if found is None:
            if folder:
                above, _, name = folder.rpartition(b"/")
                entry = self._list_entries(above).get(name)
                found = self._trees.read(entry.oid) if entry is not None and entry.is_tree else {}
            else:
                found = self._trees.read(self._tree)
            self._folders[folder] = found
        return found


def _move_facts(facts: FileFacts, path: bytes) -> FileFacts:
    return facts._replace(
        path=path,
        declarations=[_move_declaration(each, path) for each in facts.declarations],
        services=[each._replace(place=each.place._replace(path=path)) for each in facts.services],
    )


def _move_declaration(declaration: Declaration, path: bytes) -> Declaration:
    evidence = tuple(Evidence(path, each.symbol) for each in declaration.evidence)
    if isinstance(declaration, Configuration):
        settings = tuple(
            each._replace(evidence=each.evidence._replace(path=path))
            for each in declaration.settings
        )
        return declaration._replace(evidence=evidence, settings=settings)
    return declaration._replace(evidence=evidence)
