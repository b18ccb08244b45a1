"""Which files of a source tree a specification speaks of."""

from collections.abc import Iterator, Sequence
from typing import TypeAlias

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.files.lockfiles import is_lock_file
from git_retcon.files.patterns import Case, Patterns, read_patterns
from git_retcon.git.repository import Repository
from git_retcon.git.trees import Entry, EntryChange, read_object

# Before the user's own patterns (allium.ignore), which may take some of it back with "!".
DEFAULT_IGNORED = (
    "*.test.*", "*.spec.*", "*.config.*", "package-lock.json", "yarn.lock", "pnpm-lock.yaml",
    "*.min.js", "*.min.css", "*.bundle.js", "*.map", "*.lock", "*.snap", "*.allium",
    "*.pem", "*.crt", "*.cer",
    "vendor/", "vendored/", "node_modules/", "third_party/", "bower_components/", "site-packages/",
    "migrations/", "alembic/", "dist/", ".git*",
)  # fmt: skip
_UNREAD = frozenset({FileClass.TEST, FileClass.GENERATED, FileClass.LOG})
_MOST_LISTED = 1 << 14  # files and folders, beside those of one folder
_LINGUIST = (b"linguist-generated", b"linguist-vendored")

# The path of a folder with a slash behind it, its tree, and the attributes of the whole.
_Folder: TypeAlias = tuple[bytes, str, str]


class SourceFiles:
    """Says of a path whether it is source. ``ignored`` are patterns as in a ``.gitignore``."""

    def __init__(self, repository: Repository, ignored: Sequence[str]) -> None:
        self._repository = repository
        self._ignored = read_patterns([*DEFAULT_IGNORED, *ignored], Case.IGNORED)
        self._known: dict[tuple[bytes, str], bool] = {}
        self._marked: dict[str, Patterns] = {}
        self._listed: dict[_Folder, Sequence[tuple[bytes, Entry]]] = {}
        self._count_listed = 0

    def select(self, changes: Sequence[EntryChange], tree: str) -> Sequence[EntryChange]:
        """The changes to source files; links and submodules are none."""
        attributes = self._find_attributes(tree)
        return [
            change
            for change in changes
            if (change.new or change.old) is not None
            and any(entry is not None and entry.is_file for entry in (change.old, change.new))
            and self._is_source(change.path, attributes)
        ]

    def list_paths(self, tree: str) -> Iterator[tuple[bytes, Entry]]:
        """The source files of a tree."""
        attributes = self._find_attributes(tree)
        # No recursion: a hostile tree may be thousands of directories deep.
        pending = [iter(self._list_folder(b"", tree, attributes))]
        while pending:
            for path, entry in pending[-1]:
                if entry.is_tree:
                    pending.append(iter(self._list_folder(path + b"/", entry.oid, attributes)))
                    break
                yield path, entry
            else:
                pending.pop()

    def _list_folder(
        self, prefix: bytes, tree: str, attributes: str
    ) -> Sequence[tuple[bytes, Entry]]:
        """The source files right in a folder, and the folders in it."""
        key = prefix, tree, attributes
        # Little differs from one tree of a history to the next.
        found = self._listed.pop(key, None)
        if found is None:
            entries = ((prefix + name, e) for name, e in self._repository.trees.read(tree).items())
            found = [
                (path, each)
                for path, each in entries
                if each.is_tree or (each.is_file and self._is_source(path, attributes))
            ]
            self._count_listed += len(found)
        self._listed[key] = found
        while self._count_listed > _MOST_LISTED and len(self._listed) > 1:
            self._count_listed -= len(self._listed.pop(next(iter(self._listed))))
        return found

    def _is_source(self, path: bytes, attributes: str) -> bool:
        found = self._known.get((path, attributes))
        if found is None:
            found = not (
                self._ignored.matches(path)
                or is_lock_file(path)
                or not _UNREAD.isdisjoint(file_classes(path))
                or (attributes and self._list_marked(attributes).matches(path))
            )
            # Bounded: a long history has more paths than its tip.
            if len(self._known) > 1 << 16:
                self._known.clear()
            self._known[path, attributes] = found
        return found

    def _find_attributes(self, tree: str) -> str:
        """The blob of the tree's own ``.gitattributes``, or ""."""
        entry = self._repository.trees.find(tree, b".gitattributes")
        # Only the top one: marks of whole folders are kept there, and each more would cost a read.
        return entry.oid if entry is not None and entry.is_file else ""

    def _list_marked(self, attributes: str) -> Patterns:
        """What linguist's attributes call generated or vendored."""
        found = self._marked.get(attributes)
        if found is None:
            content = read_object(self._repository.objects.odb, attributes)
            found = self._marked[attributes] = read_patterns(_read_marks(content), Case.IGNORED)
        return found


def _read_marks(attributes: bytes) -> list[str]:
    """The patterns of a ``.gitattributes`` that mark files; "!" takes a mark back."""
    patterns: list[str] = []
    for line in attributes.splitlines():
        pattern, *words = line.split() or [b"#"]
        for word in words:
            name, _, value = word.lstrip(b"-").partition(b"=")
            if name in _LINGUIST and not pattern.startswith(b"#"):
                is_taken_back = word.startswith(b"-") or value == b"false"
                text = pattern.decode("utf-8", "surrogateescape")
                patterns.append(f"!{text}" if is_taken_back else text)
    return patterns
