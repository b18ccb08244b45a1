"""What a repair says: a WIP commit's subject, and which commits to merge or swap."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.languages.known import language_of
from git_retcon.code.symbols import find_outermost
from git_retcon.git.atoms import Atom
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.repair.closure import closed
from git_retcon.retcon.repair.inventory import Inventory
from git_retcon.run.failure import Failure

_MOST = 2  # names and files that a subject lists before it counts the others


def subject(inventory: Inventory, ids: frozenset[str], diagnostics: Sequence[Diagnostic]) -> str:
    """What taking these atoms does ("add parse_token from src/token.py")."""
    atoms = inventory.atoms(ids)
    asked = [name for diagnostic in diagnostics for name in diagnostic.missing]
    files = _unnamed_files(inventory, ids, asked)
    pieces = [atom for atom in atoms if atom.path not in files]
    labels = _labels(inventory, pieces, asked)
    parts = [listed(map(_shown, files))] if files else []
    if labels:
        paths = dict.fromkeys(atom.path for atom in pieces if _gives(inventory, atom))
        parts.append(f"{listed(labels)} from {listed(map(_shown, paths))}")
    if parts:
        return f"add {' and '.join(parts)}"
    paths = dict.fromkeys(atom.path for atom in atoms)
    ended = [name for name in asked if any(name in inventory.removed(atom).used for atom in atoms)]
    if ended and all(not atom.added or _ends(inventory, atom, ended) for atom in atoms):
        return f"drop {listed(dict.fromkeys(ended))} from {listed(map(_shown, paths))}"
    return f"add changes from {listed(map(_shown, paths))}"


def _labels(inventory: Inventory, atoms: Iterable[Atom], asked: Sequence[str]) -> list[str]:
    """New names, those that were asked for first; a mere import is called one, and comes last."""
    found: dict[str, str] = {}
    for atom in atoms:
        added, removed = inventory.added(atom), inventory.removed(atom)
        for name in _imported(atom, added.imports - removed.imports, added.modules):
            found.setdefault(name, f"{name} import")
        new = _find_outermost(atom) | added.members & frozenset(asked)
        for name in sorted(new - removed.defined - removed.members):
            found[name] = name
    definitions = [name for name, label in found.items() if label == name]
    order = dict.fromkeys((*asked, *definitions, *found))
    return [found[name] for name in order if name in found]


def _imported(atom: Atom, new: frozenset[str], modules: frozenset[str]) -> list[str]:
    """The names that an import is for: of a path of names, the last."""
    text = b"".join(atom.added).decode("utf-8", "replace")
    return sorted(new - modules) or sorted(new, key=text.rfind)[-1:]


def _find_outermost(atom: Atom) -> frozenset[str]:
    """The names that an atom defines at its least indentation."""
    return find_outermost(atom.added, language_of(atom.path))


def _gives(inventory: Inventory, atom: Atom) -> bool:
    return bool(inventory.added(atom).bound | inventory.added(atom).members)


def _ends(inventory: Inventory, atom: Atom, names: Iterable[str]) -> bool:
    gone = inventory.removed(atom).used - inventory.added(atom).used
    return not gone.isdisjoint(names)


def _unnamed_files(inventory: Inventory, ids: frozenset[str], asked: Sequence[str]) -> list[bytes]:
    """New files that come altogether, unless for a name that was asked for."""
    difference = inventory.situation.difference
    chosen: dict[bytes, list[Atom]] = {}
    for atom in inventory.atoms(ids):
        chosen.setdefault(atom.path, []).append(atom)
    whole = Counter(atom.path for atom in difference.atoms)
    return [
        path
        for path, atoms in chosen.items()
        if difference.changes[path].old is None
        and len(atoms) == whole[path]
        and not any(inventory.added(atom).defined.intersection(asked) for atom in atoms)
    ]


def listed(words: Iterable[str]) -> str:
    """ "A", "A and B", "A, B and 2 more"."""
    names = list(words)
    if len(names) > _MOST + 1:
        return f"{', '.join(names[:_MOST])} and {len(names) - _MOST} more"
    if len(names) > 1:
        return f"{', '.join(names[:-1])} and {names[-1]}"
    return "".join(names)


def source_fails(situation: Situation, failure: Failure) -> str:
    """Nothing that is left can help, because the whole of it does not."""
    source = situation.spec.source
    return (
        f"the source's own tree fails this {failure.step} too ({failure.headline}): "
        f"mend it on {source}, or what `{failure.command}` needs outside the repository"
    )


def out_of_trials(inventory: Inventory, failure: Failure, seeds: frozenset[str]) -> str:
    """Nothing small was found; what is entangled, if the plan tells."""
    said = f"the {failure.step} fails ({failure.headline}) and no small set of what is left helps"
    advice = entanglement(inventory, seeds)
    return f"{said}: {advice}" if advice else f"{said}: say in the hints what belongs together"


def taken_though_claimed(situation: Situation, claimed: Mapping[bytes, int]) -> tuple[str, str]:
    """A warning that pieces of these files are a later commit's by its ``files``, and a remedy."""
    here = situation.index + 1
    claimants = sorted({index + 1 for index in claimed.values()})
    whose = " and ".join(f"commit {number}'s files" for number in claimants)
    paths = listed(map(_shown, claimed))
    warning = f"commit {here} takes from {paths}, claimed by {whose}: nothing else mends it"
    numbers = " and ".join(map(str, claimants))
    many = "s" if len(claimants) > 1 else ""
    return warning, (
        f"build commit{many} {numbers} before commit {here}, "
        f"or leave {paths} out of the files of commit{many} {numbers}"
    )


