"""The problem matchers that GitHub's own setup actions register, by the action's name.

From ``.github/*.json`` of actions/setup-node, -python, -dotnet and -java, and ``matchers.json``
of actions/setup-go.
"""

import functools
import json

from git_retcon.code.diagnostics.matchers import Matcher, read_matchers

_NODE = (
    {
        "owner": "tsc",
        "pattern": [
            {
                "regexp": r"^(?:\s+\d+\>)?([^\s].*)\((\d+),(\d+)\)\s*:\s+(error|warning|info)\s+"
                r"(\w{1,2}\d+)\s*:\s*(.*)$",
                "file": 1,
                "line": 2,
                "column": 3,
                "severity": 4,
                "code": 5,
                "message": 6,
            }
        ],
    },
    {
        "owner": "eslint-stylish",
        "pattern": [
            {"regexp": r"^([^\s].*)$", "file": 1},
            {
                "regexp": r"^\s+(\d+):(\d+)\s+(error|warning|info)\s+(.*)\s\s+(.*)$",
                "line": 1,
                "column": 2,
                "severity": 3,
                "message": 4,
                "code": 5,
                "loop": True,
            },
        ],
    },
    {
        "owner": "eslint-compact",
        "pattern": [
            {
                "regexp": r"^(.+):\sline\s(\d+),\scol\s(\d+),\s(Error|Warning|Info)\s-\s(.+)"
                r"\s\((.+)\)$",
                "file": 1,
                "line": 2,
                "column": 3,
                "severity": 4,
                "message": 5,
                "code": 6,
            }
        ],
    },
)
_PYTHON = (
    {
        "owner": "python",
        "pattern": [
            {"regexp": r"^\s*File\s\"(.*)\",\sline\s(\d+),\sin\s(.*)$", "file": 1, "line": 2},
            {"regexp": r"^\s*raise\s(.*)\(\'(.*)\'\)$", "message": 2},
        ],
    },
)
_GO = (
    {
        "owner": "go",
        "pattern": [
            {
                "regexp": r"^\s*(\.{0,2}[\/\\].+\.go):(?:(\d+):(\d+):)? (.*)",
                "file": 1,
                "line": 2,
                "column": 3,
                "message": 4,
            }
        ],
    },
)
_DOTNET = (
    {
        "owner": "csc",
        "pattern": [
            {
                "regexp": r"^([^\s].*)\((\d+)(?:,\d+|,\d+,\d+)?\):\s+(error|warning)\s+"
                r"([a-zA-Z]+\d+):\s+(.*?)\s*(?:\[(.+)\])?$",
                "file": 1,
                "line": 2,
                "severity": 3,
                "code": 4,
                "message": 5,
                "fromPath": 6,
            }
        ],
    },
)
_JAVA = (
    {
        "owner": "javac",
        "pattern": [
            {
                "regexp": r"^([^\s].*\.java):(\d+):\s+(error|warning):\s+(.*)$",
                "file": 1,
                "line": 2,
                "severity": 3,
                "message": 4,
            }
        ],
    },
)
_BY_ACTION = {
    "actions/setup-node": _NODE,
    "actions/setup-python": _PYTHON,
    "actions/setup-go": _GO,
    "actions/setup-dotnet": _DOTNET,
    "actions/setup-java": _JAVA,
}


@functools.cache
def find_setup_matchers(action: str) -> tuple[Matcher, ...]:
    """The matchers that an action (``actions/setup-node@v4``) registers; none for any other."""
    known = _BY_ACTION.get(action.partition("@")[0].lower(), ())
    # Through the reader of repositories' own files, so that both follow the same rules.
    return read_matchers(json.dumps({"problemMatcher": known}).encode())
