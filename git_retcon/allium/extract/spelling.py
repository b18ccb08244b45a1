"""Declarations as text of the language."""

import functools
import re
from collections.abc import Callable, Iterable, Iterator

from git_retcon.allium.extract.source_facts import (
    Configuration,
    Contract,
    Declaration,
    Enumeration,
    Field,
    Graph,
    Rule,
    Shape,
    Type,
    get_kind,
)
from git_retcon.allium.store.module_text import DeclarationText, cite_source
from git_retcon.show.style import show_path

# Names that the language reads as something other than a field.
_NO_FIELDS = frozenset(
    {"requires", "ensures", "within", "facing", "context", "exposes", "provides", "related",
     "timeout", "identified_by", "when", "let", "for", "in", "if", "where", "with", "and", "or",
     "implies", "transitions_to", "becomes", "transitions", "contracts", "guidance", "guarantee",
     "invariant", "not", "exists", "else", "rule", "entity", "external", "value", "enum", "given",
     "config", "surface", "actor", "default", "variant", "deferred", "open", "question", "use",
     "as", "contract", "terminal", "true", "false", "null", "now", "this"}
)  # fmt: skip
_FIELDS_ALL_THE_SAME = frozenset(
    {"value", "default", "open", "use", "status", "type", "rule", "entity", "external", "enum",
     "given", "config", "surface", "actor", "variant", "deferred", "question", "as", "contract",
     "terminal"}
)  # fmt: skip

# module → the alias for it
FindAlias = Callable[[bytes], str]


def spell_declaration(declaration: Declaration, find_alias: FindAlias) -> DeclarationText:
    """The text of one declaration, below a comment for each place that proves it."""
    kind = get_kind(declaration)
    lines = [cite_source(each.path, each.symbol) for each in dict.fromkeys(declaration.evidence)]
    if kind == "external entity":
        lines.sort()  # they come from several files, in any order
    match declaration:
        case Shape():
            lines += _spell_shape(declaration, find_alias)
        case Enumeration(name=name, values=values):
            lines.append(f"enum {name} {{ {' | '.join(map(spell_value, values))} }}")
        case Rule():
            lines += _spell_rule(declaration)
        case Contract():
            lines += _spell_contract(declaration, find_alias)
        case Configuration(settings=settings):
            lines.append("config {")
            for setting in settings:
                default = f" = {setting.value}" if setting.value else ""
                lines.append(
                    f"    {setting.name}: {_spell_type(setting.type, find_alias)}{default}"
                )
            lines.append("}")
    name = "" if kind == "config" else declaration.name
    sources = tuple(show_path(each.path) for each in dict.fromkeys(declaration.evidence))
    return DeclarationText(kind, name, 0, "\n".join(lines).encode(), sources)


def spell_field_name(symbol: str) -> str | None:
    """A field's name in the language; None where it cannot have one."""
    if not symbol.isascii() or not symbol.isidentifier():
        return None
    is_taken = symbol in _NO_FIELDS and symbol not in _FIELDS_ALL_THE_SAME
    return f"{symbol}_" if is_taken else symbol


@functools.lru_cache(maxsize=8192)
def spell_type_name(symbol: str) -> str | None:
    """A type's name for a dotted symbol of the source: ``Order.Status`` → ``OrderStatus``."""
    parts = [part.strip("_") for part in symbol.split(".")]
    if not all(parts) or not symbol.isascii():
        return None
    name = "".join(_capitalize_part(part) for part in parts)
    return name if name.isidentifier() and name[0].isupper() else None


def _capitalize_part(part: str) -> str:
    if part[0].isupper():
        return part.replace("_", "") if not part.isupper() else part
    return "".join(word[:1].upper() + word[1:] for word in part.split("_"))


def spell_variable(entity: str) -> str:
    """The variable that holds an entity in a rule: ``OrderLine`` → ``order_line``."""
    name = spell_words(entity)
    return f"{name}_" if name in _NO_FIELDS else name


# The versions of a file have the same names again and again.
@functools.lru_cache(maxsize=8192)
def spell_words(name: str) -> str:
    """A name with capitals in it as small words: ``OrderLine`` → ``order_line``."""
    if name.isupper():
        return name.lower()  # a digit begins no word: STATUS_1XX
    parts: list[str] = []
    for at, letter in enumerate(name):
        # A capital begins a word unless it is one of several: HTTPServer is http_server.
        is_first = letter.isupper() and at > 0
        follows_small = is_first and not name[at - 1].isupper()
        before_small = is_first and at + 1 < len(name) and name[at + 1].islower()
        if (follows_small or before_small) and name[at - 1] != "_":
            parts.append("_")
        parts.append(letter.lower())
    return "".join(parts)


def spell_member(symbol: str) -> str:
    """A member of an enum as a value: ``WAITING`` → ``waiting``, ``InTransit`` → ``in_transit``."""
    return _hump_pattern().sub("_", symbol).lower()


def spell_value(value: str) -> str:
    """A value of an enum: a plain name, else quoted."""
    return value if is_plain(value) else f"`{value}`"