def excluded(inventory: Inventory, failure: Failure, barred: frozenset[str]) -> str:
    """What would help is kept from the commit by its own ``exclude``."""
    situation = inventory.situation
    here = situation.index + 1
    atoms = inventory.atoms(barred)
    paths = listed(dict.fromkeys(_shown(atom.path) for atom in atoms))
    names = listed(dict.fromkeys(name for atom in atoms for name in sorted(_find_outermost(atom))))
    what = f"{names} from {paths}" if names else f"a change of {paths}"
    later = sorted({situation.planned[atom] + 1 for atom in barred if atom in situation.planned})
    later = [number for number in later if number > here]
    planned = f" (planned for commit {later[0]})" if later else ""
    swap = f", or build commit {later[0]} before commit {here}" if later else ""
    return (
        f"the {failure.step} fails ({failure.headline}) and needs {what}{planned}, "
        f"which commit {here} excludes: take {paths} out of its exclude{swap}"
    )


def entanglement(inventory: Inventory, seeds: Iterable[str]) -> str:
    """Which logical commits need one another, and what to do; "" where the plan knows nothing."""
    situation = inventory.situation
    for seed in sorted(seeds):
        here = situation.planned.get(seed, situation.index)
        for other in sorted(closed(inventory, (seed,))):
            there = situation.planned.get(other)
            if there is None or there == here:
                continue
            first, second = sorted((here, there))
            pair = f"{_placed(inventory, seed, here)} and {_placed(inventory, other, there)}"
            if seed in closed(inventory, (other,)):
                return f"{pair} need each other: merge commits {first + 1} and {second + 1}"
            if there > here:
                needs = f"{_placed(inventory, seed, here)} needs {_placed(inventory, other, there)}"
                return f"{needs}: swap commits {here + 1} and {there + 1}, or merge them"
    later = sorted(
        {situation.planned[seed] for seed in seeds if seed in situation.planned}
        - set(range(situation.index + 1))
    )
    if later:
        return f"merge commits {situation.index + 1} and {later[0] + 1}, or move what is shared"
    return ""


def _placed(inventory: Inventory, atom: str, commit: int) -> str:
    piece = inventory.situation.difference[atom]
    name = next(iter(sorted(_find_outermost(piece))), "") or _shown(piece.path)
    return f"{name} (commit {commit + 1})"


def _shown(path: bytes) -> str:
    return path.decode("utf-8", "replace")
