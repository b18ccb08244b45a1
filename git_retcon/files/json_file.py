"""Small files of JSON in which a command remembers something for the next time.

Nothing depends on them: what is missing, half or foreign is as good as nothing remembered.
"""

import contextlib
import json
from pathlib import Path
from typing import Any

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save


def read_json(path: Path) -> Any:
    """What the file holds; None where there is no such file, or no JSON in it."""
    try:
        # A pipe would be waited for.
        return json.loads(path.read_bytes()) if path.is_file() else None
    # RecursionError: somebody else's brackets, thousands deep
    except (OSError, ValueError, RecursionError):
        return None


def save_json(path: Path, value: object, new_mode: int | None = None) -> None:
    """Replace the file, in a folder that need not exist. Raises Fatal where the disk refuses."""
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Fatal(
            f"cannot make the folder '{path.parent}': {error.strerror or error}",
            hint="free some space or fix its permissions, then run the same command again",
            again=(),
        ) from error
    save(path, json.dumps(value).encode(), new_mode)


def remember_json(path: Path, value: object, new_mode: int | None = None) -> None:
    """The same, where a full disk is no reason to stop."""
    with contextlib.suppress(Fatal):
        save_json(path, value, new_mode)
