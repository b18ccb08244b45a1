"""What reconciliation costs and finds on real projects.

    .venv/bin/python -m tests.bench.reconcile CLONE… [--commits N]

CLONE is only read. For each: a history with its checkpoints; the tree of HEAD, read in chunks,
beside ``git grep -c ''``; the source changed by a seeded script, and what is found of that; fifty
edits that only refactor; and a run with nothing to do.
"""

import argparse
import ast
import contextlib
import dataclasses
import json
import os
import random
import re
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from git_retcon.allium.engine import Checkpoint, Finding, FindingType
from git_retcon.allium.engines.engine_opening import open_offline
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.extract.spelling import spell_type_name
from git_retcon.allium.reconcile.source_reader import ReadLimits, SourceReader
from git_retcon.allium.reconcile.spec_index import list_symbols
from git_retcon.allium.store.declared_facts import read_facts
from git_retcon.allium.store.module_text import MARKER, cut_module
from git_retcon.allium.store.source_map import detect_root, write_root
from git_retcon.allium.store.spec_store import EMPTY_MASTER, SpecStore
from git_retcon.git.graph import Commit, read_commit
from git_retcon.git.repository import Repository, open_repository
from git_retcon.git.trees import EMPTY_TREE, Entry, read_object
from git_retcon.model.never_send import NeverSend
from tests.bench.evolve import BRANCH, CHECKOUT, choose_tip, git, measure_floor, run_command, show

_ALL = 10**9  # tokens: nothing is too large
_MUTATIONS = 100
_RETYPED = {
    r": str\b": ": int",
    r": int\b": ": str",
    r"\bCharField\(.*\)$": "IntegerField()",
    r"\bIntegerField\(.*\)$": "CharField()",
    r"\bColumn\((sqlalchemy\.)?String(\(\d+\))?": "Column(Integer",
    r"\bColumn\((sqlalchemy\.)?Integer\b": "Column(String",
}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("clones", type=Path, nargs="+", metavar="CLONE")
    arguments.add_argument("--commits", type=int, default=1_000, metavar="N")
    arguments.add_argument("--read-alone", action="store_true", help=argparse.SUPPRESS)
    given = arguments.parse_args()
    if given.read_alone:
        print(json.dumps(read_alone(given.clones[0])))
        return
    for clone in given.clones:
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "clone"
            git("clone", "-q", "--shared", "--bare", str(clone), str(copy))
            print(f"\n{clone.name}")
            measure_reader(copy)
            measure_findings(copy)
            measure_history(copy, given.commits)


