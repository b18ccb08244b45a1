"""What the text itself says of the order: which atoms need which, by their code alone."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from git_retcon.files.lockfiles import manifests_of
from git_retcon.git.atoms import FileText
from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.planner.balance import pair_unbalanced
from git_retcon.retcon.planner.definition_order import (
    bind_moves,
    bind_parts,
    order_parameters,
    order_uses,
    order_variables,
)
from git_retcon.retcon.planner.facts import Facts, Pair
from git_retcon.retcon.planner.file_heads import find_file_heads
from git_retcon.retcon.planner.import_order import bind_imports, order_new_files
from git_retcon.retcon.planner.vocabulary import Vocabulary


@dataclass(frozen=True)
class Constraints:
    """What binds atoms to one another, by their position in the difference.

    ``order`` holds pairs (a, b): a comes no later than b. The pairs of ``together`` stay in one
    commit unless the source's commits say otherwise; those of ``inseparable`` always do.
    ``with_first`` maps an atom to others: it goes with the earliest of them (an import line, the
    head of a new file). ``with_last`` likewise with the latest (a removed import). ``manifests``
    maps a lock file's atom to its manifest's: it goes with one of them.
    """

    order: Sequence[Pair] = ()
    together: Sequence[Pair] = ()
    inseparable: Sequence[Pair] = ()
    with_first: Mapping[int, Sequence[int]] = field(default_factory=dict)
    with_last: Mapping[int, Sequence[int]] = field(default_factory=dict)
    manifests: Mapping[int, Sequence[int]] = field(default_factory=dict)


def read_constraints(
    facts: Sequence[Facts], texts: Mapping[bytes, FileText], words: Vocabulary
) -> Constraints:
    """Read every constraint; linear in the text of the changed files."""
    parts, moves, imports = bind_parts(facts), bind_moves(facts), bind_imports(facts, words)
    heads = dict(find_file_heads(facts, texts))
    return Constraints(
        order=[
            *order_uses(facts, words),
            *order_new_files(facts, texts),
            *parts.order,
            *moves.order,
            *imports.order,
            *((head, other) for head, others in heads.items() for other in others),
            *order_variables(facts, words),
            *order_parameters(facts, words),
        ],
        together=[*parts.together, *moves.together],
        inseparable=[*pair_unbalanced(facts, texts), *imports.inseparable],
        # A file's head and an import line never are the same atom: a head brings no name in.
        with_first=imports.first_uses | heads,
        with_last=imports.last_uses,
        manifests=_find_manifests(facts),
    )


def _find_manifests(facts: Sequence[Facts]) -> dict[int, list[int]]:
    """The atoms of each lock file, with those of the manifest in the same folder."""
    by_path: dict[bytes, list[int]] = {}
    for at, one in enumerate(facts):
        by_path.setdefault(one.atom.path, []).append(at)
    found: dict[int, list[int]] = {}
    for path, atoms in by_path.items():
        for manifest in manifests_of(path):
            beside = by_path.get(manifest)
            if beside:
                found.update(dict.fromkeys(atoms, beside))
    return found