def name_values(values: Iterable[str]) -> tuple[str, ...]:
    """The names of an enum's values: plain words (``Awaiting Payment`` → ``awaiting_payment``)
    where all are and stay apart, since only those have transitions; else as they are, without
    spaces.
    """
    stored = list(dict.fromkeys(values))
    names = list(map(name_value, stored))
    if None in names or len({*names}) < len(names):
        return _join_words(stored)
    return tuple(filter(None, names))


def _join_words(values: list[str]) -> tuple[str, ...]:
    """Values without spaces, which the language does not have in backticks, and still apart."""
    joined = [[value.replace(" ", joiner) for value in values] for joiner in "_-.:/+~"]
    apart = [names for names in joined if len({*names}) == len(names)]
    return tuple((apart or joined)[0])


def name_value(value: str) -> str | None:
    """A value as plain words (``inProgress`` → ``in_progress``), None where it is none."""
    name = spell_member(value).replace(" ", "_").replace("-", "_")
    return name if is_plain(name) else None


@functools.cache
def _hump_pattern() -> "re.Pattern[str]":
    return re.compile(r"(?<=[a-z])(?=[A-Z])")


def is_plain(name: str) -> bool:
    """Whether a state may have a name, which transitions need."""
    is_free = name not in _NO_FIELDS or name in _FIELDS_ALL_THE_SAME
    return is_free and name.isidentifier() and name.isascii() and name == name.lower()


def is_value(value: str) -> bool:
    """Whether the language can write it as a value of an enum, once its spaces are replaced."""
    return bool(value) and value.isprintable() and "`" not in value


def _spell_shape(shape: Shape, find_alias: FindAlias) -> Iterator[str]:
    body = [line for field in shape.fields for line in _spell_field(field, find_alias)]
    for graph in shape.graphs:
        body += ["", *_spell_graph(graph)]
    for invariant in shape.invariants:
        body += [
            "",
            f"    invariant {invariant.name} {{",
            f"        {invariant.condition}",
            "    }",
        ]
    for question in shape.questions:
        body += ["", f'    open question "{spell_text(question)}"']
    if not body:
        yield f"{shape.kind} {shape.name} {{}}"
        return
    yield f"{shape.kind} {shape.name} {{"
    yield from body[1:] if not body[0] else body
    yield "}"


def _spell_field(field: Field, find_alias: FindAlias) -> Iterator[str]:
    note = _find_unknown(field.type)
    comment = f" -- {note}" if note else ""
    yield f"    {field.name}: {_spell_type(field.type, find_alias)}{comment}"


def _find_unknown(kind: Type) -> str:
    """The source's name of a type that the specification does not know."""
    if kind.name == "Any" and kind.source:
        return kind.source
    return next(filter(None, map(_find_unknown, kind.arguments)), "")


def _spell_type(kind: Type, find_alias: FindAlias) -> str:
    optional = "?" if kind.is_optional else ""
    if kind.values:
        # With one value alone it would read as the name of something.
        return " | ".join(map(spell_value, kind.values)) if len(kind.values) > 1 else "String"
    name = kind.name if kind.module is None else f"{find_alias(kind.module)}/{kind.name}"
    if kind.back:
        return f"{name} with {kind.back} = this"
    if kind.arguments:
        name += f"<{', '.join(_spell_type(each, find_alias) for each in kind.arguments)}>"
    return name + optional


def _spell_graph(graph: Graph) -> Iterator[str]:
    yield f"    transitions {graph.field} {{"
    for edge in graph.edges:
        yield f"        {spell_value(edge.source)} -> {spell_value(edge.target)}"
    if graph.terminal:
        yield f"        terminal: {', '.join(map(spell_value, graph.terminal))}"
    yield "    }"


def _spell_rule(rule: Rule) -> Iterator[str]:
    yield f"rule {rule.name} {{"
    yield f"    when: {rule.trigger}({', '.join(rule.parameters)})"
    yield from (f"    requires: {condition}" for condition in rule.requires)
    for effect in rule.ensures:
        # A block begins on a line of its own.
        yield f"    ensures:{effect}" if effect.startswith("\n") else f"    ensures: {effect}"
    if rule.guidance:
        yield "    @guidance"
        yield from (f"        -- {spell_text(line)}" for line in rule.guidance)
    yield "}"


def _spell_contract(contract: Contract, find_alias: FindAlias) -> Iterator[str]:
    yield f"contract {contract.name} {{"
    for operation in contract.operations:
        parameters = ", ".join(
            f"{each.name}: {_spell_type(each.type, find_alias)}" for each in operation.parameters
        )
        result = _spell_type(operation.result, find_alias) if operation.result else "Void"
        yield f"    {operation.name}: ({parameters}) -> {result}"
    yield "}"


def spell_text(text: str) -> str:
    """Text for a string or a comment: one line, nothing that the language would read."""
    line = " ".join(text.replace("\\", "/").replace('"', "'").split())
    return line.replace("{", "(").replace("}", ")")
