"""What a fix may not do: change what judges it, or silence the judge.

A step that passes proves nothing if the fix changed what the step asks. So the workflows, what
their scripts name, the settings of tools and the tests are frozen, and each new suppression is
counted.
"""

import ast
import functools
import itertools
import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.files.beneath import File
from git_retcon.files.protected import is_judge, is_obeyed, is_setting, is_stub
from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.heal.healing.shadowing import shadows_module
from git_retcon.heal.healing.suppression_marks import find_mark
from git_retcon.heal.patches import FileChange
from git_retcon.run.judges import Judges, Sources, find_judges

_LIKE = 0.6  # as difflib measures it
_SEPARATORS = LazyPattern(r"&&|\|\||[;|\n]")
_CACHES = LazyPattern(
    rb"/(?:__pycache__|\.[\w-]*_cache|\.hypothesis|\.tox|\.nox|\.venv|venv|node_modules|target)/"
    rb"|\.py[co]$"
)
_INTERPRETERS = LazyPattern(
    r"(?:.*/)?(?:python[\d.]*|node|ruby|perl|php|bash|sh|zsh|dash|ksh|source|\.|deno|bun|tsx|ts-node"
    r"|Rscript|lua|env|exec|time|sudo|xvfb-run|nice|command|uv|poetry|pipenv|hatch|pdm|npx|run|x)$"
)
_SETTINGS = LazyPattern(r"--?(?:c|config|config-file|rcfile|settings|conf|ini)(?:=(.+))?$")


def find_frozen(
    commands: Iterable[str], read_file: Callable[[bytes], File | None], paths: Iterable[bytes]
) -> Judges:
    """What judges the steps with these commands, of the files with these paths. ``read_file`` reads
    one, None where there is none; it may raise ForbiddenPath or OSError.

    That is what they run and the settings that they name; what else they name is what is judged.
    """
    present = sorted(paths)

    def read(path: bytes) -> Iterator[File]:
        try:
            file = read_file(clean_path(path))
        except (ForbiddenPath, OSError):
            return
        if file is not None:
            yield file

    def list_below(folder: bytes) -> Iterable[bytes]:
        # Never empty: a folder that a step names is judged, it does not judge.
        return [path for path in present if path.startswith(folder + b"/")] or [folder]

    return find_judges(map(_name_judges, commands), Sources(read, list_below))


def _name_judges(script: str) -> str:
    """The words of a script that name what is run, and settings."""
    lines = _SEPARATORS.compiled.split(script.replace("\\\n", " "))
    return "\n".join(" ".join(_find_programs(line.split())) for line in lines)


def _find_programs(words: Sequence[str]) -> Iterator[str]:
    rest = list(words)
    runs_next = True
    while rest:
        word = rest.pop(0).strip("'\"")
        setting = _SETTINGS.match(word)
        if setting is not None and not runs_next:
            yield setting[1] or (rest[0] if rest else "")
        elif word == "-m" and runs_next:
            yield f"-m {rest[0]}" if rest else ""
            runs_next = False
        elif runs_next and not word.startswith("-") and "=" not in word:
            yield word
            runs_next = _INTERPRETERS.match(word) is not None


def explain_frozen(
    change: FileChange, judges: Judges, *, allow_tests: bool, named: Collection[bytes] = ()
) -> str:
    """Why a change is not allowed; empty where it is. ``named`` are files that the errors name."""
    path = change.path
    if is_obeyed(path) or is_judge(path):
        return "it decides what the steps check"
    if _CACHES.search(b"/" + path):
        return "it is a cache of a tool"
    if change.old is None and shadows_module(path):
        return "it takes the place of a module that checks use"
    if path not in named:
        if is_setting(path, is_new=change.old is None):
            return "it is called as settings of tools are, and no error names it"
        if change.old is None and is_stub(path):
            return "checks would read it in the place of a source"
    if is_harmless(change):
        return ""
    # Late: it brings in what is known of every language.
    from git_retcon.code.file_classes import is_test

    if is_test(path):
        return "" if allow_tests else "it is a test (--allow-tests allows it)"
    return "the steps run it" if judges.holds(path) else ""


@functools.lru_cache(maxsize=64)  # each change is asked about several times
def is_harmless(change: FileChange) -> bool:
    """Whether a change leaves the syntax tree of a Python file as it is, but for imports that are
    put in another order or that nothing uses.
    """
    if change.old is None or change.new is None or not change.path.endswith((b".py", b".pyi")):
        return False
    try:
        old, new = ast.parse(change.old.content), ast.parse(change.new.content)
    except (SyntaxError, ValueError, RecursionError):
        return False
    before, after = _take_imports(old), _take_imports(new)
    if ast.dump(old) != ast.dump(new) or after - before:
        return False
    used = {node.id for node in ast.walk(new) if isinstance(node, ast.Name)}
    return all(name not in used for _, name in (before - after))


def _take_imports(tree: ast.Module) -> "Counter[tuple[str, str]]":
    """Remove the imports at the top of a module; each as what it imports and the name it binds."""
    found: Counter[tuple[str, str]] = Counter()
    rest: list[ast.stmt] = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            where = f"{'.' * node.level}{node.module}:" if isinstance(node, ast.ImportFrom) else ""
            for one in node.names:
                found[(where + one.name, one.asname or one.name.partition(".")[0])] += 1
        else:
            rest.append(node)
    tree.body = rest
    return found


def list_suppressions(change: FileChange) -> list[str]:
    """The lines with a suppression that a change adds, as they are."""
    if change.new is None or _only_removes(change):
        return []
    old = Counter(_find_suppressions(change.old.content if change.old else b""))
    new = Counter(_find_suppressions(change.new.content))
    if sum(new.values()) <= sum(old.values()) and not set(new) - set(old):
        return []
    removed = list((old - new).elements())
    return [
        line.decode("utf-8", "replace")
        for line in (new - old).elements()
        if not _goes_on(line, removed)
    ]


def _only_removes(change: FileChange) -> bool:
    """Whether all lines were there before, and no "except" may be nearer to a "pass" now."""
    if change.old is None or change.new is None or b"except" in change.new.content:
        return False
    new, old = (Counter(one.content.split(b"\n")) for one in (change.new, change.old))
    return not new - old


def _goes_on(line: bytes, removed: list[bytes]) -> bool:
    """Whether a line with a suppression is an earlier one that was changed; each counts once."""
    import difflib  # late: few fixes have a suppression in them

    marker = find_mark(line)
    for earlier in removed:
        if (
            marker == find_mark(earlier)
            and difflib.SequenceMatcher(None, earlier, line).ratio() > _LIKE
        ):
            removed.remove(earlier)
            return True
    return False


def _find_suppressions(content: bytes) -> Sequence[bytes]:
    lines = content.split(b"\n")
    found = [line.strip() for line in lines if find_mark(line) is not None]
    # "except X:" and what it does are two lines.
    for first, second in itertools.pairwise(lines):
        if re.match(rb"\s*except\b.*:\s*$", first) and second.strip() in (b"pass", b"..."):
            found.append(first.strip())
    return found
