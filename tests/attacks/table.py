"""Prints what holds what here: ``python -m tests.attacks.table``. Exits 1 if anything escaped.

``--rows WORD`` runs only the rows that have a word in their name, and ``--part 2/5`` each fifth of
them, from the second: the parts from 1/5 to 5/5 are the whole table.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple, TypeVar

from git_retcon.run.sandbox.level import Level, Sandbox
from tests.attacks.arena import Command
from tests.attacks.attacks import ATTACKS, HONEST, Attack, Honest
from tests.attacks.public_lists import NOT_APPLICABLE, PUBLIC_ATTACKS, PUBLIC_HONEST
from tests.attacks.rounds import Result, attack_in, find_sandboxes, list_commands, try_honest

_Tried = TypeVar("_Tried", Attack, Honest)


class Part(NamedTuple):
    """Some rows of each table: those with a word in their name, and of these each ``step``-th from
    the ``first``, which counts from 0.
    """

    word: str
    first: int
    step: int

    def choose(self, rows: Sequence[tuple[_Tried, Command]]) -> Sequence[tuple[_Tried, Command]]:
        named = [(tried, command) for tried, command in rows if self.word in tried.name]
        return named[self.first :: self.step]


def main() -> int:
    """Print a table in Markdown, a row an attack and a column a level."""
    part = _read_part()
    sandboxes = tuple(find_sandboxes())
    escaped = 0
    for title, attacks in (("attack", ATTACKS), ("of a public list", PUBLIC_ATTACKS)):
        rows = [(attack, command) for attack in attacks for command in list_commands(attack)]
        escaped += _print(title, sandboxes, part.choose(rows), _attack)
        print()
    honest = [
        (each, command)
        for each in (*HONEST, *PUBLIC_HONEST)
        for command in Command
        if command.is_sandboxed
    ]
    _print("honest", sandboxes, part.choose(honest), try_honest)
    print(
        "\n`git heal check` runs a repository's own steps, after its commands were shown and "
        "trusted: in no sandbox. A step that knows a path can do there what its user can; the rows "
        "show that nothing around a step leads out of it."
    )
    print("\n| row of a public list | why it does not apply |\n|---|---|")
    for name, why in NOT_APPLICABLE.items():
        print(f"| {name} | {why} |")
    return 1 if escaped else 0


def _read_part() -> Part:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rows", metavar="WORD", default="")
    parser.add_argument("--part", metavar="K/N", default="1/1")
    options = parser.parse_args()
    first, _, step = options.part.partition("/")
    if not (first.isdecimal() and step.isdecimal() and 1 <= int(first) <= int(step)):
        parser.error(f"--part is two numbers, such as 2/5: {options.part}")
    return Part(options.rows, int(first) - 1, int(step))


def _attack(sandbox: Sandbox, attack: Attack, command: Command) -> Result:
    # Steps of a workflow run in no sandbox, whichever there is.
    if command.is_sandboxed or sandbox.level is Level.NONE:
        return attack_in(sandbox, attack, command)
    return Result.NOT_APPLICABLE


def _print(
    title: str,
    sandboxes: Sequence[Sandbox],
    rows: Sequence[tuple[_Tried, Command]],
    try_row: Callable[[Sandbox, _Tried, Command], Result],
) -> int:
    """Run and print the rows, each as soon as it is known; how often something escaped."""
    print(f"| {title} | command | {' | '.join(sandbox.record for sandbox in sandboxes)} |")
    print("|---" * (len(sandboxes) + 2) + "|")
    counts = [Counter[Result]() for _ in sandboxes]
    for tried, command in rows:
        results = [try_row(sandbox, tried, command) for sandbox in sandboxes]
        print(f"| {tried.name} | {command} | {' | '.join(results)} |", flush=True)
        for count, result in zip(counts, results, strict=True):
            count[result] += 1
    sums = (", ".join(f"{number} {name}" for name, number in sorted(c.items())) for c in counts)
    print(f"| **{len(rows)}** | | {' | '.join(sums)} |")
    return sum(count[Result.ESCAPED] for count in counts)


if __name__ == "__main__":
    sys.exit(main())
