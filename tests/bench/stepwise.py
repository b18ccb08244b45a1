"""A history that ``git allium evolve`` describes step by step, beside its last commit alone.

    .venv/bin/python -m tests.bench.stepwise CLONE [CLONE...] [--commits N] [-v]

Both have to declare the same of the source. Which of two equal names came first, and the module
that a file had when it was described first, a history decides: they are left aside.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

from git_retcon.allium.store.module_text import cut_module, list_citations
from tests.bench.evolve import CHECKOUT, git

_BRANCHES = ("allium/evolution", "allium/fresh")
_OF_MODULES = frozenset({"use", "external entity", "config"})
_ALIAS = re.compile(r"\b[a-z_0-9]+/(?=[A-Z])")


class Said(NamedTuple):
    """What a specification declares at one place of the source."""

    kind: str
    cited: tuple[str, ...]
    name: str
    text: str


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("clones", type=Path, nargs="+", metavar="CLONE")
    arguments.add_argument("--commits", type=int, default=250, metavar="N")
    arguments.add_argument("-v", "--verbose", action="store_true", help="list what differs")
    given = arguments.parse_args()
    for clone in given.clones:
        with tempfile.TemporaryDirectory() as folder:
            stepwise, fresh = describe_both(clone, Path(folder) / "clone", given.commits)
        differing = list_differing(stepwise, fresh)
        total = len({(each.kind, each.cited) for each in (*stepwise, *fresh)})
        print(f"{clone.name:20} {given.commits:,} commits: {len(differing)} of {total:,} differ")
        for each in differing if given.verbose else ():
            print("  ", each)


def describe_both(clone: Path, place: Path, commits: int) -> tuple[list[Said], list[Said]]:
    git("clone", "-q", "--shared", "--no-checkout", str(clone.resolve()), str(place))
    for branch, last in zip(_BRANCHES, (commits, 1), strict=True):
        git("-C", str(place), "config", "allium.branch", branch)
        subprocess.run(
            [sys.executable, "-P", "-m", "git_retcon.commands.allium", "evolve",
             "--offline", "--yes", "-q", "--last", str(last)],
            cwd=place, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=True,
        )  # fmt: skip
    stepwise, fresh = (read_said(place, branch) for branch in _BRANCHES)
    return stepwise, fresh


def read_said(repository: Path, branch: str) -> list[Said]:
    def show(*words: str) -> bytes:
        return subprocess.run(
            ["git", "-C", str(repository), *words], capture_output=True, check=True
        ).stdout

    found: list[Said] = []
    for path in show("ls-tree", "-rz", "--name-only", branch, "spec").split(b"\0")[:-1]:
        for each in cut_module(show("show", f"{branch}:{os.fsdecode(path)}")).declarations:
            if each.kind not in _OF_MODULES:
                cited = tuple(f"{source}, {symbol}" for source, symbol in list_citations(each.text))
                text = _ALIAS.sub("", each.text.decode())
                found.append(Said(each.kind, cited, each.name, text))
    return found


def list_differing(stepwise: list[Said], fresh: list[Said]) -> list[str]:
    """The places of which the two say something else, or not as often."""
    known = {(each.kind, each.cited): each.name for each in stepwise}
    names = {
        each.name: known[each.kind, each.cited]
        for each in fresh
        if each.cited and (each.kind, each.cited) in known
    }
    one, other = Counter(map(_forget_name, stepwise)), Counter(
        _forget_name(each._replace(text=_rename(each.text, names))) for each in fresh
    )  # fmt: skip
    return sorted(
        {f"{kind} {', '.join(cited)}" for kind, cited, _ in (one - other) + (other - one)}
    )


def _forget_name(each: Said) -> tuple[str, tuple[str, ...], str]:
    body = "\n".join(line for line in each.text.split("\n") if not line.startswith("--"))
    return each.kind, each.cited, body


def _rename(text: str, names: Mapping[str, str]) -> str:
    return re.sub(r"[A-Za-z_]\w*", lambda found: names.get(found[0], found[0]), text)


if __name__ == "__main__":
    main()
