"""Two versions of a module that give one alias to two modules, and can be merged all the same."""

from collections.abc import Sequence

from git_retcon.allium.store.module_text import DeclarationText, cut_module, join_module
from git_retcon.allium.store.type_names import Uses, list_references, relink_names

_USE = "use"


def align_aliases(module: bytes, ours: bytes, others: Sequence[bytes]) -> Sequence[bytes]:
    """The other versions with other aliases where ours has them for another module."""
    own = _list_uses(ours)
    if not own:
        return others
    return [_align_version(module, own, each) if each else each for each in others]


def _align_version(module: bytes, own: Sequence[DeclarationText], content: bytes) -> bytes:
    text = cut_module(content)
    lines = [each for each in text.declarations if each.kind == _USE]
    taken, old = Uses(module, own), Uses(module, lines)
    clashing = [
        each
        for each in lines
        if (alias := each.text.rpartition(b" ")[2].decode("utf-8", "replace"))
        and taken.find_target(alias) not in (None, old.find_target(alias))
    ]
    if not clashing:
        return content
    new = Uses(module, [*own, *(each for each in lines if each not in clashing)])
    texts = [
        # Only what has an alias is touched: any other name means what it meant.
        relink_names(each.text, module, old, new, lambda read_in, name: None)
        for each in text.declarations
        if each.kind != _USE
    ]
    used = {each.alias for declared in texts for each in list_references(declared) if each.alias}
    return join_module(text.head, [*new.list_lines(used), *texts])


def _list_uses(content: bytes) -> Sequence[DeclarationText]:
    return [each for each in cut_module(content).declarations if each.kind == _USE]


def share_aliases(module: bytes, base: bytes, ours: bytes, theirs: bytes) -> bytes:
    """Their version with our alias of each module that both sides named otherwise than the base,
    and another one where ours has an alias of theirs for another module.
    """
    text = cut_module(theirs)
    was, own, old = (Uses(module, _list_uses(each)) for each in (base, ours, theirs))
    known, mine, other = was.list_aliases(), own.list_aliases(), old.list_aliases()
    shared = {
        target
        for target in mine.keys() & other.keys()
        if known.get(target) not in (mine[target], other[target])
    }
    lines = [each for each in _list_uses(ours) if _find_target(module, each) in shared]
    lines += [
        each
        for each in _list_uses(theirs)
        if (target := _find_target(module, each)) is None
        or (target not in shared and own.find_target(other[target]) in (None, target))
    ]
    new = Uses(module, lines)
    for target in other:
        new.make_alias(target)
    if new.list_lines() == old.list_lines():
        return theirs
    texts = [
        relink_names(each.text, module, old, new, lambda read_in, name: None)
        for each in text.declarations
        if each.kind != _USE
    ]
    return join_module(text.head, [*new.list_lines(), *texts])


def _find_target(module: bytes, line: DeclarationText) -> bytes | None:
    """The module that a ``use`` line means, None for something from elsewhere."""
    return next(iter(Uses(module, [line]).list_aliases()), None)
