"""The working tree of a run, and what git says of its paths."""

from collections.abc import Iterable
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import fold_path, list_parents, list_spellings
from git_retcon.git.checkout import (
    find_ignored,
    list_changed,
    list_submodules,
    list_tracked,
    list_unwatched,
)
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository
from git_retcon.lazy_dataclass import dataclass


@dataclass(frozen=True)
class Checkout:
    """One working tree: its top, its repository, and safe access to its files."""

    repository: Repository
    root: Path

    @property
    def git(self) -> Git:
        return Git(self.repository.git_dir, self.root, self.repository.git.env)

    @property
    def files(self) -> Beneath:
        return Beneath(self.root)

    @property
    def state(self) -> Path:
        """The folder of the open session."""
        return self.repository.git_dir / "code-commit"

    @property
    def config_folder(self) -> Path:
        return self.root / "agent-config"

    def find_ignored(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the clean paths that git ignores, tracked or not, in any case and spelling."""
        return _find_ignored(self.git, paths)

    def find_in_submodules(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the paths that are at or beneath another repository's commit in the index."""
        # Folded, as a file system that ignores case writes both names into one place.
        tops = {fold_path(path) for path in list_submodules(self.git)}
        return frozenset(
            path for path in paths if any(fold_path(p) in tops for p in (*list_parents(path), path))
        )

    def find_unwatched(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the paths, in any case and spelling, whose changes ``git status`` hides."""
        hidden = {fold_path(path) for path in list_unwatched(self.git)}
        return frozenset(path for path in paths if fold_path(path) in hidden)

    def list_tracked(self, *pathspecs: bytes) -> tuple[bytes, ...]:
        """Every tracked path, in the order of its bytes."""
        return tuple(list_tracked(self.git, *pathspecs))

    def list_changed(self) -> tuple[bytes, ...]:
        """Every path with an uncommitted change, untracked files among them."""
        return tuple(list_changed(self.git))


def open_checkout(repository: Repository) -> Checkout:
    """Raises Fatal where the repository has no working tree."""
    if repository.work_tree is None:
        raise Fatal("this needs a working tree", hint="run it inside a checkout")
    return Checkout(repository, repository.work_tree)


def _find_ignored(git: Git, paths: Iterable[bytes], *settings: str) -> frozenset[bytes]:
    asked = {spelling: path for path in paths for spelling in list_spellings(path)}
    found = find_ignored(git, asked, "core.ignoreCase=true", *settings)
    return frozenset(asked[path] for path in found)
