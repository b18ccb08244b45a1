"""What actions that look at changed files say of them: ``dorny/paths-filter`` and
``tj-actions/changed-files``.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from git_retcon.heal.workflows.nodes import (
    BadYaml,
    Node,
    Scalar,
    as_mapping,
    list_items,
)
from git_retcon.heal.workflows.path_globs import (
    ObscurePattern,
    PathGlob,
    read_glob,
    select_paths,
)
from git_retcon.lazy_named_tuple import NamedTuple

_NAMES = {"A": "added", "C": "copied", "D": "deleted", "M": "modified", "R": "renamed"}
_OTHER_NAMES = {"T": "type_changed", "U": "unmerged", "X": "unknown"}
_CHANGED = "ACMR"  # deleted files are modified, and not changed
# Other names are quoted, in another way by each format and each version.
_PLAIN_NAME = r"[A-Za-z0-9._+/@-]+"


class CannotTell(Exception):
    """What an action would say is not known here; the message says why."""


class Change(NamedTuple):
    """A path that differs. ``status`` is git's letter for how."""

    status: str
    path: str


class _Rule(NamedTuple):
    """One of these patterns matches, and the status is one of these; none: any."""

    globs: tuple[PathGlob, ...]
    statuses: tuple[str, ...]

    def allows(self, change: Change) -> bool:
        name = _NAMES.get(change.status, "changed")
        return (not self.statuses or name in self.statuses) and any(
            glob.matches(change.path) for glob in self.globs
        )


ReadFile = Callable[[str], str | None]


def filter_changes(
    inputs: Mapping[str, str], changes: Sequence[Change], read_file: ReadFile
) -> dict[str, str]:
    """The outputs of ``dorny/paths-filter``. Raises CannotTell."""
    text = inputs.get("filters", "")
    if text and "\n" not in text.strip() and ":" not in text:
        named = text.strip()
        text = read_file(named) or ""
        if not text:
            raise CannotTell(f"there is no file '{named}'")
    quantifier = inputs.get("predicate-quantifier", "") or "some"
    if quantifier not in ("some", "every"):
        raise CannotTell(f"predicate-quantifier: {quantifier}")
    decide = any if quantifier == "some" else all
    outputs: dict[str, str] = {}
    matching: list[str] = []
    for name, node in _read_filters(text):
        rules = list(_list_rules(node))
        found = [one.path for one in changes if decide(rule.allows(one) for rule in rules)]
        outputs |= {name: str(bool(found)).lower(), f"{name}_count": str(len(found))}
        if listed := _list_names(found, inputs.get("list-files", "").lower() or "none"):
            outputs[f"{name}_files"] = listed
        matching += [name] if found else []
    outputs.setdefault("changes", json.dumps(matching, separators=(",", ":")))
    return outputs


def _read_filters(text: str) -> list[tuple[str, Node]]:
    from git_retcon.heal.workflows.yaml import read_yaml

    try:
        filters = as_mapping(read_yaml(text.encode()))
    except BadYaml as error:
        raise CannotTell(f"its filters: {error}") from None
    if filters is None:
        raise CannotTell("its filters are no mapping")
    return [(key.text, node) for key, node in filters.pairs]


def _list_rules(node: Node) -> Iterator[_Rule]:
    mapping = as_mapping(node)
    if mapping is not None:
        for key, patterns in mapping.pairs:
            statuses = tuple(one.strip().lower() for one in key.text.split("|") if one.strip())
            yield _Rule(tuple(map(_read_glob, list_items(patterns) or (patterns,))), statuses)
    elif isinstance(node, Scalar):
        yield _Rule((_read_glob(node),), ())
    else:
        for one in list_items(node):
            yield from _list_rules(one)


def _read_glob(node: Node | str) -> PathGlob:
    if isinstance(node, Scalar) and isinstance(node.value, str):
        node = node.text
    if not isinstance(node, str):
        raise CannotTell("a filter that is no text")
    try:
        return read_glob(node)
    except ObscurePattern as error:
        raise CannotTell(f"the pattern '{error}' is not understood") from None


def _list_names(paths: Sequence[str], how: str) -> str:
    """The paths as ``list-files`` asks for them."""
    if how == "none":
        return ""
    if how == "json":
        return json.dumps(list(paths), ensure_ascii=False, separators=(",", ":"))
    if how not in ("csv", "shell", "escape"):
        raise CannotTell(f"list-files: {how}")
    return ("," if how == "csv" else " ").join(_check_names(paths))


def _check_names(paths: Sequence[str]) -> Sequence[str]:
    strange = next((path for path in paths if not re.fullmatch(_PLAIN_NAME, path)), None)
    if strange is not None:
        raise CannotTell(f"how it writes '{strange}' is not known")
    return paths


def list_changes(inputs: Mapping[str, str], changes: Sequence[Change]) -> dict[str, str]:
    """The outputs of ``tj-actions/changed-files``. Raises CannotTell."""
    _check_names([one.path for one in changes])
    wanted = _split_patterns(inputs, "files") + [
        one if one.startswith("!") else f"!{one}" for one in _split_patterns(inputs, "files_ignore")
    ]
    # Patterns for everything are read before those that take away.
    wanted.sort(key=lambda one: one != "**")
    globs = [_read_glob(one) for one in wanted]
    chosen = changes
    if globs:
        paths = set(select_paths(globs, [one.path for one in changes]))
        chosen = [one for one in changes if one.path in paths]
    separator = inputs.get("separator", " ")

    def show(paths: Sequence[str]) -> str:
        if inputs.get("json", "false") == "true":
            listed = json.dumps(list(paths), separators=(",", ":"))
            escapes = inputs.get("escape_json", "true") == "true"
            return listed.replace('"', '\\"') if escapes else listed
        return separator.join(paths)

    every = [one.path for one in chosen]
    outputs: dict[str, str] = {
        "all_changed_and_modified_files": show(every),
        "all_changed_and_modified_files_count": str(len(every)),
        "any_added": str(any(one.status == "A" for one in chosen)).lower(),
    }
    for kind, name in (_NAMES | _OTHER_NAMES).items():
        found = [one.path for one in chosen if one.status == kind]
        outputs |= {f"{name}_files": show(found), f"{name}_files_count": str(len(found))}
    return outputs | _sum_up(chosen, changes, show, bool(globs))


def _sum_up(
    chosen: Sequence[Change],
    changes: Sequence[Change],
    show: Callable[[Sequence[str]], str],
    has_patterns: bool,
) -> dict[str, str]:
    """Of all kinds of changes: the chosen ones, and whether there are others."""
    outputs: dict[str, str] = {}
    for name, kinds in (("changed", _CHANGED), ("modified", _CHANGED + "D"), ("deleted", "D")):
        found = [one.path for kind in kinds for one in chosen if one.status == kind]
        others = [
            one.path
            for kind in kinds
            for one in changes
            if one.status == kind and one.path not in found
        ]
        outputs |= {
            f"any_{name}": str(bool(found)).lower(),
            f"only_{name}": str(bool(found and has_patterns and not others)).lower(),
            f"other_{name}_files": show(others),
            f"other_{name}_files_count": str(len(others)),
        }
        if name != "deleted":
            outputs |= {
                f"all_{name}_files": show(found),
                f"all_{name}_files_count": str(len(found)),
            }
    return outputs


def _split_patterns(inputs: Mapping[str, str], name: str) -> list[str]:
    lines = inputs.get(name, "").split(inputs.get(f"{name}_separator") or "\n")
    return [f"{line}**" if line.endswith("/") else line for line in lines if line]
