"""The atoms left that could answer a diagnostic, likeliest first."""

from collections.abc import Callable, Iterator, Mapping, Sequence

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Kind
from git_retcon.code.filenames import BUILD_FILES, find_import_name, score_fit, select_likely
from git_retcon.code.languages.known import language_of
from git_retcon.code.languages.language import Language
from git_retcon.code.symbols import find_names
from git_retcon.files.lockfiles import is_lock_file, is_manifest
from git_retcon.git.atoms import Atom
from git_retcon.git.atoms import Kind as AtomKind
from git_retcon.retcon.repair.inventory import Inventory, decode_name, find_depth, find_folder

_KOTLIN = (b".kt", b".kts")

Answer = frozenset[str]
_Source = Callable[[Inventory, Diagnostic], Iterator[Answer]]


def find_answers(inventory: Inventory, diagnostic: Diagnostic) -> tuple[Answer, ...]:
    """Sets of atoms that could answer a diagnostic, likeliest first; none where it names none."""
    found: dict[Answer, None] = {}
    for source in _SOURCES.get(diagnostic.kind, ()):
        for answer in source(inventory, diagnostic):
            if answer:
                found.setdefault(answer)
    return tuple(found)


def _find_definitions(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """What defines or imports each missing name, in the likeliest file."""
    best: set[str] = set()
    for name in diagnostic.missing:
        best |= _find_definition(inventory, diagnostic, name)
    yield frozenset(best)


def _find_candidates(inventory: Inventory, diagnostic: Diagnostic, name: str) -> list[Atom]:
    """The atoms that may define or import a missing name."""
    here = inventory.path(diagnostic.path)
    definers = list(inventory.definers(name))
    # A field or a parameter is no definition, but it is what "has no attribute" lacks.
    if diagnostic.kind is Kind.MEMBER:
        known = {atom.id for atom in definers}
        definers += [atom for atom in inventory.holders(name) if atom.id not in known]
    if diagnostic.kind is Kind.IMPORT:
        # "cannot import name" never means the importing line itself, which binds the name as well.
        definers = [atom for atom in definers if atom.path != here] or definers
    if definers:
        return definers
    # one line of an import or of a list that runs over several lines
    holders = inventory.holders(name)
    at_place = [atom for atom in holders if atom.path == here]
    # a constant of an enumeration: its compiler names the enumeration, Kotlin's does not
    return at_place or [
        atom
        for atom in holders
        if _is_owned(inventory, diagnostic, atom) or atom.path.endswith(_KOTLIN)
    ]


def _find_definition(inventory: Inventory, diagnostic: Diagnostic, name: str) -> Answer:
    """What defines a name in the likeliest file; a header with its source."""
    candidates = _find_candidates(inventory, diagnostic, name)
    if not candidates:
        return frozenset()
    best = min(candidates, key=lambda atom: _rank_definition(inventory, diagnostic, atom, name))
    taken: set[str] = set()
    owner = _is_owned(inventory, diagnostic, best)
    for atom in candidates:
        together = atom.path == best.path and _is_owned(inventory, diagnostic, atom) == owner
        headers = language_of(atom.path).files.header_scoped
        header = atom.path.endswith(headers) and find_import_name(atom.path) == find_import_name(
            best.path
        )
        # A C function's header and source come together: with one alone the linker fails next.
        if together or header:
            taken |= inventory.definition(atom, name)
    return frozenset(taken)


def _rank_definition(
    inventory: Inventory, diagnostic: Diagnostic, atom: Atom, name: str
) -> tuple[int, ...] | tuple[int | bytes, ...]:
    """How likely a definition is meant; least is best. Where its owner is named, that decides;
    then the file of the complaint, what that file can see, and its folder."""
    path = inventory.path(diagnostic.path)
    owner = diagnostic.owner.replace(".", "/").encode()
    named = 0 if owner and score_fit(owner, path, atom.path) else 1
    seen = 0 if path is not None and inventory.is_visible(path, atom, name) else 1
    nested = (
        1 if find_depth(atom.path, atom.added, name) and diagnostic.kind is Kind.UNDEFINED else 0
    )
    folder = 0 if path is not None and find_folder(path) == find_folder(atom.path) else 1
    distance = inventory.distance(atom, path, diagnostic.line)
    owned = 0 if _is_owned(inventory, diagnostic, atom) else 1
    return (named, owned, distance[0], seen, nested, folder, distance[1], atom.path)


def _is_owned(inventory: Inventory, diagnostic: Diagnostic, atom: Atom) -> bool:
    """Whether an atom is in the definition that should have had what is missing."""
    owner = diagnostic.owner.rpartition(".")[2]
    text = inventory.situation.difference.texts.get(atom.path)
    if not owner or text is None or atom.kind is not AtomKind.LINES or not len(atom.new):
        return False
    if owner in atom.scope.split("."):
        return True
    heads = (
        *inventory.nesting(atom.path).find_enclosing(atom.new.start),
        *range(atom.new.start, atom.new.stop),
    )
    language = language_of(atom.path)
    return any(
        owner in find_names((text.new[head],), language).defined
        or owner in _find_receivers(text.new[head], language)
        for head in heads
    )


def _find_receivers(line: bytes, language: Language) -> frozenset[str]:
    """``impl Store {`` and ``func (s *Store) …`` are in Store, though they do not define it."""
    if line.lstrip().startswith((b"impl", b"func (", b"extension ")):
        return find_names((line.partition(b"{")[0],), language).used
    return frozenset()


def _named_files(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """All that is left of the files that were not found."""
    found: set[str] = set()
    importer = inventory.path(diagnostic.path)
    for wanted in _find_wanted(diagnostic):
        paths = select_likely(wanted, inventory.by_path)
        scores = {path: score_fit(wanted, importer, path) for path in paths}
        best = max(scores.values(), default=0)
        # All files with the best score: two that fit equally well cannot be told apart by their
        # names.
        if best:
            found |= inventory.of_paths(path for path, score in scores.items() if score == best)
    yield frozenset(found)


def _find_wanted(diagnostic: Diagnostic) -> Iterator[bytes]:
    yield from diagnostic.wants_file
    if diagnostic.kind is Kind.IMPORT and diagnostic.owner:
        for name in diagnostic.missing:  # from . import module
            separator = "/" if "/" in diagnostic.owner else "."
            yield f"{diagnostic.owner}{separator}{name}".encode()


def _manifest_lines(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """The lines of manifests that name a missing package, with their lock files."""
    # A package is listed by its last parts: github.com/owner/name, @scope/name.
    words = {
        _normalize_name(part)
        for wanted in diagnostic.wants_file
        for part in wanted.split(b"/")[-2:]
    }
    words |= {_normalize_name(wanted.split(b".")[0]) for wanted in diagnostic.wants_file}
    # One letter would be found in every line.
    yield _find_mentions(inventory, {word for word in words if len(word) > 1})


def _build_lines(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """A linker lacks a name whose source is there: the line of the build that lists the source."""
    difference, taken = inventory.situation.difference, inventory.situation.taken
    words: set[bytes] = set()
    for atom in difference.atoms:
        new = atom.id in taken and difference.changes[atom.path].old is None
        if new and not inventory.find_added(atom).defined.isdisjoint(diagnostic.missing):
            words.add(_normalize_name(find_import_name(atom.path)))
    if words:
        yield _find_mentions(inventory, words)


def _find_mentions(inventory: Inventory, words: set[bytes]) -> Answer:
    found: set[str] = set()
    for path, atoms in inventory.by_path.items():
        if not _lists_parts(path):
            continue
        lines = {
            atom.id
            for atom in atoms
            if any(word in _normalize_name(line) for line in atom.added for word in words)
        }
        found |= lines
        if lines:
            # Installers refuse a manifest that its lock file does not match.
            locks = (other for other in inventory.by_path if is_lock_file(other))
            found |= inventory.of_paths(
                other for other in locks if find_folder(other) == find_folder(path)
            )
    return frozenset(found)


def _lists_parts(path: bytes) -> bool:
    """Whether people list packages or sources in a file."""
    return (is_manifest(path) and not is_lock_file(path)) or bool(BUILD_FILES.search(path))


def _ends_of_use(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """Something was removed too early: what stops mentioning it, here first, then everywhere."""
    words = set(diagnostic.missing)
    for wanted in diagnostic.wants_file:
        words.add(decode_name(find_import_name(wanted)))
        words.add(decode_name(wanted.rpartition(b".")[2].rpartition(b"/")[2]))
    stoppers = [atom for word in sorted(words) for atom in inventory.stoppers(word)]
    here = inventory.path(diagnostic.path)
    yield frozenset(atom.id for atom in stoppers if atom.path == here)
    yield frozenset(atom.id for atom in stoppers)


def _find_uses(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """Something unused: the nearest use in its file, else what removes it, else any use."""
    here = inventory.path(diagnostic.path)
    users = [atom for name in diagnostic.missing for atom in inventory.users(name)]
    near = [atom for atom in users if atom.path == here]
    if near:
        # One use is enough to end "unused"; all of the file come next in case it is not.
        nearest = min(near, key=lambda atom: inventory.distance(atom, here, diagnostic.line))
        yield frozenset((nearest.id,))
        yield frozenset(atom.id for atom in near)
    yield from _find_removals(inventory, diagnostic)
    if not near:
        yield frozenset(atom.id for atom in users)


def _find_removals(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """What takes a definition or an import away, nearest file first."""
    here = inventory.path(diagnostic.path)
    removers = [atom for name in diagnostic.missing for atom in inventory.removers(name)]
    yield frozenset(atom.id for atom in removers if atom.path == here)
    yield frozenset(atom.id for atom in removers)


def _find_agreement(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """A definition and its use disagree: one of the two has changed, the other is left."""
    here = inventory.path(diagnostic.path)
    owner = _find_owner(diagnostic)
    heads = inventory.heads(owner)
    named = _find_named(inventory, diagnostic, heads)
    if diagnostic.missing:
        owned = [atom for atom in named if _is_owned(inventory, diagnostic, atom)]
        yield frozenset(atom.id for atom in owned)
    yield frozenset(atom.id for atom in named)
    known = {atom.id for atom in heads}
    words = sorted({owner, *diagnostic.missing} - {""})
    mentioners = [atom for word in words for atom in inventory.mentioners(word)]
    callers = [atom for atom in mentioners if atom.id not in known]
    # Within a line of the place: a call over several lines is complained of at either end.
    at_line = [atom for atom in callers if inventory.distance(atom, here, diagnostic.line) < (0, 2)]
    yield frozenset(atom.id for atom in at_line)
    yield frozenset(atom.id for atom in callers if atom.path == here)
    yield frozenset(atom.id for atom in callers)
    yield from _find_nearby(inventory, diagnostic)


def _find_owner(diagnostic: Diagnostic) -> str:
    """The definition that disagrees; of a constructor in Python, its class."""
    outer, _, owner = diagnostic.owner.rpartition(".")
    return outer.rpartition(".")[2] if owner == "__init__" and outer else owner


def _find_named(inventory: Inventory, diagnostic: Diagnostic, heads: Sequence[Atom]) -> list[Atom]:
    """The owner's definitions, and what adds a parameter or field that is missing."""
    holders = [atom for name in diagnostic.missing for atom in inventory.holders(name)]
    missing = set(diagnostic.missing)
    return [
        atom
        for atom in (*heads, *holders)
        if not missing
        or missing & inventory.find_added(atom).used
        or missing & inventory.find_added(atom).members
    ]


def _find_nearby(inventory: Inventory, diagnostic: Diagnostic) -> Iterator[Answer]:
    """What is left at the very lines, of the same definition, and of the same file."""
    here = inventory.path(diagnostic.path)
    if here is None or here not in inventory.by_path:
        return
    atoms = inventory.by_path[here]
    nearest = min(atoms, key=lambda atom: inventory.distance(atom, here, diagnostic.line))
    yield frozenset((nearest.id,))
    yield frozenset(atom.id for atom in atoms if atom.scope and atom.scope == nearest.scope)
    yield frozenset(atom.id for atom in atoms)


def _normalize_name(text: bytes) -> bytes:
    # Package indexes take either, and manifests are written with either.
    return text.lower().replace(b"_", b"-").strip()


_SOURCES: Mapping[Kind, Sequence[_Source]] = {
    Kind.UNDEFINED: (_find_definitions, _build_lines, _ends_of_use),
    Kind.IMPORT: (_find_definitions, _named_files, _ends_of_use),
    Kind.MEMBER: (_find_definitions, _named_files, _ends_of_use),
    Kind.FILE: (_named_files, _find_definitions, _manifest_lines, _ends_of_use),
    Kind.MISMATCH: (_find_agreement,),
    Kind.UNUSED: (_find_uses,),
    Kind.DUPLICATE: (_find_removals,),
    Kind.SYNTAX: (_find_nearby,),
}
