"""Long output through the user's pager, as git pages its own.

git decides which program that is (``GIT_PAGER``, ``core.pager``, ``PAGER``, in this order), so a
user who has set it for git has set it for us.
"""

import os
import subprocess
import sys
from collections.abc import Iterable

from git_retcon.show.style import write_line


def page_lines(lines: Iterable[str]) -> None:
    """Print lines on standard output; at a terminal, through the pager that git would use."""
    command = _find_pager() if sys.stdout.isatty() else ""
    if not command:
        for line in lines:
            write_line(sys.stdout, line)
        return
    # As git does: quit where it fits on the screen, and let colours through.
    environment = {"LESS": "FRX", "LV": "-c", **os.environ}
    with subprocess.Popen(
        ["sh", "-c", command], stdin=subprocess.PIPE, env=environment, text=True, encoding="utf-8"
    ) as pager:
        assert pager.stdin is not None
        try:
            for line in lines:
                pager.stdin.write(line + "\n")
            pager.stdin.close()
        except BrokenPipeError:
            pass  # the reader has seen enough


def _find_pager() -> str:
    """The pager as a shell command; "" for none."""
    found = subprocess.run(
        ["git", "var", "GIT_PAGER"], capture_output=True, text=True, check=False
    ).stdout.strip()
    return "" if found == "cat" else found
