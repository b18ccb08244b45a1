"""The worktree of heals: the state that was checked, and any tree that a fix makes of it.

It is another one than that of checks. What a step does with a fix in place, to a cache or to a
virtual environment, must not decide what a later check says of the state without it.
"""

import contextlib
import functools
import hashlib
import os
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path

from git_retcon.files.beneath import Beneath, File
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.git.checkout import refresh_index, reset_index
from git_retcon.git.trees import Entry, Trees
from git_retcon.heal.carried_folders import carry_nothing
from git_retcon.heal.check_worktree import StateWorktree, take_objects
from git_retcon.heal.execution.ready_job import Workbench
from git_retcon.heal.lazy_bench import BenchNeeds, LazyBench
from git_retcon.heal.patches import FileChange
from git_retcon.run.removal import remove

PURPOSE = "-heal"
# Where what a model wrote runs: nothing of that is there when the user's own bytes run unconfined.
CONFINED_PURPOSE = "-heal-confined"
# Behind a purpose, before a number: of parts that are healed side by side, for one run.
SIDE = "-side-"
_LOOSE = "loose"  # there while something runs here that nothing holds
_INSTALLED = ("home", "tools", "venv")
_TEMPORARY = b".git-heal-%d.tmp"


class HealBench:
    """An open worktree of heals. Raises Refused where the commands are not trusted."""

    def __init__(self, needs: BenchNeeds, lazy: LazyBench) -> None:
        self._needs = needs
        self._bench = lazy.get()
        self.worktree = self._bench.worktree
        self.files = Beneath(self.worktree.tree)
        self._bases: dict[bytes, File | None] = {}
        self._trees: dict[tuple[tuple[bytes, File | None], ...], str] = {}
        self._states: dict[str, StateWorktree] = {}
        self._has_objects = False
        # Trees of fixes are in the clone alone; they are compared where the repository is read.
        objects = self.worktree.git_dir / "objects"
        self.worktree.repository.objects.odb.add_disk_alternate(os.fspath(objects))

    @property
    def root(self) -> Path:
        return self._bench.root

    @property
    def paths(self) -> frozenset[bytes]:
        """The paths of the state."""
        return self._needs.state.paths

    @property
    def redact(self) -> Callable[[bytes], bytes]:
        return self._bench.redact

    def renew(self) -> None:
        """Leave nothing that what ran here could have changed.

        What jobs installed before anything was confined stays: a sandbox that protects everything
        lets no command change that.
        """
        jobs = self.root / "jobs"
        aside = self.root.with_name(f".{self.root.name}.jobs")
        remove(aside)  # of a run that was killed
        if jobs.is_dir() and not (self.root / _LOOSE).exists():
            for place in (place for job in jobs.iterdir() for place in job.iterdir()):
                if place.name not in _INSTALLED:
                    remove(place)
            jobs.rename(aside)
        self.worktree.make_again()
        # Their objects were in the clone alone.
        self._trees.clear()
        self._states.clear()
        self._has_objects = False
        if aside.is_dir():
            aside.rename(jobs)

    def distrust(self) -> None:
        """What runs from now on may change everything here."""
        (self.root / _LOOSE).touch()

    def at(self, tree: str, wanted: Sequence[bytes] = ()) -> Workbench:
        """A bench whose jobs run on a tree, committed as CI would have it. ``wanted`` are files
        that will be asked for: before a job runs, they are where the checkout wrote them.
        """
        state = self._state_of(tree)

        def prepare(key: str) -> str:
            head = state.prepare(key)
            for path in wanted:
                self._keep_base(path)
            return head

        return self._bench._replace(prepare=prepare)

    def _keep_base(self, path: bytes) -> None:
        """Keep a file of the worktree, if it is one of the state that no filter converts."""
        entry = self.worktree.repository.trees.find(self._needs.state.tree, path)
        if path in self._bases or entry is None or not entry.is_file:
            return
        with contextlib.suppress(ForbiddenPath, OSError):
            file = self.files.read(path)
            if file is not None and _is_blob(file.content, entry.oid):
                self._bases[path] = File(file.content, _mode_of(entry))

    def read_base(self, path: bytes) -> File | None:
        """A regular file of the state, as a checkout writes it; None where there is none."""
        if path not in self._bases:
            self._bases[path] = self.read_file(self._needs.state.tree, path)
        return self._bases[path]

    def read_file(self, tree: str, path: bytes) -> File | None:
        """A regular file of a tree, as a checkout writes it; None where there is none."""
        entry = self.worktree.repository.trees.find(tree, path)
        if entry is None or not entry.is_file:
            return None
        self._bring_objects()
        name = f"{tree}:".encode() + path
        return File(self.worktree.git.run("cat-file", "--filters", name), _mode_of(entry))

    def _bring_objects(self) -> None:
        """Have the objects of the state before a job runs too: uncommitted work is nowhere else."""
        if not self._has_objects:
            take_objects(self._needs.state.objects, self.worktree.git_dir / "objects")
            self._has_objects = True

    def make_tree(self, changes: Sequence[FileChange]) -> str:
        """The tree of the state with some changes."""
        if not changes:
            return self._needs.state.tree
        key = tuple((change.path, change.new) for change in changes)
        if key not in self._trees:
            self._trees[key] = self._write_tree(changes)
        return self._trees[key]

    def _write_tree(self, changes: Sequence[FileChange]) -> str:
        entries = {change.path: self._make_entry(change) for change in changes}
        return Trees(self.worktree.open_objects()).edit(self._needs.state.tree, entries)

    def present(self, tree: str) -> Sequence[bytes]:
        """Let git in the worktree take the files that are there for those of a tree, committed:
        a step may end with ``git diff --exit-code``. The tracked files that differ from it.
        """
        git = self.worktree.git
        changed = reset_index(git, tree, self.paths)
        shutil.copy2(git.env["GIT_INDEX_FILE"], self.worktree.git_dir / "index")
        self.worktree.detach_head(self._state_of(tree).make_head())
        return changed

    def list_changed(self) -> Sequence[bytes]:
        """The tracked files that differ from what git has."""
        return refresh_index(self.worktree.git, self.paths)

    def write(self, path: bytes, file: File | None) -> None:
        """Put a file into the worktree. Raises ForbiddenPath."""
        self.files.replace(path, file, _TEMPORARY % os.getpid())

    def _state_of(self, tree: str) -> StateWorktree:
        if tree not in self._states:
            needs = self._needs
            state = needs.state._replace(tree=tree)
            made = StateWorktree(self.worktree, state, needs.include, carry_nothing)
            self._states[tree] = made
        return self._states[tree]

    def _make_entry(self, change: FileChange) -> Entry | None:
        if change.new is None:
            return None
        executable = change.new.mode is not None and change.new.mode & 0o111
        oid = self._write_blob(change.path, change.new.content)
        return Entry(b"100755" if executable else b"100644", oid)

    @functools.cached_property
    def _has_filters(self) -> bool:
        return any(key.startswith("filter.") for key in self.worktree.repository.config.values)

    def _write_blob(self, path: bytes, content: bytes) -> str:
        """What git would commit of a file; written with no process where nothing converts it."""
        if self._is_unconverted(path, content):
            return str(self.worktree.open_objects().create_blob(content))
        name = b"--path=" + path
        made = self.worktree.git.run("hash-object", "-w", "--stdin", name, stdin=content)
        return made.decode("ascii").strip()

    def _is_unconverted(self, path: bytes, content: bytes) -> bool:
        """Whether git keeps a content as it is, as it does the file that the state has.

        Line ends and ``$Id$`` alone can make a difference then, and filters; another encoding
        would have shown in the file, as ASCII is the same in those that it could have.
        """
        base = self._bases.get(path)
        entry = self.worktree.repository.trees.find(self._needs.state.tree, path)
        return (
            base is not None
            and entry is not None
            and base.content != b""
            and _is_blob(base.content, entry.oid)
            and content.isascii()
            and b"\r" not in content
            and b"$Id" not in content
            and not self._has_filters
        )


def _mode_of(entry: Entry) -> int:
    return 0o755 if int(entry.mode[-3:], 8) & 0o100 else 0o644


def _is_blob(content: bytes, oid: str) -> bool:
    """Whether git keeps this content, as it is, under an id."""
    name = "sha1" if len(oid) == 40 else "sha256"
    return hashlib.new(name, b"blob %d\0" % len(content) + content).hexdigest() == oid
