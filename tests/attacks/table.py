"""Prints what holds what here: ``python -m tests.attacks.table``. Exits 1 if anything escaped."""

import sys
from collections import Counter

from git_retcon.run.sandbox.level import Sandbox
from tests.attacks.attacks import ATTACKS, HONEST
from tests.attacks.rounds import Result, attack_in, find_sandboxes, try_honest


def main() -> int:
    """Print a table in Markdown, a row an attack and a column a level."""
    sandboxes = tuple(find_sandboxes())
    escaped = _print("attack", sandboxes, {
        attack.name: [attack_in(sandbox, attack) for sandbox in sandboxes] for attack in ATTACKS
    })  # fmt: skip
    print()
    _print("honest", sandboxes, {
        honest.name: [try_honest(sandbox, honest) for sandbox in sandboxes] for honest in HONEST
    })  # fmt: skip
    return 1 if escaped else 0


def _print(title: str, sandboxes: tuple[Sandbox, ...], rows: dict[str, list[Result]]) -> int:
    print(f"| {title} | {' | '.join(sandbox.record for sandbox in sandboxes)} |")
    print("|---" * (len(sandboxes) + 1) + "|")
    for name, results in rows.items():
        print(f"| {name} | {' | '.join(results)} |")
    columns = [Counter(results) for results in zip(*rows.values(), strict=True)]
    counts = (
        ", ".join(f"{count} {name}" for name, count in sorted(each.items())) for each in columns
    )
    print(f"| **{len(rows)}** | {' | '.join(counts)} |")
    return sum(each[Result.ESCAPED] for each in columns)


if __name__ == "__main__":
    sys.exit(main())
