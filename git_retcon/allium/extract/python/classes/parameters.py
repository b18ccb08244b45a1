"""Configuration: settings classes, the environment, constants that the file itself uses."""

import ast
import itertools
import re
from collections.abc import Iterator, Sequence

from git_retcon.allium.extract.python.classes import frameworks
from git_retcon.allium.extract.python.syntax.constants import Constants
from git_retcon.allium.extract.python.syntax.names import get_last, list_statements, spell_dotted
from git_retcon.allium.extract.python.syntax.ranges import read_number
from git_retcon.allium.extract.python.syntax.type_hints import is_class_variable, read_type
from git_retcon.allium.extract.source_facts import (
    BOOLEAN,
    DECIMAL,
    DURATION,
    INTEGER,
    STRING,
    Configuration,
    Evidence,
    Setting,
    Type,
)
from git_retcon.allium.extract.spelling import spell_field_name, spell_text

_UNITS = ("seconds", "minutes", "hours", "days", "weeks")
_ENVIRONMENT = ("environ.get", "getenv", "env.int", "env.bool", "env.str", "env.float")
_GLOBAL = re.compile(rb"^\s+global ([A-Z_0-9, ]+)$", re.MULTILINE)
_NAME = re.compile(rb"[A-Z_0-9]+")
_CONVERSIONS = {"int": INTEGER, "float": DECIMAL, "bool": BOOLEAN, "str": STRING}


def read_settings(
    path: bytes, content: bytes, statements: Sequence[ast.stmt], constants: Constants
) -> Configuration | None:
    """All parameters of one file, or None."""
    found: dict[str, Setting] = {}
    for symbol, kind, value in [
        *_list_class_settings(statements),
        *_list_constants(content, _drop_changed(content, statements, constants)),
    ]:
        name = spell_field_name(get_last(symbol).lower())
        if name is not None and name not in found:
            found[name] = Setting(name, kind, value, Evidence(path, symbol))
    if not found:
        return None
    return Configuration(tuple(each.evidence for each in found.values()), tuple(found.values()))


def _list_class_settings(statements: Sequence[ast.stmt]) -> Iterator[tuple[str, Type, str]]:
    for node in statements:
        if not isinstance(node, ast.ClassDef):
            continue
        if not any(get_last(spell_dotted(b)) in frameworks.SETTINGS_BASES for b in node.bases):
            continue
        for item in list_statements(node.body):
            match item:
                case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation, value=value):
                    if (
                        not name.startswith("_")
                        and name != "model_config"
                        and not is_class_variable(annotation)
                    ):
                        kind = read_type(annotation)
                        if kind.source or kind.values:
                            kind = Type("Any") if not kind.values else kind
                        read = _read_value(value) if value is not None else None
                        fits = read is not None and read[0].name == kind.name
                        yield f"{node.name}.{name}", kind, read[1] if read and fits else ""


def _drop_changed(
    content: bytes, statements: Sequence[ast.stmt], constants: Constants
) -> Constants:
    """The constants that have one value: what a file tries out first is no parameter."""
    values: dict[str, list[ast.expr]] = {}
    for node in statements:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if name.isupper():
                values.setdefault(name, []).append(value)
    several = {name: found for name, found in values.items() if len(found) > 1}
    changed = {name for name, found in several.items() if len({*map(ast.dump, found)}) > 1}
    lines = _GLOBAL.findall(content) if b"global " in content else ()
    changed |= {each.decode() for line in lines for each in _NAME.findall(line)}
    return {name: value for name, value in constants.items() if name not in changed}


def _list_constants(content: bytes, constants: Constants) -> Iterator[tuple[str, Type, str]]:
    for name, value in constants.items():
        if not name.isupper() or name.startswith("_") or len(name) < 3:
            continue
        found = _read_environment(value)
        if found is not None:
            yield name, *found
            continue
        found = _read_value(value)
        # A constant that nothing here uses may be anything: a code, a flag, an export.
        if found is not None and found[0] is not STRING and _is_used(content, name):
            yield name, *found


def _is_used(content: bytes, name: str) -> bool:
    # A search for bytes costs a tenth of one for a pattern.
    if content.count(name.encode()) < 2:
        return False
    places = re.finditer(rb"\b%b\b" % name.encode(), content)
    return len([*itertools.islice(places, 2)]) > 1


def _read_environment(node: ast.expr) -> tuple[Type, str] | None:
    """``int(os.environ.get("LIMIT", "5"))``: the type and the default."""
    if not isinstance(node, ast.Call) or not node.args:
        return None
    dotted = spell_dotted(node)
    if dotted in _CONVERSIONS:
        inner = _read_environment(node.args[0])
        if inner is None:
            return None
        text = inner[1].strip('"')
        is_number = text.replace(".", "", 1).isdigit()
        return _CONVERSIONS[dotted], text if is_number and dotted != "bool" else ""
    if not dotted.endswith(_ENVIRONMENT):
        return None
    default = _read_value(node.args[1]) if len(node.args) > 1 else None
    kind = _CONVERSIONS.get(get_last(dotted), default[0] if default else STRING)
    return kind, default[1] if default and default[0] == kind else ""


def _read_value(node: ast.expr) -> tuple[Type, str] | None:
    match node:
        case ast.Constant(value=bool() as value):
            return BOOLEAN, "true" if value else "false"
        case ast.Constant(value=str() as text):
            is_plain = text.isprintable() and spell_text(text) == text
            return (STRING, f'"{text}"') if is_plain else None
        case ast.Call(args=[], keywords=[ast.keyword(arg=str(unit), value=value)]):
            number = read_number(value)
            if (
                get_last(spell_dotted(node)) == "timedelta"
                and unit in _UNITS
                and number is not None
            ):
                return DURATION, f"{number}.{unit}" if not number.startswith("-") else ""
            return None
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            one, two = read_number(left), read_number(right)
            if one and two and one.isdigit() and two.isdigit():
                return INTEGER, str(int(one) * int(two))
            return None
    number = read_number(node)
    if number is None:
        return None
    return (DECIMAL if "." in number else INTEGER), number
