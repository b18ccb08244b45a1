"""Files of a repository that say which version of a tool it wants: ``.nvmrc``, ``go.mod``, …"""

import re
from collections.abc import Callable, Mapping


def read_wanted_version(tool: str, file: str, content: bytes) -> str:
    """The version of a tool that a file asks for; empty where it says none, or nothing readable.

    ``file`` is the path in the repository; its name decides how it is read.
    """
    name = file.rpartition("/")[2]
    text = content.decode("utf-8", "replace")
    read = _READERS.get(name, _read_first_line)
    return read(tool, text)


def _read_first_line(tool: str, text: str) -> str:
    """``.python-version`` and its like: ``3.12``, ``v20.1.0``, ``ruby-3.2``."""
    lines = (line.partition("#")[0].strip() for line in text.splitlines())
    return next(filter(None, lines), "").removeprefix(f"{tool}-")


def _read_go_mod(tool: str, text: str) -> str:
    for word in ("toolchain go", "go "):
        found = re.search(rf"(?m)^{word}(\d[\w.-]*)", text)
        if found:
            return found[1]
    return ""


def _read_tool_versions(tool: str, text: str) -> str:
    """asdf's file, a tool and its versions in a line; the first is the one that is meant."""
    names = {"node": ("nodejs", "node"), "go": ("golang", "go")}.get(tool, (tool,))
    for line in text.splitlines():
        words = line.partition("#")[0].split()
        if words[1:] and words[0] in names:
            return words[1]
    return ""


def _read_package_json(tool: str, text: str) -> str:
    manager, _, version = _read_json(text, "packageManager").partition("@")
    if manager == tool:
        return version.partition("+")[0]
    return _read_json(text, "volta", tool) or _read_json(text, "engines", tool)


def _read_global_json(tool: str, text: str) -> str:
    return _read_json(text, "sdk", "version")


def _read_json(text: str, *keys: str) -> str:
    import json

    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        return ""
    return _look_up(value, keys)


def _read_pyproject(tool: str, text: str) -> str:
    import tomllib

    try:
        value: object = tomllib.loads(text)
    except (ValueError, RecursionError):
        return ""
    keys = {"python": ("project", "requires-python"), "uv": ("tool", "uv", "required-version")}
    return _look_up(value, keys[tool]) if tool in keys else ""


def _look_up(value: object, keys: tuple[str, ...]) -> str:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value if isinstance(value, str) else ""


_READERS: Mapping[str, Callable[[str, str], str]] = {
    ".tool-versions": _read_tool_versions,
    "global.json": _read_global_json,
    "go.mod": _read_go_mod,
    "go.work": _read_go_mod,
    "package.json": _read_package_json,
    "pyproject.toml": _read_pyproject,
}
