"""A source tree that notes what it is asked: what was found out there holds in each tree that
answers the same.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple, Protocol, TypeAlias

from git_retcon.allium.extract.source_facts import Evidence, FileFacts, is_alike


class SourceTree(Protocol):
    """The facts of a source tree. None for no such file, or one that cannot be read."""

    def read(self, path: bytes) -> FileFacts | None: ...

    def list_folder(self, folder: bytes) -> Sequence[bytes]:
        """The paths of the files right in a folder, sorted."""

    def locate(self, place: Evidence) -> bytes:
        """The path of the file that has what its evidence says to be at a place."""


# What a file says, by its path, and which files a folder has, by its path in a tuple.
Question: TypeAlias = bytes | tuple[bytes, ...]
# In the order in which they were asked: the first answer decides what is asked next.
Questions: TypeAlias = dict[Question, None]
Answers: TypeAlias = Sequence[tuple[Question, object]]

# Nearer to where the search began, it would have found more, or something else.
CUT: Question = (b"", b"cut")
# A class has itself among its base classes.
LOOPED: Question = (b"", b"looped")
_MARKS = (CUT, LOOPED)


class Trace(NamedTuple):
    """What was asked, and how deep a search went that found something."""

    asked: Questions
    deepest: int = 0


def make_loop(path: bytes, symbol: str) -> Question:
    """What was found goes by what is not found yet, of the class at this place."""
    return (b"", path, symbol.encode("utf-8", "surrogateescape"))


def is_loop(question: Question) -> bool:
    return isinstance(question, tuple) and len(question) > len(CUT)


class TracedTree:
    """Reads each file once."""

    def __init__(self, tree: SourceTree) -> None:
        self._tree = tree
        self._facts: dict[bytes, FileFacts | None] = {}
        self._asked: Questions = {}
        self._deepest = 0

    def read(self, path: bytes) -> FileFacts | None:
        self._asked[path] = None
        if path not in self._facts:
            self._facts[path] = self._tree.read(path)
        return self._facts[path]

    def list_folder(self, folder: bytes) -> Sequence[bytes]:
        """The paths of the files right in a folder, sorted."""
        self._asked[(folder,)] = None
        return self._tree.list_folder(folder)

    def locate(self, place: Evidence) -> bytes:
        """The path of the file that has what its evidence says to be at a place."""
        return self._tree.locate(place)

    def begin(self, depth: int = 0) -> Trace:
        """Note apart what is asked from now on; what was asked before is for ``end``."""
        outer = Trace(self._asked, self._deepest)
        self._asked, self._deepest = {}, depth
        return outer

    def end(self, outer: Trace, loop: Question | None = None, *, is_found: bool = True) -> Trace:
        """What was asked since ``begin``. A ``loop`` is closed now."""
        found = Trace(self._asked, self._deepest)
        if loop in found.asked:
            del found.asked[loop]
            found.asked[LOOPED] = None
        self._asked, self._deepest = outer
        self.note(found.asked, found.deepest if is_found else 0)
        return found

    def note(self, asked: Mapping[Question, None], deepest: int = 0) -> None:
        """Count as asked what an earlier answer goes by."""
        self._asked.update(asked)
        self._deepest = max(self._deepest, deepest)

    def answer(self, asked: Mapping[Question, None]) -> Answers | None:
        """The answers to questions; None where others might not depend on them alone."""
        if any(map(is_loop, asked)):
            return None
        return [(each, self._answer(each)) for each in asked if each not in _MARKS]

    def answers_alike(self, answers: Answers) -> bool:
        """Whether it answers questions as another tree did."""
        for question, answer in answers:
            found = self._answer(question)
            is_list = isinstance(found, list)
            if found != answer if is_list else not is_alike(found, answer):
                return False
        return True

    def _answer(self, question: Question) -> object:
        return self.read(question) if isinstance(question, bytes) else self.list_folder(question[0])
