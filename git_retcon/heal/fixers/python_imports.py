"""Imports of Python files: those that nothing uses, that are missing, that are out of order.

For tools that only complain. Each change is of whole lines, and leaves a file that parses.
"""

import ast
import re
import sys
from collections import Counter
from collections.abc import Collection, Iterable, Sequence

from git_retcon.lazy_named_tuple import NamedTuple


class _Statement(NamedTuple):
    """An import statement by its lines, from 0; ``end`` is behind the last."""

    node: ast.Import | ast.ImportFrom
    start: int
    end: int


def remove_unused(content: bytes, names: Collection[str], lines: Collection[int]) -> bytes | None:
    """The file without the imports of these names, at statements that hold one of these lines
    (from 1). None where nothing of that is there.
    """
    source = _read_module(content)
    if source is None:
        return None
    text, tree, line_end = source
    rows = text.splitlines(keepends=True)
    changed = False
    for statement in reversed(_list_statements(tree)):
        if not any(statement.start < line <= statement.end for line in lines):
            continue
        kept = [one for one in statement.node.names if not _is_named(one, statement.node, names)]
        if len(kept) == len(statement.node.names) or _shares_line(statement, rows):
            continue
        replacement = _keep_names(statement, kept, rows) if kept else []
        if replacement is None:
            continue
        if not kept and _is_only_statement(tree, statement.node):
            indent = re.match(r"\s*", rows[statement.start])
            replacement = [f"{indent[0] if indent else ''}pass\n"]
        rows[statement.start : statement.end] = replacement
        changed = True
    return _encode_module(rows, line_end) if changed else None


def add_import(content: bytes, statement: str) -> bytes | None:
    """The file with one more import statement, in its place among those at the top.

    None where the file does not parse.
    """
    source = _read_module(content)
    if source is None:
        return None
    text, tree, line_end = source
    rows = text.splitlines(keepends=True)
    block = _list_top_block(tree)
    if not block:
        at = _end_of_head(tree, rows)
        rows[at:at] = [statement + "\n", *(["\n"] if at < len(rows) and rows[at].strip() else [])]
        return _encode_module(rows, line_end)
    same = [
        one for one in block if _rank_import(one.node) == _rank_import(_parse_import(statement))
    ]
    if not same:
        rows[block[-1].end : block[-1].end] = [statement + "\n"]
        return _encode_module(rows, line_end)
    key = _sort_key(_parse_import(statement))
    behind = [one for one in same if _sort_key(one.node) < key]
    at = behind[-1].end if behind else same[0].start
    rows[at:at] = [statement + "\n"]
    return _encode_module(rows, line_end)


def sort_imports(content: bytes) -> bytes | None:
    """The file with each run of import lines in order: ``import`` first, then ``from``, by module
    and name. None where all are.
    """
    source = _read_module(content)
    if source is None:
        return None
    text, tree, line_end = source
    rows = text.splitlines(keepends=True)
    for run in _list_runs(_list_statements(tree, only_top=True), rows):
        ordered = sorted(run, key=lambda one: _sort_key(one.node))
        rows[run[0].start : run[-1].end] = [
            row for one in ordered for row in rows[one.start : one.end]
        ]
    made = _encode_module(rows, line_end)
    return made if made != content else None


def choose_import(name: str, files: Iterable[bytes]) -> str:
    """The statement with which other files of the repository import a name most often, else that of
    a module of the standard library; empty where neither is.
    """
    found: Counter[str] = Counter()
    for content in files:
        if name.encode() not in content:
            continue
        source = _read_module(content)
        for one in _list_statements(source[1], only_top=True) if source else ():
            # A relative import means something else in another file.
            if isinstance(one.node, ast.ImportFrom) and one.node.level:
                continue
            for alias in one.node.names:
                if _find_bound_name(alias) == name:
                    found[_statement_text(one.node, alias)] += 1
    if found:
        # The same count: the shorter one, then by letters, so that the choice never changes.
        return min(found, key=lambda text: (-found[text], len(text), text))
    return f"import {name}" if name in sys.stdlib_module_names and not name.startswith("_") else ""


def _statement_text(node: ast.Import | ast.ImportFrom, alias: ast.alias) -> str:
    """The statement that imports one name alone."""
    named = alias.name + (f" as {alias.asname}" if alias.asname else "")
    return (
        f"from {node.module} import {named}"
        if isinstance(node, ast.ImportFrom)
        else f"import {named}"
    )


def _read_module(content: bytes) -> tuple[str, ast.Module, str] | None:
    """The text with plain line ends, its syntax tree, and the line ends of the file."""
    try:
        text = content.decode("utf-8")
        line_end = "\r\n" if 0 < text.count("\n") == text.count("\r\n") else "\n"
        text = text.replace(line_end, "\n")
        # A form feed or a separator would count as a line here and not there.
        if set(text) & set("\x0b\x0c\x1c\x1d\x1e\x85\u2028\u2029\r"):
            return None
        return text, ast.parse(text), line_end
    except (UnicodeDecodeError, SyntaxError, ValueError, RecursionError):
        return None


def _encode_module(rows: Sequence[str], line_end: str) -> bytes | None:
    text = "".join(rows)
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    return text.replace("\n", line_end).encode()


