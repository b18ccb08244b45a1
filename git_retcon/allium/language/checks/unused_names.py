"""What is declared and never used: entities, values, enums, fields, actors, bindings of surfaces.

A note, no mistake: another file may be going to use it. Of a file without rules and surfaces
nothing is said, as it declares words for others; nor of what a source file has.
"""

from collections import Counter
from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import Scope
from git_retcon.allium.language.declarations import (
    Braced,
    Clause,
    Derived,
    Field,
    Variant,
)
from git_retcon.allium.language.expressions import Binding, Member, Name, Text
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.plurals import list_singulars
from git_retcon.allium.language.traversal import walk_tree


def check_unused_names(scope: Scope) -> Iterator[Finding]:
    """Every declaration and field that nothing in this file, or one that imports it, names."""
    kinds = {each.declaration.kind for each in scope.parts if isinstance(each.declaration, Braced)}
    if not kinds & {"rule", "surface"}:
        return
    uses = _count_uses(scope)
    # Rules go through all of an entity by its plural.
    plurals = {each for name in uses for each in list_singulars(name) if each != name}
    declared = _count_declared(scope)
    read = {name.text for _, part in scope.find_braced("rule") for name in part.find(Name)}
    for part in scope.parts:
        block = part.declaration
        if not isinstance(block, Braced | Variant) or scope.is_cited(block):
            continue
        yield from _check_type(scope, uses, declared, plurals, block)
        yield from _check_fields(uses, declared, block)
        if isinstance(block, Braced) and block.kind == "surface":
            yield from _check_bindings(block)
            if "rule" in kinds:
                yield from _check_paths(read, block)


def _count_uses(scope: Scope) -> Counter[str]:
    """How often each name is written in this file and in those that import it."""
    uses: Counter[str] = Counter()
    for found in (scope, *scope.importers):
        for part in found.parts:
            uses.update(name.text for name in part.find(Name))
            uses.update(name for text in part.find(Text) for name in text.names)
    return uses


def _count_declared(scope: Scope) -> Counter[str]:
    """How often each name is written where it is declared, which is no use of it."""
    declared: Counter[str] = Counter()
    for part in scope.parts:
        block = part.declaration
        if isinstance(block, Braced | Variant) and block.name is not None:
            declared[block.name.text] += 1
            fields = [item for item in block.items if isinstance(item, Field | Derived)]
            declared.update(field.name.text for field in fields)
    return declared


def _check_type(
    scope: Scope,
    uses: Counter[str],
    declared: Counter[str],
    plurals: set[str],
    block: Braced | Variant,
) -> Iterator[Finding]:
    kind = "variant" if isinstance(block, Variant) else block.kind
    if block.name is None or kind not in ("entity", "external entity", "value", "enum", "actor"):
        return
    name = block.name.text
    if uses[name] > declared[name] or name in plurals or scope.is_named_outside(name):
        return
    code = "definition" if kind in ("value", "enum") else kind.rpartition(" ")[2]
    message = f"{kind} '{name}' is declared and never used"
    yield Finding(block.name.start, Severity.INFO, message, f"allium.{code}.unused")


def _check_fields(
    uses: Counter[str], declared: Counter[str], block: Braced | Variant
) -> Iterator[Finding]:
    if isinstance(block, Braced) and "entity" not in block.kind:
        return
    for item in block.items:
        if isinstance(item, Field | Derived) and uses[item.name.text] <= declared[item.name.text]:
            place = f"{block.name.text}.{item.name.text}" if block.name else item.name.text
            message = f"field '{place}' is declared and never used"
            yield Finding(item.name.start, Severity.INFO, message, "allium.field.unused")


def _check_bindings(surface: Braced) -> Iterator[Finding]:
    """What a surface faces means something only where it also provides something."""
    names = Counter(node.text for node in walk_tree(surface) if isinstance(node, Name))
    clauses = [item for item in surface.items if isinstance(item, Clause)]
    provides = any(clause.keyword == "provides" for clause in clauses)
    for clause in clauses:
        if clause.keyword != "context" and not (clause.keyword == "facing" and provides):
            continue
        name = clause.value.name if isinstance(clause.value, Binding) else None
        if name is not None and name.text != "_" and names[name.text] == 1:
            message = f"'{name.text}' is bound by this surface and never used in it"
            code = "allium.surface.unusedBinding"
            yield Finding(name.start, Severity.INFO, message, code)


def _check_paths(read: set[str], surface: Braced) -> Iterator[Finding]:
    """Fields that a surface shows and no rule reads or sets."""
    for item in surface.items:
        if isinstance(item, Clause) and item.keyword == "exposes":
            for node in walk_tree(item.value):
                if isinstance(node, Member) and node.field.text not in read:
                    message = f"no rule reads or sets the field '{node.field.text}' shown here"
                    code = "allium.surface.unusedPath"
                    yield Finding(node.field.start, Severity.INFO, message, code)
