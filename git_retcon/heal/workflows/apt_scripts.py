"""Scripts that ask apt for packages: what they want is compared with what is installed here."""

import re

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.workflows.scripts import read_commands
from git_retcon.lazy_named_tuple import NamedTuple

# Without root apt fails on GitHub's machines too, so that only what ``sudo`` runs is left out.
_CALL = (
    r"sudo(?:[ \t]+-[EnH]+)*(?:[ \t]+[A-Z_]+=[\w.-]*)*[ \t]+apt(?:-get)?"
    r"(?P<words>(?:[ \t]+[\w.:=+/-]+)+)"
)
_NEXT = _CALL.replace("?P<words>", "?:")
_CALLS = LazyPattern(rf"{_NEXT}(?:[ \t]*(?:&&|;)[ \t]*{_NEXT})*[ \t]*;?")
# Options that have no value of their own, and change nothing about which packages are wanted.
_PLAIN_OPTION = LazyPattern(
    r"-[qyf]+|--(?:yes|assume-yes|quiet|fix-missing|fix-broken|no-upgrade|no-install-recommends"
    r"|no-install-suggests|install-recommends)"
)
# No version: GitHub's archive may have another than this machine.
_PACKAGE = LazyPattern(r"[a-z0-9][a-z0-9+.-]*[a-z0-9+](?::[a-z0-9]+)?")


class AptScript(NamedTuple):
    """The packages that a script installs, and the rest of it with ``:`` in their lines' place;
    empty where nothing is left.
    """

    packages: tuple[str, ...]
    rest: str


def read_apt(script: str) -> AptScript | None:
    """What a script asks apt for; None where it does not, or in a way that is not understood."""
    # Which lines are a here-document's is not always clear.
    if "apt" not in script or "sudo" not in script or "<<" in script:
        return None
    lines = _join_continued(script)
    wanted = [_read_line(line) for line in lines]
    if not any(one is not None for one in wanted) or not _are_apart(script, lines):
        return None
    packages = dict.fromkeys(name for one in wanted for name in one or ())
    left = [line if one is None else ":" for line, one in zip(lines, wanted, strict=True)]
    says = any(
        one is None and line.strip() and not _is_comment(line)
        for line, one in zip(lines, wanted, strict=True)
    )
    return AptScript(tuple(packages), "\n".join(left) if says else "")


def _join_continued(script: str) -> list[str]:
    """The lines, those that end in a backslash with the next; a comment ends with its line."""
    lines: list[str] = []
    for line in script.split("\n"):
        if lines and lines[-1].endswith("\\") and not _is_comment(lines[-1]):
            lines[-1] += "\n" + line
        else:
            lines.append(line)
    return lines


def _is_comment(line: str) -> bool:
    return line.lstrip().startswith("#")


def _are_apart(script: str, lines: list[str]) -> bool:
    """Whether each line is read alone as among the others: none is within a quoted text."""
    alone = [words for line in lines for words in read_commands(line)]
    return alone == list(read_commands(script))


def _read_line(line: str) -> list[str] | None:
    """The packages of a line that does no more than update or install; else None."""
    plain = line.replace("\\\n", " ").strip()
    if not _CALLS.fullmatch(plain):
        return None
    packages: list[str] = []
    for call in re.finditer(_CALL, plain):
        found = _read_call(call["words"].split())
        if found is None:
            return None
        packages += found
    return packages


def _read_call(words: list[str]) -> list[str] | None:
    plain = [word for word in words if not _PLAIN_OPTION.fullmatch(word)]
    if plain == ["update"]:
        return []
    if plain[:1] != ["install"] or not all(map(_PACKAGE.fullmatch, plain[1:])):
        return None
    return plain[1:]
