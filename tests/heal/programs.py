"""Programs that print a version, and a PATH of nothing else."""

import shutil
from pathlib import Path


def install(folder: Path, **versions: str) -> Path:
    """A folder with programs, each of which prints what it is given here."""
    folder.mkdir(exist_ok=True)
    for name, printed in versions.items():
        path = folder / name
        path.write_text(f"#!/bin/sh\necho '{printed}'\n")
        path.chmod(0o755)
    return folder


def small_path(folder: Path, **versions: str) -> str:
    """A PATH with git, the usual shells, and these programs."""
    install(folder, **versions)
    for name in ("git", "sh", "bash"):
        found = shutil.which(name)
        assert found is not None
        (folder / name).symlink_to(found)
    return str(folder)
