"""Names of types in one module that another one declares: ``use`` lines and ``alias/Name``.

Modules are namespaces of their own, so a declaration that moves takes its references along: those
in it, and those to it.
"""

import functools
import posixpath
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from git_retcon.allium.language.plurals import list_singulars, make_plural
from git_retcon.allium.language.tokens import MARK, TRIVIA, WORD, Token, make_tokens
from git_retcon.allium.store.module_paths import SUFFIX
from git_retcon.allium.store.module_text import DeclarationText

TYPES = frozenset(
    {"entity", "external entity", "value", "enum", "variant", "contract", "actor", "surface"}
)
_DECLARING = frozenset({"entity", "value", "enum", "variant", "contract", "actor", "surface",
                        "rule", "invariant"})  # fmt: skip
_RESERVED = """rule entity external value enum given config surface actor default variant deferred
    open use as contract invariant when requires ensures let for in if else where with not and or
    exists implies transitions_to becomes transitions terminal true false null now this within"""
_NO_ALIASES = frozenset(_RESERVED.split())
# The language's own; a type of the source may have the same name.
_COLLECTIONS = frozenset({"List", "Set", "Map", "Sequence"})

# (module that a name is read in, name) → module that declares it, None where none is known
Resolve = Callable[[bytes, str], bytes | None]
# (module that a name is read in, name) → what it is called now
Rename = Callable[[bytes, str], str]


class Reference(NamedTuple):
    """One name of a type in a text, ``text[start:stop]``, and the alias before it or ""."""

    start: int
    stop: int
    alias: str
    name: str


def list_references(text: bytes) -> Sequence[Reference]:
    """Every name in a declaration that may be a type's, in order; neither its own name nor the
    ``List`` of ``List<...>`` is one.
    """
    tokens = [token for token in make_tokens(text) if token.kind not in TRIVIA]
    found: list[Reference] = []
    for at, token in enumerate(tokens):
        if token.kind != WORD or not token.text[0].isupper():
            continue
        before = _read_mark(tokens, at - 1)
        following = _read_mark(tokens, at + 1)
        # Behind a dot it is a member of something; behind "entity" it is the declaration itself.
        if before == "." or (at and tokens[at - 1].text in _DECLARING):
            continue
        if before == "/" and at > 1 and _are_joined(tokens[at - 2 : at + 1]):
            alias = tokens[at - 2]
            stop = token.start + len(token.text)
            found.append(Reference(alias.start, stop, alias.text, token.text))
        # Before a colon it names a field or a parameter, not a type; or all that a loop is over.
        elif (following != ":" or (at and tokens[at - 1].text == "in")) and not (
            following == "<" and token.text in _COLLECTIONS
        ):
            found.append(Reference(token.start, token.start + len(token.text), "", token.text))
    return found


class Uses:
    """The ``use`` lines of one module: aliases, and the modules that they mean."""

    def __init__(self, module: bytes, declarations: Iterable[DeclarationText] = ()) -> None:
        self.module = module
        self._folder = posixpath.dirname(module)
        self._targets: dict[str, bytes] = {}
        self.foreign: list[bytes] = []
        for declaration in declarations:
            found = (
                _use_pattern().fullmatch(declaration.text) if declaration.kind == "use" else None
            )
            if found is None:
                self.foreign += [declaration.text] if declaration.kind == "use" else []
                continue
            path = posixpath.normpath(posixpath.join(self._folder, found["path"]))
            self._targets[found["alias"].decode()] = path

    def find_target(self, alias: str) -> bytes | None:
        """The module that an alias means, or None."""
        return self._targets.get(alias)

    def list_aliases(self) -> Mapping[bytes, str]:
        """The modules, each with its alias."""
        return {target: alias for alias, target in self._targets.items()}

    def make_alias(self, module: bytes) -> str:
        """The alias of a module, made where there is none yet."""
        for alias, target in self._targets.items():
            if target == module:
                return alias
        parts = module.removesuffix(SUFFIX).decode().split("/")
        # The shortest name that is free reads best: "user", else "entities_user".
        names = (_spell_alias(parts[-length:]) for length in range(1, len(parts) + 1))
        alias = next((name for name in names if name not in self._targets), "")
        number = 2
        while not alias or alias in self._targets:
            alias, number = f"{_spell_alias(parts)}_{number}", number + 1
        self._targets[alias] = module
        return alias

    def list_lines(self, used: Iterable[str] | None = None) -> Sequence[bytes]:
        """The lines, in the order of the aliases; ``used`` leaves out those of other aliases."""
        wanted = self._targets.keys() if used is None else set(used)
        aliases = sorted(alias for alias in self._targets if alias in wanted)
        return [*self.foreign, *(self._spell_use(alias) for alias in aliases)]

    def _spell_use(self, alias: str) -> bytes:
        return b'use "%b" as %b' % (
            _spell_path(self._targets[alias], self._folder), alias.encode(),
        )  # fmt: skip


