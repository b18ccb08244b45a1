"""Scripts that ask for root and need none here: for packages or settings of the kernel, which are
compared with what is here, or to install to folders of the job's own.
"""

import re
from collections.abc import Callable

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
_SETTING = LazyPattern(
    r"sudo[ \t]+(?:sysctl(?:[ \t]+(?:-[qw]+|--write))*(?P<pairs>(?:[ \t]+[\w-]+(?:\.[\w-]+)+=\w+)+)"
    r"|swapoff[ \t]+(?:-a|--all))[ \t]*;?"
)
_VARIABLE = r"(?<=[ \t])\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))(?=\s|$)"
_REMARK = r"[ \t]#[^\n]*\Z"
_WORDS = LazyPattern(r"[a-z0-9.:+\s-]*")
# Options that have no value of their own, and change nothing about which packages are wanted.
_PLAIN_OPTION = LazyPattern(
    r"-[qyf]+|--(?:yes|assume-yes|quiet|fix-missing|fix-broken|no-upgrade|no-install-recommends"
    r"|no-install-suggests|install-recommends)"
)
# Settings of how apt fetches, waits and prints, each behind `-o`.
_PLAIN_SETTING = LazyPattern(
    r"(?:Acquire::[\w:-]+|Dpkg::Use-Pty|DPkg::Lock::Timeout)=[\w.-]*"
    r"|Dpkg::Options::=--force-conf(?:def|old|new)"
)
# Programs that change how apt fetches, or take archives away, and what of apt's they may change.
# None of them adds an archive, or another release.
_SETTINGS, _ARCHIVES = "/etc/apt/apt.conf.d/", "/etc/apt/sources.list.d/"
_MIRRORS = "/etc/apt/apt-mirrors.txt"
_CHANGING = {"rm": (_SETTINGS, _ARCHIVES), "sed": (_MIRRORS,), "tee": (_SETTINGS,)}
_SHOWING = frozenset({"cat", "echo", "ls"})
_SUBSTITUTION = LazyPattern(r"s([/|#,]).*\1.*\1g?")
_VALUED_TESTS = frozenset({"-name", "-type"})
_OTHER_TESTS = frozenset({"-delete", "-not", "-print", "!"})
# No version: GitHub's archive may have another than this machine.
_PACKAGE = LazyPattern(r"[a-z0-9][a-z0-9+.-]*[a-z0-9+](?::[a-z0-9]+)?")

_SUDO = r"sudo(?:[ \t]+-[EHn]+)*[ \t]+"
_INSTALLERS = (
    r"(?:pip3?|python3?[ \t]+-m[ \t]+pip|npm|gem)[ \t]+(?:(?:--?[a-z][\w-]*)[ \t]+)*"
    r"(?:i|install|uninstall)\b"
)
_INSTALL = LazyPattern(rf"(?<![\w./$-]){_SUDO}(?={_INSTALLERS})")


class AptScript(NamedTuple):
    """The packages that a script installs, settings as ``NAME=VALUE`` among them, and the rest of
    it with ``:`` in their lines' place; empty where nothing is left.
    """

    packages: tuple[str, ...]
    rest: str


def is_package(name: str) -> bool:
    """Whether it is the name of a package, and nothing more."""
    return _PACKAGE.fullmatch(name) is not None


def read_apt(script: str, expand: Callable[[str], str | None]) -> AptScript | None:
    """What a script asks apt for; None where it does not, or in a way that is not understood.

    ``expand`` gives the value of an environment variable, None where it is not known.
    """
    # Which lines are a here-document's is not always clear.
    asks = any(program in script for program in ("apt", "swapoff", "sysctl"))
    if not asks or "sudo" not in script or "<<" in script:
        return None
    lines = _join_continued(script)
    # A variable that the script sets may have any value.
    wanted = [_read_line(_fill_words(line, script, expand)) for line in lines]
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


