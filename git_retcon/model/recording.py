"""Recording what a model answered, and answering from the recording.

``GIT_RETCON_CASSETTE=record:FILE`` adds every answer to FILE, one JSON line each, as it comes;
``replay:FILE`` answers from it, with no key, no network and no SDK. A request is known by its
fingerprint: all of it but the output limit, which depends on what is left of the budget. Equal
requests are answered in the order of the recording. Nothing recorded holds a secret. A line
without a fingerprint, written by hand, answers a request that no other line does.
"""

import hashlib
import json
import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from git_retcon.errors import Fatal
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model import jsonl
from git_retcon.model.api_format import to_usage
from git_retcon.model.failures import ModelFailure
from git_retcon.model.masked_json import mask_json
from git_retcon.model.messages import Json, Usage
from git_retcon.model.redaction import Redactor
from git_retcon.model.service import Service

VERSION = 1
_EXCERPT = 80
_WAY_OUT = "record it again with GIT_RETCON_CASSETTE=record:FILE"


class NotRecorded(ModelFailure):
    """The recording has no answer to this request."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a request, by which two requests are compared."""

    name: str
    digest: str
    excerpt: str


def outline_request(body: Json) -> tuple[Part, ...]:
    """The parts of a request in their order: model, settings, system, tools, each message."""
    parts = [
        _make_part(key, body.get(key)) for key in ("model", "output_config", "system", "tools")
    ]
    for number, message in enumerate(body.get("messages", ()), start=1):
        parts.append(
            _make_part(f"message {number} ({message.get('role')})", message.get("content"))
        )
    return tuple(parts)


def name_request(parts: tuple[Part, ...]) -> str:
    """A name for a request, from its parts."""
    return _make_digest([[part.name, part.digest] for part in parts])


class Recording:
    """A service whose answers are written down as they come."""

    def __init__(self, service: Service, path: Path, redactor: Redactor) -> None:
        self._service = service
        self._path = path
        self._redactor = redactor

    def send(self, body: Json, on_usage: Callable[[Usage], None]) -> Json:
        message = self._service.send(body, on_usage)
        # The answer too: a model may quote a secret that it was shown by a tool.
        clean = mask_json(message, self._redactor)
        parts = outline_request(mask_json(body, self._redactor))
        record = {
            "version": VERSION,
            "fingerprint": name_request(parts),
            "request": [[part.name, part.digest, part.excerpt] for part in parts],
            "message": clean,
        }
        try:
            jsonl.append(self._path, record)
        except OSError as error:
            raise Fatal(
                f"cannot write the cassette '{self._path}': {error.strerror or error}",
                hint="free some space, or unset GIT_RETCON_CASSETTE",
            ) from error
        answer: Json = clean
        return answer


@dataclass(slots=True)
class _Entry:
    fingerprint: str
    parts: tuple[Part, ...]
    message: Json
    used: bool = False


class Replay:
    """A service that answers from a recording. Safe to use from several threads."""

    def __init__(self, path: Path) -> None:
        """Raises Fatal where the file cannot be read or is no cassette."""
        self._path = path
        self._lock = threading.Lock()
        self._entries = _load_entries(path)

    def send(self, body: Json, on_usage: Callable[[Usage], None]) -> Json:
        parts = outline_request(body)
        name = name_request(parts)
        with self._lock:
            same = [entry for entry in self._entries if entry.fingerprint == name]
            by_hand = (entry for entry in self._entries if not entry.fingerprint)
            # The first unused one: the same request may have been answered in two ways.
            entry = next((entry for entry in (*same, *by_hand) if not entry.used), None)
            if entry is None:
                raise NotRecorded(
                    f"the cassette '{self._path}' has no answer to this request: "
                    f"{self._describe_difference(parts, len(same))}",
                    hint=_WAY_OUT,
                )
            entry.used = True
        on_usage(to_usage(entry.message.get("usage")))
        return entry.message

    def _describe_difference(self, parts: tuple[Part, ...], times: int) -> str:
        if times:
            return f"it was asked {times} times when recorded, and now once more"
        unused = [entry for entry in self._entries if not entry.used]
        if not unused:
            return f"all {len(self._entries)} recorded answers are used"
        # The recorded request that agrees longest shows where a conversation took another way.
        nearest = max(unused, key=lambda entry: _count_common(entry.parts, parts))
        place = _count_common(nearest.parts, parts)
        then = nearest.parts[place] if place < len(nearest.parts) else None
        now = parts[place] if place < len(parts) else None
        which = (now or then or Part("it", "", "")).name
        return f"{which} differs: recorded {_show_part(then)}, now {_show_part(now)}"


def _load_entries(path: Path) -> list[_Entry]:
    try:
        lines = jsonl.read(path)
        entries = [_read_entry(record) for record in lines.records]
    except OSError as error:
        raise Fatal(
            f"cannot read the cassette '{path}': {error.strerror or error}", hint=_WAY_OUT
        ) from error
    except (KeyError, TypeError, ValueError) as error:
        raise Fatal(f"'{path}' is not a cassette of this version", hint=_WAY_OUT) from error
    if lines.broken and not entries:
        raise Fatal(f"'{path}' is not a cassette", hint=_WAY_OUT)
    return entries


def _read_entry(record: Mapping[str, Any]) -> _Entry:
    if record["version"] != VERSION or not isinstance(record["message"], Mapping):
        raise ValueError("unknown version")
    if "fingerprint" not in record:
        return _Entry("", (), record["message"])
    parts = tuple(Part(*map(str, part)) for part in record["request"])
    return _Entry(str(record["fingerprint"]), parts, record["message"])


def _count_common(one: tuple[Part, ...], other: tuple[Part, ...]) -> int:
    pairs = zip(one, other, strict=False)
    return next(
        (place for place, (a, b) in enumerate(pairs) if a.digest != b.digest or a.name != b.name),
        min(len(one), len(other)),
    )


def _show_part(part: Part | None) -> str:
    return f"'{part.excerpt}'" if part is not None else "nothing"


def _make_part(name: str, value: Any) -> Part:
    text = _join_text(value)
    shown = " ".join(text.split())
    # The end is shown: turns of one conversation begin alike.
    return Part(
        name, _make_digest(value), shown if len(shown) <= _EXCERPT else f"…{shown[-_EXCERPT:]}"
    )


def _join_text(value: Any) -> str:
    if isinstance(value, str):
        return value
    if isinstance(value, list):
        return " ".join(_join_text(item) for item in value)
    if isinstance(value, Mapping):
        for key in ("text", "content", "input", "name"):
            if key in value:
                return _join_text(value[key])
    return "" if value is None else json.dumps(value, sort_keys=True)


def _make_digest(value: Any) -> str:
    canonical = json.dumps(value, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(canonical.encode()).hexdigest()[:32]
