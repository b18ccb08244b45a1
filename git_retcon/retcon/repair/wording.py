"""The words of a repair: a WIP commit's subject, and which commits to merge or swap."""

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.code.languages.known import language_of
from git_retcon.code.symbols import find_outermost
from git_retcon.git.atoms import Atom
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.repair.claims import find_pinned
from git_retcon.retcon.repair.closure import find_closure
from git_retcon.retcon.repair.inventory import Inventory, decode_name
from git_retcon.run.failure import Failure
from git_retcon.show.counting import all_of, inflect, some_of

_MOST = 2  # names and files that a subject lists before it counts the others


def write_subject(
    inventory: Inventory, ids: frozenset[str], diagnostics: Sequence[Diagnostic]
) -> str:
    """What taking these atoms does ("add parse_token from src/token.py")."""
    atoms = inventory.atoms(ids)
    asked = [name for diagnostic in diagnostics for name in diagnostic.missing]
    files = _find_unnamed_files(inventory, ids, asked)
    others = [atom for atom in atoms if atom.path not in files]
    labels = _label_names(inventory, others, asked)
    parts = [list_words(map(decode_name, files))] if files else []
    if labels:
        paths = dict.fromkeys(atom.path for atom in others if _gives_names(inventory, atom))
        parts.append(f"{list_words(labels)} from {list_words(map(decode_name, paths))}")
    if parts:
        return f"add {all_of(parts)}"
    ended = _find_ended_uses(inventory, atoms, asked)
    what = f"drop {list_words(ended)}" if ended else "add changes"
    return f"{what} from {list_words(map(decode_name, dict.fromkeys(atom.path for atom in atoms)))}"


def _find_ended_uses(
    inventory: Inventory, atoms: Sequence[Atom], asked: Sequence[str]
) -> Sequence[str]:
    """The names that were asked for, where all that the atoms do is to stop using them."""
    ended = [
        name for name in asked if any(name in inventory.find_removed(atom).used for atom in atoms)
    ]
    if all(not atom.added or _ends_use(inventory, atom, ended) for atom in atoms):
        return list(dict.fromkeys(ended))
    return ()


def _label_names(inventory: Inventory, atoms: Iterable[Atom], asked: Sequence[str]) -> list[str]:
    """New names, those that were asked for first; a mere import comes last, and is called that."""
    found: dict[str, str] = {}
    for atom in atoms:
        added, removed = inventory.find_added(atom), inventory.find_removed(atom)
        # setdefault: a definition of the same name, below, replaces the import's label.
        for name in _name_imports(atom, added.imports - removed.imports, added.modules):
            found.setdefault(name, f"{name} import")
        new = _find_outermost(atom) | added.members & frozenset(asked)
        for name in sorted(new - removed.defined - removed.members):
            found[name] = name
    definitions = [name for name, label in found.items() if label == name]
    order = dict.fromkeys((*asked, *definitions, *found))
    return [found[name] for name in order if name in found]


def _name_imports(atom: Atom, new: frozenset[str], modules: frozenset[str]) -> list[str]:
    """The names that an import is for: of a path of names, the last."""
    text = b"".join(atom.added).decode("utf-8", "replace")
    # ``import a.b.c`` is written for c; a and b only lead there.
    return sorted(new - modules) or sorted(new, key=text.rfind)[-1:]


def _find_outermost(atom: Atom) -> frozenset[str]:
    """The names that an atom defines at its least indentation."""
    return find_outermost(atom.added, language_of(atom.path))


def _gives_names(inventory: Inventory, atom: Atom) -> bool:
    return bool(inventory.find_added(atom).bound | inventory.find_added(atom).members)


def _ends_use(inventory: Inventory, atom: Atom, names: Iterable[str]) -> bool:
    gone = inventory.find_removed(atom).used - inventory.find_added(atom).used
    return not gone.isdisjoint(names)


def _find_unnamed_files(
    inventory: Inventory, ids: frozenset[str], asked: Sequence[str]
) -> list[bytes]:
    """New files of which every hunk is taken, unless for a name that was asked for."""
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
        and not any(inventory.find_added(atom).defined.intersection(asked) for atom in atoms)
    ]


def list_words(words: Iterable[str]) -> str:
    """ "A", "A and B", "A, B and 2 more"."""
    return some_of(words, _MOST)


