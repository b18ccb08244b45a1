"""How much of what a project declares the offline engine finds, and how much of that is right.

    .venv/bin/python -m tests.bench.extract --python PYTHON CLONE…

The truth is each project's own metadata, read in PYTHON, an interpreter that has the projects'
dependencies (``extract_projects.toml`` says what is imported). CLONE is named as its project.
"""

import argparse
import json
import subprocess
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.extract.joining import Joiner
from git_retcon.allium.extract.service_rules import ServiceRules
from git_retcon.allium.extract.source_facts import (
    Declaration,
    Enumeration,
    Evidence,
    Rule,
    Shape,
    Type,
)
from git_retcon.allium.extract.source_tree import FactsReader, GitTree
from git_retcon.allium.extract.spec_layout import Modules, SpecLayout
from git_retcon.allium.extract.spelling import spell_type_name
from git_retcon.allium.language import check, is_error, parse
from git_retcon.allium.store.source_map import detect_root
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.git.graph import read_commit
from git_retcon.git.repository import open_repository
from git_retcon.git.trees import EMPTY_TREE

HERE = Path(__file__).parent
# What is counted: (kind, path, symbol, field or value, target of a relation).
Item = tuple[str, str, str, str, str]


KINDS = ("entity", "field", "relation", "enum")


