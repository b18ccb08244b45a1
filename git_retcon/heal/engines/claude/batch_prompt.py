"""The one request for the errors of a file in a batch: no tool can be called, so it has the files
that a model would have read.
"""

from collections.abc import Iterator

from git_retcon.code.filenames import find_import_name, find_same_file
from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.engines.claude.prompts import heal_prompt
from git_retcon.heal.engines.claude.session import Session
from git_retcon.model.messages import Json, Request, user
from git_retcon.model.toolloop import ToolFault
from git_retcon.prompts import read_prompt
from git_retcon.show.style import show_path

BATCH_SCHEMA: Json = {
    "type": "object",
    "properties": {
        "verdict": {"type": "string", "enum": ["fixed", "stuck"]},
        "summary": {"type": "string"},
        "edits": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "path": {"type": "string"},
                    "old_string": {"type": "string"},
                    "new_string": {"type": "string"},
                },
                "required": ["path", "old_string", "new_string"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["verdict", "summary", "edits"],
    "additionalProperties": False,
}
_MOST_OUTPUT = 8_000  # tokens
_MOST_FILES = 8
_LONGEST_FILE = 24_000  # characters
_MOST_TEXT = 72_000  # characters of all files: with the rest a prompt stays at the lower price
_PLACE = LazyPattern(r"[\w./@+-]*\w\.\w+")
_WORD = LazyPattern(r"\w+")
_IMPORTS = LazyPattern(
    r"(?m)^\s*(?:from\b|import\b|use\b|#\s*include\b|require\b|export\b.*\bfrom\b|\"[\w./-]+\"$"
    r"|.*\brequire\().*$"
)


def make_request(session: Session, model: str) -> Request:
    """What is asked of a model about the item of a session."""
    prompt = "\n".join([heal_prompt(session), *_show_files(session)])
    return Request(
        model=model,
        system=read_prompt("heal") + read_prompt("heal-batch"),
        messages=(user(prompt),),
        max_output_tokens=_MOST_OUTPUT,
        schema=BATCH_SCHEMA,
    )


def _show_files(session: Session) -> Iterator[str]:
    left = _MOST_TEXT
    for path in list(dict.fromkeys(_list_files(session)))[:_MOST_FILES]:
        name = show_path(path)
        try:
            text = session.files.read(path.decode("utf-8", "surrogateescape"))
        except ToolFault as fault:
            yield f"\n--- {name}: {fault}"
            continue
        if len(text) > min(left, _LONGEST_FILE):
            yield f"\n--- {name} is too long to show"
            continue
        left -= len(text)
        yield f"\n--- {name}\n{text}\n--- end of {name}"


def _list_files(session: Session) -> Iterator[bytes]:
    """The file of the errors, those that the log names, then those that it seems to import."""
    task = session.task
    known = session.files.list_paths()
    own = task.item.path
    if own is not None:
        yield own
    said = session.view.show_log(task.run)
    stacks = (line for error in task.item.errors for line in error.finding.diagnostic.stack)
    for place in dict.fromkeys(_PLACE.findall("\n".join([said, *map(str, stacks)]))):
        found = find_same_file(place.removeprefix("./").encode("utf-8", "replace"), known)
        if found is not None:
            yield found
    if own is not None:
        yield from _list_imported(session, own, known)


def _list_imported(session: Session, own: bytes, known: list[bytes]) -> Iterator[bytes]:
    text = session.files.read_listed(own)
    words = {word for line in _IMPORTS.findall(text) for word in _WORD.findall(line)}
    ending = own.rpartition(b".")[2]
    for path in known:
        name = find_import_name(path).decode("utf-8", "replace")
        if path != own and path.endswith(b"." + ending) and name in words:
            yield path
