"""Names of recent runs, errors and jobs in a text file, for completion: a shell cannot read SQLite,
nor make the cells of a matrix.

Lines of a kind and a name: "run 12", "error 5fac67ce", "job test (3.12)". It only helps
people to type, so that no fault of it counts.
"""

import contextlib

from git_retcon.errors import Fatal
from git_retcon.files.atomic import save
from git_retcon.heal.records.database import Database

_NAME = "recent"
_MOST = 50
_DIGITS = 8  # of a fingerprint


def write_names(database: Database) -> None:
    """Write the last runs, the errors of those that found any, and how their jobs are called that
    have a name beside their id, the newest first.
    """
    runs = database.fetch("SELECT number FROM runs ORDER BY number DESC LIMIT ?", _MOST)
    errors = database.fetch(
        "SELECT substr(fingerprint, 1, ?) FROM run_errors GROUP BY fingerprint"
        " ORDER BY max(run) DESC, min(number) LIMIT ?",
        _DIGITS, _MOST,
    )  # fmt: skip
    jobs = database.fetch(
        "SELECT name FROM jobs WHERE name != job AND instr(name, char(10)) = 0 GROUP BY name"
        " ORDER BY max(run) DESC, min(number) LIMIT ?",
        _MOST,
    )
    kinds = (("run", runs), ("error", errors), ("job", jobs))
    lines = [f"{kind} {row[0]}" for kind, rows in kinds for row in rows]
    with contextlib.suppress(Fatal):
        save(database.path.with_name(_NAME), "".join(f"{line}\n" for line in lines).encode())
