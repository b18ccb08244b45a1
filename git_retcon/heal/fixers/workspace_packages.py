"""Packages of the repository itself that its files import by name, as those of others: what the
``workspaces`` of npm and yarn and the ``packages`` of pnpm-workspace.yaml list.
"""

import itertools
import posixpath
from collections.abc import Iterator

from git_retcon.heal.fixers.module_aliases import ProjectFiles, encode_name, parse_configuration
from git_retcon.lazy_named_tuple import NamedTuple

_MANIFEST = "package.json"
_OF_PNPM = "pnpm-workspace.yaml"
_INSTALLED = "node_modules/"
# Each group doubles the patterns at least, and nobody writes as many.
_MOST_GROUPS, _MOST_PATTERNS = 20, 1000


def is_workspace_package(module: str, path: bytes, files: ProjectFiles) -> bool:
    """Whether a module that a file imports is of a package of a workspace that the file is in."""
    parts = module.split("/")
    name = "/".join(parts[: 2 if module.startswith("@") else 1])
    folder = path.decode("utf-8", "surrogateescape")
    while folder:
        folder = posixpath.dirname(folder)
        patterns = list(_list_patterns(folder, files))
        if patterns and name in _list_names(folder, patterns, files):
            return True
    return False


def _list_patterns(root: str, files: ProjectFiles) -> Iterator[str]:
    """The folders of packages below a folder, as its own files list them: globs, "!" takes back."""
    said = _read_manifest(posixpath.join(root, _MANIFEST), files).get("workspaces")
    said = said.get("packages") if isinstance(said, dict) else said
    listed = [one for one in said if isinstance(one, str)] if isinstance(said, list) else []
    for pattern in (*listed, *_list_of_pnpm(posixpath.join(root, _OF_PNPM), files)):
        sign = "!" if pattern.startswith("!") else ""
        for one in itertools.islice(_expand_braces(pattern.removeprefix("!")), _MOST_PATTERNS):
            yield sign + posixpath.normpath(one)


def _expand_braces(pattern: str) -> Iterator[str]:
    """One pattern for each choice of words: `{a,b}/c` is `a/c` and `b/c`."""
    group = _find_group(pattern) if pattern.count("{") <= _MOST_GROUPS else None
    if group is None:
        yield pattern
        return
    for word in group.words:
        yield from _expand_braces(pattern[: group.start] + word + pattern[group.end :])


class _Group(NamedTuple):
    """Words in braces, which are at ``start`` and before ``end``."""

    start: int
    end: int
    words: list[str]


def _find_group(pattern: str) -> _Group | None:
    """The first braces that hold more than one word; others mean themselves."""
    for start in (at for at, char in enumerate(pattern) if char == "{"):
        depth, words = 0, [""]
        for at in range(start, len(pattern)):
            char = pattern[at]
            depth += {"{": 1, "}": -1}.get(char, 0)
            if depth == 0:
                if len(words) > 1:
                    return _Group(start, at + 1, words)
                break
            if char == "," and depth == 1:
                words.append("")
            elif at > start:
                words[-1] += char
    return None


def _list_of_pnpm(place: str, files: ProjectFiles) -> list[str]:
    content = _read_file(place, files)
    if content is None:
        return []
    from git_retcon.heal.workflows.nodes import BadYaml, Scalar, as_mapping, list_items
    from git_retcon.heal.workflows.yaml import read_yaml

    try:
        root = as_mapping(read_yaml(content))
    except BadYaml:
        return []
    items = list_items(root.get("packages") if root else None)
    return [one.text for one in items if isinstance(one, Scalar)]


def _list_names(root: str, patterns: list[str], files: ProjectFiles) -> Iterator[str]:
    """The names of the packages of a workspace, its own first."""
    from git_retcon.heal.workflows.filters import BadPattern, matches_last

    begin = f"{root}/" if root else ""
    for encoded in files.list_paths():
        if not encoded.endswith(_MANIFEST.encode()):
            continue
        folder, file = posixpath.split(encoded.decode("utf-8", "surrogateescape"))
        # `packages/**` means none of what is installed below a package.
        if file != _MANIFEST or not f"{folder}/".startswith(begin) or _INSTALLED in folder:
            continue
        try:
            is_listed = folder == root or matches_last(patterns, folder.removeprefix(begin))
        except BadPattern:
            continue
        name = _read_manifest(posixpath.join(folder, file), files).get("name") if is_listed else 0
        if isinstance(name, str):
            yield name


def _read_manifest(place: str, files: ProjectFiles) -> dict[str, object]:
    return parse_configuration(_read_file(place, files))


def _read_file(place: str, files: ProjectFiles) -> bytes | None:
    encoded = encode_name(place)
    return files.read(encoded) if encoded in files.list_paths() else None
