"""Lines of a fix that could make a check pass without anything being right.

Code that a step runs can end the program before the test fails, look for who asks, patch what
judges, or write what a later step reads. No sandbox can tell that from honest work, so each such
line that a fix adds is shown and needs a yes of its own. A line is added if the file does not have
it as often before; what the file did already, it may go on to do.
"""

import ast
from collections import Counter
from collections.abc import Iterator, Sequence

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.healing.tampering import is_harmless
from git_retcon.heal.patches import FileChange
from git_retcon.lazy_named_tuple import NamedTuple


class _Sign(NamedTuple):
    """What gives a line away. ``is_usual``: files that do it already may do more of it."""

    why: str
    pattern: LazyPattern[bytes]
    is_usual: bool = True


_SIGNS = (
    _Sign(
        "it ends the program",
        LazyPattern(
            rb"\b(?:sys\.exit|os\._exit|os\.abort|os\.kill|process\.exit|os\.Exit|std::process::exit"
            rb"|System\.exit)\b|\bSystemExit\b|(?<![\w.])(?:exit|quit)\(|\batexit\b"
            rb"|\bsignal\.(?:signal|alarm|raise_signal|pthread_kill|setitimer)\("
        ),
        is_usual=False,
    ),
    _Sign(
        "it looks for who runs it",
        LazyPattern(
            rb"PYTEST_CURRENT_TEST|PYTEST_VERSION|GITHUB_\w+|RUNNER_\w+|[\"']CI[\"']|\bprocess\.env\.CI"
            rb"|\bin sys\.modules|_getframe|inspect\.(?:stack|currentframe)|JEST_WORKER|NODE_ENV"
        ),
        is_usual=False,
    ),
    _Sign(
        "it depends on the environment",
        LazyPattern(rb"\bos\.environ|\bgetenv\b|\bprocess\.env\b|\bsys\.argv\b|\benv::var\b"),
    ),
    _Sign(
        "it depends on the time",
        LazyPattern(
            rb"\btime\.(?:time|monotonic|localtime|gmtime|strftime)\b|\bdatetime\.(?:now|today|utcnow)"
            rb"|\bdate\.today|\bDate\.now|new Date\(\)|\btime\.Now\b|\bInstant::now|\bos\.urandom"
            rb"|\brandom\.\w+\("
        ),
    ),
    _Sign(
        "it changes what judges it",
        LazyPattern(
            rb"\bsys\.(?:modules|settrace|setprofile|excepthook|meta_path|path_hooks)\b"
            rb"|\b(?:__builtins__|builtins)\b|\bmonkeypatch\b|\bunittest\.mock\b|\bfaulthandler\b"
            rb"|\b(?:conftest|sitecustomize|usercustomize)\b|\bwarnings\.(?:filterwarnings"
            rb"|simplefilter|catch_warnings)|\blogging\.disable|\bsys\.(?:stdout|stderr)\s*="
            rb"|(?:import|from)\s+_?pytest\b|\bsys\.path\.(?:insert|append)|\bimport gc\b"
            rb"|\bctypes\b|\b__class__\s*=|\b__code__\b|\bassert\w*\s*=\s|\.pth\b|\bexpect\s*="
        ),
        is_usual=False,
    ),
    _Sign(
        "it runs programs or threads",
        LazyPattern(
            rb"\bsubprocess\b|\bos\.(?:system|popen|exec\w*|fork\w*|spawn\w*|posix_spawn\w*)\b"
            rb"|\bPopen\b|\bthreading\.(?:Thread|Timer)|\bmultiprocessing\b|\bchild_process\b"
            rb"|\bexec\.Command\b|\bnohup\b|\bsetsid\b|\bpty\.\w+\("
        ),
    ),
    _Sign(
        "it writes files",
        LazyPattern(
            rb"\bopen\([^)]*[\"'][rb]*[wax][bt+]*[\"']|\bwrite_(?:text|bytes)\(|\bwriteFile"
            rb"|\bos\.(?:rename|replace|remove|unlink|chmod|symlink|link|makedirs|mkdir|utime)\("
            rb"|\bshutil\.\w+\(|\bos\.WriteFile|\bfs::write|\.(?:unlink|touch|symlink_to)\(|os\.open\("
        ),
    ),
    _Sign(
        "it runs text as code",
        LazyPattern(
            rb"(?<![\w.])(?:eval|exec|__import__)\(|\bcompile\([^)]*[\"']exec|\bbase64\b|\bmarshal\b"
            rb"|\b[gs]etattr\([^,()]+,(?!\s*[\"']\w+[\"']\s*[,)])|\bglobals\(\)|\b__dict__\["
            rb"|\bcodecs\.decode|\bnew Function\(|\bimportlib\.reload"
        ),
    ),
    _Sign("it equals everything", LazyPattern(rb"def __(?:eq|ne|bool|lt|le|gt|ge|contains)__\(")),
)


