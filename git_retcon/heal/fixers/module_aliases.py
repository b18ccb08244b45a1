"""Names by which files of JavaScript and TypeScript import modules of their own project, without
saying where they are: ``@/shop`` or ``~/shop``, as bundlers have it, ``#shop`` of package.json, and
what ``paths`` and ``baseUrl`` of the nearest tsconfig.json or jsconfig.json say.
"""

import json
import posixpath
from collections.abc import Callable, Iterator
from typing import Any

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.lazy_named_tuple import NamedTuple

# No package can be called so.
_NEVER_PACKAGES = ("@/", "~/", "#", "$", "/")
_CONFIGURATIONS = ("tsconfig.json", "jsconfig.json")
_MOST_PARENTS = 32  # of one configuration, with theirs
_ENDINGS = (".ts", ".tsx", ".js", ".jsx", ".mts", ".cts", ".mjs", ".cjs", ".vue", ".svelte", "")
# A string, which stays as it is; a comment; a comma behind which nothing comes.
_EXTRAS = LazyPattern(
    r'(?s)(?P<text>"(?:[^"\\]|\\.)*")|//[^\n]*|/\*.*?\*/|,(?=(?:\s|//[^\n]*|/\*.*?\*/)*[}\]])'
)

Read = Callable[[bytes], bytes | None]


class ProjectFiles(NamedTuple):
    """The files of a repository: ``list_paths`` gives all, ``read`` one, None where it is none."""

    list_paths: Callable[[], frozenset[bytes]]
    read: Read


class _Options(NamedTuple):
    """What a configuration says of modules: ``folder`` is where ``paths`` begin."""

    paths: dict[str, Any]
    folder: str
    base: str | None


def is_own_module(module: str, path: bytes, files: ProjectFiles) -> bool:
    """Whether a module that a file imports is a file of the repository too."""
    if module.startswith((".", *_NEVER_PACKAGES)):
        return True
    options = _find_options(path.decode("utf-8", "surrogateescape"), files)
    if options is None:
        return False
    places = [_fill_target(target, options.folder, name)
              for pattern, targets in options.paths.items()
              if (name := _match_pattern(pattern, module)) is not None and isinstance(targets, list)
              for target in targets if isinstance(target, str)]  # fmt: skip
    if options.base is not None:
        places.append(posixpath.normpath(posixpath.join(options.base, module)))
    return any(_is_file(place, files.list_paths()) for place in places)


def _find_options(path: str, files: ProjectFiles) -> _Options | None:
    """Those of the nearest configuration above a file."""
    known, folder = files.list_paths(), path
    while folder:
        folder = posixpath.dirname(folder)
        for name in _CONFIGURATIONS:
            place = posixpath.join(folder, name)
            if encode_name(place) in known:
                return next(_list_options(place, files), None)
    return None


def _list_options(place: str, files: ProjectFiles) -> Iterator[_Options]:
    """Its own, then those of configurations that it only refers to, as a template of Vite does."""
    own = _read_options(place, files)
    if own is not None:
        yield own
    references = parse_configuration(files.read(encode_name(place))).get("references")
    for one in references if isinstance(references, list) else ():
        if isinstance(one, dict) and isinstance(one.get("path"), str):
            other = posixpath.normpath(posixpath.join(posixpath.dirname(place), one["path"]))
            other = other if other.endswith(".json") else f"{other}/{_CONFIGURATIONS[0]}"
            if (found := _read_options(other, files)) is not None:
                yield found


def _read_options(place: str, files: ProjectFiles) -> _Options | None:
    paths, folder, base = None, "", None
    for configuration, said in _list_chain(place, files):
        own = said.get("compilerOptions")
        own = own if isinstance(own, dict) else {}
        at = posixpath.dirname(configuration)
        if base is None and isinstance(own.get("baseUrl"), str):
            base = posixpath.normpath(posixpath.join(at, own["baseUrl"]))
        if paths is None and isinstance(own.get("paths"), dict):
            paths, folder = own["paths"], at
    if paths is None and base is None:
        return None
    return _Options(paths or {}, folder if base is None else base, base)


def _list_chain(place: str, files: ProjectFiles) -> Iterator[tuple[str, dict[str, Any]]]:
    """A configuration, and those of the repository that it extends, what counts most first: of
    several parents the last, with its own.
    """
    waiting, seen = [place], set[str]()
    while waiting and len(seen) < _MOST_PARENTS:
        place = waiting.pop()
        if place in seen:
            continue
        seen.add(place)
        said = parse_configuration(files.read(encode_name(place)))
        yield place, said
        parents = said.get("extends")
        for parent in parents if isinstance(parents, list) else [parents]:
            if isinstance(parent, str) and parent.startswith("."):
                other = posixpath.normpath(posixpath.join(posixpath.dirname(place), parent))
                waiting.append(other if other.endswith(".json") else f"{other}.json")


def parse_configuration(content: bytes | None) -> dict[str, Any]:
    """JSON with comments and commas behind the last, as TypeScript reads it; {} for what is not."""
    text = (content or b"").decode("utf-8-sig", "replace")
    try:
        said = json.loads(_EXTRAS.compiled.sub(lambda one: one["text"] or " ", text))
    except (ValueError, RecursionError):
        return {}
    return said if isinstance(said, dict) else {}


def _match_pattern(pattern: str, module: str) -> str | None:
    """What the ``*`` of a pattern stands for, empty where it has none; None: it does not fit."""
    before, star, after = pattern.partition("*")
    if not star:
        return "" if module == pattern else None
    fits = module.startswith(before) and module.endswith(after)
    if not fits or len(module) < len(before) + len(after):
        return None
    return module[len(before) : len(module) - len(after)]


def _fill_target(target: str, folder: str, name: str) -> str:
    return posixpath.normpath(posixpath.join(folder, target.replace("*", name, 1)))


def _is_file(place: str, paths: frozenset[bytes]) -> bool:
    """Whether a place without its ending, or a folder with an index, is of the repository."""
    stem = posixpath.splitext(place)[0]  # "./x.js" is x.ts before it is compiled
    names = (f"{one}{end}" for one in (place, stem, f"{place}/index") for end in _ENDINGS)
    return any(encode_name(name) in paths for name in names)


def encode_name(name: str) -> bytes:
    try:
        return name.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half of a character, as JSON can spell it: the name of no file
        return b""
