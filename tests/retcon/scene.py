"""A small messy branch, and the spec of what it should have been.

The project is three Python modules. ``shop`` imports ``price``, and ``price`` imports ``money``;
the build imports them all, so a commit that has a user without its definition fails.
"""

import json
from dataclasses import dataclass
from pathlib import Path

from tests.program import Ran, retcon
from tests.repository import TestRepository

BUILD = "PYTHONDONTWRITEBYTECODE=1 python3 -c 'import shop'"

MONEY = "def cents(text):\n    return round(float(text) * 100)\n"
PRICE = "from money import cents\n\n\ndef price(text):\n    return cents(text)\n"
SHOP = "import price\n\n\ndef total(rows):\n    return sum(price.price(row) for row in rows)\n"
README = "# Shop\n"


@dataclass(frozen=True)
class Scene:
    """The repository, with ``main`` checked out, and its spec."""

    repo: TestRepository

    @property
    def spec(self) -> Path:
        return self.repo.path / "history.toml"

    def run(self, *arguments: str) -> Ran:
        """Rebuild from the spec."""
        return retcon(self.repo.path, "history.toml", *arguments)

    def write_spec(self, text: str) -> None:
        """Write the spec; it is never tracked."""
        self.spec.write_text(text)

    def promise(self) -> None:
        """What every finished run has promised."""
        assert self.repo.tree("clean") == self.repo.tree("feature")
        assert self.repo.git("status", "--porcelain", "--untracked-files=no") == ""


SPEC = f'''\
source = "feature"
remote = "main"
cleaned = "clean"
build = "{BUILD}"

[[commit]]
message = "Count money in cents"
files = ["money.py"]

[[commit]]
message = "Total a shop's rows"
files = ["price.py", "shop.py"]

[[commit]]
message = "Say what this is"
files = ["README.md"]
'''


def messy_branch(repo: TestRepository) -> Scene:
    """``main`` with a shop of nothing, ``feature`` with five commits nobody wants to read."""
    repo.commit("Start", {"shop.py": "def total(rows):\n    return 0\n", "README.md": "# ?\n"})
    repo.git("checkout", "-q", "-b", "feature")
    repo.commit("wip", {"price.py": PRICE, "README.md": "# Shp\n"})
    repo.commit("oops, forgot money", {"money.py": "def cents(t):\n    return 1\n"})
    repo.commit("wip 2", {"shop.py": SHOP})
    repo.commit("cents right", {"money.py": MONEY}, author="Grace Hopper <grace@example.com>")
    repo.commit("typo", {"README.md": README})
    repo.git("checkout", "-q", "main")
    scene = Scene(repo)
    (repo.path / ".git/info/exclude").write_text("history.toml\n")
    scene.write_spec(SPEC)
    return scene


def recorded(scene: Scene) -> list[str]:
    """Every commit the spec names, in order."""
    shown = json.loads(retcon(scene.repo.path, "status", "history.toml", "--json").out)
    return [oid for commit in shown["commits"] for oid in commit["commits"]]


def kill_at(scene: Scene, moment: str, count: int, *, whom: str = "run") -> None:
    """Have a hook of git kill the run with SIGKILL when the cleaned branch moves for the n-th time.

    ``prepared`` is before the branch moves, ``committed`` after it has and before the spec is
    saved. ``whom`` is the "run", or the "git" that moves the branch, or "both".
    """
    run, git = """$(ps -o ppid= -p "$PPID" | tr -d ' ')""", "$PPID"
    victims = {"run": run, "git": git, "both": f"{run} {git}"}[whom]
    hook = scene.repo.path / ".git/hooks/reference-transaction"
    hook.parent.mkdir(exist_ok=True)
    counter = scene.repo.path / ".git/moves"
    hook.write_text(
        f"""#!/bin/sh
[ "$1" = {moment} ] && grep -q refs/heads/clean || exit 0
echo x >> {counter}
[ "$(wc -l < {counter})" = {count} ] || exit 0
kill -9 {victims}
sleep 0.2
"""
    )
    hook.chmod(0o755)
