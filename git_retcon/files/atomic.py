"""Replacing a file so that a reader, or a crash, sees the old content or the new, never half."""

import contextlib
import glob
import os
import stat
import tempfile
from collections.abc import Callable
from pathlib import Path

from git_retcon.errors import Fatal

_RANDOM = "[a-z0-9_]" * 8  # what tempfile puts into a name


def save(path: Path, content: bytes, new_mode: int | None = None) -> None:
    """Write by temporary file, fsync and rename; the mode is kept, symlinks are written through.

    A new file gets ``new_mode``, or what the umask leaves. Raises Fatal when the disk or the
    permissions refuse; the old content is then untouched.
    """
    _save(path, lambda target: _replace_file(target, content, new_mode))


def save_for_now(path: Path, content: bytes) -> None:
    """The same without waiting for the disk: after a power cut the file may be empty. For what is
    compared with what it should be before it is used again.
    """
    _save(path, lambda target: _rename_new(target, content, None, lambda _: None))


def _save(path: Path, replace: Callable[[Path], None]) -> None:
    # A spec may be a link into a folder of dotfiles: the rename must replace the file, not the
    # link.
    target = Path(os.path.realpath(path)) if path.is_symlink() else path
    try:
        replace(target)
    except OSError as error:
        raise Fatal(
            f"cannot write '{path}': {error.strerror or error}",
            hint=f"{_choose_remedy(error, target)}, then run the same command again",
            again=(),
        ) from error


def _choose_remedy(error: OSError, target: Path) -> str:
    if isinstance(error, FileNotFoundError) and not target.parent.exists():
        return f"make the folder '{target.parent}'"
    if isinstance(error, NotADirectoryError):
        return f"make '{target.parent}' a folder, or name another place"
    return "free some space or fix its permissions"


def remove_unfinished(path: Path) -> None:
    """Remove what a killed ``save`` left beside a file. Only for its one writer: a ``save`` of
    another process would lose its temporary file.
    """
    target = Path(os.path.realpath(path))
    _remove_matching(target.parent, f"{glob.escape(f'.{target.name}.')}{_RANDOM}.tmp")


def remove_unfinished_in(folder: Path) -> None:
    """The same for every file of a folder that one process writes."""
    _remove_matching(folder, f".*.{_RANDOM}.tmp")


def _remove_matching(folder: Path, pattern: str) -> None:
    with contextlib.suppress(OSError):
        # Hardly ever is there one, and a glob compiles its pattern each time.
        if not any(name.endswith(".tmp") for name in os.listdir(folder)):  # noqa: PTH208
            return
        for left in folder.glob(pattern):
            left.unlink()


def _replace_file(target: Path, content: bytes, new_mode: int | None) -> None:
    _rename_new(target, content, new_mode, os.fsync)
    # The rename is in the directory: without this a power cut may bring the old name back.
    sync_directory(target.parent)


def _rename_new(
    target: Path, content: bytes, new_mode: int | None, settle: Callable[[int], None]
) -> None:
    handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            settle(file.fileno())
        # Before the rename, so that nobody sees the new content with other permissions.
        os.chmod(name, _mode_for(target, new_mode))  # noqa: PTH101
        os.replace(name, target)  # noqa: PTH105
    # Ctrl-C as well: what is left beside the file would be taken for the user's.
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(name)  # noqa: PTH108
        raise


def _mode_for(target: Path, new_mode: int | None) -> int:
    try:
        return stat.S_IMODE(target.stat().st_mode)
    except FileNotFoundError:
        if new_mode is not None:
            return new_mode
        return 0o666 & ~read_umask()


def read_umask() -> int:
    """The permissions that new files do not get."""
    # There is no other way to ask for it.
    mask = os.umask(0)
    os.umask(mask)
    return mask


def sync_directory(directory: Path) -> None:
    """Let what was renamed in a folder be on the disk too."""
    # Some file systems refuse to sync a directory; the rename itself is still atomic there.
    with contextlib.suppress(OSError):
        handle = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
