"""A set of atoms with what it needs of the rest, so that the tree is whole."""

import posixpath
import re
from collections.abc import Iterable, Iterator

from git_retcon.code.filenames import find_import_name
from git_retcon.code.languages.known import language_of
from git_retcon.git.atoms import Atom
from git_retcon.retcon.repair.inventory import Inventory, decode_name, find_depth

# Lines at the top of a new file that everything in it needs.
_PREAMBLE = re.compile(
    rb"^(?:package\b|namespace\b|module\b|#!|#ifndef\b|#ifdef\b|#pragma\b|#endif\b|['\"]use |<\?"
    rb"|from __future__|extern \"C\"|#define\s+\w+\s*$)"
)
_HEADERS_PREAMBLE = re.compile(_PREAMBLE.pattern + rb"|^#include\b")


def find_closure(inventory: Inventory, seeds: Iterable[str]) -> frozenset[str]:
    """The seeds and all that is left of what they need, and what that needs, and so on.

    A definition used by what is added is needed; so is the end of the use of what is removed.
    """
    chosen = {atom for atom in seeds if atom in inventory.ids}
    # Sorted, here and below, so that the same failure gets the same answer on every run.
    waiting = sorted(chosen)
    while waiting:
        atom = inventory.situation.difference[waiting.pop()]
        for needed in sorted(_find_needs(inventory, atom, chosen)):
            if needed not in chosen:
                chosen.add(needed)
                waiting.append(needed)
    return frozenset(chosen)


def add_beginnings(inventory: Inventory, atoms: frozenset[str]) -> frozenset[str]:
    """The atoms with the beginnings of the new files that they are in: the head of each, and the
    imports that bring in what they use, or that bind no name at all."""
    used: dict[bytes, set[str]] = {}
    for atom in inventory.atoms(atoms):
        used.setdefault(atom.path, set()).update(inventory.find_added(atom).used)
    found = set(atoms)
    for path in used.keys() & inventory.beginnings.keys():
        beginning = inventory.beginnings[path]
        found.update(atom.id for atom in beginning.head)
        for atom in beginning.imports:
            bound = inventory.find_added(atom).bound
            if not bound or not bound.isdisjoint(used[path]):
                found.add(atom.id)
    return frozenset(found)


def _find_needs(inventory: Inventory, atom: Atom, chosen: set[str]) -> set[str]:
    found: set[str] = set(inventory.frame(atom))
    found |= _find_preamble(inventory, atom.path)
    found.update(_find_imported_files(inventory, atom, chosen))
    added, removed = inventory.find_added(atom), inventory.find_removed(atom)
    for name in added.used - removed.used - added.bound | added.imports - removed.imports:
        found |= _find_definition(inventory, name, atom)
    for name in removed.bound - added.bound:
        found.update(_find_ends_of_use(inventory, name, atom))
    return found


def _find_definition(inventory: Inventory, name: str, user: Atom) -> frozenset[str]:
    """The definition, if one is left, that an atom means by a name; the likeliest file's only."""
    candidates = _find_candidates(inventory, name, user)
    if not candidates:
        return frozenset()
    words = inventory.find_added(user).modules | inventory.file(user.path).modules
    best = min(
        candidates,
        key=lambda each: (decode_name(find_import_name(each.path)) not in words, each.path),
    )
    taken: set[str] = set()
    for each in candidates:
        # A header and its source count as one place.
        if find_import_name(each.path) == find_import_name(best.path):
            taken |= inventory.definition(each, name)
    return frozenset(taken)


def _find_candidates(inventory: Inventory, name: str, user: Atom) -> list[Atom]:
    """Of what defines a name, what an atom can see: in its own file, else what it can reach."""
    visible = [
        definer
        for definer in inventory.definers(name)
        if definer.id != user.id and inventory.is_visible(user.path, definer, name)
    ]
    own = [definer for definer in visible if definer.path == user.path]
    # A name bound in its own file is meant there, also where others define it.
    if own:
        imports = [definer for definer in own if name in inventory.find_added(definer).imports]
        return imports or own
    return [definer for definer in visible if _is_reachable(inventory, definer, name, user)]


def _is_reachable(inventory: Inventory, definer: Atom, name: str, user: Atom) -> bool:
    """Methods of other files are called by names too common to be followed."""
    if name not in inventory.find_added(definer).defined:
        return False
    words = inventory.find_added(user).used
    owner = decode_name(find_import_name(definer.path))
    return find_depth(definer.path, definer.added, name) == 0 or owner in words


def _find_ends_of_use(inventory: Inventory, name: str, remover: Atom) -> Iterator[str]:
    """What must come along when a definition or an import goes."""
    moved = [each for each in inventory.definers(name) if each.path == remover.path]
    if moved:
        for each in moved:
            yield from inventory.definition(each, name)
        return
    if any(each.path == remover.path for each in inventory.heads(name)):
        return  # another definition of the name only changes
    imported = name in inventory.find_removed(remover).imports
    for user in inventory.stoppers(name):
        if user.path == remover.path or (
            not imported
            and find_depth(remover.path, remover.removed, name) == 0
            and inventory.was_visible(user.path, remover, name)
        ):
            yield user.id


def _find_imported_files(inventory: Inventory, atom: Atom, chosen: set[str]) -> Iterator[str]:
    """New files that an added line imports as a whole: headers, modules by their own name."""
    added, removed = inventory.find_added(atom), inventory.find_removed(atom)
    whole = added.imports
    files = language_of(atom.path).files
    if atom.path.endswith(files.header_scoped):
        whole = added.modules
    elif files.declares_files:
        whole = added.defined
    for name in whole - removed.modules - removed.bound:
        for path in inventory.new_files.get(name, ()):
            ids = inventory.of_paths((path,))
            if _can_import(atom.path, path, added.modules) and chosen.isdisjoint(ids):
                yield from ids


def _can_import(importer: bytes, path: bytes, words: frozenset[str]) -> bool:
    """Whether an import in one file could mean another: its language, and the folder it names."""
    folder, here = posixpath.dirname(path), posixpath.dirname(importer)
    if path == importer:
        return False
    if importer.endswith(headers := language_of(importer).files.header_scoped):
        return path.endswith(headers)
    alike = posixpath.splitext(path)[1][:3] == posixpath.splitext(importer)[1][:3]  # .js, .jsx
    return alike and (folder == here or decode_name(posixpath.basename(folder)) in words | {""})


def _find_preamble(inventory: Inventory, path: bytes) -> frozenset[str]:
    """The first lines of a new file, without which no other line of it means anything."""
    if path not in inventory.preambles:
        text = inventory.situation.difference.texts.get(path)
        includes = path.endswith(language_of(path).files.header_scoped)
        pattern = _HEADERS_PREAMBLE if includes else _PREAMBLE
        inventory.preambles[path] = frozenset(
            atom.id
            for atom in inventory.by_path.get(path, ())
            if text is not None and text.is_new and any(map(pattern.match, atom.added))
        )
    return inventory.preambles[path]
