"""Numbers between which a field lies, as its declaration says."""

import ast
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.python.syntax.names import get_last, spell_dotted
from git_retcon.allium.extract.source_facts import Field, Invariant
from git_retcon.allium.extract.spelling import spell_type_name

# Of pydantic, annotated_types and the lookups of Django; both spell them alike.
SIGNS = {"gt": ">", "ge": ">=", "gte": ">=", "lt": "<", "le": "<=", "lte": "<="}
_CALLS = frozenset({"Field", "Query", "Gt", "Ge", "Lt", "Le", "Interval"})
_VALIDATORS = {"MinValueValidator": ">=", "MaxValueValidator": "<="}


def list_ranges(item: ast.AnnAssign, field: Field) -> Iterator[Invariant]:
    """Pydantic's ``Field(gt=0)`` and ``Annotated[int, Field(gt=0)]``."""
    if field.type.name not in ("Integer", "Decimal"):
        return
    calls = [item.value] if isinstance(item.value, ast.Call) else []
    if isinstance(item.annotation, ast.Subscript) and isinstance(item.annotation.slice, ast.Tuple):
        calls += [each for each in item.annotation.slice.elts if isinstance(each, ast.Call)]
    conditions = [
        f"{field.name} {SIGNS[each.arg]} {number}"
        for call in calls
        if get_last(spell_dotted(call)) in _CALLS
        for each in call.keywords
        if each.arg in SIGNS and (number := read_number(each.value)) is not None
    ]
    if conditions:
        yield make_range(field, conditions)


def list_validators(call: ast.Call, field: Field) -> Iterator[Invariant]:
    """Django's ``validators=[MinValueValidator(0)]``, and the fields that are never negative."""
    conditions = []
    if get_last(spell_dotted(call)).startswith("Positive"):
        conditions.append(f"{field.name} >= 0")
    for keyword in call.keywords:
        if keyword.arg == "validators" and isinstance(keyword.value, ast.List | ast.Tuple):
            for each in keyword.value.elts:
                sign = _VALIDATORS.get(get_last(spell_dotted(each)))
                number = (
                    read_number(each.args[0]) if isinstance(each, ast.Call) and each.args else None
                )
                if sign and number is not None:
                    conditions.append(f"{field.name} {sign} {number}")
    if conditions:
        yield make_range(field, conditions)


def make_range(field: Field, conditions: Sequence[str]) -> Invariant:
    """An invariant over one field; where it may be missing, only if it is there."""
    condition = " and ".join(dict.fromkeys(conditions))
    if field.type.is_optional:
        condition = f"{field.name} = null or ({condition})"
    return Invariant(f"{spell_type_name(field.name) or 'Field'}InRange", condition)


def read_number(node: ast.expr) -> str | None:
    """A number as the language writes it."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            text = str(value)
            return text if text.replace(".", "", 1).isdigit() else None
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            inner = read_number(operand)
            return f"-{inner}" if inner else None
        case ast.Call(func=func, args=[ast.Constant(value=str(text))]):
            is_decimal = get_last(spell_dotted(func)) == "Decimal"
            return text if is_decimal and text.replace(".", "", 1).isdigit() else None
    return None
