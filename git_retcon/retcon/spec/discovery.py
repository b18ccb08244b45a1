"""Find the spec of a command that names none: the only one in the current directory."""

import os
import re
from pathlib import Path

from git_retcon.errors import WrongUsage
from git_retcon.show.style import shell_words


def find_spec(given: Path | None, *subcommand: str) -> Path:
    """The spec that was named, or the only one here. Raises WrongUsage otherwise, with a hint that
    names ``subcommand``, its fixed words included; without one, a run.
    """
    if given is not None:
        return given
    found = list_specs()
    if len(found) == 1:
        return found[0]
    names = ", ".join(path.name for path in found)
    command = ["git", "retcon", *subcommand]
    raise WrongUsage(
        f"which spec? there are {len(found)} here: {names}" if found else "no spec file here",
        hint=(
            f"name it: '{shell_words(command)} SPEC'"
            if found
            else "'git retcon plan' drafts one; 'git retcon prompt' says how to write one"
        ),
        commands=[[*command, path.name] for path in found] or [["git", "retcon", "plan"]],
    )


def list_specs() -> list[Path]:
    """The specs in the current directory, by name."""
    return [Path(path.name) for path in sorted(Path.cwd().glob("*.toml")) if is_spec(path)]


def is_spec(path: Path) -> bool:
    """Whether a file looks like a spec, one with faults too."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError):
        return False
    # Both ways that TOML has of writing a list of tables.
    has_commits = "[[commit]]" in text or re.search(r"^\s*commit\s*=\s*\[", text, re.MULTILINE)
    return bool(has_commits) and "cleaned" in text


def is_other_spec(top: Path, path: bytes) -> bool:
    """Whether a changed file of a worktree is a spec: drafts of one are no part of the work."""
    return path.endswith(b".toml") and is_spec(top / os.fsdecode(path))
