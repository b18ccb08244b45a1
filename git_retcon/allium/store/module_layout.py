"""Which declaration lies in which module: modules are split and renamed with the source."""

import functools
import posixpath
import re
from collections.abc import Callable, Container, Iterable, Mapping, Sequence, Set
from typing import NamedTuple

from git_retcon.allium.store.module_paths import MASTER, SUFFIX, is_module_path
from git_retcon.allium.store.module_text import (
    DeclarationKey,
    DeclarationText,
    ModuleText,
    cut_module,
    join_module,
    list_cited_paths,
    read_citation,
)
from git_retcon.allium.store.source_map import SourceRoot, move_root, read_root, write_root
from git_retcon.allium.store.spec_store import SpecStore
from git_retcon.allium.store.type_names import TYPES, Uses, list_references, relink_names
from git_retcon.model.token_count import count_tokens
from git_retcon.show.style import show_path

HEAD = b"-- allium: 3\n-- "
_EXTERNAL = "external entity"
# Of several declarations with one name, not what a field's type means.
_YIELDING = frozenset({_EXTERNAL, "contract", "actor", "surface"})


# The module below another one that mirrors a cited file, or None.
_FindPart = Callable[[str], bytes | None]


class Move(NamedTuple):
    """A declaration that goes to another module; ``declaration`` is as it was. ``name`` is what it
    is called there, "" for what it was.
    """

    declaration: DeclarationText
    origin: bytes
    target: bytes
    name: str = ""


def make_head(module: bytes) -> bytes:
    """The first lines of a module: the version, and what it mirrors."""
    return HEAD + b"Mirrors " + module.removesuffix(SUFFIX) + b"."


def split_modules(store: SpecStore, limit: int) -> SpecStore:
    """Split the modules of more than ``limit`` tokens by the files that they cite.

    A module whose declarations cite one file, or none, stays as it is. An external entity goes to
    each part that refers to it.
    """
    for path, content in store.all_modules().items():
        if count_tokens(content) > limit:
            find_part = functools.partial(_find_part, path, root=store.root)
            divided = _divide_external(cut_module(content), find_part)
            moves = _plan_moves(path, cut_module(divided), find_part)
            if len({each.target for each in moves}) > 1:
                # What was split off may be too large itself, by the folders below.
                store = store.set_module_spec(path, divided)
                return split_modules(move_declarations(store, moves), limit)
    return store


def place_nearest(store: SpecStore, modules: Set[bytes]) -> SpecStore:
    """The specification with all that a file declares in a module of ``modules`` which the store
    has not, where that is nearer to the file than the module that has it here.
    """
    added = modules - store.all_modules().keys()
    for path, content in store.all_modules().items() if added else ():
        folder = path.removesuffix(SUFFIX) + b"/"
        below = {each for each in added if each.startswith(folder)}
        if below:
            find_part = functools.partial(_find_nearest, modules=below, root=store.root)
            divided = _divide_external(cut_module(content), find_part)
            moves = _plan_moves(path, cut_module(divided), find_part)
            if moves:
                store = move_declarations(store.set_module_spec(path, divided), moves)
    return store


def _find_nearest(source: str, modules: Container[bytes], root: SourceRoot) -> bytes | None:
    found = (root.find_module(path, modules) for path in list_cited_paths(source))
    return next((each for each in found if each is not None), None)


def _divide_external(text: ModuleText, find_part: _FindPart) -> bytes:
    """The module with an external entity for each of its parts, and the citations of that part.

    Every file names what is external by itself, so its module has to declare it.
    """
    texts: list[bytes] = []
    for each in text.declarations:
        cited: dict[bytes | None, list[bytes]] = {}
        rest: list[bytes] = []
        for line in each.text.split(b"\n"):
            source = read_citation(line[2:].strip().decode("utf-8", "replace"))
            if each.kind == _EXTERNAL and line.startswith(b"--") and source is not None:
                cited.setdefault(find_part(source), []).append(line)
            else:
                rest.append(line)
        texts += [b"\n".join([*own, *rest]) for own in cited.values()] or [each.text]
    return join_module(text.head, texts)


def _plan_moves(path: bytes, text: ModuleText, find_part: _FindPart) -> Sequence[Move]:
    """What goes to the parts of a module: a declaration lies in that of its first source."""
    cited = [each for each in text.declarations if each.sources]
    placed = [(each, find_part(each.sources[0])) for each in cited]
    return [Move(each, path, part) for each, part in placed if part is not None]


def _find_part(module: bytes, source: str, root: SourceRoot) -> bytes | None:
    """The module right below this one that mirrors a cited file, or None."""
    folder = module.removesuffix(SUFFIX) + b"/"
    for each in (each for path in list_cited_paths(source) for each in root.list_modules(path)):
        # One level at a time: a file or folder right below, never a deeper one.
        if each.startswith(folder) and b"/" not in each[len(folder) :]:
            return each
    return None


