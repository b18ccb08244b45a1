"""The fixes so far: what they make of the files of the state, and who wrote what."""

from collections.abc import Iterable, Mapping

from git_retcon.files.beneath import File
from git_retcon.heal.healing.heal_bench import HealBench
from git_retcon.heal.patches import FileChange


class Draft:
    """Changes to the state that is healed, in its worktree too."""

    def __init__(self, bench: HealBench) -> None:
        self._bench = bench
        self._files: dict[bytes, File | None] = {}

    @property
    def changes(self) -> list[FileChange]:
        """All that differs from the state."""
        found = (
            FileChange(path, self._bench.read_base(path), file)
            for path, file in sorted(self._files.items())
        )
        return [change for change in found if change.old != change.new]

    def read(self, path: bytes) -> File | None:
        """A file as the fixes have it."""
        return self._files[path] if path in self._files else self._bench.read_base(path)

    def write(self, path: bytes, content: bytes | None) -> None:
        """Change a file, here and in the worktree; None removes it. Raises ForbiddenPath."""
        before = self.read(path)
        mode = before.mode if before is not None else 0o644
        self.put(path, None if content is None else File(content, mode))

    def put(self, path: bytes, file: File | None) -> None:
        """The same for a file with its mode."""
        self._bench.write(path, file)
        self._files[path] = file

    def keep(self) -> Mapping[bytes, File | None]:
        """All of it as it is now, to go back to."""
        return dict(self._files)

    def list_since(self, kept: Mapping[bytes, File | None]) -> list[bytes]:
        """The paths that were written since."""
        return [path for path, file in self._files.items() if self._read_kept(kept, path) != file]

    def go_back(self, kept: Mapping[bytes, File | None], paths: Iterable[bytes]) -> None:
        """Let some files be as they were then."""
        for path in paths:
            self.put(path, self._read_kept(kept, path))

    def write_all(self) -> None:
        """Write every change into the worktree, after that was put back to the state."""
        for path, file in self._files.items():
            self._bench.write(path, file)

    def make_tree(self) -> str:
        """The tree of the state with the fixes."""
        return self._bench.make_tree(self.changes)

    def _read_kept(self, kept: Mapping[bytes, File | None], path: bytes) -> File | None:
        return kept[path] if path in kept else self._bench.read_base(path)
