"""How far a change of the checkout by heals is, as its journal says: read in no time, since every
subcommand asks.
"""

from git_retcon.files.json_file import read_json
from git_retcon.git.repository import Repository

# An undo that was killed finds every file as it was before: it differs from a checkout that the
# fix was never in.
BEGUN, DONE, UNDOING, UNDONE = "begun", "done", "undoing", "undone"
_APPLICATIONS = "heal/applied"  # in the git directory: one journal for each change


def is_under_way(phase: str) -> bool:
    """Whether a command is at it, or was killed there."""
    return phase in (BEGUN, UNDOING)


def has_change_under_way(repository: Repository) -> bool:
    """Whether a command changes the files of the checkout, or was killed while it did."""
    journals = [
        path for path in (repository.git_dir / _APPLICATIONS).glob("*.json") if path.stem.isdigit()
    ]
    # Only the last can be: each command that applies fixes settles the earlier ones first.
    last = max(journals, key=lambda path: int(path.stem), default=None)
    said = read_json(last) if last is not None else None
    return isinstance(said, dict) and is_under_way(str(said.get("phase")))
