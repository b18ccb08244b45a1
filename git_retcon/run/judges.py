"""Which files judge a change: what a command names and plainly reads, in one list for all.

A model whose work a command judges must not write these. What the command reads by itself is known
by name (``files/protected.py``); what it names, and the scripts that those name, is read here.
"""

import posixpath
from collections import deque
from collections.abc import Callable, Iterable, Iterator

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.files.beneath import File
from git_retcon.files.protected import is_hidden, is_judge, is_stub
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path, fold_path, list_parents
from git_retcon.git.repository import Repository
from git_retcon.git.trees import object_size, read_object
from git_retcon.lazy_dataclass import dataclass

_WORD = LazyPattern(rb"[^\s'\"`;&|<>(){}=,\[\]\\]+")
_MODULE = LazyPattern(r"(?:^|\s)-m\s+([\w.]+)")
_VARIABLE = LazyPattern(rb"^\$\w*/|^/+")  # "$here/x.sh", and what is left of "$(dirname "$0")/x.sh"
_SCRIPT_ENDINGS = (b".sh", b".bash", b".zsh", b".ksh", b".bat", b".cmd", b".ps1")
# Enough for any build that people wrote by hand; a hostile tree must not cost more.
_MOST_SCRIPTS = 200
_LARGEST_SCRIPT = 256 * 1024


@dataclass(frozen=True, slots=True)
class Judges:
    """Files that judge. Paths are folded, as a file system that ignores case reads both names."""

    files: frozenset[str] = frozenset()
    folders: frozenset[str] = frozenset()

    def holds(self, path: bytes) -> bool:
        """Whether a clean path is one of them, or beneath a folder of tests that is named."""
        if fold_path(path) in self.files or is_judge(path):
            return True
        return any(fold_path(folder) in self.folders for folder in list_parents(path))

    def add(self, paths: Iterable[bytes]) -> "Judges":
        """With more files or folders."""
        folded = frozenset(map(fold_path, paths))
        return Judges(self.files | folded, self.folders | folded)

    def bars_bridge(self, path: bytes) -> bool:
        """The same, and every test, stub and dotfile: what exists in between only must not decide
        what passes.
        """
        if self.holds(path) or is_hidden(path) or is_stub(path):
            return True
        return _is_test(path)


@dataclass(frozen=True, slots=True)
class Sources:
    """Where commands run: ``read`` yields the file at a path (in each of several trees), ``list``
    every path beneath a folder.
    """

    read: Callable[[bytes], Iterable[File]]
    list: Callable[[bytes], Iterable[bytes]]


def sources_of_trees(repository: Repository, *oids: str) -> Sources:
    """Some trees of a repository. Files that are too large to be scripts read as empty."""
    trees, odb = repository.trees, repository.objects.odb

    def read(path: bytes) -> Iterator[File]:
        for oid in oids:
            entry = trees.find(oid, path)
            if entry is not None and entry.is_file:
                small = object_size(odb, entry.oid) <= _LARGEST_SCRIPT
                content = read_object(odb, entry.oid) if small else b""
                yield File(content, int(entry.mode[-3:], 8))

    def list_beneath(folder: bytes) -> Iterator[bytes]:
        for oid in oids:
            entry = trees.find(oid, folder)
            if entry is not None and entry.is_tree:
                yield from (folder + b"/" + path for path, _ in trees.files(entry.oid))

    return Sources(read, list_beneath)


def find_judges(commands: Iterable[str], sources: Sources) -> Judges:
    """What some commands name, and what scripts among that call.

    Every word that may be a path counts, whether the file is there or not: it could be written. A
    folder counts if it holds tests, or is not there yet: a build often names the folder of the
    very code it builds.
    """
    files: set[bytes] = set()
    folders: set[bytes] = set()
    for command in commands:
        for path in _paths_of(command):
            files.add(path)
            if _may_hold_tests(path, sources):
                folders.add(path)
    files |= _find_called(files, sources)
    return Judges(frozenset(map(fold_path, files)), frozenset(map(fold_path, folders)))


def _is_test(path: bytes) -> bool:
    # Late: it brings in what is known of every language.
    from git_retcon.code.file_classes import is_test

    return is_test(path)


def _may_hold_tests(folder: bytes, sources: Sources) -> bool:
    is_empty = True
    for path in sources.list(folder):
        is_empty = False
        if _is_test(path):
            return True
    return is_empty


def _find_called(named: Iterable[bytes], sources: Sources) -> set[bytes]:
    """The scripts that scripts call, directly or not; what plain words of theirs name."""
    found: set[bytes] = set()
    # What a command reads by itself at the top calls scripts too.
    pending = deque([*named, b"Makefile", b"makefile", b"GNUmakefile", b"package.json", b"tox.ini"])
    read: set[bytes] = set()
    while pending and len(read) < _MOST_SCRIPTS:
        path = pending.popleft()
        if path in read:
            continue
        read.add(path)
        for file in sources.read(path):
            for called in _words_of(file.content[:_LARGEST_SCRIPT], posixpath.dirname(path)):
                if called not in found and _is_script(called, sources):
                    found.add(called)
                    pending.append(called)
    return found


def _is_script(path: bytes, sources: Sources) -> bool:
    executable = (file.mode is not None and file.mode & 0o111 for file in sources.read(path))
    return any(executable) or (
        path.lower().endswith(_SCRIPT_ENDINGS) and any(True for _ in sources.read(path))
    )


def _paths_of(command: str) -> Iterator[bytes]:
    yield from _words_of(command.encode("utf-8", "surrogateescape"), b"")
    for module in _MODULE.findall(command):
        path = module.replace(".", "/").encode()
        yield from (path + b".py", path + b"/__init__.py", path + b"/__main__.py")


def _words_of(text: bytes, folder: bytes) -> Iterator[bytes]:
    """Words that may be paths, from the top and from a script's own folder."""
    for word in dict.fromkeys(_WORD.findall(text)):
        bare = _VARIABLE.sub(b"", word).rstrip(b"/:")
        for place in {bare, posixpath.join(folder, bare)} if bare else ():
            path = posixpath.normpath(place)
            try:
                yield clean_path(path)
            except ForbiddenPath:  # it leads out of the tree, or is no path at all
                continue
