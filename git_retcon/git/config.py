"""git's configuration, read through libgit2 and completed by git where libgit2 cannot see.

libgit2 does not see, or reads otherwise than git:

- ``git -c`` and the ``GIT_CONFIG_*`` variables;
- the system file of a git that is not in ``/usr/bin``;
- ``includeIf`` with another condition than ``gitdir``, or with ``onbranch`` while HEAD is detached,
  and an included path that begins with ``%(prefix)/`` or ``~user/``;
- control characters in a value, such as a tab, and lines that a backslash continues.

Where one of these occurs, git is asked for the whole scope: system, global, local, worktree or
command.
"""

import functools
import os
import re
import shutil
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from git_retcon.errors import Fatal
from git_retcon.git.process import Git, split_records

if TYPE_CHECKING:
    import pygit2

_TRUE = frozenset({"true", "yes", "on"})
_FALSE = frozenset({"false", "no", "off", ""})
_UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30}
_LARGEST = (1 << 31) - 1
# In the order in which git reads them: a later scope's values come last, and the last one counts.
_SYSTEM = "/etc"  # where both libgit2 and a git of the system look for ``gitconfig``
_SCOPES = ("system", "global", "local", "worktree", "command")


class Config(NamedTuple):
    """Every value by its key, keys as git prints them (section and name in lower case).

    ``users`` are those of the user's own files, where these include no others.
    """

    values: Mapping[str, tuple[str, ...]]
    users: Mapping[str, tuple[str, ...]] = {}

    @classmethod
    def parse(cls, listing: bytes) -> "Config":
        """Read what ``git config -z --list`` printed."""
        return cls.collect(_parse_setting(item, "") for item in split_records(listing))

    @classmethod
    def collect(cls, found: Iterable["Setting"]) -> "Config":
        """Settings in the order git reads them, by key."""
        values: dict[str, tuple[str, ...]] = {}
        users: dict[str, tuple[str, ...]] = {}
        for setting in found:
            values[setting.key] = (*values.get(setting.key, ()), setting.value)
            if setting.scope == "global":
                users[setting.key] = (*users.get(setting.key, ()), setting.value)
        return cls(values, {} if any(map(_is_include, users)) else users)

    def all(self, key: str) -> tuple[str, ...]:
        """Every value of a key, in the order git reads them."""
        return self.values.get(_normalize_key(key), ())

    def get(self, key: str) -> str | None:
        """The value that counts (the last one), or None."""
        found = self.all(key)
        return found[-1] if found else None

    def boolean(self, key: str, default: bool = False) -> bool:
        """A truth value in any of git's spellings. Raises Fatal for anything else."""
        value = self.get(key)
        if value is None:
            return default
        return parse_boolean(key, value)


class Setting(NamedTuple):
    """One value of one file. A key without a value has the value "true"."""

    scope: str
    key: str
    value: str


def read_config(git: Git, common_dir: Path, opened: "pygit2.Repository") -> Config:
    """The configuration of a repository, as git resolves it.

    Raises GitError where git has to be asked and refuses.
    """
    try:
        found = list(_read_settings(opened))
    except UnicodeDecodeError:  # pygit2 takes keys for UTF-8, git for bytes
        return list_config(git)
    hidden = {
        *_hidden_by_environment(git.env),
        *_hidden_by_content(found, is_detached=_is_detached(git)),
        *_hidden_by_layout(found, _own_files(git, common_dir), git.env.get("HOME", "")),
    }
    # A whole scope is replaced, not single values: includes make the order of values matter.
    if hidden:
        found = [setting for setting in found if setting.scope not in hidden]
        found += [setting for setting in _list_settings(git) if setting.scope in hidden]
    return Config.collect(sorted(found, key=lambda setting: _SCOPES.index(setting.scope)))


def list_config(git: Git) -> Config:
    """The configuration by git's listing alone, for what libgit2 cannot open."""
    return Config.parse(git.run("config", "-z", "--list"))


