"""What a session was when a run last saved it, kept where no build can write.

The session lies in ``.git``, and says what may run without a sandbox, which build has passed, and
what ``undo`` writes. A build that is confined too little, or not at all, could rewrite it; so only
a session whose digest is kept in the user's state folder is believed.
"""

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Sequence
from pathlib import Path

from git_retcon.files.atomic import remove_unfinished, save
from git_retcon.files.xdg import state_folder

_ID = re.compile(r"[0-9a-f]{16}")


class Seal:
    """The digests of one session. ``identity`` is the session's own, 16 hex digits."""

    def __init__(self, identity: str) -> None:
        self._path = None if not _ID.fullmatch(identity) else sealed_folder() / f"{identity}.json"

    def allow(self, content: bytes) -> None:
        """Let this be believed from now on, and what was before: a kill may come before it is
        saved. Raises Fatal where the disk refuses.
        """
        if self._path is None:
            raise ValueError("a session without an id cannot be sealed")
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        remove_unfinished(self._path)
        known = [_digest(content), *self._read()[:1]]
        save(self._path, json.dumps(known).encode(), new_mode=0o600)

    def allows(self, content: bytes) -> bool:
        """Whether a run saved this, as its last or last but one."""
        return _digest(content) in self._read()

    def remove(self) -> None:
        """Let nothing be believed any more."""
        if self._path is not None:
            with contextlib.suppress(OSError):
                self._path.unlink()

    def _read(self) -> Sequence[str]:
        try:
            known = [] if self._path is None else json.loads(self._path.read_bytes())
        except (OSError, ValueError):
            return []
        return known if isinstance(known, list) else []


def sealed_folder() -> Path:
    """Where what is believed of sessions and builds is kept. Raises Fatal without a HOME."""
    return state_folder(os.environ) / "code-commit"


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
