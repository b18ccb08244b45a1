"""What was read in the log of a step, kept beside it: to load all readers takes longer than to read
a short log, and a step that a heal runs again mostly prints the same once more.

A step can write there, but not decide by it: whether it passed is its exit status.
"""

import hashlib
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from git_retcon import __version__
from git_retcon.files.json_file import read_json, remember_json
from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:
    from git_retcon.code.diagnostics.complaints import Complaints
    from git_retcon.code.diagnostics.diagnostic import Diagnostic

_LARGEST = 1 << 20  # bytes of a log: it is read whole to know it again
_MOST_KEPT = 200  # complaints, of which each may be long
_MOST_KNOWN = 8  # logs of this process
_known: dict[str, "Reading"] = {}
_lock = threading.Lock()


class Reading(NamedTuple):
    """As ``Complaints``, which cannot be named without loading the readers."""

    kept: "tuple[Diagnostic, ...]"
    cut: int


def read_once(log: Path, asked: Sequence[str], read: Callable[[], "Complaints"]) -> Reading:
    """What ``read`` finds in a log, or found in one with the same content that was ``asked`` for
    the same.
    """
    key = _name_log(log, asked)
    if key is None:
        return Reading(*read())
    file = log.with_name(f"{log.name}.read.json")
    found = _known.get(key) or _load_reading(file, key)
    if found is None:
        found = Reading(*read())
        if len(found.kept) <= _MOST_KEPT:
            said = [_write_diagnostic(one) for one in found.kept]
            remember_json(file, {"key": key, "cut": found.cut, "kept": said}, 0o600)
    with _lock:  # jobs may be healed side by side
        while len(_known) >= _MOST_KNOWN:
            del _known[next(iter(_known))]
        _known[key] = found
    return found


def _name_log(log: Path, asked: Sequence[str]) -> str | None:
    """A digest of a log and of all that its reading depends on; None where it is too large."""
    try:
        if log.stat().st_size > _LARGEST:
            return None
        content = log.read_bytes()
    except OSError:
        return None
    digest = hashlib.sha256(content)
    digest.update(repr((__version__, *asked)).encode("utf-8", "surrogateescape"))
    return digest.hexdigest()


def _load_reading(file: Path, key: str) -> Reading | None:
    said = read_json(file)
    try:
        if said["key"] != key:
            return None
        return Reading(tuple(map(_read_diagnostic, said["kept"])), int(said["cut"]))
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _write_diagnostic(said: "Diagnostic") -> dict[str, object]:
    return {
        **said._asdict(),
        "path": None if said.path is None else _decode(said.path),
        "wants_file": [_decode(one) for one in said.wants_file],
        "kind": said.kind.value,
        "severity": said.severity.value,
        "category": said.category.value,
        "edits": [[_decode(edit.path), *edit[1:]] for edit in said.edits],
        "base": _decode(said.base),
    }


def _read_diagnostic(said: dict[str, Any]) -> "Diagnostic":
    from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Edit, Kind, Severity

    return Diagnostic(
        **{
            **said,
            "path": None if said["path"] is None else _encode(said["path"]),
            "missing": tuple(said["missing"]),
            "wants_file": tuple(map(_encode, said["wants_file"])),
            "kind": Kind(said["kind"]),
            "severity": Severity(said["severity"]),
            "category": Category(said["category"]),
            "stack": tuple(said["stack"]),
            "edits": tuple(Edit(_encode(path), *rest) for path, *rest in said["edits"]),
            "base": _encode(said["base"]),
        }
    )


def _decode(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def _encode(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")