# The same lines are written for each version of a module.
@functools.lru_cache(maxsize=8192)
def _spell_path(target: bytes, folder: bytes) -> bytes:
    path = posixpath.relpath(target, folder or b".")
    return path if path.startswith(b"..") else b"./" + path


def _keep_name(module: bytes, name: str) -> str:
    return name


def relink_names(
    text: bytes,
    origin: bytes,
    old: Uses,
    new: Uses,
    resolve: Resolve,
    rename: Rename = _keep_name,
) -> bytes:
    """A declaration whose names lead where they are declared now.

    It was read in the module ``origin`` with the lines ``old``; ``new`` are those of the module
    that it is in now, and get what is missing.
    """
    parts: list[bytes] = []
    at = 0
    for reference in list_references(text):
        read_in = old.find_target(reference.alias) if reference.alias else origin
        target, singular = _find_named(text, reference, read_in, resolve)
        if target is None:
            # Declared nowhere that is known, but qualified: it keeps the module of its alias.
            target = read_in if reference.alias else None
        if target is None:
            continue
        prefix = "" if target == new.module else f"{new.make_alias(target)}/"
        name = _rename(reference.name, singular, read_in, rename)
        parts += [text[at : reference.start], f"{prefix}{name}".encode()]
        at = reference.stop
    return b"".join([*parts, text[at:]])


def list_meant(text: bytes, reference: Reference) -> Iterator[str]:
    """What a name in a text may be the name of: itself, and of a plural that is no event the type
    of which it means all.
    """
    yield reference.name
    if text[reference.stop : reference.stop + 1] != b"(":
        yield from (each for each in list_singulars(reference.name) if each != reference.name)


def _find_named(
    text: bytes, reference: Reference, read_in: bytes | None, resolve: Resolve
) -> tuple[bytes | None, str]:
    """The module that declares what a name means, and what that is called where it is read."""
    for name in list_meant(text, reference) if read_in is not None else ():
        assert read_in is not None
        target = resolve(read_in, name)
        if target is not None:
            return target, name
    return None, reference.name


def _rename(name: str, singular: str, read_in: bytes | None, rename: Rename) -> str:
    """What a name is now: a plural is that of the type's new name."""
    renamed = rename(read_in, singular) if read_in is not None else singular
    if renamed == singular:
        return name
    return renamed if name == singular else make_plural(renamed)


def _read_mark(tokens: Sequence[Token], at: int) -> str:
    if 0 <= at < len(tokens) and tokens[at].kind == MARK:
        return tokens[at].text
    return ""


def _are_joined(tokens: Sequence[Token]) -> bool:
    """Whether tokens stand side by side, as in ``alias/Name``; a division has spaces."""
    return all(one.start + len(one.text) == two.start for one, two in pairwise(tokens))


def _spell_alias(parts: Sequence[str]) -> str:
    """An identifier made of the last parts of a module's path."""
    name = re.sub(r"[^a-z0-9]+", "_", "_".join(parts).lower()).strip("_")
    is_plain = name and not name[0].isdigit() and name not in _NO_ALIASES
    return name if is_plain else f"m_{name}".rstrip("_")


@functools.cache
def _use_pattern() -> "re.Pattern[bytes]":
    return re.compile(rb'use\s+"(?P<path>[^"\\\n]+)"\s+as\s+(?P<alias>\w+)')
