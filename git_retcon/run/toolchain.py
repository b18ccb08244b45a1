"""Which compilers and interpreters a build would find, as one short fingerprint.

A verdict of yesterday says nothing once the compiler has changed. Asking every tool its version
would cost more than the look-up saves, so a tool is known by its real path, size and time.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path

from git_retcon.code.languages.known import known_tools

# Of languages that have no file in `code/languages/` yet.
_OTHER_TOOLS = frozenset({"ghc", "perl", "stack", "zig"})
_WORD = re.compile(r"[\w./+-]+")


def fingerprint(commands: tuple[str, ...], env: Mapping[str, str]) -> str:
    """Changes when a tool on PATH that a build could call is another one."""
    digest = hashlib.sha256()
    for line in _find_tools(commands, env.get("PATH", os.defpath)):
        digest.update(line.encode("utf-8", "surrogateescape"))
    return digest.hexdigest()[:16]


def _find_tools(commands: tuple[str, ...], path: str) -> Iterator[str]:
    # A superset is enough: a word that is no tool is found nowhere.
    named = {word for command in commands for word in _WORD.findall(command)}
    for tool in sorted(named | known_tools() | _OTHER_TOOLS):
        where = shutil.which(tool, path=path)
        if where is None:
            continue
        real = Path(os.path.realpath(where))
        try:
            status = real.stat()
        except OSError:
            continue
        yield f"{tool} {real} {status.st_size} {status.st_mtime_ns}\n"
