"""How files of each language import: what takes out an unused name, and adds a missing one."""

import functools
from collections.abc import Callable, Iterable, Sequence

from git_retcon.heal.fixers.module_aliases import ProjectFiles, is_own_module
from git_retcon.heal.fixers.python_imports import add_import, choose_import, remove_unused
from git_retcon.lazy_named_tuple import NamedTuple


class Unused(NamedTuple):
    """Names that nothing uses, as a tool calls them, and the line (from 1) that it names."""

    names: tuple[str, ...]
    line: int


class Sources(NamedTuple):
    """The file that is fixed, what gives the others of its language, by path and content, and all
    files of the repository.
    """

    path: bytes
    read_others: Callable[[], Iterable[tuple[bytes, bytes]]]
    files: ProjectFiles

    def read_contents(self) -> Iterable[bytes]:
        return (content for _, content in self.read_others())


Adding = Callable[[bytes], bytes | None]


class ImportLanguage(NamedTuple):
    """A language. ``remove`` gives a content without imports that nothing uses; ``find_adding``
    what adds an import of a name, None where nobody imports such a name.
    """

    endings: tuple[bytes, ...]
    remove: Callable[[bytes, Sequence[Unused], Sources], bytes | None]
    find_adding: Callable[[str, Sources], Adding | None]


def choose_language(path: bytes | None) -> ImportLanguage | None:
    """The language of a file; None where its imports are not known."""
    return next((one for one in _LANGUAGES if path and path.endswith(one.endings)), None)


def _remove_from_python(content: bytes, unused: Sequence[Unused], sources: Sources) -> bytes | None:
    names = {name for one in unused for name in one.names}
    return remove_unused(content, names, {one.line for one in unused}) if names else None


def _find_in_python(name: str, sources: Sources) -> Adding | None:
    statement = choose_import(name, sources.read_contents())
    if not statement:
        return None

    def add(content: bytes) -> bytes | None:
        return None if statement.encode() in content else add_import(content, statement)

    return add


def _remove_from_go(content: bytes, unused: Sequence[Unused], sources: Sources) -> bytes | None:
    from git_retcon.heal.fixers.go_imports import remove_package

    return _remove_by_lines(content, unused, remove_package)


def _remove_from_script(content: bytes, unused: Sequence[Unused], sources: Sources) -> bytes | None:
    from git_retcon.heal.fixers.script_imports import remove_name
    from git_retcon.heal.fixers.workspace_packages import is_workspace_package

    def is_own(module: str) -> bool:
        return is_own_module(module, sources.path, sources.files) or is_workspace_package(
            module, sources.path, sources.files
        )

    return _remove_by_lines(content, unused, functools.partial(remove_name, is_own=is_own))


def _remove_by_lines(
    content: bytes, unused: Sequence[Unused], remove: Callable[[bytes, str, int], bytes | None]
) -> bytes | None:
    made = content
    # From the last line, so that the places of others stay.
    for one in sorted(unused, key=lambda one: one.line, reverse=True):
        for name in one.names:
            made = remove(made, name, one.line) or made
    return made if made != content else None


def _find_in_go(name: str, sources: Sources) -> Adding | None:
    from git_retcon.heal.fixers.go_imports import add_package, choose_package

    package = choose_package(name, sources.read_contents())
    return (lambda content: add_package(content, package)) if package else None


def _find_in_script(name: str, sources: Sources) -> Adding | None:
    from git_retcon.heal.fixers.script_imports import add_script_import, choose_script_import

    wanted = choose_script_import(name, sources.path, sources.read_others())
    if wanted is None:
        return None
    return lambda content: add_script_import(content, wanted, sources.path)


_LANGUAGES = (
    ImportLanguage((b".py", b".pyi"), _remove_from_python, _find_in_python),
    ImportLanguage((b".go",), _remove_from_go, _find_in_go),
    ImportLanguage(
        (b".js", b".jsx", b".mjs", b".cjs", b".ts", b".tsx", b".mts", b".cts"),
        _remove_from_script,
        _find_in_script,
    ),
)
