"""Types and constants of states that every browser has, for all files."""

import re
from collections.abc import Collection, Mapping
from typing import Final

from git_retcon.allium.extract.source_facts import Field, Import
from git_retcon.allium.extract.spelling import name_values
from git_retcon.allium.extract.typescript.constant_values import Values

# As the standards have them: Web Animations, Web Audio, HTML, Media Capture, WebRTC and others.
_STATES: Final[Mapping[str, str]] = {
    "AnimationPlayState": "idle running paused finished",
    "AudioContextState": "suspended running closed",
    "DocumentReadyState": "loading interactive complete",
    "DocumentVisibilityState": "visible hidden",
    "MediaStreamTrackState": "live ended",
    "PermissionState": "prompt granted denied",
    "RecordingState": "inactive recording paused",
    "RTCDataChannelState": "connecting open closing closed",
    "RTCDtlsTransportState": "new connecting connected closed failed",
    "RTCIceConnectionState": "new checking connected completed disconnected failed closed",
    "RTCIceGatheringState": "new gathering complete",
    "RTCPeerConnectionState": "new connecting connected disconnected failed closed",
    "RTCSctpTransportState": "connecting connected closed",
    "ServiceWorkerState": "parsed installing installed activating activated redundant",
}
# The numbered constants of its classes, from 0.
_CONSTANTS: Final[Mapping[str, str]] = {
    "EventSource": "CONNECTING OPEN CLOSED",
    "FileReader": "EMPTY LOADING DONE",
    "WebSocket": "CONNECTING OPEN CLOSING CLOSED",
    "XMLHttpRequest": "UNSENT OPENED HEADERS_RECEIVED LOADING DONE",
}
_NEAR = (".", "@", "~", "#")  # how paths in a project begin


def open_browser_type(field: Field, known: Collection[str], content: bytes) -> Field:
    """A field with the states of its type, where that is none that its file imports, as ``known``
    are, or declares in its ``content``.
    """
    source = field.type.source
    listed = _STATES.get(source, "") if source not in known and not field.type.arguments else ""
    if not listed or _declares(content, source):
        return field
    kind = field.type._replace(name="", source="", values=name_values(listed.split()))
    return field._replace(type=kind)


def list_browser_values(content: bytes, imports: Mapping[str, Import]) -> Values:
    """The constants that a file names of classes that it does not have itself. What a package has
    under one of these names is the same.
    """
    named = (each for each in _CONSTANTS if f"{each}.".encode() in content)
    outer = (e for e in named if e not in imports or imports[e].full_name[:1] not in _NEAR)
    return {
        f"{owner}.{name}": f"{number}"
        for owner in outer
        if not _declares(content, owner)
        for number, name in enumerate(_CONSTANTS[owner].split())
    }


def _declares(content: bytes, name: str) -> bool:
    declared = rf"\b(?:type|interface|class|enum|namespace)\s+{name}\b"
    return re.search(declared.encode(), content) is not None
