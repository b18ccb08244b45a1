"""Names that a Python module imports from others, and the files that may be these others."""

from collections.abc import Iterator
from typing import NamedTuple

from git_retcon.code.lazy_pattern import LazyPattern

_FROM = LazyPattern(
    rb"(?m)^[ \t]*from[ \t]+(\.*)[ \t]*([\w.]*)[ \t]+import[ \t]*"
    rb"(?:\(([^()]*)\)|((?:[^\n\\(]|\\\r?\n)*))"
)
_COMMENT = LazyPattern(rb"#[^\n]*")
_NAME = LazyPattern(rb"[ \t\r\n\\]*(\w+)")
# Where projects keep their packages, beside the folder that holds the project.
_ROOTS = (b"", b"src/", b"lib/")


class ImportedName(NamedTuple):
    """``from module import name``; ``level`` counts the dots before the module, 0 is absolute."""

    level: int
    module: str
    name: str


def find_imported(content: bytes) -> frozenset[ImportedName]:
    """What ``from`` statements import, at any depth; star imports are none.

    A text is not parsed for it, so a line of a docstring that reads like an import counts too.
    """
    return frozenset(_find_imported(content))


def _find_imported(content: bytes) -> Iterator[ImportedName]:
    for found in _FROM.finditer(content):
        dots, module, inside, plain = found.groups()
        if not dots and not module:
            continue
        for part in _COMMENT.sub(b"", inside or plain or b"").split(b","):
            if name := _NAME.match(part):
                yield ImportedName(len(dots), module.decode(), name[1].decode())


def list_module_paths(path: bytes, imported: ImportedName) -> Iterator[bytes]:
    """The paths that the module of an import in the file ``path`` may have, the likeliest first."""
    folders = path.split(b"/")[:-1]
    below = imported.module.replace(".", "/").encode()
    if imported.level:
        kept = len(folders) - imported.level + 1
        if kept >= 0:
            yield from _list_files(b"".join(each + b"/" for each in folders[:kept]), below)
        return
    # A project may be in a folder of the repository, and a script finds what is beside it.
    for kept in range(len(folders) + 1):
        above = b"".join(each + b"/" for each in folders[:kept])
        for root in _ROOTS:
            yield from _list_files(above + root, below)


def _list_files(folder: bytes, below: bytes) -> Iterator[bytes]:
    if below:
        yield folder + below + b".py"
        folder += below + b"/"
    yield folder + b"__init__.py"