def follow_root(
    store: SpecStore, renames: Mapping[bytes, bytes], has_folder: Callable[[bytes], bool]
) -> SpecStore:
    """The specification with the source root that it has after files were renamed (new path → old
    path); ``has_folder`` says whether a folder of the source is there still.
    """
    # Of a merge, another side may have moved it: its master says so.
    root = move_root(read_root(store.master_spec()), renames, has_folder)
    if root == store.root or not store.all_modules():
        return store
    return SpecStore(write_root(store.master_spec(), root), store.all_modules(), root)


def rename_modules(store: SpecStore, renames: Mapping[bytes, bytes]) -> SpecStore:
    """Follow files of the source from their old path to their new one.

    A module all of whose cited files moved to the folder of another module that is not there yet
    becomes that module; every declaration cites the new path.
    """
    shown = {show_path(old): (old, new) for old, new in renames.items()}
    moves: list[Move] = []
    for path, content in store.all_modules().items():
        # A search in the bytes is far cheaper than parsing, and most modules cite no renamed file.
        if not any(old.encode() in content for old in shown):
            continue
        text = cut_module(content)
        sources = {source for declaration in text.declarations for source in declaration.sources}
        moved = [shown[source] for source in sorted(sources & shown.keys())]
        if not moved:
            continue
        recited = _cite_renamed(content, moved)
        store = store.set_module_spec(path, recited)
        # A base class of another folder does not say where its heirs go.
        own = [each for each in moved if path in store.root.list_modules(each[0])]
        targets = {find_renamed(path, old, new, store.root) for old, new in own}
        target = targets.pop() if len(targets) == 1 else None
        if sources <= shown.keys() and target is not None and target not in store.all_modules():
            target = store.spell_module(target)
            # ``use`` lines stay behind: they are written again from what the new module needs.
            moves += [
                Move(p, path, target) for p in cut_module(recited).declarations if p.kind != "use"
            ]
    return move_declarations(store, moves)


def find_renamed(module: bytes, old: bytes, new: bytes, root: SourceRoot) -> bytes | None:
    """The module for a file's new path, as far above it as ``module`` is above its old path; None:
    the same, or it is not that of the file.
    """
    before, after = list(root.list_modules(old)), list(root.list_modules(new))
    if module not in before:
        return None
    level = before.index(module)
    found = after[min(level, len(after) - 1)] if after else None
    return found if found != module else None


def _cite_renamed(content: bytes, renames: Iterable[tuple[bytes, bytes]]) -> bytes:
    for old, new in renames:
        cited, now = (f"-- Source: {show_path(each)}, ".encode() for each in (old, new))
        content = content.replace(cited, now)
    return content


def move_declarations(store: SpecStore, moves: Iterable[Move]) -> SpecStore:
    """Put declarations into other modules, and let every reference follow them."""
    listed = list(moves)
    planned = {(move.origin, move.declaration.key): move.target for move in listed}
    if not planned:
        return store
    names = _Names(listed)
    texts = {path: cut_module(text) for path, text in store.all_modules().items()}
    texts[MASTER] = cut_module(store.master_spec())
    find_owner = _index_owners(texts, planned)
    affected = {origin for origin, _ in planned} | set(planned.values())
    # Modules that use an affected one hold references that must follow.
    affected |= {path for path, text in texts.items() if _uses_any(path, text, affected)}
    old = {path: Uses(path, text.declarations) for path, text in texts.items()}
    new = {path: Uses(path, texts[path].declarations if path in texts else ()) for path in affected}
    placed: dict[bytes, list[bytes]] = {path: [] for path in affected}
    for path in sorted(affected & texts.keys()):
        for declaration in texts[path].declarations:
            target = planned.get((path, declaration.key), path)
            if declaration.kind != "use":
                resolve = functools.partial(find_owner, target)
                text = relink_names(
                    declaration.text, path, old[path], new[target], resolve, names.find
                )
                placed[target].append(names.rename(path, declaration, text))
    for path in sorted(affected):
        head = _find_head(path, texts, planned, placed)
        store = _write_module(store, path, head, new[path], placed[path])
    return store


