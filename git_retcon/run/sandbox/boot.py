"""How our launcher is started, for those who only name it: it is slow to import."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

# What it begins with when it cannot confine; then it runs nothing.
FAULT = "error: cannot start the sandbox"

_START = (
    "import sys; sys.path.insert(0, sys.argv[1]); "
    "from git_retcon.run.sandbox.launcher import main; sys.exit(main(sys.argv[2:]))"
)


# Linux takes no argument of 128 KiB or more, and the paths of a large tree can be longer together.
_LONGEST_PART = 100_000  # characters, which are ASCII


def launch(kind: str, rules: Mapping[str, Any]) -> list[str]:
    """The argv to run a command under; what kinds and rules there are, ``launcher.py`` says."""
    ours = str(Path(__file__).resolve().parents[3])
    text = json.dumps(rules)
    parts = [text[at : at + _LONGEST_PART] for at in range(0, len(text), _LONGEST_PART)]
    # Without the packages of the user's environment (-S) it starts in a third of the time.
    return [sys.executable, "-I", "-S", "-c", _START, ours, kind, str(len(parts)), *parts]
