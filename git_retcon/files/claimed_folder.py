"""A folder that a command fills: new, or empty."""

from pathlib import Path

from git_retcon.errors import Fatal


def claim_folder(directory: Path) -> None:
    """Make the folder. Raises Fatal where it cannot be made, or holds something."""
    try:
        directory.mkdir(parents=True, exist_ok=True)
        is_taken = any(directory.iterdir())
    except OSError as error:
        raise Fatal(f"cannot use '{directory}': {error.strerror}") from error
    if is_taken:
        raise Fatal(f"'{directory}' is not empty", hint="name a directory that is new or empty")
