"""Python classes whose annotated fields have types of the language itself, as entities."""

import ast
import warnings
from collections.abc import Iterator, Mapping, Sequence

from git_retcon.allium.store.module_text import DeclarationText, cite
from git_retcon.show.style import show_path

_TYPES: Mapping[str, str] = {
    "str": "String",
    "int": "Integer",
    "float": "Decimal",
    "Decimal": "Decimal",
    "bool": "Boolean",
    "datetime": "Timestamp",
    "date": "Timestamp",
    "timedelta": "Duration",
}
# Names that the language reads as something other than a field.
_NO_FIELDS = frozenset(
    {"requires", "ensures", "within", "facing", "context", "exposes", "provides", "related",
     "timeout", "identified_by", "when", "let", "for", "in", "if", "where", "with", "and", "or",
     "implies", "transitions_to", "becomes", "transitions", "contracts", "guidance", "guarantee",
     "invariant", "not", "exists", "else"}
)  # fmt: skip


def extract_classes(path: bytes, content: bytes) -> Sequence[DeclarationText] | None:
    """An entity for each class at the top of a Python file that has such fields.

    None where it cannot be parsed; nothing for a file in another language.
    """
    if not path.endswith((b".py", b".pyi")):
        return ()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of invalid escapes, which are not ours to report
            tree = ast.parse(content)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    found = []
    for node in tree.body:
        # The language wants types in ASCII that begin with a capital letter.
        if isinstance(node, ast.ClassDef) and node.name.isascii() and node.name[0].isupper():
            fields = list(_list_fields(node))
            if fields:
                lines = [cite(path, node.name), f"entity {node.name} {{", *fields, "}"]
                text = "\n".join(lines).encode()
                found.append(DeclarationText("entity", node.name, 0, text, (show_path(path),)))
    return found


def _list_fields(node: ast.ClassDef) -> Iterator[str]:
    seen: set[str] = set()
    for item in node.body:
        match item:
            case ast.AnnAssign(target=ast.Name(id=name), annotation=annotation):
                kind = _read_type(annotation)
                is_field = kind is not None and name not in _NO_FIELDS and name not in seen
                if is_field and name.isascii() and not name.startswith("_"):
                    seen.add(name)
                    yield f"    {name}: {kind}"


def _read_type(annotation: ast.expr) -> str | None:
    match annotation:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return _TYPES.get(name)
        # ``X | None`` is an optional field; any other union has no plain type.
        case ast.BinOp(left=left, op=ast.BitOr(), right=ast.Constant(value=None)):
            inner = _read_type(left)
            return f"{inner}?" if inner else None
    return None
