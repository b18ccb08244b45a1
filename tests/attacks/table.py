"""Prints what holds what here: ``python -m tests.attacks.table``. Exits 1 if anything escaped."""

import sys
from collections import Counter
from collections.abc import Iterator

from git_retcon.run.sandbox.level import Level, Sandbox
from tests.attacks.arena import Command
from tests.attacks.attacks import ATTACKS, HONEST, Attack
from tests.attacks.public_lists import NOT_APPLICABLE, PUBLIC_ATTACKS, PUBLIC_HONEST
from tests.attacks.rounds import Result, attack_in, find_sandboxes, list_commands, try_honest


def main() -> int:
    """Print a table in Markdown, a row an attack and a column a level."""
    sandboxes = tuple(find_sandboxes())
    escaped = 0
    for title, attacks in (("attack", ATTACKS), ("of a public list", PUBLIC_ATTACKS)):
        escaped += _print(title, sandboxes, {
            (attack.name, command): list(_attack(sandboxes, attack, command))
            for attack in attacks for command in list_commands(attack)
        })  # fmt: skip
        print()
    _print("honest", sandboxes, {
        (honest.name, command): [try_honest(sandbox, honest, command) for sandbox in sandboxes]
        for honest in (*HONEST, *PUBLIC_HONEST) for command in Command if command.is_sandboxed
    })  # fmt: skip
    print(
        "\n`git heal check` runs a repository's own steps, after its commands were shown and "
        "trusted: in no sandbox. A step that knows a path can do there what its user can; the rows "
        "show that nothing around a step leads out of it."
    )
    print("\n| row of a public list | why it does not apply |\n|---|---|")
    for name, why in NOT_APPLICABLE.items():
        print(f"| {name} | {why} |")
    return 1 if escaped else 0


def _attack(sandboxes: tuple[Sandbox, ...], attack: Attack, command: Command) -> Iterator[Result]:
    for sandbox in sandboxes:
        # Steps of a workflow run in no sandbox, whichever there is.
        if command.is_sandboxed or sandbox.level is Level.NONE:
            yield attack_in(sandbox, attack, command)
        else:
            yield Result.NOT_APPLICABLE


Rows = dict[tuple[str, Command], list[Result]]


def _print(title: str, sandboxes: tuple[Sandbox, ...], rows: Rows) -> int:
    print(f"| {title} | command | {' | '.join(sandbox.record for sandbox in sandboxes)} |")
    print("|---" * (len(sandboxes) + 2) + "|")
    for (name, command), results in rows.items():
        print(f"| {name} | {command} | {' | '.join(results)} |")
    columns = [Counter(results) for results in zip(*rows.values(), strict=True)]
    counts = (
        ", ".join(f"{count} {name}" for name, count in sorted(each.items())) for each in columns
    )
    print(f"| **{len(rows)}** | | {' | '.join(counts)} |")
    return sum(each[Result.ESCAPED] for each in columns)


if __name__ == "__main__":
    sys.exit(main())