class _Names:
    """What moved declarations are called where they are now."""

    def __init__(self, moves: Iterable[Move]) -> None:
        renamed = [move for move in moves if move.name]
        self._renamed = {(move.origin, move.declaration.key): move.name for move in renamed}
        self._types = {
            (move.origin, move.declaration.name): move.name
            for move in renamed
            if move.declaration.kind in TYPES
        }

    def find(self, module: bytes, name: str) -> str:
        """The name of a type that was read in a module."""
        return self._types.get((module, name), name)

    def rename(self, origin: bytes, declaration: DeclarationText, text: bytes) -> bytes:
        """The text of a declaration with its own name; of a question, with what it is about."""
        if declaration.kind == "open question":
            for (module, (kind, old, _)), new in self._renamed.items():
                asked = b'open question "%b ' % kind.encode()
                if module == origin and asked + old.encode() in text:
                    text = re.sub(
                        re.escape(asked + old.encode()) + rb"\b", asked + new.encode(), text
                    )
            return text
        name = self._renamed.get((origin, declaration.key))
        if name is None:
            return text
        head = rf"(?m)^({re.escape(declaration.kind)} ){re.escape(declaration.name)}\b"
        return re.sub(head.encode(), rb"\g<1>" + name.encode(), text, count=1)


def _find_head(
    path: bytes,
    texts: Mapping[bytes, ModuleText],
    planned: Mapping[tuple[bytes, DeclarationKey], bytes],
    placed: Mapping[bytes, Sequence[bytes]],
) -> bytes:
    """What is at the top of a module. What people wrote at the top of one that is gone is at the
    top of each that has something of it.
    """
    origins = sorted({origin for (origin, _), target in planned.items() if target == path})
    gone = [each for each in origins if each != MASTER and not placed[each]]
    targets = {target for (origin, _), target in planned.items() if origin in gone}
    if path not in texts and origins == gone[:1] and len(targets) == 1:
        old, new = (make_head(each).removeprefix(HEAD) for each in (gone[0], path))
        return texts[gone[0]].head.replace(old, new, 1)
    head = texts[path].head if path in texts else make_head(path)
    for origin in gone:
        known = {*head.split(b"\n"), *make_head(origin).split(b"\n")}
        written = [each for each in texts[origin].head.split(b"\n") if each not in known]
        head = b"\n".join([head, *written])
    return head


def _index_owners(
    texts: Mapping[bytes, ModuleText], planned: Mapping[tuple[bytes, tuple[str, str, int]], bytes]
) -> Callable[[bytes, bytes, str], bytes | None]:
    """Which module a name means after the moves: in ``target``, what was read in another one."""
    declared: dict[tuple[bytes, str], bytes | None] = {}
    shared: set[tuple[bytes, str, bytes]] = set()
    for path, text in texts.items():
        for each in text.declarations:
            target = planned.get((path, each.key), path)
            # A contract may have the name of a type: a field means the type.
            is_first = (path, each.name) not in declared
            if each.kind in TYPES and (is_first or each.kind not in _YIELDING):
                declared[path, each.name] = target if each.kind != _EXTERNAL else None
            # It may be in several modules, and each means its own.
            if each.kind == _EXTERNAL:
                shared.add((path, each.name, target))

    def find_owner(target: bytes, read_in: bytes, name: str) -> bytes | None:
        return target if (read_in, name, target) in shared else declared.get((read_in, name))

    return find_owner


def _uses_any(path: bytes, text: ModuleText, modules: Iterable[bytes]) -> bool:
    folder = posixpath.dirname(path)
    used = {
        posixpath.normpath(posixpath.join(folder, declaration.name.encode()))
        for declaration in text.declarations
        if declaration.kind == "use"
    }
    return not used.isdisjoint(modules)


def _write_module(
    store: SpecStore, path: bytes, head: bytes, uses: Uses, declarations: list[bytes]
) -> SpecStore:
    if not declarations and path != MASTER:
        return store.remove_module_spec(path)
    # The master uses every module on purpose; elsewhere an unused line goes.
    lines = uses.list_lines() if path == MASTER else uses.list_lines(_list_aliases(declarations))
    content = join_module(head, [*lines, *declarations])
    return (
        store.set_master_spec(content) if path == MASTER else store.set_module_spec(path, content)
    )


def _list_aliases(declarations: Iterable[bytes]) -> set[str]:
    return {each.alias for text in declarations for each in list_references(text) if each.alias}


def list_in_master(store: SpecStore) -> SpecStore:
    """Let the master use every module that is there, and no other."""
    text = cut_module(store.master_spec())
    before = Uses(MASTER, text.declarations)
    after = Uses(
        MASTER, [declaration for declaration in text.declarations if _is_there(declaration, store)]
    )
    for path in store.all_modules():
        after.make_alias(path)
    if before.list_lines() == after.list_lines():
        return store
    declarations = [
        declaration.text for declaration in text.declarations if declaration.kind != "use"
    ]
    return store.set_master_spec(join_module(text.head, [*after.list_lines(), *declarations]))


def _is_there(declaration: DeclarationText, store: SpecStore) -> bool:
    """Whether a ``use`` line names a module that is there, or something from elsewhere."""
    if declaration.kind != "use" or not is_module_path(
        posixpath.normpath(declaration.name.encode())
    ):
        return True
    return posixpath.normpath(declaration.name.encode()) in store.all_modules()
