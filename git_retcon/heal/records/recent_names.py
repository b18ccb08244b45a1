"""Names of recent runs and errors in a text file, for completion: a shell cannot read SQLite.

Lines of a kind and a name: "run 12", "error 5fac67ce". It only helps people to type, so that no
fault of it counts.
"""

import contextlib

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.heal.records.database import Database

_NAME = "recent"
_MOST = 50
_DIGITS = 8  # of a fingerprint


def write_names(database: Database) -> None:
    """Write the last runs, and the errors of those that found any, the newest first."""
    runs = database.fetch("SELECT number FROM runs ORDER BY number DESC LIMIT ?", _MOST)
    errors = database.fetch(
        "SELECT substr(fingerprint, 1, ?) FROM run_errors GROUP BY fingerprint"
        " ORDER BY max(run) DESC, min(number) LIMIT ?",
        _DIGITS, _MOST,
    )  # fmt: skip
    lines = [*(f"run {row[0]}" for row in runs), *(f"error {row[0]}" for row in errors)]
    with contextlib.suppress(Fatal):
        save(database.path.with_name(_NAME), "".join(f"{line}\n" for line in lines).encode())
