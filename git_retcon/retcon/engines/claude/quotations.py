"""Hide lines of withheld files in what commands print."""

from collections.abc import Iterator

from git_retcon.git.difference import Difference
from git_retcon.git.repository import Repository
from git_retcon.git.trees import object_size, read_object
from git_retcon.model.never_send import LARGEST_FILE, NeverSend, hide_lines


class Quotations:
    """Hides lines of the withheld files of a difference, and of the tree that was built."""

    def __init__(
        self, never_send: NeverSend, repository: Repository, difference: Difference
    ) -> None:
        self._never_send = never_send
        self._repository = repository
        self._difference = difference

    def hide(self, text: str, tree: str) -> str:
        """The text without lines of withheld files of the difference, or of ``tree``."""
        return hide_lines(text, self._list_lines(tree)) if self._never_send.patterns else text

    def _list_lines(self, tree: str) -> Iterator[bytes]:
        for atom in self._difference.atoms:
            if self._never_send.holds(atom):
                yield from (*atom.removed, *atom.added)
        odb = self._repository.objects.odb
        for path, entry in self._repository.trees.files(tree):
            is_content = not entry.is_submodule and self._never_send.matches(path)
            # A build prints lines of the tree that it was run on, taken or not, so all of that is
            # looked at.
            if is_content and object_size(odb, entry.oid) <= LARGEST_FILE:
                yield from read_object(odb, entry.oid).split(b"\n")