def set_search_paths(env: Mapping[str, str]) -> None:
    """Let libgit2 look for the user's files where a git with this environment looks.

    libgit2 reads HOME once in the life of a process; a caller's ``env`` may name another.
    """
    from pygit2 import option
    from pygit2.enums import ConfigLevel, Option

    home, xdg = _find_homes(env)
    for level, place in (
        (ConfigLevel.SYSTEM, "" if _is_true(env.get("GIT_CONFIG_NOSYSTEM")) else _SYSTEM),
        (ConfigLevel.XDG, f"{xdg}/git" if xdg else ""),
        (ConfigLevel.GLOBAL, home),
    ):
        option(Option.SET_SEARCH_PATH, level, place)
    option(Option.SET_HOMEDIR, home)


def _read_settings(opened: "pygit2.Repository") -> Iterator[Setting]:
    """What libgit2 has read, in the order of the files' lines within each scope."""
    from pygit2.enums import ConfigLevel

    levels = {
        ConfigLevel.SYSTEM: "system",
        ConfigLevel.XDG: "global",
        ConfigLevel.GLOBAL: "global",
        ConfigLevel.LOCAL: "local",
        ConfigLevel.WORKTREE: "worktree",
    }
    found: dict[int, list[Setting]] = {level: [] for level in levels}
    for entry in opened.config_snapshot:
        value = "true" if entry.raw_value is None else _decode_text(entry.raw_value)
        setting = Setting(levels[entry.level], _decode_text(entry.raw_name), value)
        found[entry.level].append(setting)
    # By level, as git reads them: the last value of a key is the one that counts.
    for level in levels:
        yield from found[level]


def _list_settings(git: Git) -> Iterator[Setting]:
    """What git reads, with the scope of each."""
    fields = git.run("config", "-z", "--show-scope", "--list").split(b"\0")
    for scope, item in zip(fields[::2], fields[1::2], strict=False):
        yield _parse_setting(item, _decode_text(scope))


def _hidden_by_environment(env: Mapping[str, str]) -> Iterator[str]:
    """The scopes that the environment moves to where libgit2 does not look."""
    if env.get("GIT_CONFIG_PARAMETERS") or env.get("GIT_CONFIG_COUNT"):
        yield "command"
    # libgit2 takes a search path for a list of directories.
    if "GIT_CONFIG_GLOBAL" in env or any(
        os.pathsep in env.get(name, "") for name in ("HOME", "XDG_CONFIG_HOME")
    ):
        yield "global"
    if not _is_true(env.get("GIT_CONFIG_NOSYSTEM")) and (
        "GIT_CONFIG_SYSTEM" in env or not _has_usual_system_file(env)
    ):
        yield "system"


def _hidden_by_content(found: Iterable[Setting], *, is_detached: bool) -> Iterator[str]:
    """The scopes that hold a value or an include that libgit2 takes for something else."""
    for setting in found:
        if any(character < " " for character in setting.value):
            yield setting.scope  # git before 2.45 makes one space of a tab
        elif _is_include(setting.key):
            kind, _, pattern = setting.key.removeprefix("includeif.").partition(":")
            if setting.key != "include.path" and (
                kind not in ("gitdir", "gitdir/i", "onbranch")
                or pattern == ".path"
                # libgit2 takes every pattern for matched then
                or (kind == "onbranch" and is_detached)
            ):
                yield setting.scope
            if setting.value.startswith("~") and not setting.value.startswith("~/"):
                yield setting.scope
            if setting.value.startswith("%(prefix)/"):
                yield setting.scope


def _hidden_by_layout(
    found: Sequence[Setting], files: Mapping[str, Sequence[str]], home: str
) -> Iterator[str]:
    """The scopes with a file, their own or an included one, that continues a line.

    libgit2 skips empty lines there, and joins what comes after them.
    """
    for scope, own in files.items():
        included = [each.value for each in found if each.scope == scope and _is_include(each.key)]
        if any(_continues_a_line(name) for name in _with_included(own, included, home)):
            yield scope


