"""The part of a master that a model is shown, and its answer with the rest put back.

A prompt always holds the master. But a master has a ``use`` line for each module and relations
between them, so that it grows with the codebase, and a prompt must not: what only concerns modules
that are not shown is left out, and counted in one line. What concerns no module alone, such as
shared values, is always there.
"""

import functools
import posixpath
import re
from collections.abc import Collection

from git_retcon.allium.language import is_error, parse
from git_retcon.allium.store.module_paths import MASTER
from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.three_way import merge_modules
from git_retcon.allium.store.type_names import Uses, list_references
from git_retcon.show.counting import count

_NOTE = "-- This leaves out {} about modules that are not shown; do not repeat it."


def shorten_master(master: bytes, shown: Collection[bytes]) -> bytes:
    """A master to read beside these modules."""
    text = cut_module(master)
    uses = Uses(MASTER, [each for each in text.declarations if each.kind == "use"])
    kept = [each for each in text.declarations if _concerns(each, uses, shown)]
    needed = {_find_path(each) for each in kept if each.kind == "use"} | {
        target for each in kept if each.kind != "use" for target in _list_targets(each, uses)
    }
    kept = [e for e in text.declarations if e in kept or _find_path(e) in needed]
    left = len(text.declarations) - len(kept)
    if not left:
        return master
    note = f"\n{_NOTE.format(count(left, 'declaration'))}".encode()
    return join_module(text.head + note, [each.text for each in kept])


def restore_master(master: bytes, shown: Collection[bytes], answered: bytes) -> bytes:
    """What a model made of the shortened master, with what it was not shown."""
    seen = shorten_master(master, shown)
    # What does not parse is refused, with the lines that the model wrote.
    if MASTER in shown or seen == master or any(map(is_error, parse(answered).diagnostics)):
        return answered
    base, theirs = (_note_pattern().sub(b"", text) for text in (seen, answered))
    return merge_modules(base, master, theirs).content


def _concerns(declaration: DeclarationText, uses: Uses, shown: Collection[bytes]) -> bool:
    if declaration.kind == "use":
        return _find_path(declaration) in shown
    targets = _list_targets(declaration, uses)
    return not targets or not targets.isdisjoint(shown)


def _list_targets(declaration: DeclarationText, uses: Uses) -> set[bytes]:
    """The modules that a declaration names."""
    found = (uses.find_target(each.alias) for each in list_references(declaration.text))
    return {target for target in found if target is not None}


def _find_path(declaration: DeclarationText) -> bytes | None:
    """The module that a ``use`` line leads to."""
    if declaration.kind != "use":
        return None
    return posixpath.normpath(declaration.name.encode())


@functools.cache
def _note_pattern() -> "re.Pattern[bytes]":
    start, end = (re.escape(part.encode()) for part in _NOTE.split("{}"))
    return re.compile(rb"(?m)^%b[^\n]*%b\n?" % (start, end))