def blame_source(situation: Situation, failure: Failure) -> str:
    """Nothing that is left can help: all of it together does not."""
    source = situation.spec.source
    return (
        f"the source's own tree fails this {failure.step} too ({failure.headline}): "
        f"fix it on {source}, or what `{failure.command}` needs outside the repository"
    )


def report_no_repair(inventory: Inventory, failure: Failure, seeds: frozenset[str]) -> str:
    """Nothing small was found; with what is entangled, where the plan knows."""
    said = f"the {failure.step} fails ({failure.headline}) and no small set of what is left helps"
    advice = advise(inventory, seeds)
    return f"{said}: {advice}" if advice else f"{said}: say in the hints what belongs together"


def warn_of_claims(situation: Situation, claimed: Mapping[bytes, int]) -> tuple[str, str]:
    """A warning that hunks of these files are a later commit's by its ``files``, and a remedy."""
    here = situation.index + 1
    claimants = sorted({index + 1 for index in claimed.values()})
    whose = all_of(f"commit {number}'s files" for number in claimants)
    paths = list_words(map(decode_name, claimed))
    warning = f"commit {here} takes from {paths}, claimed by {whose}: nothing else fixes it"
    theirs = f"{inflect(len(claimants), 'commit')} {all_of(map(str, claimants))}"
    return warning, (
        f"build {theirs} before commit {here}, or leave {paths} out of the files of {theirs}"
    )


def report_excluded(inventory: Inventory, failure: Failure, barred: frozenset[str]) -> str:
    """What would help is kept from the commit by a pin, or by its own ``exclude``."""
    situation = inventory.situation
    here = situation.index + 1
    atoms = inventory.atoms(barred)
    paths = list_words(dict.fromkeys(decode_name(atom.path) for atom in atoms))
    names = list_words(
        dict.fromkeys(name for atom in atoms for name in sorted(_find_outermost(atom)))
    )
    what = f"{names} from {paths}" if names else f"a change of {paths}"
    later = sorted({situation.planned[atom] + 1 for atom in barred if atom in situation.planned})
    later = [number for number in later if number > here]
    planned = f" (planned for commit {later[0]})" if later else ""
    swap = f", or build commit {later[0]} before commit {here}" if later else ""
    needs = f"the {failure.step} fails ({failure.headline}) and needs {what}"
    pins = find_pinned(situation)
    pinned = [atom.id for atom in atoms if atom.id in pins]
    if pinned:
        where = sorted({pins[atom] + 1 for atom in pinned})
        return (
            f"{needs}, pinned to {inflect(len(where), 'commit')} {all_of(map(str, where))}: "
            f"pin {list_words(pinned)} to commit {here}, or to none{swap}"
        )
    return f"{needs}{planned}, which commit {here} excludes: take {paths} out of its exclude{swap}"


def advise(inventory: Inventory, seeds: Iterable[str]) -> str:
    """Which logical commits need one another, and what to do; "" where the plan knows nothing."""
    situation = inventory.situation
    # seeds that need each other ask for the same closures
    closure = functools.cache(lambda atom: find_closure(inventory, (atom,)))
    for seed in sorted(seeds):
        here = situation.planned.get(seed, situation.index)
        for other in sorted(closure(seed)):
            there = situation.planned.get(other)
            if there is None or there == here:
                continue
            first, second = sorted((here, there))
            pair = (
                f"{_name_place(inventory, seed, here)} and {_name_place(inventory, other, there)}"
            )
            # No order of the two can build, so swapping them would not help.
            if seed in closure(other):
                return f"{pair} need each other: merge commits {first + 1} and {second + 1}"
            if there > here:
                user = _name_place(inventory, seed, here)
                needed = _name_place(inventory, other, there)
                return (
                    f"{user} needs {needed}: swap commits {here + 1} and {there + 1}, or merge them"
                )
    later = sorted(
        {situation.planned[seed] for seed in seeds if seed in situation.planned}
        - set(range(situation.index + 1))
    )
    if later:
        return f"merge commits {situation.index + 1} and {later[0] + 1}, or move what is shared"
    return ""


def _name_place(inventory: Inventory, atom: str, commit: int) -> str:
    found = inventory.situation.difference[atom]
    name = next(iter(sorted(_find_outermost(found))), "") or decode_name(found.path)
    return f"{name} (commit {commit + 1})"
