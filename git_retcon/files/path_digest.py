"""Short names for files that belong to one path, wherever that path is long or holds slashes."""

import hashlib
import os
from pathlib import Path


def digest_name(name: str | bytes) -> str:
    """Sixteen hexadecimal digits, the same for the same name."""
    return hashlib.sha256(os.fsencode(name)).hexdigest()[:16]


def digest_path(path: Path) -> str:
    """The same for every way to write a path, through links too."""
    return digest_name(os.path.realpath(path))
