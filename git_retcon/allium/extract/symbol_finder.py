"""Which declaration a name of a source file means, in any file."""

import posixpath
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from git_retcon.allium.extract.constant_groups import find_group, is_group
from git_retcon.allium.extract.source_facts import (
    DEFAULT,
    Contract,
    Enumeration,
    Evidence,
    FileFacts,
    Import,
    Shape,
    Type,
)
from git_retcon.allium.extract.traced_tree import CUT, Questions, SourceTree, Trace, TracedTree
from git_retcon.code.file_classes import FileClass, file_classes

DEEPEST = 8  # names for names, bases of bases
# Before the name of a class that no import leads to: the only one of this name around the file.
AROUND = "__around__"
# Before the name of what may be an enum that no file of the tree has.
OUTSIDE = "__outside__."
# Before the name of an enum that is nowhere declared.
MADE = "__made__."
_FARTHEST = 3  # folders above a file
_TOO_FAR: tuple[int, Questions] = DEEPEST + 1, {CUT: None}


class Found(NamedTuple):
    """What a name means, and the file that says it."""

    path: bytes
    meaning: Shape | Enumeration | Contract | Type


class SymbolFinder:
    """Finds names in one source tree. Only files that a name leads to are read."""

    def __init__(self, tree: SourceTree) -> None:
        self.tree = self._tree = TracedTree(tree)
        self._symbols: dict[bytes, Mapping[str, Shape | Enumeration | Contract]] = {}
        self._found: dict[tuple[bytes, str, int], tuple[Found, Trace]] = {}
        self._absent: dict[tuple[bytes, str], tuple[int, Questions]] = {}
        self._stars: dict[bytes, Sequence[bytes]] = {}

    def find_symbol(self, path: bytes, dotted: str, depth: int = 0) -> Found | None:
        """What a dotted name means in a file."""
        # Packages that import all of each other are asked for one name along every way.
        nowhere, asked = self._absent.get((path, dotted), _TOO_FAR)
        if depth >= nowhere:
            self.tree.note(asked)
            return None
        # Nearer to where a search ends, it may find something else.
        known = self._found.get((path, dotted, depth))
        if known is not None:
            self.tree.note(*known[1])
            return known[0]
        outer = self.tree.begin(depth)
        found = self._search_file(path, dotted, depth)
        # What is nowhere is nowhere from farther away, too.
        trace = self.tree.end(outer, is_found=found is not None)
        if found is None:
            self._absent[path, dotted] = depth, trace.asked
        else:
            self._found[path, dotted, depth] = found, trace
        return found

    def read(self, place: Evidence) -> FileFacts | None:
        """The file of something."""
        return self._tree.read(self._tree.locate(place))

    def _search_file(self, path: bytes, dotted: str, depth: int) -> Found | None:
        if is_group(dotted):
            whole = self.open_group(path, dotted)
            if whole != dotted:
                return self.find_symbol(path, whole, depth + 1)
            group = find_group(self._tree.read, path, dotted)
            values = tuple(each.name for each in group)
            return Found(path, Type("", values=values)) if values else None
        facts = self._tree.read(path)
        if facts is None:
            return None
        symbols = self.list_symbols(facts)
        if dotted in symbols:
            return Found(path, symbols[dotted])
        alias = facts.aliases.get(dotted)
        head, _, inner = dotted.partition(".")
        if head == DEFAULT and head in facts.aliases and not facts.aliases[head].values:
            unnamed = facts.aliases[head].source
            return self.find_symbol(path, f"{unnamed}.{inner}".rstrip("."), depth + 1)
        if alias is not None:
            return Found(path, alias) if alias.source != dotted else None
        first, _, rest = dotted.partition(".")
        imported = facts.imports.get(first)
        if imported is not None:
            found = self._follow_import(path, imported, rest, depth + 1)
            if found is not None:
                # A class of constants says less of a field that has them than what these are.
                is_class = isinstance(found.meaning, Shape) and MADE + dotted in facts.aliases
                return Found(path, facts.aliases[MADE + dotted]) if is_class else found
        found = self._find_among_stars(path, facts, dotted, depth)
        found = found or self._find_inherited(path, dotted, depth)
        return found or self._find_named(facts, dotted)

    def _find_named(self, facts: FileFacts, dotted: str) -> Found | None:
        """What may be an enum, by the members that a file names."""
        made = facts.aliases.get(MADE + dotted)
        outside = facts.aliases.get(OUTSIDE + dotted)
        imported = facts.imports.get(dotted.partition(".")[0])
        if made is None and outside is not None and imported is not None:
            is_known = any(self._tree.read(each) is not None for each in imported.targets)
            made = outside if not is_known else None
        return Found(facts.path, made) if made is not None else None

    def _find_inherited(self, path: bytes, dotted: str, depth: int) -> Found | None:
        """What a base class has inside it, by the name of an heir: ``Heir.Status``."""
        owner, _, name = dotted.rpartition(".")
        heir = self.find_symbol(path, owner, depth + 1) if owner else None
        if heir is None or not isinstance(heir.meaning, Shape):
            return None
        inner = (self.find_symbol(heir.path, f"{e}.{name}", depth + 1) for e in heir.meaning.bases)
        return next(filter(None, inner), None)

    def open_group(self, path: bytes, dotted: str) -> str:
        """The one type that has all constants of a group, or the group itself."""
        owners = {each.rpartition(".")[0] for each in dotted.split("|")}
        owner = min(owners) if is_group(dotted) and len(owners) == 1 else ""
        found = self.find_symbol(path, owner) if owner else None
        return owner if found is not None and not isinstance(found.meaning, Shape) else dotted

    def _follow_import(self, path: bytes, imported: Import, rest: str, depth: int) -> Found | None:
        full = ".".join(filter(None, (imported.symbol, rest)))
        modules: Sequence[bytes] | None = None
        for target in imported.targets:
            if _is_folder(target):
                found = self._find_in_folder(path, target, full)
            elif target == path or self._tree.read(target) is None:
                continue
            else:
                found = self.find_symbol(target, full, depth) if full else None
                if found is None and rest and imported.symbol:
                    # What the imported module has not is not looked for in the package around it.
                    modules = self._find_modules(imported) if modules is None else modules
                    may_be_module = not modules or target in modules
                    found = self.find_symbol(target, rest, depth) if may_be_module else None
            if found is not None:
                return found
        return None

    def _find_modules(self, imported: Import) -> Sequence[bytes]:
        """The targets that are a module of the imported name."""
        return [
            target
            for target in imported.targets
            if imported.symbol
            and _is_module(target, imported.symbol)
            and self._tree.read(target) is not None
        ]

    def _find_among_stars(
        self, path: bytes, facts: FileFacts, dotted: str, depth: int
    ) -> Found | None:
        stars = self._stars.get(path)
        if stars is None:
            imports = facts.imports.items()
            stars = [e for name, star in imports if name.startswith("*") for e in star.targets]
            self._stars[path] = stars
        for target in stars:
            if _is_folder(target):
                found = self._find_in_folder(path, target, dotted)
            else:
                found = self.find_symbol(target, dotted, depth + 1) if target != path else None
            if found is not None:
                return found
        return None

    def _find_in_folder(self, path: bytes, target: bytes, dotted: str) -> Found | None:
        """What a name means in the files of a folder that ``dir/*.go`` means.

        What these files import is their own.
        """
        folder, _, name = target.rpartition(b"/")
        for each in self._tree.list_folder(folder):
            if each == path or not each.endswith(name[1:]) or FileClass.TEST in file_classes(each):
                continue
            facts = self._tree.read(each)
            symbols = self.list_symbols(facts) if facts is not None else {}
            if dotted in symbols:
                return Found(each, symbols[dotted])
            if facts is not None and dotted in facts.aliases:
                return Found(each, facts.aliases[dotted])
        return None

    def find_around(self, path: bytes, dotted: str) -> Found | None:
        """The only class of a name in the nearest folder around a file that has one, or in the
        models below that.
        """
        owner, _, name = dotted.partition(".")
        folder = posixpath.dirname(path)
        for _ in range(_FARTHEST if owner == AROUND else 0):
            for each in (folder, posixpath.join(folder, b"models")):
                found = self._search_folder(each, name)
                if found is not None:
                    return found
            folder = posixpath.dirname(folder)
        return None

    def find_part(self, path: bytes, dotted: str, depth: int = 0) -> Found | None:
        """What an object has, by the name of its class and of the attribute: ``Client.manager``."""
        owner, _, part = dotted.rpartition(".")
        if not owner or part[:1].isupper() or depth > DEEPEST:
            return None
        holder = self.find_symbol(path, owner) or self.find_part(path, owner, depth + 1)
        facts = self._tree.read(holder.path) if holder is not None else None
        if holder is None or facts is None or not isinstance(holder.meaning, Shape):
            return None
        shape = holder.meaning
        fields = (each.type.source for each in shape.fields if each.symbol == part)
        kind = facts.parts.get(shape.evidence[0].symbol, {}).get(part) or next(fields, "")
        if kind:
            return self.find_symbol(holder.path, kind)
        inherited = (self.find_part(holder.path, f"{e}.{part}", depth + 1) for e in shape.bases)
        return next(filter(None, inherited), None)

    def find_by_name(self, path: bytes, dotted: str) -> Found | None:
        """A class that a relation names as text: ``"User"``, or Django's ``"auth.User"``."""
        application, _, name = dotted.rpartition(".")
        folder = posixpath.dirname(path)
        folders = [folder]
        if application:
            label = application.rpartition(".")[2].encode("utf-8", "surrogateescape")
            above = folder
            folders = []
            while above:
                # An application lies beside this one, or is this one.
                parent = posixpath.dirname(above)
                folders += [above] if posixpath.basename(above) == label else []
                folders += [posixpath.join(parent, label)]
                above = parent
            folders += [posixpath.join(each, b"models") for each in folders]
        for each in dict.fromkeys(folders):
            found = self._search_folder(each, name)
            if found is not None:
                return found
        return None

    def _search_folder(self, folder: bytes, name: str) -> Found | None:
        found = None
        for path in self._tree.list_folder(folder):
            facts = self._tree.read(path)
            meaning = self.list_symbols(facts).get(name) if facts is not None else None
            if isinstance(meaning, Shape):
                if found is not None:
                    return None  # two classes of one name: nothing says which is meant
                found = Found(path, meaning)
        return found

    def list_symbols(self, facts: FileFacts) -> Mapping[str, Shape | Enumeration | Contract]:
        known = self._symbols.get(facts.path)
        if known is None:
            known = self._symbols[facts.path] = {
                each.evidence[0].symbol: each
                for each in facts.declarations
                if isinstance(each, Shape | Enumeration | Contract)
            }
        return known


def _is_folder(target: bytes) -> bool:
    """Whether a target is all files of a folder: ``dir/*.go``."""
    return target.rpartition(b"/")[2].startswith(b"*")


def _is_module(path: bytes, name: str) -> bool:
    """Whether a file is a module of this name, or the file of a package of this name."""
    folder, _, base = path.rpartition(b"/")
    stem = base.partition(b".")[0]
    own = folder.rpartition(b"/")[2] if stem in (b"__init__", b"index") else stem
    return own == name.encode()
