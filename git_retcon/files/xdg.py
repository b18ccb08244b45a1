"""The folders of the XDG Base Directory Specification, read in one way.

An XDG variable that holds a relative path counts as unset, as the standard says: taken literally
it would put folders of ours into the folder that the command runs in.
"""

import contextlib
from collections.abc import Mapping
from pathlib import Path

from git_retcon.errors import Fatal

_OURS = "git-retcon"
_SYSTEM_DATA = "/usr/local/share:/usr/share"  # where XDG_DATA_DIRS is empty or unset


def data_folder(env: Mapping[str, str]) -> Path:
    """``$XDG_DATA_HOME/git-retcon``. Raises Fatal where HOME is needed and not usable."""
    return _find_base(env, "XDG_DATA_HOME", ".local/share") / _OURS


def state_folder(env: Mapping[str, str]) -> Path:
    """``$XDG_STATE_HOME/git-retcon``. Raises Fatal where HOME is needed and not usable."""
    return _find_base(env, "XDG_STATE_HOME", ".local/state") / _OURS


def cache_folder(env: Mapping[str, str]) -> Path:
    """``$XDG_CACHE_HOME/git-retcon``. Raises Fatal where HOME is needed and not usable."""
    return _find_base(env, "XDG_CACHE_HOME", ".cache") / _OURS


def shared_data_folders(env: Mapping[str, str]) -> tuple[Path, ...]:
    """Where data of every program is searched, the user's own folder first. Raises nothing."""
    listed = (env.get("XDG_DATA_DIRS") or _SYSTEM_DATA).split(":")
    folders = [Path(text) for text in listed if text]
    with contextlib.suppress(Fatal):  # there is still what all users share
        folders.insert(0, _find_base(env, "XDG_DATA_HOME", ".local/share"))
    return tuple(folder for folder in folders if folder.is_absolute())


def expand_home(text: str, env: Mapping[str, str]) -> Path:
    """A path that may begin with ``~``. Raises Fatal where no such home is known."""
    if text == "~" or text.startswith("~/"):
        return _find_home(env, "") / text[2:]
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        user = text.partition("/")[0].removeprefix("~")
        raise Fatal(
            f"there is no user '{user}', so '{text}' is no path", hint="give an absolute path"
        ) from error


def _find_base(env: Mapping[str, str], name: str, default: str) -> Path:
    given = Path(env.get(name, ""))
    return given if given.is_absolute() else _find_home(env, name) / default


def _find_home(env: Mapping[str, str], variable: str) -> Path:
    """The home folder. The password file is not asked: who clears HOME means another place."""
    given = env.get("HOME", "")
    if Path(given).is_absolute():
        return Path(given)
    what = f"a relative path, '{given}'" if given else "empty" if "HOME" in env else "not set"
    other = f", or {variable}," if variable else ""
    raise Fatal(
        f"HOME is {what}, so there is no folder for what git-retcon keeps",
        hint=f"set HOME{other} to an absolute path",
    )