def _own_files(git: Git, common_dir: Path) -> Mapping[str, Sequence[str]]:
    """The files that libgit2 has read, by scope, without what they include."""
    home, xdg = _find_homes(git.env)
    return {
        "system": [f"{_SYSTEM}/gitconfig"],
        "global": [f"{xdg}/git/config", f"{home}/.gitconfig"],
        "local": [f"{common_dir}/config"],
        "worktree": [f"{git.git_dir}/config.worktree"],
    }


def _with_included(own: Sequence[str], included: Sequence[str], home: str) -> Iterator[str]:
    """Files, and those they may include; a relative path begins at the file that names it."""
    yield from own
    folders = [os.path.dirname(name) for name in own]  # noqa: PTH120
    for value in included:
        path = home + value[1:] if value.startswith("~/") else value
        for folder in tuple(folders):
            name = os.path.join(folder, path)  # noqa: PTH118
            yield name
            if os.path.dirname(name) not in folders:  # noqa: PTH120
                folders.append(os.path.dirname(name))  # noqa: PTH120


def _continues_a_line(name: str) -> bool:
    try:
        content = Path(name).read_bytes()
    except OSError:
        return False
    return b"\\\n" in content or b"\\\r\n" in content


def _is_detached(git: Git) -> bool:
    return not (git.git_dir / "HEAD").read_bytes().startswith(b"ref:")


def _is_include(key: str) -> bool:
    return key == "include.path" or (key.startswith("includeif.") and key.endswith(".path"))


def _find_homes(env: Mapping[str, str]) -> tuple[str, str]:
    """The folders of ``.gitconfig`` and of ``git/config``; "" for none."""
    home = env.get("HOME", "")
    return home, env.get("XDG_CONFIG_HOME") or (f"{home}/.config" if home else "")


def _has_usual_system_file(env: Mapping[str, str]) -> bool:
    """Whether git's system file is libgit2's: each git is built with the path of its own."""
    git = shutil.which("git", path=env.get("PATH"))
    return sys.platform == "linux" and git in ("/usr/bin/git", "/bin/git")


def _is_true(value: str | None) -> bool:
    return value is not None and parse_boolean("GIT_CONFIG_NOSYSTEM", value)


def _parse_setting(item: bytes, scope: str) -> Setting:
    key, found, value = _decode_text(item).partition("\n")
    return Setting(scope, key, value if found else "true")


def _decode_text(text: bytes) -> str:
    return text.decode("utf-8", "surrogateescape")


def parse_boolean(key: str, value: str) -> bool:
    """Read one truth value in any of git's spellings. Raises Fatal naming the key."""
    if value.lower() in _TRUE:
        return True
    if value.lower() in _FALSE:
        return False
    if (number := _read_number(value)) is not None:
        return number != 0
    raise Fatal(f"bad boolean value '{value}' for '{key}'", hint="use true or false")


def _read_number(value: str) -> int | None:
    """The size of a number, without its sign; None for what git takes for no number."""
    found = _number_pattern().fullmatch(value)
    if found is None:
        return None
    digits, base = found["dec"], 10
    if digits is None:
        digits, base = (found["hex"], 16) if found["hex"] else (f"0{found['oct']}", 8)
    number = int(digits, base) * _UNITS[found["unit"].lower()]
    return number if number <= _LARGEST else None


@functools.cache
def _number_pattern() -> "re.Pattern[str]":
    """Any number is a truth value to git: C's notation, perhaps a unit, no more than an int."""
    return re.compile(
        r"\s*[+-]?(?:0x(?P<hex>[0-9a-f]+)|0(?P<oct>[0-7]*)|(?P<dec>[1-9][0-9]*))(?P<unit>[kmg]?)",
        re.IGNORECASE | re.ASCII,
    )


def _normalize_key(key: str) -> str:
    section, _, rest = key.partition(".")
    subsection, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{subsection}{dot}{name.lower()}"