def _list_statements(tree: ast.Module, *, only_top: bool = False) -> list[_Statement]:
    nodes = tree.body if only_top else list(ast.walk(tree))
    found = [
        _Statement(node, node.lineno - 1, node.end_lineno or node.lineno)
        for node in nodes
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    return sorted(found, key=lambda one: one.start)


def _is_named(alias: ast.alias, node: ast.Import | ast.ImportFrom, names: Collection[str]) -> bool:
    whole = f"{node.module}.{alias.name}" if isinstance(node, ast.ImportFrom) else alias.name
    wanted = {_find_bound_name(alias), alias.name, whole, alias.name.rpartition(".")[2]}
    return not wanted.isdisjoint(names)


def _find_bound_name(alias: ast.alias) -> str:
    return alias.asname or alias.name.partition(".")[0]


def _shares_line(statement: _Statement, rows: Sequence[str]) -> bool:
    whole = "".join(rows[statement.start : statement.end]).strip()
    return ";" in whole or not whole.startswith(("import", "from"))


def _keep_names(
    statement: _Statement, kept: Sequence[ast.alias], rows: Sequence[str]
) -> list[str] | None:
    """The lines of a statement without the other names; None where a comment would be lost."""
    gone = [one for one in statement.node.names if one not in kept]
    alone = {one.lineno - 1 for one in gone if _is_alone(one, rows[one.lineno - 1])}
    places = range(statement.start, statement.end)
    if len(alone) == len(gone):
        return [rows[at] for at in places if at not in alone]
    if any("#" in rows[at] for at in places):
        return None
    return [_write_statement(statement, kept, rows)]


def _is_alone(alias: ast.alias, row: str) -> bool:
    """Whether a line holds one name of an import, and at most a comment about it."""
    words = row.partition("#")[0].strip().removesuffix(",").split()
    return words == [alias.name, *(["as", alias.asname] if alias.asname else [])]


def _write_statement(statement: _Statement, kept: Sequence[ast.alias], rows: Sequence[str]) -> str:
    first = rows[statement.start]
    indent = first[: len(first) - len(first.lstrip())]
    names = [one.name + (f" as {one.asname}" if one.asname else "") for one in kept]
    node = statement.node
    if isinstance(node, ast.Import):
        return f"{indent}import {', '.join(names)}\n"
    head = f"{indent}from {'.' * node.level}{node.module or ''} import "
    line = head + ", ".join(names)
    if statement.end - statement.start == 1 or len(line) <= 79:
        return line + "\n"
    return head + "(\n" + "".join(f"{indent}    {name},\n" for name in names) + f"{indent})\n"


def _is_only_statement(tree: ast.Module, node: ast.stmt) -> bool:
    for parent in ast.walk(tree):
        for field in ("body", "orelse", "finalbody"):
            if getattr(parent, field, None) == [node] and not isinstance(parent, ast.Module):
                return True
    return False


def _list_top_block(tree: ast.Module) -> list[_Statement]:
    """The imports at the top, those of ``__future__`` aside, up to the first other statement."""
    found: list[_Statement] = []
    for at, node in enumerate(tree.body):
        if isinstance(node, ast.Import | ast.ImportFrom):
            if not (isinstance(node, ast.ImportFrom) and node.module == "__future__"):
                found.append(_Statement(node, node.lineno - 1, node.end_lineno or node.lineno))
        elif at or not _is_docstring(node):
            break
    return found


def _end_of_head(tree: ast.Module, rows: Sequence[str]) -> int:
    """The line behind the docstring and the imports of ``__future__``, and behind comments where
    there is neither.
    """
    at = 0
    for number, node in enumerate(tree.body):
        is_future = isinstance(node, ast.ImportFrom) and node.module == "__future__"
        if not is_future and not (number == 0 and _is_docstring(node)):
            break
        at = node.end_lineno or at
    if at == 0:
        while at < len(rows) and rows[at].startswith("#"):
            at += 1
    while at < len(rows) and not rows[at].strip():
        at += 1
    return at


def _is_docstring(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _list_runs(statements: Sequence[_Statement], rows: Sequence[str]) -> list[list[_Statement]]:
    """Statements with nothing between them, whole lines each."""
    runs: list[list[_Statement]] = []
    for one in statements:
        if _shares_line(one, rows) or (
            isinstance(one.node, ast.ImportFrom) and one.node.module == "__future__"
        ):
            continue
        if runs and runs[-1][-1].end == one.start:
            runs[-1].append(one)
        else:
            runs.append([one])
    return runs


def _parse_import(statement: str) -> ast.Import | ast.ImportFrom:
    node = ast.parse(statement).body[0]
    assert isinstance(node, ast.Import | ast.ImportFrom), statement
    return node


def _rank_import(node: ast.Import | ast.ImportFrom) -> int:
    """The standard library, others, and the package's own relative ones."""
    if isinstance(node, ast.ImportFrom) and node.level:
        return 2
    return 0 if _name_module(node).partition(".")[0] in sys.stdlib_module_names else 1


def _name_module(node: ast.Import | ast.ImportFrom) -> str:
    return (node.module or "") if isinstance(node, ast.ImportFrom) else node.names[0].name


def _sort_key(node: ast.Import | ast.ImportFrom) -> tuple[int, bool, str, str]:
    return (
        _rank_import(node),
        isinstance(node, ast.ImportFrom),
        _name_module(node).lower(),
        node.names[0].name.lower(),
    )