class Score(NamedTuple):
    """Of one kind of things: how many there are, how many of them are found; how many are claimed,
    how many of these are nowhere.
    """

    true: int
    found: int
    claimed: int
    wrong: int

    def __str__(self) -> str:
        recall = self.found / self.true if self.true else 1.0
        precision = 1 - self.wrong / self.claimed if self.claimed else 1.0
        return (
            f"recall {recall:.3f} ({self.found}/{self.true}), "
            f"precision {precision:.3f} ({self.claimed - self.wrong}/{self.claimed})"
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("clones", type=Path, nargs="+", metavar="CLONE")
    arguments.add_argument("--python", default="python3", metavar="PYTHON")
    arguments.add_argument("-v", "--verbose", action="store_true", help="list what differs")
    given = arguments.parse_args()
    projects = tomllib.loads((HERE / "extract_projects.toml").read_text())
    totals: dict[tuple[str, str], list[Score]] = {}
    labels = tomllib.loads((HERE / "extract_labels.toml").read_text())
    for clone in given.clones:
        if clone.name in labels:
            compare_labels(clone, labels[clone.name], totals, verbose=given.verbose)
            continue
        project = projects[clone.name]
        declared, errors = extract(clone, project.get("commit", "HEAD"))
        truth = introspect(given.python, clone, project)
        true = {*list_truth(truth)}
        judged = true | {*list_judged(truth)}
        claimed = {each for each in list_claims(declared) if each[1] in truth["files"]}
        half = "held out" if project.get("held-out") else "tuned on"
        for kind in KINDS:
            score = Score(*(count(kind, found) for found in
                            (true, true & claimed, claimed, claimed - judged)))  # fmt: skip
            totals.setdefault((half, kind), []).append(score)
            print(f"{clone.name:20} {half} {kind:9} {score}")
        print(f"{clone.name:20} {errors} errors of the language's checker")
        if given.verbose:
            for each in sorted(true - claimed):
                print("   missed", *each)
            for each in sorted(claimed - judged):
                print("   wrong ", *each)
    for (half, kind), scores in sorted(totals.items()):
        print(f"all, {half} {kind:9} {Score(*map(sum, zip(*scores, strict=True)))}")


def compare_labels(
    clone: Path, project: Mapping[str, Any], totals: dict[tuple[str, str], list[Score]], *,
    verbose: bool,
) -> None:  # fmt: skip
    """States, transitions and rules against what people read. What is ``also`` a rule, by a wider
    meaning of the word, is neither missed nor wrong, nor is one that a file has that they did not
    read, nor a transition that they are not sure of. Where they read "only" some machines of the
    files, others are left aside.
    A constant that is "stored" as another text is spelled as that.
    """
    declared, errors = extract(clone, project["commit"], project["files"])
    true: set[Item] = {("rule", "", drop_marks(each), "", "") for each in project["rules"]}
    wider: set[Item] = {("rule", "", drop_marks(each), "", "") for each in project.get("also", ())}
    for machine in project.get("machine", ()):
        path, _, place = drop_marks(machine["place"]).partition("::")
        stored = machine.get("stored", {})
        true |= {("state", path, place, stored.get(each, each), "") for each in machine["states"]}
        edges = (each.split(" -> ") for each in machine["edges"])
        spelled = (" -> ".join(stored.get(state, state) for state in each) for each in edges)
        true |= {("edge", path, place, each, "") for each in spelled}
        wider |= {("edge", path, place, each, "") for each in list_open_edges(machine)}
    labelled = {drop_marks(machine["place"]) for machine in project.get("machine", ())}
    wider |= {*list_lent(declared, project["files"])}
    claimed = {*list_behaviour(declared, project["files"], labelled)} - (wider - true)
    if project.get("only"):
        claimed = {
            each for each in claimed if each[0] == "rule" or "::".join(each[1:3]) in labelled
        }
    half = "held out" if project.get("held-out") else "tuned on"
    for kind in ("state", "edge", "rule"):
        score = Score(*(count(kind, found) for found in
                        (true, true & claimed, claimed, claimed - true)))  # fmt: skip
        totals.setdefault((half, kind), []).append(score)
        print(f"{clone.name:20} {half} {kind:9} {score}")
    print(f"{clone.name:20} {errors} errors of the language's checker")
    if verbose:
        for each in sorted(true - claimed):
            print("   missed", *each)
        for each in sorted(claimed - true):
            print("   wrong ", *each)


def list_open_edges(machine: Mapping[str, Any]) -> Iterator[str]:
    """The edges of which readers are not sure, and those from a state that nothing in its class
    enters or leaves: somebody else may set it, and what happens then readers tell differently.
    """
    stored = machine.get("stored", {})
    states = {each: stored.get(each, each) for each in machine["states"]}
    for each in machine.get("unsure", ()):
        yield " -> ".join(states.get(state, state) for state in each.split(" -> "))
    known = {state for each in machine["edges"] for state in each.split(" -> ")}
    for each in states.keys() - known:
        yield from (f"{states[each]} -> {other}" for other in states.values())


def drop_marks(name: str) -> str:
    """A name as the specification has it: ``Tx.#status`` is ``Tx.status``."""
    return name.replace(".#", ".")


def list_behaviour(
    declared: list[Declaration], files: list[str], labelled: Collection[str] = ()
) -> Iterator[Item]:
    """What is claimed of entities that move, in these files. What a class moves that it inherits
    from one that is labelled is judged there, as its rules are: the field is one.
    """
    listed_enums = [each for each in declared if isinstance(each, Enumeration)]
    enums = {each.name: each.values for each in listed_enums}
    # Several may have one name; that of the same file is meant.
    near = {(each.name, each.evidence[0].path): each.values for each in listed_enums}
    listed = (each for each in declared if isinstance(each, Rule))
    owners = {place.rpartition(".")[0] for place in labelled}
    judged = ((each, find_judged(each, owners)) for each in listed)
    rules = {each: place for each, place in judged if place.path.decode() in files}
    for cited in rules.values():
        yield "rule", "", cited.symbol, "", ""
    for shape in (each for each in declared if isinstance(each, Shape)):
        is_near = shape.evidence[0].path.decode() in files
        for field in shape.fields:
            places = [place_field(each, field.symbol) for each in shape.evidence]
            # A field of an object that the class keeps is called as its own here.
            named = place_field(shape.evidence[0], field.name)
            place = named if named in labelled else places[0]
            inherited = [each for each in places[1:] if each in labelled]
            if not is_near and not inherited:
                continue
            if place not in labelled and inherited:
                place = inherited[0]
            path, _, place = place.partition("::")
            edges = {
                edge for graph in shape.graphs if graph.field == field.name for edge in graph.edges
            }
            kind = field.type.name
            values = field.type.values or near.get((kind, shape.evidence[0].path)) or (
                enums.get(kind, ())
            )  # fmt: skip
            if not edges:
                # Where not all states are covered, the rules alone say what moves.
                moved = (r for r in rules if r.field == field.name and is_about(r, shape))
                edges = {edge for rule in moved for edge in rule.edges}
            if edges:
                for value in values:
                    yield "state", path, place, value, ""
                for edge in edges:
                    for source in values if edge.source == "*" else (edge.source,):
                        if source != edge.target:
                            yield "edge", path, place, f"{source} -> {edge.target}", ""


def find_judged(rule: Rule, owners: Collection[str]) -> Evidence:
    """Where a rule is judged: at the labelled class that an heir has it from, else at its own."""
    own = rule.evidence[0]
    for each in rule.evidence:
        place = f"{each.path.decode()}::{each.symbol.rpartition('.')[0]}"
        if _name_method(each) == _name_method(own) and place in owners:
            return each
    return own


def _name_method(place: Evidence) -> str:
    return place.symbol.rpartition(".")[2]


def list_lent(declared: list[Declaration], files: list[str]) -> Iterator[Item]:
    """The rules that a class has from another one whose file nobody labelled."""
    for each in declared:
        if isinstance(each, Rule) and len(each.evidence) > 1:
            own, base = each.evidence[:2]
            if _name_method(own) == _name_method(base) and base.path.decode() not in files:
                yield "rule", "", own.symbol, "", ""


def place_field(place: Evidence, symbol: str) -> str:
    """Where a field of a class is, as labels say it."""
    return f"{place.path.decode()}::{place.symbol}.{symbol}"


def is_about(rule: Rule, shape: Shape) -> bool:
    """Whether a rule moves an entity, which may have a longer name in the specification."""
    place = shape.evidence[0]
    is_own = rule.evidence[0].path == place.path and rule.entity == spell_type_name(place.symbol)
    return is_own or place in rule.evidence


def count(kind: str, items: Iterable[Item]) -> int:
    return sum(each[0] == kind for each in items)


def extract(
    clone: Path, commit: str, operating: Sequence[str] = ()
) -> tuple[list[Declaration], int]:
    """All that the offline engine declares of a commit, and the checker's errors in it. Of other
    classes only the ``operating`` files move an entity's states.
    """
    repository = open_repository(clone)
    tree = read_commit(repository, repository.git.line("rev-parse", f"{commit}^{{commit}}")).tree
    files = SourceFiles(repository, ()).select(repository.trees.changes(EMPTY_TREE, tree), tree)
    root = detect_root(path for path, _ in repository.trees.files(tree))
    source = GitTree(repository, FactsReader(repository), tree)
    paths = [change.path for change in files]
    layout = SpecLayout(SpecStore(root=root), Modules(), lambda *_: True, {*paths}.__contains__)
    joiner = Joiner(source, layout, ServiceRules(source, [each.encode() for each in operating]))
    declared = [each for path in paths for each in joiner.join(path)]
    return declared, count_errors(clone, tree, root)


def count_errors(clone: Path, tree: str, root: Any) -> int:
    from git_retcon.allium.engine import Step
    from git_retcon.allium.engines.offline import OfflineEngine

    repository = open_repository(clone)
    commit = read_commit(repository, repository.git.line("rev-parse", "HEAD"))
    changes = SourceFiles(repository, ()).select(repository.trees.changes(EMPTY_TREE, tree), tree)
    step = Step(commit, 0, SpecStore(root=root), EMPTY_TREE, tree, changes, {})
    update = OfflineEngine(repository).update(step)
    documents = [parse(text, path) for path, text in update.modules.items() if text is not None]
    return sum(map(is_error, check(documents)))


def introspect(python: str, clone: Path, project: Mapping[str, Any]) -> Any:
    command = [
        python,
        "-P",
        str(HERE / "introspect.py"),
        str(clone.resolve()),
        project["framework"],
    ]
    command += [project.get("root", "."), *project["names"]]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=clone)
    if done.returncode:
        raise SystemExit(f"{clone.name}: {done.stderr[-2000:]}")
    return json.loads(done.stdout[done.stdout.index('{"files"') :])