def list_evasions(change: FileChange) -> list[str]:
    """What a change has to be asked about, in words with the line."""
    if change.new is None:
        return ["the file is deleted"]
    # A formatter moves such lines, and makes no new ones.
    if is_harmless(change):
        return []
    old = change.old.content if change.old is not None else b""
    new = change.new.content
    if old.strip() and not new.strip():
        return ["the file is emptied"]
    return [*_find_lines(old, new), *_find_lost_checks(change, old, new)]


def _find_lines(old: bytes, new: bytes) -> Iterator[str]:
    added = Counter(_strip_lines(new)) - Counter(_strip_lines(old))
    for line in added:
        for sign in _SIGNS:
            if sign.pattern.search(line) and not (sign.is_usual and sign.pattern.search(old)):
                yield f"{line.decode('utf-8', 'replace')}  ({sign.why})"
                break


def _strip_lines(content: bytes) -> Sequence[bytes]:
    return [line.strip() for line in content.split(b"\n")]


def _find_lost_checks(change: FileChange, old: bytes, new: bytes) -> Iterator[str]:
    """Asserts and tests that are fewer than before, or that can no longer fail."""
    if not change.path.endswith((b".py", b".pyi")):
        return
    before, after = _count_checks(old), _count_checks(new)
    if before is None or after is None:
        return
    if after.asserts < before.asserts:
        yield f"{before.asserts - after.asserts} fewer assert"
    if after.tests < before.tests:
        yield f"{before.tests - after.tests} fewer tests"
    if after.idle > before.idle:
        yield "an assert that cannot fail"
    if after.swallowed > before.swallowed:
        yield "an error that is caught and not used"


class _Checks(NamedTuple):
    asserts: int
    tests: int
    idle: int
    swallowed: int


def _count_checks(content: bytes) -> _Checks | None:
    try:
        nodes = list(ast.walk(ast.parse(content)))
    except (SyntaxError, ValueError, RecursionError):
        return None
    asserts = [node for node in nodes if isinstance(node, ast.Assert)]
    tests = sum(
        isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test")
        for node in nodes
    )
    idle = sum(isinstance(node.test, ast.Constant | ast.Tuple) for node in asserts)
    swallowed = sum(isinstance(node, ast.ExceptHandler) and _is_broad(node) for node in nodes)
    return _Checks(len(asserts), tests, idle, swallowed)


def _is_broad(handler: ast.ExceptHandler) -> bool:
    """Whether a handler takes everything, an AssertionError too, and raises nothing."""
    names = [node.id for node in ast.walk(handler.type)
             if isinstance(node, ast.Name)] if handler.type else []  # fmt: skip
    broad = {"Exception", "BaseException", "AssertionError"}
    takes = handler.type is None or not broad.isdisjoint(names)
    return takes and not any(isinstance(node, ast.Raise) for node in ast.walk(handler))
