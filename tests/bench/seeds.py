"""Faults seeded into files that are in order, of sorts that a linter or a formatter names.

An import is moved or taken away, or two letters of a name change places; the other sorts are one
line more (``breakages``). Files are chosen by a digest, so that the same clone always has the same.
"""

import ast
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tests.bench.breakages import LANGUAGES, Breakage, list_breakages, shuffle_path

KINDS = ("format", "unused import", "missing import", "misspelt name", "sort order", "syntax")
_LEAST_NAME = 5  # letters; a shorter one has too few that can change places
_DECLARED = re.compile(r"^(?:export )?(?:const|let|var|function|func) (\w{5,})\b", re.MULTILINE)
# One name that one line of a file in JavaScript or TypeScript imports.
_SCRIPT_IMPORT = re.compile(
    r"(?:import (?P<all>\w+) from|import \{ ?(?P<one>\w+) ?\} from|(?:const|let|var) (?P<old>\w+) ="
    r" require\() ?['\"][^'\"]+['\"]\)?;?$"
)
# One package in the parentheses of a Go import, by its own name.
_GO_IMPORT = re.compile(r'\t"(?:[\w.-]+/)*(?P<one>[a-z]\w*)"$')
_ASIDE = re.compile(r"(?:^|/)(?:tests?|test_[^/]*|docs?|examples?|vendor|\.[^/]*)(?:/|\.py|$)")

Seed = Callable[[str, str], Breakage | None]


def list_seeds(top: Path, paths: Sequence[str], language: str, each: int) -> Iterator[Breakage]:
    """At most so many faults of each kind, each in another file."""
    for kind in KINDS:
        found = _SEEDS.get((language, kind))
        if found is None:
            yield from _list_lines(top, paths, language, kind, each)
        else:
            yield from _list_changes(top, paths, language, found, each)


def _list_lines(
    top: Path, paths: Sequence[str], language: str, kind: str, each: int
) -> Iterator[Breakage]:
    for part in range(each):
        seeded = list_breakages(top, sorted(paths)[part::each], language)
        yield from (one for one in seeded if one.kind == kind)


def _list_changes(
    top: Path, paths: Sequence[str], language: str, seed: Seed, each: int
) -> Iterator[Breakage]:
    known = LANGUAGES[language]
    own = (
        one
        for one in paths
        if one.endswith(known.endings) and not (_ASIDE.search(one) or known.is_test.search(one))
    )
    made = 0
    for path in sorted(own, key=shuffle_path):
        try:
            text = (top / path).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
        found = seed(path, text) if made < each else None
        if found is not None:
            made += 1
            yield found


def _drop_import(path: str, text: str) -> Breakage | None:
    """Take away the import of one name that the file uses."""
    tree, rows = _parse(text), text.splitlines(keepends=True)
    if tree is None or path.endswith("__init__.py"):
        return None
    used = [one for one in ast.walk(tree) if isinstance(one, ast.Name)]
    for node in _list_imports(tree):
        bound = node.names[0].asname or node.names[0].name
        uses = [one.lineno for one in used if one.id == bound]
        if len(node.names) == 1 and uses and getattr(node, "module", "") != "__future__":
            at = node.lineno - 1
            content = "".join([*rows[:at], *rows[at + 1 :]])
            return Breakage("missing import", path, min(uses) - 1, content)
    return None


def _swap_imports(path: str, text: str) -> Breakage | None:
    """Let two import lines that follow each other change places."""
    tree, rows = _parse(text), text.splitlines(keepends=True)
    imports = _list_imports(tree) if tree is not None else []
    for first, second in itertools.pairwise(imports):
        same = type(first) is type(second) and second.lineno == first.lineno + 1
        if same and getattr(first, "module", "") != "__future__":
            at = first.lineno - 1
            content = "".join([*rows[:at], rows[at + 1], rows[at], *rows[at + 2 :]])
            return Breakage("sort order", path, at + 1, content)
    return None


def _misspell_python(path: str, text: str) -> Breakage | None:
    """Misspell one use of a variable, a function or a class."""
    tree = _parse(text)
    if tree is None:
        return None
    for node in ast.walk(tree):
        is_use = isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
        if is_use and isinstance(node, ast.Name) and len(node.id) >= _LEAST_NAME:
            row = text.splitlines()[node.lineno - 1]
            made = _misspell(path, text, node.id, node.lineno)
            # More than one use in a line: which is meant is not known by its column in characters.
            if made is not None and row.count(node.id) == 1:
                return made
    return None