def measure_history(clone: Path, most: int) -> None:
    tip = choose_tip(clone, most)
    seconds, megabytes = run_command(clone, ["--offline", tip], {})
    trunk = int(git("-C", str(clone), "rev-list", "--count", "--first-parent", tip))
    bodies = git("-C", str(clone), "log", "--format=%B", "--grep=^Allium-Reconciled", BRANCH)
    done = len(re.findall(r"(?m)^Allium-Reconciled: ", bodies))
    findings = [int(n) for n in re.findall(r"trunk step \d+, (\d+) findings", bodies)]
    show("history: steps", int(git("-C", str(clone), "rev-list", "--count", tip)), "")
    show("history: checkpoints due", trunk // 50, "")
    show("history: checkpoints done", done, "")
    show("history: findings", sum(findings), "")
    show("history: files that could not be read", len(re.findall("(?m)^Skipped: ", bodies)), "")
    show("history: CPU", seconds, "s")
    show("history: peak memory", megabytes, "MB")
    reconcile_here(clone, tip)
    again = min(reconcile_here(clone, tip) for _ in range(5))
    show("nothing to do", again / measure_floor(clone), "x (git status + import click, pygit2)")


def reconcile_here(clone: Path, tip: str) -> float:
    """Processor seconds of one run of ``git allium reconcile``."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, "-m", "git_retcon.commands.allium", "reconcile", "-q", "--offline"]
    subprocess.run(
        [*command, tip], cwd=clone, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, check=True
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def measure_reader(clone: Path) -> None:
    command = [sys.executable, "-m", "tests.bench.reconcile", "--read-alone", str(clone)]
    done = subprocess.run(command, cwd=CHECKOUT, capture_output=True, check=True, text=True)
    read = json.loads(done.stdout)
    for name, unit in (("files", ""), ("chunks", ""), ("skipped", ""), ("tokens", ""),
                       ("seconds", "s of CPU"), ("grep", "s of CPU of git grep -c ''"),
                       ("megabytes", "MB at most")):  # fmt: skip
        show(f"tree: {name}", read[name], unit)
    show("tree: read / git grep", read["seconds"] / max(read["grep"], 0.001), "x")


def read_alone(clone: Path) -> Mapping[str, float]:
    """In a process of its own, whose memory is that of reading."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(
        ["git", "-C", str(clone), "grep", "-c", "", "HEAD"], capture_output=True, check=False
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    grep = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    repository = open_repository(clone)
    head = repository.git.line("rev-parse", "HEAD")
    # Everything, as git grep reads it: what is left out by name would be no work.
    reader = SourceReader(
        repository, lambda changes, _: changes, NeverSend(), ReadLimits(_ALL, 20_000, 80_000)
    )
    start = time.process_time()
    found = reader.read_tree(head)
    seconds = time.process_time() - start
    return {
        "files": len({part.path for chunk in found.chunks for part in chunk.files}),
        "chunks": len(found.chunks),
        "skipped": len(found.skipped_files),
        "tokens": sum(chunk.tokens for chunk in found.chunks),
        "seconds": seconds,
        "grep": grep,
        "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
    }


class Change(NamedTuple):
    """One edit of a file, and the words of which a right finding names one."""

    path: bytes
    content: bytes
    owner: str
    words: tuple[str, ...]
    kind: str


def measure_findings(clone: Path) -> None:
    repository = open_repository(clone)
    head = read_commit(repository, repository.git.line("rev-parse", "HEAD"))
    files = SourceFiles(repository, ())
    reconciler = open_offline(repository, files.select)
    root = detect_root(path for path, _ in repository.trees.files(head.tree))
    store = SpecStore(write_root(EMPTY_MASTER, root), root=root)
    start = time.process_time()
    spec = reconciler.reconcile(Checkpoint(head, store, None)).store
    show("whole tree compared", time.process_time() - start, "s of CPU")
    again = reconciler.reconcile(Checkpoint(head, spec, None, [head])).findings
    show("findings where nothing changed", len(again), "")
    random_ = random.Random(13)
    changes = list(make_changes(repository, head, files, spec, random_))[:_MUTATIONS]
    tree = edit_tree(repository, head.tree, {each.path: each.content for each in changes})
    findings = reconciler.reconcile(Checkpoint(with_tree(head, tree), spec, None, [head])).findings
    missed = [each for each in changes if not any(finds(f, each) for f in findings)]
    heirs = index_heirs(repository, head, files)
    wrong = [f for f in findings if not any(is_about(f, each, heirs) for each in changes)]
    show("changes by a seeded script", len(changes), "")
    for kind in sorted({each.kind for each in changes}):
        of_kind = [each for each in changes if each.kind == kind]
        found_of_kind = len(of_kind) - sum(each.kind == kind for each in missed)
        show(f"  {kind}: found of {len(of_kind)}", found_of_kind, "")
    show("recall", 1 - len(missed) / max(1, len(changes)), "")
    show("precision", 1 - len(wrong) / max(1, len(findings)), f"of {len(findings)} findings")
    for each in missed[:5]:
        print(f"  missed: {each.kind} {each.owner} {each.words} in {each.path.decode()}")
    for finding in wrong[:5]:
        print(f"  wrong: {finding.type} {finding.section} {finding.paths}")
    found = 0
    tree = head.tree
    for _ in range(50):
        before, tree = tree, refactor(repository, tree, files, random_)
        checkpoint = Checkpoint(with_tree(head, tree), spec, None, [with_tree(head, before)])
        found += len(reconciler.reconcile(checkpoint).findings)
    show("findings in 50 commits that only refactor", found, "")


def with_tree(commit: Commit, tree: str) -> Commit:
    return dataclasses.replace(commit, tree=tree)


def index_heirs(repository: Repository, head: Commit, files: SourceFiles) -> Mapping[str, set[str]]:
    """The names of the classes that inherit from one of a name, over any number of others."""
    bases: dict[str, set[str]] = {}
    for each in files.select(repository.trees.changes(EMPTY_TREE, head.tree), head.tree):
        if each.new is not None and each.path.endswith(b".py"):
            with contextlib.suppress(SyntaxError):
                for node in ast.walk(ast.parse(read_object(repository.objects.odb, each.new.oid))):
                    if isinstance(node, ast.ClassDef):
                        named = {ast.unparse(base).rpartition(".")[2] for base in node.bases}
                        bases.setdefault(node.name, set()).update(named)
    heirs: dict[str, set[str]] = {}
    for name in bases:
        above, waiting = set[str](), [name]
        while waiting:
            fresh = bases.get(waiting.pop(), set()) - above
            above |= fresh
            waiting += fresh
        for base in above:
            heirs.setdefault(base, set()).add(name)
    return heirs


def is_about(finding: Finding, change: Change, heirs: Mapping[str, set[str]] = {}) -> bool:
    # In any file: a field of a base class is one of all that inherit it. And anything else in its
    # declaration: an invariant goes with its field.
    words = set(re.findall(r"\w+", finding.section))
    # What a base class has is told of the entities that have it from there.
    owner = change.owner.removeprefix("Abstract")
    if not words.isdisjoint(change.words) or owner in finding.section:
        return True
    # One whose base class loses its only rule is an entity no more.
    if words & heirs.get(change.owner, set()):
        return True
    # A method's rule has the name of what it changes, which may be of another file.
    return is_rule_gone(finding, change) and change.path.decode() in finding.paths


def finds(finding: Finding, change: Change) -> bool:
    """Whether a finding says what was done: of a dropped rule, that this rule is gone."""
    if change.kind != "drop a rule":
        return is_about(finding, change)
    return is_rule_gone(finding, change)


def is_rule_gone(finding: Finding, change: Change) -> bool:
    """Whether a finding says that the rule of a dropped method is gone."""
    if change.kind != "drop a rule":
        return False
    verb = spell_type_name(change.words[0]) or ""
    is_removal = finding.type is FindingType.REMOVAL
    return is_removal and re.fullmatch(rf"rule \w*{verb}\w*", finding.section) is not None


def edit_tree(repository: Repository, tree: str, contents: Mapping[bytes, bytes]) -> str:
    edits = {
        path: Entry(b"100644", str(repository.objects.create_blob(content)))
        for path, content in contents.items()
    }
    return repository.trees.edit(tree, edits)


def make_changes(
    repository: Repository,
    head: Commit,
    files: SourceFiles,
    spec: SpecStore,
    random_: random.Random,
) -> Iterator[Change]:
    """One change a file, of a field or an enum's value that the specification has."""
    items = index_items(spec)
    changes = files.select(repository.trees.changes(EMPTY_TREE, head.tree), head.tree)
    entries = [(each.path, each.new) for each in changes if each.path.endswith(b".py")]
    random_.shuffle(entries)
    for path, entry in entries:
        if entry is None:
            continue
        content = read_object(repository.objects.odb, entry.oid)
        with contextlib.suppress(SyntaxError):  # of another Python
            options = [
                *list_options(content, path, items),
                *list_rule_options(content, path, items),
            ]
            if options:
                # By kind first: there are ten fields for each rule.
                kind = random_.choice(sorted({each.kind for each in options}))
                yield random_.choice([each for each in options if each.kind == kind])


def index_items(spec: SpecStore) -> Mapping[tuple[str, str], Mapping[str, str]]:
    """What the specification says of each symbol of each file: its items, with what they are."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for content in spec.all_modules().values():
        for declaration in cut_module(content).declarations:
            facts = read_facts(MARKER + declaration.text)
            for place in list_symbols(declaration):
                found.setdefault(place, {}).update({name[2]: said for name, said in facts.items()})
    return found


def list_options(
    content: bytes, path: bytes, known: Mapping[tuple[str, str], Mapping[str, str]]
) -> Iterator[Change]:
    """The changes that can be made to fields and values which the specification has."""
    lines = content.decode("utf-8", "replace").split("\n")
    for node in ast.parse(content).body:
        if not isinstance(node, ast.ClassDef) or len(node.body) < 2:
            continue
        items = known.get((path.decode(), node.name), {})
        for item in node.body:
            match item:
                case (
                    ast.AnnAssign(target=ast.Name(id=name))
                    | ast.Assign(targets=[ast.Name(id=name)])
                ):
                    pass
                case _:
                    continue
            # One that several classes have may be inherited: without it there is still one.
            if sum(f"field {name}" in each for each in known.values()) > 1:
                continue
            said = items.get(f"field {name}")
            value = name.lower()
            if said is None and f"value {value}" not in items:
                continue
            # Used elsewhere in the file: dropping it alone is no change that people make.
            if len(re.findall(rb"\b%b\b" % name.encode(), content)) > 1:
                continue
            word = name if said is not None else value
            first, last = item.lineno - 1, item.end_lineno or item.lineno
            text = "\n".join([*lines[:first], *lines[last:]])
            yield Change(path, text.encode(), node.name, (word,), "drop")
            renamed = re.sub(rf"\b{name}\b", f"{name}_two", lines[first], count=1)
            text = "\n".join([*lines[:first], renamed, *lines[first + 1 :]])
            if said is not None:
                yield Change(path, text.encode(), node.name, (word, f"{word}_two"), "rename")
            for old, new in _RETYPED.items():
                retyped = re.sub(old, new, lines[first], count=1)
                if said is not None and retyped != lines[first]:
                    text = "\n".join([*lines[:first], retyped, *lines[first + 1 :]])
                    yield Change(path, text.encode(), node.name, (word,), "retype")
                    break


def list_rule_options(
    content: bytes, path: bytes, known: Mapping[tuple[str, str], Mapping[str, str]]
) -> Iterator[Change]:
    """Methods of which the specification has a rule, dropped; and assignments of a state in them,
    which are edges, taken out.
    """
    lines = content.decode("utf-8", "replace").split("\n")
    for node in ast.parse(content).body:
        if not isinstance(node, ast.ClassDef) or len(node.body) < 2:
            continue
        edges = known.get((path.decode(), node.name), {})
        for item in node.body:
            if not isinstance(item, ast.FunctionDef):
                continue
            rule = known.get((path.decode(), f"{node.name}.{item.name}"), {})
            if "when" not in rule:
                continue
            first = min([item.lineno, *(each.lineno for each in item.decorator_list)]) - 1
            text = "\n".join([*lines[:first], *lines[item.end_lineno or item.lineno :]])
            yield Change(path, text.encode(), node.name, (item.name,), "drop a rule")
            for each in ast.walk(item):
                match each:
                    case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=field)]):
                        pass
                    case _:
                        continue
                if any(fact.startswith(f"edge {field}:") for fact in edges):
                    indent = " " * each.col_offset
                    rest = lines[each.end_lineno or each.lineno :]
                    text = "\n".join([*lines[: each.lineno - 1], f"{indent}pass", *rest])
                    yield Change(path, text.encode(), node.name, (field,), "drop an edge")


def refactor(repository: Repository, tree: str, files: SourceFiles, random_: random.Random) -> str:
    """Comments, blank lines, a helper at the end, an unused import: in ten files at once."""
    changes = files.select(repository.trees.changes(EMPTY_TREE, tree), tree)
    chosen = [each for each in changes if each.path.endswith(b".py") and each.new is not None]
    edited: dict[bytes, bytes] = {}
    for each in random_.sample(chosen, min(10, len(chosen))):
        assert each.new is not None
        content = read_object(repository.objects.odb, each.new.oid)
        number = random_.randrange(10**6)
        edited[each.path] = random_.choice([
            b"# Note %d.\n" % number + content,
            content + b"\n\ndef _helper_%d(value):\n    return value\n" % number,
            content.replace(b"\n\n\n", b"\n\n\n# Section %d.\n" % number, 1),
            content.rstrip() + b"\n\n\n_CONSTANT_%d = None\n" % number,
        ])  # fmt: skip
    return edit_tree(repository, tree, edited)


if __name__ == "__main__":
    main()
