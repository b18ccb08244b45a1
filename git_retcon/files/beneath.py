"""Reading and changing regular files beneath one folder, never through a symbolic link.

Every step down is taken from an open folder (``openat`` with ``O_NOFOLLOW``), so a link that
somebody puts there meanwhile is refused as well, not followed.
"""

import contextlib
import errno
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from git_retcon.files.untrusted_paths import ForbiddenPath, list_parents
from git_retcon.lazy_dataclass import dataclass

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
# Without O_NONBLOCK, opening a FIFO waits for a writer before anything can refuse it.
_OLD = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
# Seconds by which the clock that stamps files may be behind the one that is asked.
_CLOCK_LAG = 0.02


@dataclass(frozen=True, slots=True)
class File:
    """A regular file: its bytes and its permissions; no permissions: those of a new file."""

    content: bytes
    mode: int | None = None

    @property
    def git_mode(self) -> bytes:
        """The mode of its entry in a tree: git looks at the owner's right to execute alone."""
        executable = self.mode is not None and self.mode & stat.S_IXUSR
        return b"100755" if executable else b"100644"

    def with_git_mode(self, mode: bytes) -> "File":
        """The same file with the owner's right to execute of an entry's mode, for all who may read
        it, as ``chmod +x`` does.
        """
        if self.mode is None:
            return File(self.content, 0o755 if mode == b"100755" else None)
        if mode == self.git_mode:
            return self
        rights = (self.mode & 0o444) >> 2
        return File(self.content, self.mode | rights if mode == b"100755" else self.mode & ~0o111)


class Beneath:
    """A folder, and operations on clean relative paths beneath it.

    All raise ForbiddenPath where the path is not a regular file, or leads through a link, and
    OSError where the system refuses.
    """

    def __init__(self, root: Path) -> None:
        self._root = root

    def read(self, path: bytes, most: int = -1) -> File | None:
        """The file at a path, or None; no more than so many bytes of it."""
        with self._folder_of(path) as folder:
            return None if folder is None else _read_file(_find_name(path), folder, most)

    def exists(self, path: bytes) -> bool:
        """Whether anything at all has this name, a dangling link included."""
        with self._folder_of(path) as folder:
            if folder is None:
                return False
            try:
                os.stat(_find_name(path), dir_fd=folder, follow_symlinks=False)
            except FileNotFoundError:
                return False
            return True

    def missing_folders(self, path: bytes) -> tuple[bytes, ...]:
        """The folders that must be made before the path can be, the outermost first."""
        above = tuple(list_parents(path))
        for position, folder in enumerate(above):
            with self._folder_of(folder + b"/.") as found:
                if found is None:
                    return above[position:]
        return ()

    def make_folder(self, path: bytes) -> None:
        """Make a folder whose parent exists; one that is there already stays."""
        with self._folder_of(path) as folder, contextlib.suppress(FileExistsError):
            os.mkdir(_find_name(path), dir_fd=_require_folder(folder, path))

    def stage(self, path: bytes, file: File, temporary: bytes) -> None:
        """Write a file, safe on disk, under another name beside its place.

        Its time is of a later second than that of a file of the same size at the path: tools that
        cache what they made of a file (Python's bytecode, make) compare just these two.
        """
        with self._folder_of(path) as folder:
            place = _require_folder(folder, path)
            _await_later_second(_find_name(path), place, len(file.content))
            with contextlib.suppress(FileNotFoundError):
                os.unlink(temporary, dir_fd=place)
            try:
                _write_new(temporary, place, file)
            except OSError:
                with contextlib.suppress(OSError):
                    os.unlink(temporary, dir_fd=place)
                raise

    def put_in_place(self, path: bytes, temporary: bytes) -> None:
        """Let a staged file become the one at the path, at once."""
        with self._folder_of(path) as folder:
            place = _require_folder(folder, path)
            os.replace(temporary, _find_name(path), src_dir_fd=place, dst_dir_fd=place)
            _sync_folder(place)

    def replace(self, path: bytes, file: File | None, temporary: bytes) -> None:
        """Let this be the file at the path, at once, with the folders it needs; None removes it."""
        if file is None:
            self.remove(path)
            return
        for folder in self.missing_folders(path):
            self.make_folder(folder)
        self.stage(path, file, temporary)
        self.put_in_place(path, temporary)

    def remove(self, path: bytes) -> None:
        """Remove a file (not what a link points to); absence is fine."""
        with self._folder_of(path) as folder:
            if folder is None:
                return
            with contextlib.suppress(FileNotFoundError):
                os.unlink(_find_name(path), dir_fd=folder)
                _sync_folder(folder)

    def remove_beside(self, path: bytes, name: bytes) -> None:
        """Remove another name in a path's folder, such as a staged file; absence is fine."""
        head, slash, _ = path.rpartition(b"/")
        self.remove(head + slash + name)

    def remove_folder(self, path: bytes) -> None:
        """Remove a folder if it is there and empty."""
        with self._folder_of(path) as folder:
            if folder is None:
                return
            try:
                os.rmdir(_find_name(path), dir_fd=folder)
            except OSError as error:
                if error.errno not in (errno.ENOENT, errno.ENOTEMPTY, errno.EEXIST):
                    raise

    @contextlib.contextmanager
    def _folder_of(self, path: bytes) -> Iterator[int | None]:
        """The open folder that a path is in; None where there is none."""
        with contextlib.ExitStack() as stack:
            # The root itself is the user's choice and may be a link; nothing below it may.
            handle = os.open(self._root, _FOLDER & ~os.O_NOFOLLOW)
            stack.callback(os.close, handle)
            found: int | None = handle
            for above in list_parents(path):
                try:
                    handle = os.open(_find_name(above), _FOLDER, dir_fd=handle)
                except FileNotFoundError:
                    found = None
                    break
                except OSError as error:
                    raise _folder_error(error, handle, above) from error
                stack.callback(os.close, handle)
                found = handle
            yield found