def _misspell_declared(path: str, text: str) -> Breakage | None:
    """Misspell one use of a constant or a function of a file."""
    for name in _DECLARED.findall(text):
        for number, row in enumerate(text.splitlines(), 1):
            used = re.search(rf"(?<![\w.'\"/]){name}(?=[(.])", row)
            is_code = not row.lstrip().startswith(("*", "//", "func", "export", "function"))
            if used is not None and row.count(name) == 1 and is_code:
                return _misspell(path, text, name, number)
    return None


def _spoil_layout(path: str, text: str) -> Breakage | None:
    """Put more space around one equals sign."""
    rows = text.splitlines(keepends=True)
    for at, row in enumerate(rows):
        found = re.match(r"\s*(?:export )?(?:const|let|var) \w+ = ", row)
        if at > 5 and found is not None:
            rows[at] = row.replace(" = ", "  =   ", 1)
            return Breakage("format", path, at + 1, "".join(rows))
    return None


def _drop_script_import(path: str, text: str) -> Breakage | None:
    """Take away a line that imports one name, which the file uses."""
    return _drop_line(path, text, _SCRIPT_IMPORT)


def _drop_go_import(path: str, text: str) -> Breakage | None:
    """Take away the line of one package, which the file uses."""
    return _drop_line(path, text, _GO_IMPORT)


def _drop_line(path: str, text: str, pattern: re.Pattern[str]) -> Breakage | None:
    rows = text.splitlines(keepends=True)
    for at, row in enumerate(rows):
        found = pattern.match(row.rstrip("\n"))
        if found is None:
            continue
        (name,) = filter(None, found.groups())
        rest = rows[at + 1 :]
        uses = [n for n, one in enumerate(rest) if re.search(rf"(?<![\w.'\"/]){name}[.(]", one)]
        if uses:
            return Breakage("missing import", path, at + uses[0] + 1, "".join([*rows[:at], *rest]))
    return None


def _swap_go_imports(path: str, text: str) -> Breakage | None:
    """Let two packages that follow each other change places."""
    rows = text.splitlines(keepends=True)
    for at, (first, second) in enumerate(itertools.pairwise(rows)):
        if _GO_IMPORT.match(first.rstrip("\n")) and _GO_IMPORT.match(second.rstrip("\n")):
            content = "".join([*rows[:at], second, first, *rows[at + 2 :]])
            return Breakage("sort order", path, at + 1, content)
    return None


def _misspell(path: str, text: str, name: str, line: int) -> Breakage | None:
    middle = len(name) // 2
    wrong = name[: middle - 1] + name[middle] + name[middle - 1] + name[middle + 1 :]
    if wrong == name or wrong in text:
        return None
    rows = text.splitlines(keepends=True)
    rows[line - 1] = re.sub(rf"\b{name}\b", wrong, rows[line - 1], count=1)
    return Breakage("misspelt name", path, line, "".join(rows))


def _parse(text: str) -> ast.Module | None:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return None


def _list_imports(tree: ast.Module) -> list[ast.Import | ast.ImportFrom]:
    """Those at the top of a module, of one line."""
    return [
        node
        for node in tree.body
        if isinstance(node, ast.Import | ast.ImportFrom) and node.lineno == node.end_lineno
    ]


_SEEDS: dict[tuple[str, str], Seed] = {
    ("Python", "missing import"): _drop_import,
    ("Python", "sort order"): _swap_imports,
    ("Python", "misspelt name"): _misspell_python,
    ("JavaScript", "format"): _spoil_layout,
    ("TypeScript", "format"): _spoil_layout,
    ("JavaScript", "missing import"): _drop_script_import,
    ("JavaScript", "misspelt name"): _misspell_declared,
    ("TypeScript", "missing import"): _drop_script_import,
    ("TypeScript", "misspelt name"): _misspell_declared,
    ("Go", "missing import"): _drop_go_import,
    ("Go", "sort order"): _swap_go_imports,
    ("Go", "misspelt name"): _misspell_declared,
}
