"""What operations do, as far as it is known of another tree: most files say in each step of a
history what they said in the one before.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from git_retcon.allium.extract.read_tree import ReadTrees
from git_retcon.allium.extract.source_facts import ServiceOperation
from git_retcon.allium.extract.traced_tree import Answers, TracedTree

R = TypeVar("R")
_MOST_OPERATIONS = 1 << 9
_MOST_VERSIONS = 3  # of what other files say: before a step, after it, and at the last comparison


class KnownRules(Generic[R]):
    """Keeps what operations do, with all that it goes by in their ``trees``."""

    def __init__(self) -> None:
        self._known: dict[tuple[bytes, ServiceOperation], list[tuple[Answers, Sequence[R]]]] = {}
        self._last: Answers = ()
        self.trees = ReadTrees()

    def read(
        self,
        tree: TracedTree,
        path: bytes,
        operation: ServiceOperation,
        read: Callable[[bytes, ServiceOperation], Iterable[R]],
    ) -> Sequence[R]:
        """What an operation of a file does in a tree; ``read`` says it where that is not known."""
        if operation.handers:
            return [*read(path, operation)]  # others go by more than this
        versions = self._known.pop((path, operation), [])
        at = next((n for n, each in enumerate(versions) if tree.answers_alike(each[0])), None)
        if at is None:
            outer = tree.begin()
            found = [*read(path, operation)]
            answers = tree.answer(tree.end(outer).asked)
            if answers is None:
                return found
            if _is_same(answers, self._last):
                answers = self._last  # most of a file go by the same
            self._last = answers
            versions = [(answers, found), *versions[: _MOST_VERSIONS - 1]]
        else:
            versions.insert(0, versions.pop(at))
        if len(self._known) >= _MOST_OPERATIONS:
            del self._known[next(iter(self._known))]
        self._known[path, operation] = versions  # the last used comes last
        return versions[0][1]


def _is_same(one: Answers, two: Answers) -> bool:
    pairs = zip(one, two, strict=False)
    return len(one) == len(two) and all(a[0] == b[0] and a[1] is b[1] for a, b in pairs)