def _fill_words(line: str, script: str, expand: Callable[[str], str | None]) -> str:
    """The line with the words of the variables that are known: none of them is quoted."""

    def fill(found: re.Match[str]) -> str:
        name = found[1] or found[2]
        value = None if f"{name}=" in script or f" {name}" in script else expand(name)
        if value is None or not _WORDS.fullmatch(value):
            return found[0]
        return " ".join(value.split())

    return re.sub(_VARIABLE, fill, line) if "apt" in line and "$" in line else line


def _read_line(line: str) -> list[str] | None:
    """The packages of a line that does no more than update, install, or set how apt fetches; else
    None.
    """
    whole = line.replace("\\\n", " ").strip()
    plain = re.sub(_REMARK, "", line).replace("\\\n", " ").strip()
    if setting := _SETTING.fullmatch(plain):
        return setting["pairs"].split() if setting["pairs"] else ["swap=off"]
    if not _CALLS.fullmatch(plain):
        return [] if _only_sets_apt(whole) else None
    packages: list[str] = []
    for call in re.finditer(_CALL, plain):
        found = _read_call(call["words"].split())
        if found is None:
            return None
        packages += found
    return packages


def _read_call(words: list[str]) -> list[str] | None:
    plain = [word for word in _drop_settings(words) if not _PLAIN_OPTION.fullmatch(word)]
    if plain == ["update"]:
        return []
    if plain[:1] != ["install"] or not all(map(_PACKAGE.fullmatch, plain[1:])):
        return None
    return plain[1:]


def _drop_settings(words: list[str]) -> list[str]:
    """The words without ``-o SETTING``, where it is one of those that change no package."""
    pairs = zip(["", *words[:-1]], words, [*words[1:], ""], strict=True)
    return [
        word
        for before, word, after in pairs
        if not (word == "-o" and _PLAIN_SETTING.fullmatch(after))
        and not (before == "-o" and _PLAIN_SETTING.fullmatch(word))
    ]


def _only_sets_apt(line: str) -> bool:
    """Whether a line only changes how apt fetches, or where it looks no more."""
    # What a substitution or a variable gives may be anything, and `||` may hide a command.
    if "/etc/apt/" not in line or set("<>$`(&|") & set(line.replace("| sudo tee", "", 1)):
        return False
    commands = read_commands(line)
    return any(words[0] == "sudo" for words in commands) and all(map(_sets_apt, commands))


def _sets_apt(words: tuple[str, ...]) -> bool:
    if words[0] != "sudo":
        return words[0] in _SHOWING
    program, rest = "".join(words[1:2]), words[2:]
    if program == "find":
        return _takes_archives(rest)
    operands = [word for word in rest if not word.startswith("-")]
    if program == "sed":
        edits = rest[:1] == ("-i",) and _SUBSTITUTION.fullmatch(operands.pop(0)) if operands else 0
        operands = operands if edits else []
    places = _CHANGING.get(program, ())
    return bool(places and operands) and all(_is_below(places, one) for one in operands)


def _takes_archives(words: tuple[str, ...]) -> bool:
    """Whether ``find`` removes files that name archives, and does nothing else."""
    # Behind a test comes its value; another folder would be a word behind none.
    tests = [word for word in words[1:] if word.startswith(("-", "!"))]
    valued = [word for word in tests if word in _VALUED_TESTS]
    return (
        bool(words)
        and _is_below((_ARCHIVES,), f"{words[0]}/")
        and set(tests) <= _VALUED_TESTS | _OTHER_TESTS
        and len(words) == 1 + len(tests) + len(valued)
        and "-delete" in tests
    )


def _is_below(places: tuple[str, ...], path: str) -> bool:
    return path.startswith(places) and "/../" not in path


def drop_needless_root(script: str) -> str:
    """The script, in which pip, npm and gem install without root."""
    # What a here-document writes stays as it is.
    if "sudo" not in script or "<<" in script:
        return script
    without = _INSTALL.compiled.sub("", script)
    # Nor may a word change that is only shown or handed on.
    meant = [_drop_root(words) for words in read_commands(script)]
    return without if list(read_commands(without)) == meant else script


def _drop_root(words: tuple[str, ...]) -> tuple[str, ...]:
    if not _INSTALL.match(" ".join(words)):
        return words
    return words[next(at for at, word in enumerate(words) if at and word[0] != "-") :]
