"""Where our own process may read and write for a step: in the folders of its job alone.

A step's script may go anywhere that its user may, once that is trusted. A path in an input is a
different matter: nobody is asked about it, and we follow it outside of any sandbox.
"""

import os
from pathlib import Path

from git_retcon.heal.execution.job_session import JobSession


class NotOurs(Exception):
    """A path that leads out of a job's folders; the message says so, for the log of its step."""


def find_own_place(path: Path, session: JobSession) -> Path:
    """The place that a path leads to, behind all links but a last one that does not exist.

    ``..`` takes a name away, as in Node's ``path.resolve``. Raises NotOurs.
    """
    return _require_own(Path(os.path.realpath(os.path.normpath(path))), path, session)


def find_own_entry(path: Path, session: JobSession) -> Path:
    """The place of an entry that may itself be a link, which counts as such. Raises NotOurs."""
    named = Path(os.path.normpath(path))
    if named in _list_roots(session):
        return find_own_place(named, session)
    return _require_own(Path(os.path.realpath(named.parent), named.name), path, session)


def _require_own(real: Path, path: Path, session: JobSession) -> Path:
    if not any(real.is_relative_to(_resolve_root(root)) for root in _list_roots(session)):
        raise NotOurs(f"'{path}' is not in the workspace")
    return real


def _list_roots(session: JobSession) -> tuple[Path, ...]:
    folders = session.folders
    kept = (folders.home, folders.temporary, folders.tool_cache)
    return (session.workspace, *kept, folders.short)


def _resolve_root(root: Path) -> Path:
    # Its own name is taken as it is: a step may have put a link in the folder's place.
    return Path(os.path.realpath(root.parent), root.name)
