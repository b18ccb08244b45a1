"""The tools that read and change files: ``read_file``, ``edit_file``, ``delete_file``."""

from collections.abc import Iterator

from git_retcon.heal.engines.claude.session import Session
from git_retcon.model.messages import Json
from git_retcon.model.tool_pages import PAGE, clip_line
from git_retcon.model.tool_template import ToolTemplate

_STRING = {"type": "string"}
_NUMBER = {"type": "integer"}
_MOST_LINES = 400


def list_file_tools() -> Iterator[ToolTemplate[Session]]:
    """The templates, in the order in which a model gets them."""
    yield ToolTemplate(
        "read_file",
        "A file with the fixes so far, as lines '12|text' whose numbers are no part of it; from "
        f"line offset, at most limit ({_MOST_LINES}).",
        _read_file,
        {"path": _STRING, "offset": _NUMBER, "limit": _NUMBER},
        ("path",),
    )
    yield ToolTemplate(
        "edit_file",
        "Replace old_string, copied exactly and in the file once, by new_string. Empty, it makes a "
        "new file.",
        _edit_file,
        {"path": _STRING, "old_string": _STRING, "new_string": _STRING},
        ("path", "old_string", "new_string"),
    )
    yield ToolTemplate(
        "delete_file",
        "Remove a file; the user is asked.",
        _delete_file,
        {"path": _STRING},
        ("path",),
    )


def _read_file(session: Session, given: Json) -> str:
    lines = session.files.read(given["path"]).split("\n")
    first = max(given.get("offset", 1), 1)
    most = min(max(given.get("limit", _MOST_LINES), 1), _MOST_LINES)
    shown: list[str] = []
    length = 0
    for number, line in enumerate(lines[first - 1 : first - 1 + most], first):
        text = f"{number}|{clip_line(line)}"
        length += len(text) + 1
        if shown and length > PAGE:
            break
        shown.append(text)
    session.conversation.note("file", given["path"], tuple(shown))
    last = first - 1 + len(shown)
    if last < len(lines):
        shown.append(f"[lines {first} to {last} of {len(lines)}; offset {last + 1} goes on]")
    return "\n".join(shown) or f"[the file has {len(lines)} lines]"


def _edit_file(session: Session, given: Json) -> str:
    old, new = given["old_string"], given["new_string"]
    said = session.files.edit(given["path"], old, new)
    session.conversation.note("edited", given["path"], old, new)
    return said


def _delete_file(session: Session, given: Json) -> str:
    said = session.files.delete(given["path"])
    session.conversation.note("deleted", given["path"])
    return said
