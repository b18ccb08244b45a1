"""Sum types: discriminators, the variants they list, and what a rule may do with them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from git_retcon.allium.language.checks.scope import Part, Scope, Shape
from git_retcon.allium.language.checks.trigger_use import list_triggers
from git_retcon.allium.language.declarations import Braced
from git_retcon.allium.language.expressions import (
    Alternatives,
    Binary,
    Call,
    Expression,
    Member,
    Name,
    SetLiteral,
)
from git_retcon.allium.language.findings import Finding, Severity


def check_variants(scope: Scope) -> Iterator[Finding]:
    """Discriminators against variants, then the rules against both."""
    by_base: dict[str, dict[str, Shape]] = defaultdict(dict)
    for name, shape in scope.shapes.items():
        if shape.base:
            by_base[shape.base][name] = shape
    for name, shape in scope.shapes.items():
        if shape.kind == "entity":
            yield from _check_discriminators(shape, by_base[name])
        elif shape.kind == "variant":
            yield from _check_listed(scope, shape)
    for rule, part in scope.find_braced("rule"):
        yield from _check_creations(scope, part)
        yield from _check_guards(scope, rule, part, by_base)


def _check_discriminators(shape: Shape, declared: Mapping[str, Shape]) -> Iterator[Finding]:
    entity = shape.name.text
    for field, alternatives in shape.discriminators.items():
        names = [item for item in alternatives.items if isinstance(item, Name)]
        missing = [name for name in names if name.text not in declared]
        if any(not name.text[0].isupper() for name in names):
            message = (
                f"'{entity}.{field}' mixes values and variants; "
                "a discriminator has only capitalised variant names"
            )
            code = "allium.sum.invalidDiscriminator"
            yield Finding(alternatives.start, Severity.ERROR, message, code)
        elif not declared:
            message = (
                f"'{entity}.{field}' has capitalised values but '{entity}' has no variants; "
                f"declare 'variant {names[0].text} : {entity}', or write the values in lower case"
            )
            yield Finding(alternatives.start, Severity.ERROR, message, "allium.sum.v1InlineEnum")
        else:
            for name in missing:
                message = f"'{entity}.{field}' lists '{name.text}', but no such variant is declared"
                code = "allium.sum.discriminatorUnknownVariant"
                yield Finding(name.start, Severity.ERROR, message, code)


def _check_listed(scope: Scope, shape: Shape) -> Iterator[Finding]:
    base = scope.shapes.get(shape.base)
    if base is None or shape.name.text in list_variants(base):
        return
    message = f"no discriminator of '{shape.base}' lists the variant '{shape.name.text}'"
    # An entity without any discriminator is a looser way to write one; with one it is a mistake.
    severity = Severity.ERROR if base.discriminators else Severity.WARNING
    yield Finding(shape.name.start, severity, message, "allium.sum.variantMissingInDiscriminator")


def list_variants(shape: Shape) -> set[str]:
    """The names that an entity's discriminators list."""
    found = [item for fields in shape.discriminators.values() for item in fields.items]
    return {item.text for item in found if isinstance(item, Name)}


def _check_creations(scope: Scope, part: Part) -> Iterator[Finding]:
    for call in part.find(Call):
        match call.function:
            case Member(target=Name(text=text) as name, field=Name(text="created")):
                shape = scope.shapes.get(text)
                if shape is not None and shape.kind == "entity" and shape.discriminators:
                    message = f"'{text}' is created as one of its variants, not itself"
                    code = "allium.sum.baseInstantiation"
                    yield Finding(name.start, Severity.ERROR, message, code)


def _check_guards(
    scope: Scope, rule: Braced, part: Part, by_base: Mapping[str, Mapping[str, Shape]]
) -> Iterator[Finding]:
    """Fields that only a variant has, of a variable that nothing narrows to that variant.

    A comparison with the discriminator anywhere in the rule counts as narrowing: whether it covers
    this place is not followed, so that nothing right is called wrong.
    """
    narrowed = _list_narrowed(part)
    for variable, entity in list_variable_types(rule).items():
        shape = scope.shapes.get(entity)
        variants = by_base.get(entity)
        if shape is None or not variants:
            continue
        for member in part.find(Member):
            field = member.field.text
            if not isinstance(member.target, Name) or member.target.text != variable:
                continue
            owners = [name for name, variant in variants.items() if field in variant.fields]
            if owners and field not in shape.fields and not narrowed & {*owners}:
                message = (
                    f"'{field}' belongs to the variant '{owners[0]}' alone; compare "
                    f"'{variable}.{next(iter(shape.discriminators), 'kind')}' with it first"
                )
                code = "allium.sum.unguardedVariantFieldAccess"
                yield Finding(member.field.start, Severity.ERROR, message, code)


def _list_narrowed(part: Part) -> set[str]:
    """The capitalised names that a rule compares anything with."""
    found: list[Expression] = []
    for comparison in part.find(Binary):
        if comparison.operator in ("=", "in", "!=", "not in"):
            right = comparison.right
            found.extend(right.items if isinstance(right, SetLiteral | Alternatives) else (right,))
    return {item.text for item in found if isinstance(item, Name)}


def list_variable_types(rule: Braced) -> dict[str, str]:
    """The names that a rule's triggers bind to a type for certain: ``order: Order.created``."""
    found: dict[str, str] = {}
    for trigger in list_triggers(rule):
        if isinstance(trigger.entity, Name) and trigger.names:
            found[trigger.names[0].text] = trigger.entity.text
        if isinstance(trigger.value, Call):
            for argument in trigger.value.arguments:
                if argument.name is not None and isinstance(argument.value, Name):
                    found[argument.name.text] = argument.value.text
    return found