def _folder_error(error: OSError, folder: int, path: bytes) -> Exception:
    if error.errno not in (errno.ELOOP, errno.ENOTDIR, errno.EMLINK):
        return error
    shown = path.decode("utf-8", "backslashreplace")
    mode = os.stat(_find_name(path), dir_fd=folder, follow_symlinks=False).st_mode
    what = "a symbolic link" if stat.S_ISLNK(mode) else "no folder"
    return ForbiddenPath(f"'{shown}' is {what}")


def _read_file(name: bytes, folder: int, most: int) -> File | None:
    try:
        handle = os.open(name, _OLD, dir_fd=folder)
    except FileNotFoundError:
        return None
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.EMLINK):
            raise ForbiddenPath("it is a symbolic link") from error
        if error.errno == errno.ENXIO:
            raise ForbiddenPath("it is no regular file") from error
        raise
    try:
        status = os.fstat(handle)
        if stat.S_ISDIR(status.st_mode):
            raise ForbiddenPath("it is a folder")
        if not stat.S_ISREG(status.st_mode):
            raise ForbiddenPath("it is no regular file")
        with os.fdopen(os.dup(handle), "rb") as file:
            return File(file.read(most), stat.S_IMODE(status.st_mode))
    finally:
        os.close(handle)


def _await_later_second(name: bytes, folder: int, size: int) -> None:
    try:
        status = os.stat(name, dir_fd=folder, follow_symlinks=False)
    except FileNotFoundError:
        return
    wait = 1 + _CLOCK_LAG
    left = int(status.st_mtime) + wait - time.time()
    if status.st_size == size and 0 < left <= wait:  # more is a clock that was wrong
        time.sleep(left)


def _find_name(path: bytes) -> bytes:
    return path.rpartition(b"/")[2]


def _require_folder(folder: int | None, path: bytes) -> int:
    if folder is None:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), os.fsdecode(path))
    return folder


def _write_new(name: bytes, folder: int, file: File) -> None:
    handle = os.open(name, _NEW, 0o666, dir_fd=folder)
    try:
        _write_all(handle, file.content)
        if file.mode is not None:
            os.fchmod(handle, file.mode)
        os.fsync(handle)
    finally:
        os.close(handle)


def _write_all(handle: int, content: bytes) -> None:
    view = memoryview(content)
    while view:
        view = view[os.write(handle, view) :]


def _sync_folder(folder: int) -> None:
    # Some file systems refuse to sync a folder; the change itself is atomic there too.
    with contextlib.suppress(OSError):
        os.fsync(folder)
