"""Types that are referred to must be declared here, imported, or built in."""

from collections.abc import Iterator

from git_retcon.allium.language.checks.scope import (
    Part,
    Scope,
    is_discriminator,
    list_emissions,
)
from git_retcon.allium.language.checks.trigger_use import list_triggers
from git_retcon.allium.language.declarations import (
    Braced,
    Clause,
    Default,
    Field,
    Invariant,
    Variant,
)
from git_retcon.allium.language.expressions import (
    Alternatives,
    Block,
    Call,
    Expression,
    Generic,
    Loop,
    Member,
    Name,
    Nullable,
    Where,
    With,
)
from git_retcon.allium.language.findings import Finding, Severity
from git_retcon.allium.language.plurals import list_singulars
from git_retcon.allium.language.traversal import walk_tree

_WITH_FIELDS = frozenset({"entity", "external entity", "value", "given"})


def check_references(scope: Scope) -> Iterator[Finding]:
    """Types of fields, of variants' bases, of defaults, and entities that rules name."""
    for part in scope.parts:
        match part.declaration:
            case Braced(kind=kind) as block if kind in _WITH_FIELDS:
                yield from _check_fields(scope, block)
            case Braced(kind="rule") as rule:
                yield from _check_rule(scope, rule, part)
            case Braced(kind="actor") as block:
                yield from _check_actor(scope, block)
            case Invariant(body=body):
                yield from _check_collections(scope, body)
            case Variant(base=base) as variant:
                yield from _check_type(scope, base)
                yield from _check_fields(scope, variant)
            case Default(type=type_name) if type_name is not None:
                yield from _check_type(scope, type_name)


def _check_fields(scope: Scope, block: Braced | Variant) -> Iterator[Finding]:
    for item in block.items:
        if isinstance(item, Field):
            yield from _check_type(scope, item.value)


def _check_collections(scope: Scope, body: Block) -> Iterator[Finding]:
    """``for x in Xs`` goes through all of an entity."""
    for node in walk_tree(body):
        match node:
            case Loop(collection=Name(start=start, text=text)) if text[0].isupper():
                if not _is_known(scope, text):
                    message = f"no entity is declared whose instances are '{text}'"
                    # A plural may be one that the singulars here do not know.
                    code = "allium.invariant.unknownCollection"
                    yield Finding(start, Severity.WARNING, message, code)


def _check_actor(scope: Scope, block: Braced) -> Iterator[Finding]:
    for item in block.items:
        if isinstance(item, Clause) and item.keyword in ("identified_by", "within"):
            yield from _check_type(scope, item.value)


def _check_type(scope: Scope, value: Expression) -> Iterator[Finding]:
    """The names of a type; of a discriminator, the variants are checked elsewhere."""
    stack = [value]
    while stack:
        match stack.pop():
            case Name(start=start, text=text) if text[0].isupper() and not scope.knows_type(text):
                message = f"type '{text}' is not declared here and not imported"
                yield Finding(start, Severity.ERROR, message, "allium.type.undefinedReference")
            case Nullable(type=inner):
                stack.append(inner)
            case With(source=inner):
                stack.append(inner)
            # Before "where" may also be all entities of a type, by its plural.
            case Where(source=Name(text=text)) if _is_known(scope, text):
                continue
            case Where(source=inner):
                stack.append(inner)
            case Generic(base=base, arguments=arguments):
                # The base last, so that it comes off the stack first: findings are in reading
                # order.
                stack.extend([*reversed(arguments), base])
            case Alternatives(items=items) as found if not is_discriminator(found):
                stack.extend(reversed(items))


def _check_rule(scope: Scope, rule: Braced, part: Part) -> Iterator[Finding]:
    """Entities before a dot: in triggers, and where a method of theirs is called."""
    names: list[Expression | None] = [trigger.entity for trigger in list_triggers(rule)]
    events = list_emissions(part)
    for call in part.find(Call):
        if isinstance(call.function, Member):
            names.append(call.function.target)
    for name in names:
        # Small letters are variables; what is emitted somewhere is an event, not a type.
        if not isinstance(name, Name) or not name.text[0].isupper() or name.text in events:
            continue
        if not _is_known(scope, name.text):
            message = f"type '{name.text}' is not declared here and not imported"
            code = "allium.rule.undefinedTypeReference"
            yield Finding(name.start, Severity.ERROR, message, code)


def _is_known(scope: Scope, name: str) -> bool:
    """A type, all entities of a type, or what is specified elsewhere."""
    if scope.knows_type(name) or any(name in names for names in scope.names.values()):
        return True
    return any(singular in scope.types for singular in list_singulars(name))
