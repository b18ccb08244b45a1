"""``git allium demo``: a small history is described, and its specification is shown growing."""

import os
import sys
import tempfile
from pathlib import Path

from git_retcon.allium.evolve.request import Range
from git_retcon.allium.subcommands.evolution import evolve_specification
from git_retcon.files.claimed_folder import claim_folder
from git_retcon.git.example_repository import ExampleCommit, build_history, configure_example
from git_retcon.git.process import run_unconfigured
from git_retcon.options import Output, SharedOptions
from git_retcon.show.envelope import Ending
from git_retcon.show.style import printable, write_line

_BRANCH = "allium/evolution"
_HEADERS = ("index ", "--- a/", "--- /dev", "+++ b/", "+++ /dev", "new file", "similarity ")


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
    ExampleCommit("main", "Take orders", {"src/shop/orders.py": _HEAD + _STATES + _ORDER}),
    ExampleCommit(
        "main", "Let people pay", {"src/shop/orders.py": _HEAD + _STATES + _ORDER + _PAY}
    ),
    ExampleCommit(
        "shipping",
        "Ship what is paid",
        {"src/shop/orders.py": _HEAD + _SHIPPED + _ORDER + _PAY + _SHIP},
    ),
    ExampleCommit(
        "main",
        "Know the customer",
        {
            "src/customers/people.py": _CUSTOMER,
            "src/shop/orders.py": _KNOWN + _STATES + _ORDER + _BY + _PAY,
        },
    ),
    ExampleCommit(
        "main",
        "Merge shipping",
        {"src/shop/orders.py": _KNOWN + _SHIPPED + _ORDER + _BY + _PAY + _SHIP},
        merges="shipping",
    ),
    ExampleCommit(
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
    build_history(place, _HISTORY)
    configure_example(place)
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


def _read_git(directory: Path, *arguments: str) -> list[str]:
    return run_unconfigured(directory, *arguments).decode("utf-8", "replace").splitlines()
