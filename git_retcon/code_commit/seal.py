"""What a session was when a run last saved it, kept where no build can write.

The session lies in ``.git``, and says what may run without a sandbox, which build has passed, and
what ``undo`` writes. A build that is confined too little, or not at all, could rewrite it; so only
a session whose digest is kept in the user's state folder is believed.
"""

import contextlib
import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path

from git_retcon.files.atomic import remove_unfinished_in
from git_retcon.files.json_file import read_json, save_json
from git_retcon.files.path_digest import digest_path
from git_retcon.files.xdg import state_folder

_ID = re.compile(r"[0-9a-f]{16}")


class Seal:
    """The digests of one session. ``identity`` is the session's own, 16 hex digits; ``folder`` is
    the one that keeps the session.
    """

    def __init__(self, identity: str, folder: Path) -> None:
        self._name = f"{identity}.json" if _ID.fullmatch(identity) else None
        self._own = _folder_of(folder)

    def allow(self, content: bytes) -> None:
        """Let this be believed from now on, and what was before: a kill may come before it is
        saved. Raises Fatal where the disk refuses.
        """
        if self._name is None:
            raise ValueError("a session without an id cannot be sealed")
        self._own.mkdir(mode=0o700, parents=True, exist_ok=True)
        save_json(self._own / self._name, [_make_digest(content), *self._read_seals()[:1]], 0o600)

    def allows(self, content: bytes) -> bool:
        """Whether a run saved this, as its last or last but one."""
        return _make_digest(content) in self._read_seals()

    def remove_others(self) -> None:
        """Let no other session of the folder be believed any more, and remove what kills left."""
        remove_unfinished_in(self._own)
        with contextlib.suppress(OSError):
            for path in self._own.iterdir():
                if path.name != self._name:
                    path.unlink()

    def _read_seals(self) -> Sequence[str]:
        if self._name is None:
            return []
        # Elsewhere as well: the working tree may have been moved since.
        places = (self._own / self._name, *sealed_folder().glob(f"*/{self._name}"))
        for path in places:
            if (known := read_json(path)) is not None:
                return known if isinstance(known, list) else []
        return []


def sealed_folder() -> Path:
    """Where what is believed of sessions and builds is kept. Raises Fatal without a HOME."""
    return state_folder(os.environ) / "code-commit"


def _folder_of(folder: Path) -> Path:
    return sealed_folder() / digest_path(folder)


def _make_digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
