"""What one request to a model costs and brings, on branches of public projects.

    python -m tests.bench.claude CLONE... [--branches 20] [--wrong 0 --wrong 0.05] [--json FILE]

A model that knows the author's truth answers the request of the Claude engine over a loopback
service, with a share of wrong answers and as many "unsure"; asked again about a hunk it says anew
what it says, but for a ``--stubborn`` share of wrong answers, which it repeats. Tokens are bytes
over four, dollars those of the price table. Beside it the plan without a model, and by arithmetic
the specification read literally: for each commit the whole difference and all its files in, the
changed files out.
"""

import argparse
import json
import os
import random
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from git_retcon.git.atoms import Atom, Kind
from git_retcon.model.budget import Budget
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import EngineName, ModelChoice
from git_retcon.model.messages import Usage
from git_retcon.model.never_send import NeverSend
from git_retcon.model.prices import load_prices
from git_retcon.model.token_count import count_tokens
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.engines.claude.placer import Placer
from git_retcon.retcon.engines.offline import OfflineEngine
from git_retcon.retcon.spec.model import Spec
from git_retcon.show.style import show_path
from tests.bench.branches import Branch, Messy, branches_of, messy
from tests.bench.placing import accuracy
from tests.bench.review import find_author
from tests.model.loopback import Answer, Json, LoopbackApi, answers

_MODEL = "claude-sonnet-5-5"
_INPUTS = ("squashed", "own commits")


@dataclass(frozen=True)
class Row:
    """One branch, asked about once. Accuracies are shares of lines; ``seconds`` are CPU of ours."""

    branch: str
    given: str
    wrong: float
    hunks: int
    requests: int
    tokens_in: int
    tokens_out: int
    dollars: float
    literal_in: int
    literal_out: int
    literal_dollars: float
    seconds: float
    offline: float
    placed: float


def main() -> None:
    options = _options()
    rows: list[Row] = []
    with tempfile.TemporaryDirectory() as state:
        os.environ["XDG_STATE_HOME"] = state  # the ledger is no place for made-up money
        for clone in options.clones:
            for at, branch in enumerate(branches_of(clone, options.branches, options.seed)):
                for row in _measure_branch(branch, options, options.seed + at):
                    rows.append(row)
                    print(_describe(row), file=sys.stderr, flush=True)
    if options.json:
        found = {"version": 1, "rows": [asdict(row) for row in rows]}
        options.json.write_text(json.dumps(found, indent=1) + "\n", "utf-8")
    print("\n".join(_make_table(rows)))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("clones", nargs="+", type=Path, metavar="CLONE")
    parser.add_argument("--branches", type=int, default=20, metavar="N", help="of each clone")
    parser.add_argument("--wrong", action="append", type=float, help="default: 0, 0.05 and 0.1")
    parser.add_argument("--stubborn", type=float, default=0.0, metavar="SHARE")
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--json", type=Path, metavar="FILE")
    return parser.parse_args()


def _measure_branch(branch: Branch, options: argparse.Namespace, seed: int) -> Iterator[Row]:
    for given in _INPUTS:
        mess = messy(branch, random.Random(seed)) if given != _INPUTS[0] else Messy({}, ())
        for wrong in options.wrong or (0.0, 0.05, 0.1):
            author = Author(branch, wrong, options.stubborn, seed)
            yield measure(branch, mess, given, author)


def measure(branch: Branch, mess: Messy, given: str, author: "Author") -> Row:
    """Ask about one branch, and place it by the answer."""
    spec = Spec("source", "main", "cleaned", branch.commits)
    situation = Situation(spec, 0, branch.difference, {}, mess.origin, mess.subjects)
    api = LoopbackApi()
    choice = ModelChoice(EngineName.CLAUDE, _MODEL, _MODEL, _MODEL, Budget())
    client = open_client(choice, {**os.environ, **api.env}, "bench", lambda line: None)
    display = Display(situation, client.redactor, NeverSend())
    planner = OfflineEngine()
    plan = planner.plan(situation)
    api.responder = author
    began = time.process_time()
    try:
        judged = Placer(client, _MODEL, _refuse_warning, planner).judge(situation, display)
    finally:
        api.close()
    placed = planner.plan(judged)
    seconds = time.process_time() - began
    usage, literal = client.spending.usage, _count_literally(branch)
    return Row(
        branch=branch.name,
        given=given,
        wrong=author.wrong,
        hunks=len(branch.difference.atoms),
        requests=len(api.requests),
        tokens_in=usage.prompt,
        tokens_out=usage.output,
        dollars=client.spending.dollars,
        literal_in=literal.input,
        literal_out=literal.output,
        literal_dollars=load_prices().cost(_MODEL, literal),
        seconds=seconds,
        offline=accuracy(branch, {a: p.commit for a, p in plan.placements.items()}),
        placed=accuracy(branch, {a: p.commit for a, p in placed.placements.items()}),
    )


def _refuse_warning(line: str) -> None:
    # That it is unsure is part of the game, and a large branch is asked about in part; that its
    # answer cannot be used is not.
    if "is unsure of" not in line and "is asked about" not in line:
        raise AssertionError(line)


