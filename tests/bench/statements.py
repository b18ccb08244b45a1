"""Whether every file of every planned commit is whole: it parses, and lacks no name.

    python -m tests.bench.statements CLONE... [--branches 40] [-v]

Branches are planned offline from their messages (squashed), and with a messy history. Of each
commit, the files that are neither the base's nor the source's are read: Python by ``compile``,
other languages by their tree-sitter grammars where these are installed. Files whose ends do not
parse are left out. Undefined names are those that pyflakes' rule F821 (ruff's) finds in a file of
a commit and neither in the base nor in the source. Nothing is built and nothing repaired.
"""

import argparse
import importlib
import json
import random
import subprocess
import sys
import tempfile
import warnings
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from git_retcon.git.lines import splice_lines
from git_retcon.retcon.planner import plan
from tests.bench.branches import Branch, Messy, branches_of, messy

_GRAMMARS = {
    b".ts": ("tree_sitter_typescript", "language_typescript"),
    b".tsx": ("tree_sitter_typescript", "language_tsx"),
    b".go": ("tree_sitter_go", "language"),
    b".rs": ("tree_sitter_rust", "language"),
    b".java": ("tree_sitter_java", "language"),
    b".cs": ("tree_sitter_c_sharp", "language"),
}
Parses = Callable[[bytes], bool]


@dataclass
class Tally:
    """What was read of one mode: files by ending, those that do not parse, those that lack a
    name."""

    files: Counter[str] = field(default_factory=Counter)
    broken: list[str] = field(default_factory=list)
    python: list[tuple[str, bytes, bytes, bytes]] = field(default_factory=list)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("clones", nargs="+", type=Path)
    parser.add_argument("--branches", type=int, default=40)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("-v", "--verbose", action="store_true")
    options = parser.parse_args()
    tallies = {"squashed": Tally(), "messy": Tally()}
    count = 0
    for clone in options.clones:
        for branch in branches_of(clone, options.branches, options.seed):
            count += 1
            read_branch(branch, Messy({}, ()), tallies["squashed"])
            read_branch(branch, messy(branch, random.Random(options.seed)), tallies["messy"])
    print(f"{count} branches")
    for mode, tally in tallies.items():
        _print_tally(mode, tally, verbose=options.verbose)


def read_branch(branch: Branch, mess: Messy, tally: Tally) -> None:
    """Count the files between base and source that a plan makes."""
    task = plan.Task(
        branch.difference, branch.commits, range(len(branch.commits)),
        origin=mess.origin, subjects=mess.subjects,
    )  # fmt: skip
    placements = plan.make_plan(task).placements
    for path, text in branch.difference.texts.items():
        parses = find_parser(path)
        atoms = [a for a in branch.difference.atoms if a.path == path and len(a.old) + len(a.new)]
        if parses is None or not atoms:
            continue
        old, new = b"".join(text.old), b"".join(text.new)
        if not (parses(old) and parses(new)):
            continue
        seen = {old, new}
        for commit in sorted({placements[atom.id].commit for atom in atoms}):
            taken = [atom for atom in atoms if placements[atom.id].commit <= commit]
            content = b"".join(splice_lines(text.old, taken))
            if content in seen:
                continue
            seen.add(content)
            name = f"{branch.name} commit {commit + 1} {path.decode('utf-8', 'replace')}"
            tally.files[Path(path.decode("utf-8", "replace")).suffix] += 1
            if not parses(content):
                tally.broken.append(name)
            elif path.endswith(b".py"):
                tally.python.append((name, content, old, new))


def find_parser(path: bytes) -> Parses | None:
    """What tells whether a file parses; None where nothing here can."""
    if path.endswith(b".py"):
        return _compiles
    ending = path[path.rfind(b".") :]
    if ending not in _GRAMMARS:
        return None
    module, function = _GRAMMARS[ending]
    try:
        tree_sitter: Any = importlib.import_module("tree_sitter")
        grammar = getattr(importlib.import_module(module), function)()
    except ImportError:
        return None
    reader = tree_sitter.Parser(tree_sitter.Language(grammar))
    return lambda content: not reader.parse(content).root_node.has_error


def _compiles(content: bytes) -> bool:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(content, "file", "exec", dont_inherit=True)
    except (SyntaxError, ValueError):
        return False
    return True


def find_undefined(contents: Mapping[str, bytes]) -> Mapping[str, set[str]]:
    """The undefined names of each Python file, by ruff's F821."""
    found: dict[str, set[str]] = defaultdict(set)
    with tempfile.TemporaryDirectory() as folder:
        for name, content in contents.items():
            (Path(folder) / f"{name}.py").write_bytes(content)
        done = subprocess.run(
            [sys.executable, "-m", "ruff", "check", "--isolated", "--select", "F821",
             "--output-format", "json", "--no-cache", "--exit-zero", folder],
            capture_output=True, check=True,
        )  # fmt: skip
        for each in json.loads(done.stdout):
            found[Path(each["filename"]).stem].add(each["message"])
    return found


def list_lacking(tally: Tally) -> Iterator[str]:
    """The files that lack a name which the base and the source have or do not use."""
    sides = {
        f"{at}-{side}": content
        for at, (_, *contents) in enumerate(tally.python)
        for side, content in zip(("now", "old", "new"), contents, strict=True)
    }
    found = find_undefined(sides)
    for at, (name, *_) in enumerate(tally.python):
        now, old, new = (found.get(f"{at}-{side}", set()) for side in ("now", "old", "new"))
        if lacking := now - old - new:
            yield f"{name}: {', '.join(sorted(lacking))}"


def _print_tally(mode: str, tally: Tally, *, verbose: bool) -> None:
    files, lacking = tally.files.total(), list(list_lacking(tally))
    python = len(tally.python)
    kinds = ", ".join(f"{count} {ending}" for ending, count in tally.files.most_common())
    share = 1 - len(tally.broken) / files if files else 1
    print(f"{mode}: {share:.2%} of {files} intermediate files parse ({kinds})")
    part = len(lacking) / python if python else 0
    print(f"{mode}: {part:.2%} of {python} Python files lack a name ({len(lacking)})")
    if verbose:
        for line in (*(f"  does not parse: {each}" for each in tally.broken), *lacking):
            print(line)


if __name__ == "__main__":
    main()
