"""Whether node can parse a script, and where it cannot. Node reads it and runs nothing of it."""

import enum
import subprocess

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Diagnostic
from git_retcon.run.environment import command_environment

_SECONDS = 10
_UNNAMED, _NAME = b"[stdin]:", b"/script.js"  # as node calls its input, and as a file is called


class ModuleKind(enum.Enum):
    """What node takes a script for. A package says so, and bundlers often do not ask it."""

    MODULE = "module"
    COMMONJS = "commonjs"


def find_syntax_error(node: str, content: bytes, kind: ModuleKind) -> Diagnostic | None:
    """What node complains of in a script, at its line; None where it can parse it.

    Raises OSError where node does not start, and ValueError where it gives no answer: in time, or
    at a line of the script.
    """
    env = command_environment()
    env.pop("NODE_OPTIONS", None)  # it may load what runs
    command = [node, f"--input-type={kind.value}", "--check", "-"]
    try:
        ended = subprocess.run(
            command, input=content, env=env, cwd="/", capture_output=True, check=False,
            timeout=_SECONDS,
        )  # fmt: skip
    except subprocess.TimeoutExpired as error:
        raise ValueError("node takes too long to parse a script") from error
    if ended.returncode == 0:
        return None
    for said in extract_complaints(ended.stderr.replace(_UNNAMED, _NAME + b":", 1)):
        if said.path == _NAME and said.line and said.message.startswith("SyntaxError"):
            return said
    raise ValueError("node does not say what it cannot parse")