class Author:
    """Answers as who wrote the branch: a share wrong, as many unsure."""

    def __init__(self, branch: Branch, wrong: float, stubborn: float, seed: int) -> None:
        self.wrong = wrong
        self._branch, self._stubborn = branch, stubborn
        self._chance = random.Random(seed)
        self._mistakes: dict[str, int] = {}

    def __call__(self, body: Json) -> Answer:
        places: dict[int, list[int]] = {}
        unsure: list[int] = []
        asked = [block["text"] for block in body["messages"][0]["content"]]
        for number, atom in read_numbers("\n".join(asked), self._branch):
            commit = self._choose_commit(atom)
            if commit is None:
                unsure.append(number)
            else:
                places.setdefault(commit + 1, []).append(number)
        placements = [
            {"commit": commit, "hunks": ", ".join(map(str, numbers))}
            for commit, numbers in sorted(places.items())
        ]
        said = {"placements": placements, "unsure": ", ".join(map(str, unsure))}
        asked += [block["text"] for block in body["system"]]
        usage = {
            "input_tokens": sum(count_tokens(text.encode()) for text in asked),
            "output_tokens": count_tokens(json.dumps(said).encode()),
        }
        return answers(said, usage=usage)

    def _choose_commit(self, atom: str) -> int | None:
        """A commit, or None for "unsure"."""
        shares = self._branch.truth.get(atom)
        drawn = self._chance.random()
        if atom in self._mistakes and self._chance.random() < self._stubborn:
            return self._mistakes[atom]
        if shares is None or self.wrong <= drawn < 2 * self.wrong:
            return None
        commit = find_author(shares)
        if drawn < self.wrong:
            others = [k for k in range(len(self._branch.commits)) if k != commit]
            self._mistakes[atom] = commit = self._chance.choice(others)
        return commit


def read_numbers(prompt: str, branch: Branch) -> Iterator[tuple[int, str]]:
    """The hunks that a prompt numbers: each number, and the atom that its place tells."""
    by_place = {
        (show_path(atom.path), *_find_lines(atom)): atom.id for atom in branch.difference.atoms
    }
    path = ""
    for line in prompt.splitlines():
        if line.startswith("=== "):
            path = line.removeprefix("=== ")
        elif found := re.match(r"(\d+)\) (?:line (\d+), now (\d+))?", line):
            yield int(found[1]), by_place[path, int(found[2] or 0), int(found[3] or 0)]


def _find_lines(atom: Atom) -> tuple[int, int]:
    if atom.kind is not Kind.LINES:
        return 0, 0
    return max(atom.old.start, 0) + 1, max(atom.new.start, 0) + 1


def _count_literally(branch: Branch) -> Usage:
    """Tokens where each commit gets the difference and the files of it, and writes files whole."""
    texts = branch.difference.texts
    size = {path: sum(map(len, text.new)) for path, text in texts.items()}
    difference = sum(sum(map(len, (*a.removed, *a.added))) for a in branch.difference.atoms)
    labels = {atom: find_author(shares) for atom, shares in branch.truth.items()}
    touched: list[set[bytes]] = [set() for _ in branch.commits]
    for atom in branch.difference.atoms:
        if atom.id in labels:
            touched[labels[atom.id]].add(atom.path)
    read = difference * len(branch.commits) + sum(size.values()) * len(branch.commits)
    written = sum(size.get(path, 0) for paths in touched for path in paths)
    return Usage(read // 4, written // 4)


def _describe(row: Row) -> str:
    return (
        f"{row.branch} {row.given} wrong {row.wrong:.0%}: {row.hunks} hunks, {row.requests} "
        f"requests, {row.tokens_in} in, {row.tokens_out} out, lines {row.offline:.2f} -> "
        f"{row.placed:.2f}"
    )


def _make_table(rows: Sequence[Row]) -> Iterator[str]:
    head = (
        "source", "wrong, and as many unsure", "branches", "requests (median)", "tokens in", "out",
        "dollars a branch", "literally: tokens in", "dollars", "our CPU", "lines: plan", "model",
    )  # fmt: skip
    yield f"| {' | '.join(head)} |"
    yield "|---" * len(head) + "|"
    groups: dict[tuple[str, float], list[Row]] = {}
    for row in rows:
        groups.setdefault((row.given, row.wrong), []).append(row)
    for (given, wrong), group in sorted(groups.items(), reverse=True):
        figures = _summarize(group)
        yield f"| {given} | {wrong:.0%} | {len(group)} | {' | '.join(figures)} |"


def _summarize(group: Sequence[Row]) -> Iterator[str]:
    """Medians of counts, means of money, time and accuracies."""
    medians: Mapping[str, Sequence[int]] = {
        "requests": [row.requests for row in group],
        "in": [row.tokens_in for row in group],
        "out": [row.tokens_out for row in group],
    }
    yield from (
        f"{statistics.median(values):,.1f}".removesuffix(".0") for values in medians.values()
    )
    yield f"${statistics.mean(row.dollars for row in group):.4f}"
    yield f"{statistics.median(row.literal_in for row in group):,.0f}"
    yield f"${statistics.mean(row.literal_dollars for row in group):.4f}"
    yield f"{statistics.mean(row.seconds for row in group):.2f} s"
    yield f"{statistics.mean(row.offline for row in group):.3f}"
    yield f"{statistics.mean(row.placed for row in group):.3f}"


if __name__ == "__main__":
    main()
