"""Which settings of a git configuration file execute a program or send git elsewhere."""

import functools
import os
import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from git_retcon.git.process import repository_environment, run_git

Values = Sequence[str | None]  # of one key, in order; None where it has none ("true")


@functools.cache
def _executing_pattern() -> re.Pattern[str]:
    """Keys as git lists them, from git-config(1), and those of this program."""
    return re.compile(
        r"core\.(fsmonitor|hookspath|sshcommand|gitproxy|editor|pager|askpass|worktree|bare"
        r"|attributesfile|excludesfile|alternaterefscommand|repositoryformatversion"
        r"|protecthfs|protectntfs)$"
        r"|(alias|pager|include|includeif|filter|credential|gpg|hook|http|https|url|remote"
        r"|submodule|protocol|extensions|lfs|annex|sendemail|imap|instaweb|man|browser|bundle"
        r"|guitool|difftool|mergetool|trailer|tig|svn|svn-remote|git-p4"
        r"|retcon|heal|allium|codecommit)\."
        r"|diff\.(external$|.*\.(command|textconv)$)|merge\..*\.driver$|tar\..*\.command$"
        r"|(sequence\.editor|interactive\.difffilter|web\.browser|init\.templatedir"
        r"|uploadpack\.packobjectshook|receive\.fsckobjects|commit\.template|ssh\.variant"
        r"|uploadarchive\.allowunreachable|safe\..*|branch\..*\.mergeoptions"
        r"|gc\.recentobjectshook|fetch\.bundleuri|attr\.tree)$"
    )


def _is_executing(key: str, values: Values) -> bool:
    """Whether a key executes or redirects. A branch may well get another remote, by its name; an
    address there sends its commits elsewhere.
    """
    if key.startswith("branch.") and key.endswith(("remote", "pushremote")):
        return any(":" in value or "/" in value for value in values if value)
    return _executing_pattern().match(key) is not None


class GitSettings(NamedTuple):
    """A configuration file's own settings, without what it includes."""

    values: Mapping[str, Values]

    @property
    def executing(self) -> dict[str, Values]:
        return {key: found for key, found in self.values.items() if _is_executing(key, found)}

    def find_harmless(self, before: "GitSettings") -> Sequence[str]:
        """The other keys that differ from those of an earlier version."""
        keys = {**self.values, **before.values}
        return [
            key
            for key in sorted(keys)
            if self.values.get(key) != before.values.get(key)
            and not _is_executing(key, (*self.values.get(key, ()), *before.values.get(key, ())))
        ]


# One that git cannot read: it differs from every other.
_UNREADABLE = GitSettings({"include.unreadable": [None]})


def read_settings(path: Path) -> GitSettings:
    """The settings of a file; a file that git cannot read differs from all others."""
    listed = _git_config(path, "--list", "-z")
    if listed is None:
        return _UNREADABLE
    values: dict[str, list[str | None]] = {}
    for entry in listed.decode("utf-8", "surrogateescape").split("\0")[:-1]:
        key, has_value, value = entry.partition("\n")
        values.setdefault(key, []).append(value if has_value else None)
    return GitSettings(values)


def can_be_read(path: Path) -> bool:
    """Whether git takes the file for settings."""
    return _git_config(path, "--list") is not None


def remove_settings(path: Path, keys: Iterable[str]) -> None:
    """Remove every value of the keys; one that git cannot remove stays."""
    for key in keys:
        _git_config(path, "--unset-all", key)


def put_settings_back(path: Path, known: GitSettings) -> bool:
    """Give the executing keys of a file their values again, and leave the rest as it is.

    False where that did not lead to what was; the file is then to be replaced whole.
    """
    now, then = read_settings(path).executing, known.executing
    for key in sorted({*now, *then}):
        if now.get(key) == then.get(key):
            continue
        if key in now:
            _git_config(path, "--unset-all", key)
        for value in then.get(key, ()):
            _git_config(path, "--add", key, "true" if value is None else value)
    return _spell_out(read_settings(path).executing) == _spell_out(then)


def _spell_out(settings: Mapping[str, Values]) -> dict[str, Values]:
    return {
        key: ["true" if value is None else value for value in values]
        for key, values in settings.items()
    }


def _git_config(path: Path, *arguments: str) -> bytes | None:
    done = run_git(
        ["config", "--file", os.fspath(path.absolute()), "--no-includes", *arguments],
        env=repository_environment(),
        cwd=Path("/"),  # where no repository's own settings take part
    )
    return done.stdout if done.returncode == 0 else None
