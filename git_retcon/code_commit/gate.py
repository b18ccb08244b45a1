"""Refuse to start where git could commit ``agent-config``, with its keys and logs, or where the
repository says what lies there.
"""

import os

from git_retcon.code_commit.working_tree import Checkout
from git_retcon.errors import Fatal
from git_retcon.show.style import shell_words, show_path

_LINES = frozenset({b"/agent-config", b"/agent-config/", b"agent-config", b"agent-config/"})


def check_gate(checkout: Checkout) -> None:
    """Raise Fatal unless ``.gitignore`` names ``/agent-config``, git agrees, and nothing in it
    that looks like a key, or is a link, is tracked.
    """
    try:
        content = (checkout.root / ".gitignore").read_bytes()
    except OSError:
        content = b""
    if not any(line.rstrip() in _LINES for line in content.split(b"\n")):
        raise Fatal(
            "'.gitignore' has no line '/agent-config', so keys and logs could be committed",
            hint="add it: echo /agent-config >>.gitignore",
        )
    _refuse_tracked(checkout)
    # git has the last word: a later "!agent-config" would take the line back.
    if not checkout.find_ignored([b"agent-config/anthropic-key.txt"]):
        raise Fatal(
            "git does not ignore 'agent-config', though '.gitignore' names it",
            hint="another rule takes it back; 'git check-ignore -v agent-config/x' shows which",
            commands=[["git", "check-ignore", "-v", "agent-config/x"]],
        )


def _refuse_tracked(checkout: Checkout) -> None:
    for path in checkout.list_tracked(b":(literal)agent-config"):
        command = ["git", "rm", "--cached", os.fsdecode(path)]
        if b"key" in path.lower():
            raise Fatal(
                f"'{show_path(path)}' is tracked by git",
                hint=f"'{shell_words(command)}' ends that",
                commands=[command],
            )
        # A clone would choose the file that the rollup or a log overwrites, or that is sent.
        if (checkout.root / os.fsdecode(path)).is_symlink():
            raise Fatal(
                f"'{show_path(path)}' is a symbolic link that git tracks, so nothing is read or "
                "written through it",
                hint=f"see where it leads; '{shell_words(command)}', then remove the link",
                commands=[command],
            )