def list_truth(truth: Mapping[str, Any]) -> Iterator[Item]:
    """What the frameworks' metadata says."""
    for place, cls in truth["classes"].items():
        if cls["kind"]:
            path, _, symbol = place.partition("::")
            yield "entity", path, symbol, "", ""
            for name, target in cls["fields"].items():
                yield "field", path, symbol, name, ""
                if target:
                    yield "relation", path, symbol, name, target
    for place, values in truth["enums"].items():
        path, _, symbol = place.partition("::")
        for value in values:
            yield "enum", path, symbol, value, ""


def list_judged(truth: Mapping[str, Any]) -> Iterator[Item]:
    """What else may be claimed: classes that no framework knows, with their annotations."""
    for place, cls in truth["classes"].items():
        path, _, symbol = place.partition("::")
        yield "entity", path, symbol, "", ""
        for name in cls["fields"]:
            yield "field", path, symbol, name, ""


def list_claims(declared: list[Declaration]) -> Iterator[Item]:
    for each in declared:
        path = each.evidence[0].path.decode()
        symbol = each.evidence[0].symbol
        if isinstance(each, Enumeration):
            for value in each.values:
                yield "enum", path, symbol, value, ""
        elif isinstance(each, Shape) and each.kind != "external entity":
            yield "entity", path, symbol, "", ""
            for field in each.fields:
                yield "field", path, symbol, field.symbol, ""
                target = find_target(field.type)
                if target is not None and target.is_relation:
                    yield "relation", path, symbol, field.symbol, target.name


def find_target(kind: Type) -> Type | None:
    if kind.arguments:
        return find_target(kind.arguments[0])
    return kind if kind.name and kind.name != "Any" else None


if __name__ == "__main__":
    main()
