"""The command lines with which GitHub runs scripts."""

import re
import shlex
import shutil

from git_retcon.lazy_named_tuple import NamedTuple

SCRIPT = "{0}"
_WINDOWS = frozenset({"cmd", "powershell"})
_POWERSHELL = ("-command", ". '{0}'")
_BUILT_IN = {
    "bash": ("bash", "--noprofile", "--norc", "-e", "-o", "pipefail", SCRIPT),
    "sh": ("sh", "-e", SCRIPT),
    "python": ("python", SCRIPT),
    "pwsh": ("pwsh", *_POWERSHELL),
    "powershell": ("powershell", *_POWERSHELL),
    "cmd": ("cmd", "/D", "/E:ON", "/V:OFF", "/S", "/C", 'CALL "{0}"'),
}
_SUFFIXES = {
    "bash": ".sh", "cmd": ".cmd", "powershell": ".ps1", "pwsh": ".ps1", "python": ".py",
    "sh": ".sh",
}  # fmt: skip
_LOGIN = re.compile(r"-[a-zA-Z]*l[a-zA-Z]*$")


class BadShell(Exception):
    """A ``shell`` that GitHub refuses; the message says why."""


class Shell(NamedTuple):
    """How a script is run: ``arguments`` with ``{0}`` for its path, whose name ends in
    ``suffix``.
    """

    arguments: tuple[str, ...]
    suffix: str

    @property
    def program(self) -> str:
        return self.arguments[0]

    @property
    def is_windows_only(self) -> bool:
        return self.program in _WINDOWS

    @property
    def is_posix(self) -> bool:
        return self.program.rpartition("/")[2] in ("bash", "dash", "ksh", "sh", "zsh")

    @property
    def is_login(self) -> bool:
        """Whether it reads the profiles of the machine and the user, as with ``bash -el {0}``."""
        given = self.arguments[1:]
        return self.is_posix and any(word == "--login" or _LOGIN.match(word) for word in given)

    def command(self, script: str) -> list[str]:
        """The command line for the script at a path."""
        return [argument.replace(SCRIPT, script) for argument in self.arguments]


# Only bash that is asked for by name gets `pipefail`.
DEFAULT = Shell(("bash", "-e", SCRIPT), ".sh")
WITHOUT_BASH = Shell(_BUILT_IN["sh"], ".sh")


def choose_default() -> Shell:
    """The shell of a step that names none: bash, or sh where there is none, as on GitHub."""
    return DEFAULT if shutil.which("bash") else WITHOUT_BASH


def read_shell(text: str) -> Shell:
    """The shell that a step names. Raises BadShell."""
    if text.lower() in _BUILT_IN:
        return Shell(_BUILT_IN[text.lower()], _SUFFIXES[text.lower()])
    if SCRIPT not in text:
        known = ", ".join(sorted(_BUILT_IN))
        raise BadShell(
            f"Invalid shell option '{text}'. Shell must be a valid built-in ({known}) or a format"
            " string containing '{0}'"
        )
    try:
        arguments = tuple(shlex.split(text))
    except ValueError as error:
        raise BadShell(f"Invalid shell option '{text}': {error}") from None
    return Shell(arguments, _SUFFIXES.get(arguments[0].lower(), ""))
