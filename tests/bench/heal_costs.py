"""What a heal with a model costs: tokens of real conversations times the table of prices.

``python -m tests.bench.heal_costs [--files N] CLONE...`` breaks the syntax of some Python files of
each clone, one at a time, and heals each with a scripted model: it reads around the error, edits,
runs the step and answers. What is sent is counted, at three bytes a token, which is more than
source code has; each turn's answer has 500 tokens more, for thinking. No money is spent.
"""

import argparse
import itertools
import json
import os
import random
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from git_retcon.model.messages import Usage
from git_retcon.model.prices import PriceTable, load_prices
from tests.model.loopback import Answer, LoopbackApi, answers, calls

_BYTES_PER_TOKEN = 3
_THINKING = 500  # tokens a turn
_MODELS = ("claude-haiku-5-5", "claude-sonnet-5-5")
_WORKFLOW = """\
on: push
jobs:
  lint:
    runs-on: ubuntu-latest
    steps:
    - uses: actions/checkout@v4
    - run: sh compile.sh
"""
_SCRIPT = "for file in $(git ls-files '*.py'); do python3 -m py_compile $file || exit 1; done\n"


class Cost(NamedTuple):
    """Of one heal, in US dollars: with prompts that are cached, and as if none were."""

    cached: float
    uncached: float
    tokens: int


def count_cost(requests: list[dict[str, Any]], model: str, prices: PriceTable) -> Cost:
    """What the requests of a heal would be billed."""
    cached, uncached, tokens = 0.0, 0.0, 0
    before = b""
    for body in requests:
        sent = json.dumps([body.get("tools"), body.get("system"), body["messages"]]).encode()
        same = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(before, sent, strict=False))
        shared = sum(1 for _ in same) // _BYTES_PER_TOKEN
        prompt = -(-len(sent) // _BYTES_PER_TOKEN)
        output = _THINKING + 200
        usage = Usage(output=output, cache_read=shared, cache_write=prompt - shared)
        cached += prices.cost(model, usage)
        uncached += prices.cost(model, Usage(input=prompt, output=output))
        tokens += prompt + output
        before = sent
    return Cost(cached, uncached, tokens)


def list_faults(clone: Path, number: int) -> Iterator[tuple[str, str, str]]:
    """Path, right line and broken line of some files: a line that ends in a colon loses it."""
    listed = subprocess.run(["git", "-C", clone, "ls-files", "*.py"], capture_output=True,
                            check=True).stdout.decode().split("\n")  # fmt: skip
    # The same files in each run.
    chosen = random.Random(7)
    paths = [path for path in listed if path and "test" not in path]
    for path in chosen.sample(paths, len(paths)):
        lines = (clone / path).read_text("utf-8").split("\n")
        found = [line for line in lines if line.startswith("def ") and line.endswith(":")]
        unique = [line for line in found if lines.count(line) == 1]
        if unique and number:
            number -= 1
            yield path, unique[0], unique[0].removesuffix(":")


def heal_fault(clone: Path, fault: tuple[str, str, str], home: Path) -> list[dict[str, Any]]:
    """The requests of one heal that puts the line right."""
    path, right, broken = fault
    text = (clone / path).read_text("utf-8")
    (clone / path).write_text(text.replace(right, broken))
    line = text.split("\n").index(right) + 1
    around = {"path": path, "offset": max(1, line - 60), "limit": 160}
    script: list[Answer] = [
        calls("read_file", around),
        calls("edit_file", {"path": path, "old_string": broken + "\n", "new_string": right + "\n"}),
        calls("run_step", {"workflow": "ci", "job": "lint", "step": "1"}),
        answers({"verdict": "fixed", "summary": "The colon behind the definition was missing."}),
    ]
    api = LoopbackApi()
    api.script(*script)
    env = {**os.environ, **api.env, "HOME": str(home), "PYTHONPATH": str(Path(__file__).parents[2])}
    command = [sys.executable, "-m", "git_retcon.commands.heal", "--trust", "--json",
               "--no-apply", "--engine=claude"]  # fmt: skip
    ran = subprocess.run(command, cwd=clone, env=env, capture_output=True, check=False)
    api.close()
    said = json.loads(ran.stdout)
    if not said["healed"]:
        print(f"not healed: {path}", ran.stderr.decode()[-2000:])
    (clone / path).write_text(text)
    return [received.body for received in api.requests]


def main() -> None:
    """Print a row for each heal, then the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--files", type=int, default=4)
    given = parser.parse_args()
    prices = load_prices()
    costs: list[tuple[Cost, Cost]] = []
    print("| repository | file | requests | tokens | small | larger |\n|---|---|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as top:
        home = Path(top) / "home"
        home.mkdir()
        for number, source in enumerate(given.clones):
            clone = Path(top) / f"{number}-{source.name}"
            subprocess.run(["git", "clone", "-q", source, clone], check=True)
            subprocess.run(
                ["git", "-C", clone, "rm", "-rq", "--ignore-unmatch", ".github"], check=True
            )
            (clone / ".github/workflows").mkdir(parents=True)
            (clone / ".github/workflows/ci.yml").write_text(_WORKFLOW)
            script = (
                "for f in $(git ls-files '*.py'); do python3 -m py_compile $f || exit 1; done\n"
            )
            (clone / "compile.sh").write_text(script)
            for fault in list_faults(clone, given.files):
                requests = heal_fault(clone, fault, home)
                small, large = (count_cost(requests, model, prices) for model in _MODELS)
                costs.append((small, large))
                print(f"| {source.name} | {fault[0]} | {len(requests)} | {small.tokens:,} "
                      f"| ${small.cached:.4f} | ${large.cached:.4f} |", flush=True)  # fmt: skip
    for name, each in zip(_MODELS, zip(*costs, strict=True), strict=True):
        mean = sum(one.cached for one in each) / len(each)
        uncached = sum(one.uncached for one in each) / len(each)
        print(f"{name}: mean ${mean:.4f} a heal, ${uncached:.4f} where nothing is cached")


if __name__ == "__main__":
    main()
