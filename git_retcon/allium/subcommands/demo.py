"""``git allium demo``: a small history is described, and its specification is shown growing."""

import os
import sys
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from git_retcon.allium.evolve.request import Range
from git_retcon.allium.subcommands.evolution import evolve_specification
from git_retcon.files.claimed_folder import claim_folder
from git_retcon.git.process import run_unconfigured
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import Ending
from git_retcon.show.style import printable, write_line

_AUTHOR = "Robin Vale <robin@example.com>"
_BEGIN = 1_767_600_000  # 2026-01-05, and a commit each hour
_BRANCH = "allium/evolution"
_HEADERS = ("index ", "--- a/", "--- /dev", "+++ b/", "+++ /dev", "new file", "similarity ")


class _Step(NamedTuple):
    """One commit: its branch, and the files that it writes; None is removed. ``merges`` is the
    branch that it takes in.
    """

    branch: str
    subject: str
    files: Mapping[str, str | None]
    merges: str = ""


_HEAD = '''"""Orders of the shop."""

import dataclasses
from enum import Enum
'''
_STATES = "\n\nclass Status(Enum):\n    PLACED = 1\n    PAID = 2\n"
_ORDER = """

@dataclasses.dataclass
class Order:
    id: int
    total: int
    status: Status = Status.PLACED
"""
_PAY = """
    def pay(self, amount: int) -> None:
        if self.status != Status.PLACED:
            raise ValueError("this order is paid for already")
        if amount < self.total:
            raise ValueError("that is too little")
        self.status = Status.PAID
"""
_SHIP = """
    def ship(self) -> None:
        if self.status != Status.PAID:
            raise ValueError("only paid orders are shipped")
        self.status = Status.SHIPPED
"""
_CUSTOMER = '''"""People who buy."""

import dataclasses


@dataclasses.dataclass
class Customer:
    id: int
    email: str
'''
_BY = "    customer: Customer | None = None\n"
_SHIPPED = _STATES + "    SHIPPED = 3\n"
_KNOWN = _HEAD + "\nfrom customers.people import Customer\n"

_HISTORY = (
    _Step("main", "Take orders", {"src/shop/orders.py": _HEAD + _STATES + _ORDER}),
    _Step("main", "Let people pay", {"src/shop/orders.py": _HEAD + _STATES + _ORDER + _PAY}),
    _Step(
        "shipping",
        "Ship what is paid",
        {"src/shop/orders.py": _HEAD + _SHIPPED + _ORDER + _PAY + _SHIP},
    ),
    _Step(
        "main",
        "Know the customer",
        {
            "src/customers/people.py": _CUSTOMER,
            "src/shop/orders.py": _KNOWN + _STATES + _ORDER + _BY + _PAY,
        },
    ),
    _Step(
        "main",
        "Merge shipping",
        {"src/shop/orders.py": _KNOWN + _SHIPPED + _ORDER + _BY + _PAY + _SHIP},
        merges="shipping",
    ),
    _Step(
        "main",
        "Call the shop sales",
        {
            "src/shop/orders.py": None,
            "src/sales/orders.py": _KNOWN + _SHIPPED + _ORDER + _BY + _PAY + _SHIP,
        },
    ),
)


def demonstrate(directory: Path | None, output: Output) -> Ending:
    """Make the repository in ``directory``, or in a new temporary one, and describe its history.

    No model is asked: a demonstration must not cost anything. Raises Fatal where the directory
    cannot be used.
    """
    place = (directory or Path(tempfile.mkdtemp(prefix="git-allium-demo-"))).absolute()
    claim_folder(place)
    _build_repository(place)
    shows = not (output.quiet or output.json)
    if shows:
        _print_lines(f"A small history, in {printable(str(place))}:", "")
        _print_lines(
            *_read_git(place, "log", "--graph", "--format=%s", "main"),
            "",
            "$ git allium evolve",
        )
        sys.stdout.flush()
    os.chdir(place)
    ending = evolve_specification(SharedOptions(output, offline=True), Range(), {}, estimate=False)
    if shows:
        _show_growth(place)
    return ending._replace(data={**ending.data, "directory": str(place)})


def _show_growth(place: Path) -> None:
    """What each commit of the trunk changed in the specification."""
    for line in _read_git(
        place, "log", "--reverse", "--first-parent", "-m", "-M", "-p", "--unified=2",
        "--format=%n%s", _BRANCH, "--", "spec", ":!spec/_master.allium",
    ):  # fmt: skip
        # The file's name is in the line above these. A comment that goes begins like one.
        if not line.startswith(_HEADERS):
            _print_lines(line)
    where = printable(str(place))
    _print_lines("", "Look around:", f"  cd {where}", "  git allium show", "  git allium log",
           f"  git log --graph {_BRANCH}")  # fmt: skip


def _print_lines(*lines: str) -> None:
    for line in lines:
        write_line(sys.stdout, line)


def _build_repository(directory: Path) -> None:
    """Nothing of the user's configuration takes part, so the ids are the same everywhere."""
    run_unconfigured(directory, "init", "--quiet", "--initial-branch=main", "--template=")
    stream = "".join(_write_commits()).encode()
    run_unconfigured(directory, "fast-import", "--quiet", stdin=stream)
    run_unconfigured(directory, "checkout", "--quiet", "main")


def _write_commits() -> Iterator[str]:
    """The history as git-fast-import(1) reads it."""
    tips: dict[str, int] = {}
    for number, step in enumerate(_HISTORY, 1):
        seconds = _BEGIN + 3600 * number
        message = step.subject + "\n"
        yield f"commit refs/heads/{step.branch}\nmark :{number}\n"
        yield f"author {_AUTHOR} {seconds} +0000\ncommitter {_AUTHOR} {seconds} +0000\n"
        yield f"data {len(message.encode())}\n{message}"
        # A branch begins at what the trunk is then.
        parent = tips.get(step.branch, tips.get("main"))
        yield f"from :{parent}\n" if parent is not None else ""
        yield f"merge :{tips[step.merges]}\n" if step.merges else ""
        for path, content in step.files.items():
            if content is None:
                yield f"D {path}\n"
            else:
                yield f"M 100644 inline {path}\ndata {len(content.encode())}\n{content}\n"
        yield "\n"
        tips[step.branch] = number


def _read_git(directory: Path, *arguments: str) -> list[str]:
    return run_unconfigured(directory, *arguments).decode("utf-8", "replace").splitlines()
