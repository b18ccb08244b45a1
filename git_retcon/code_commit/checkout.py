"""The working tree as ``git code-commit`` sees it, and git's own word on its paths."""

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from git_retcon.errors import Fatal
from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import folded_path, parents, spellings
from git_retcon.git.process import Git, GitError
from git_retcon.git.repository import Repository

_IGNORED, _NONE_IGNORED = 0, 1


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

    def ignored(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the clean paths that git ignores, tracked or not, in any case and spelling."""
        return _ignored(self.git, paths)

    def in_submodules(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the paths that are at or beneath another repository's commit in the index."""
        listing = self.git.run("ls-files", "-z", "--stage")
        entries = (entry.partition(b"\t") for entry in listing.split(b"\0") if entry)
        # Folded, as a file system that ignores case writes both names into one place.
        tops = {folded_path(path) for head, _, path in entries if head.startswith(b"160000 ")}
        return frozenset(
            path for path in paths if any(folded_path(p) in tops for p in (*parents(path), path))
        )

    def unwatched(self, paths: Iterable[bytes]) -> frozenset[bytes]:
        """Those of the paths whose changes ``git status`` was told not to show, in any case and
        spelling.
        """
        listing = self.git.run("ls-files", "-v", "-z")
        told = {
            folded_path(entry[2:])
            for entry in listing.split(b"\0")
            if entry and (entry[:1].islower() or entry[:1] == b"S")
        }
        return frozenset(path for path in paths if folded_path(path) in told)

    def tracked(self, *pathspecs: bytes) -> tuple[bytes, ...]:
        """Every tracked path, in the order of its bytes."""
        listing = self.git.run("ls-files", "-z", "--", *pathspecs)
        return tuple(sorted({path for path in listing.split(b"\0") if path}))

    def changed(self) -> tuple[bytes, ...]:
        """Every path with an uncommitted change, untracked files among them."""
        listing = self.git.run(
            "status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames",
            "--ignore-submodules=all",
        )  # fmt: skip
        return tuple(entry[3:] for entry in listing.split(b"\0") if entry)


def open_checkout(repository: Repository) -> Checkout:
    """Raises Fatal where the repository has no working tree."""
    if repository.work_tree is None:
        raise Fatal("this needs a working tree", hint="run it inside a checkout")
    return Checkout(repository, repository.work_tree)


def _ignored(git: Git, paths: Iterable[bytes]) -> frozenset[bytes]:
    asked = {spelling: path for path in paths for spelling in spellings(path)}
    if not asked:
        return frozenset()
    done = git.try_run(
        "-c", "core.ignoreCase=true",
        "check-ignore", "--no-index", "-z", "--stdin",
        stdin=b"\0".join(asked) + b"\0",
    )  # fmt: skip
    if done.returncode not in (_IGNORED, _NONE_IGNORED):
        said = done.stderr.decode("utf-8", "replace").strip().removeprefix("fatal: ")
        raise GitError(f"git cannot say what is ignored: {said}")
    return frozenset(asked[path] for path in done.stdout.split(b"\0") if path)
