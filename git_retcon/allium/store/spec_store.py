"""A specification in memory: the master and the modules, in snapshots that never change.

Each change gives another snapshot that shares the bytes of all that stayed, so that every commit of
a history can have its own.
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from git_retcon.allium.store.import_targets import find_imported
from git_retcon.allium.store.module_paths import (
    MASTER,
    BadModulePath,
    check_module_path,
    find_collision,
    fold_module_path,
)
from git_retcon.allium.store.source_map import SourceRoot
from git_retcon.model.token_count import count_tokens
from git_retcon.show.style import show_path

FOLDER = b"spec/"
EMPTY_MASTER = b"-- allium: 3\n-- What the source in this repository does, module by module.\n"

ReadSource = Callable[[bytes], bytes | None]


class RelevantSpecs(NamedTuple):
    """What a change is about: the master, always, and the modules that it touches."""

    master: bytes
    modules: Mapping[bytes, bytes]


def _read_nothing(path: bytes) -> bytes | None:
    return None


class SpecStore:
    """One snapshot. Modules are keyed by their path below ``spec/``."""

    __slots__ = ("_folded", "_master", "_modules", "root")

    def __init__(
        self,
        master: bytes = EMPTY_MASTER,
        modules: Mapping[bytes, bytes] | None = None,
        root: SourceRoot | None = None,
    ) -> None:
        """Raises BadModulePath for modules that cannot be written side by side."""
        self._master = master
        self._modules = {each: modules[each] for each in sorted(modules)} if modules else {}
        self._folded = {fold_module_path(check_module_path(each)) for each in self._modules}
        if len(self._folded) < len(self._modules):
            self._refuse_collision()
        self.root = root or SourceRoot()

    def master_spec(self) -> bytes:
        """What concerns all modules."""
        return self._master

    def module_spec(self, path: bytes) -> bytes | None:
        """One module, or None."""
        return self._modules.get(path)

    def all_modules(self) -> Mapping[bytes, bytes]:
        """Every module by its path, in the order of their paths."""
        return MappingProxyType(self._modules)

    def relevant_specs(
        self, changed_paths: Iterable[bytes], read: ReadSource = _read_nothing
    ) -> RelevantSpecs:
        """The modules nearest to some source files, and to what these import directly.

        ``read`` gives the content of a changed file, for its imports; None where there is none.
        """
        found: set[bytes] = set()
        for path in changed_paths:
            nearest = self.root.find_module(path, self._modules)
            if nearest is not None:
                found.add(nearest)
            content = read(path)
            if content is not None:
                found |= find_imported(path, content, self.root, self._modules)
        return RelevantSpecs(self._master, {each: self._modules[each] for each in sorted(found)})

    def set_module_spec(self, path: bytes, content: bytes) -> "SpecStore":
        """With this module. Raises BadModulePath where no module may have the path."""
        check_module_path(path)
        # An update that changes nothing shares all with the snapshot before.
        if self._modules.get(path) == content:
            return self
        changed = self._copy_store()
        is_new = path not in self._modules
        changed._modules = {**self._modules, path: content}
        if is_new:
            # Checked only for a new path: an existing one was checked when it came in.
            if fold_module_path(path) in self._folded:
                changed._refuse_collision()
            changed._modules = {each: changed._modules[each] for each in sorted(changed._modules)}
            changed._folded = {*self._folded, fold_module_path(path)}
        return changed

    def remove_module_spec(self, path: bytes) -> "SpecStore":
        """Without this module."""
        if path not in self._modules:
            return self
        changed = self._copy_store()
        changed._modules = {key: self._modules[key] for key in self._modules if key != path}
        changed._folded = self._folded - {fold_module_path(path)}
        return changed

    def set_master_spec(self, content: bytes) -> "SpecStore":
        """With this master."""
        changed = self._copy_store()
        changed._master = content
        return changed

    def to_file_map(self) -> Mapping[bytes, bytes]:
        """Every file by its path in the repository's tree."""
        files = {FOLDER + MASTER: self._master}
        return files | {FOLDER + path: content for path, content in self._modules.items()}

    def total_tokens(self) -> int:
        """How many tokens all of it has, by estimate."""
        return count_tokens(self._master) + sum(map(count_tokens, self._modules.values()))

    def spell_module(self, path: bytes) -> bytes:
        """A path as the module that is there spells it, else the path itself.

        Two folders of the source may differ in their case alone; they share one module.
        """
        if path in self._modules or fold_module_path(path) not in self._folded:
            return path
        return find_collision(path, self._modules) or path

    def _copy_store(self) -> "SpecStore":
        # Past __init__, which checks and sorts every module: a history copies a store per commit.
        other = SpecStore.__new__(SpecStore)
        other._master, other._modules = self._master, self._modules
        other._folded, other.root = self._folded, self.root
        return other

    def _refuse_collision(self) -> None:
        for path in self._modules:
            other = find_collision(path, self._modules)
            if other is not None:
                one, two = show_path(path), show_path(other)
                raise BadModulePath(
                    f"the modules '{one}' and '{two}' are one file on some file systems",
                    hint="rename one of them",
                )
