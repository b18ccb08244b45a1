"""What the files of workflows say, remembered by their content: to read YAML takes longer than to
find all else that a heal begins with.

A step that runs unconfined can write here, as it can change what else of the user's decides: the
commands of a workflow are trusted before they run. One that a model changed is confined.
"""

import hashlib
from collections.abc import Mapping as Said
from pathlib import Path
from typing import Any

from git_retcon import __version__
from git_retcon.files.json_file import read_json, remember_json
from git_retcon.heal.workflows.nodes import Mapping, Node, Scalar, Sequence

_MOST_FILES = 64
_LARGEST = 128 * 1024  # bytes of YAML; an alias may make far more nodes than there is text


class WorkflowMemory:
    """Reads YAML, and keeps the nodes in a file for the next process."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._found: dict[str, object] | None = None

    def read_yaml(self, content: bytes) -> Node:
        """As ``workflows.yaml.read_yaml``, which raises BadYaml; that imports PyYAML."""
        key = hashlib.sha256(content).hexdigest()
        if self._found is None:
            self._found = self._read_file()
        known = _read_node(self._found.get(key))
        if known is not None:
            return known
        from git_retcon.heal.workflows.yaml import read_yaml

        node = read_yaml(content)
        if len(content) <= _LARGEST:
            latest = list(self._found.items())[1 - _MOST_FILES :]
            self._found = {**dict(latest), key: _write_node(node)}
            remember_json(self._file, {"version": __version__, "found": self._found}, 0o600)
        return node

    def _read_file(self) -> dict[str, object]:
        said = read_json(self._file)
        if not isinstance(said, dict) or said.get("version") != __version__:
            return {}
        found = said.get("found")
        return found if isinstance(found, dict) else {}


def _write_node(node: Node) -> object:
    if isinstance(node, Scalar):
        return list(node)
    if isinstance(node, Sequence):
        return {"items": [_write_node(item) for item in node.items], "at": node[1:]}
    pairs = [[list(key), _write_node(value)] for key, value in node.pairs]
    return {"pairs": pairs, "at": node[1:]}


def _read_node(said: object) -> Node | None:
    """The node that was kept; None where nothing was, or nothing that was kept by us."""
    try:
        return _make_node(said)
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def _make_node(said: Any) -> Node:
    if isinstance(said, list):
        return _make_scalar(said)
    line, column = _make_place(said)
    if "items" in said:
        return Sequence(tuple(map(_make_node, said["items"])), line, column)
    pairs = tuple((_make_scalar(key), _make_node(value)) for key, value in said["pairs"])
    return Mapping(pairs, line, column)


def _make_scalar(said: Any) -> Scalar:
    value, style, line, column = said
    if not isinstance(value, str | bool | float | int | None) or not isinstance(style, str):
        raise TypeError("no scalar")
    return Scalar(value, style, int(line), int(column))


def _make_place(said: Said[str, Any]) -> tuple[int, int]:
    line, column = said["at"]
    return int(line), int(column)
