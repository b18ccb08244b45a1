"""Files of a working tree that git itself executes or obeys, because its settings say so.

``.git`` may be out of reach of who writes in the tree, and still name what is in it: a folder of
hooks, an included configuration, the script of a filter; and the ``.git`` file of a submodule says
where git finds the settings that it obeys there, as at every ``git status``.
"""

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from git_retcon.git.checkout import list_submodules
from git_retcon.git.process import Git
from git_retcon.git.repository import Repository

# What they hold is a path; elsewhere it is a command.
_PATHS = ("core.hookspath", "core.attributesfile")
_INCLUDES = ("include.", "includeif.")
_COMMANDS = (
    "alias.", "browser.", "core.alternaterefscommand", "core.askpass", "core.editor",
    "core.fsmonitor", "core.gitproxy", "core.pager", "core.sshcommand", "credential.", "diff.",
    "difftool.", "filter.", "gc.recentobjectshook", "gpg.", "guitool.", "hook.", "imap.tunnel",
    "interactive.difffilter", "man.", "merge.", "mergetool.", "pager.", "remote.", "sendemail.",
    "sequence.editor", "submodule.", "tar.", "trailer.", "uploadpack.packobjectshook",
)  # fmt: skip
_INTERPRETERS = frozenset({"bash", "env", "node", "perl", "python", "python3", "ruby", "sh", "zsh"})


def find_executed(repository: Repository, top: Path) -> tuple[Path, ...]:
    """Files and folders beneath ``top``, there or not; none lies in another."""
    git = Git(repository.git_dir, top, repository.git.env)
    places = (*_named_by_settings(repository, top), *_find_links(git, top))
    # A link within the tree and what it leads to: either can be changed.
    found = {
        Path(each)
        for place in places
        for each in (os.path.normpath(place), os.path.realpath(place))
    }
    own = {repository.git_dir, repository.common_dir, top / ".git"}
    kept = {
        place
        for place in found
        if place != top
        and place.is_relative_to(top)
        and not any(place.is_relative_to(each) for each in own)
    }
    return tuple(sorted(place for place in kept if kept.isdisjoint(place.parents)))


def _named_by_settings(repository: Repository, top: Path) -> Iterator[Path]:
    for key, values in repository.config.values.items():
        for value in filter(None, values):
            if key in _PATHS:
                yield top / Path(value).expanduser()
            elif key.startswith(_INCLUDES):
                yield repository.common_dir / Path(value).expanduser()
            elif key.startswith(_COMMANDS):
                yield from (top / word for word in _find_scripts(value) if (top / word).is_file())


def _find_scripts(command: str) -> Iterator[str]:
    """The program of a command, and the script where that is an interpreter's."""
    text = command.removeprefix("!")
    try:
        words = shlex.split(text)
    except ValueError:
        words = text.split()
    words = [word for word in words if not word.startswith("-") and "=" not in word]
    yield from words[:1]
    if words and os.path.basename(words[0]) in _INTERPRETERS:  # noqa: PTH119
        yield from words[1:2]


def _find_links(git: Git, top: Path) -> Iterator[Path]:
    """The ``.git`` of each submodule that is checked out, and of those within it."""
    for path in _keep_existing(top, list_submodules(git)):
        for folder, folders, names in os.walk(path):
            if ".git" in (*folders, *names):
                yield Path(folder, ".git")
            folders[:] = [name for name in folders if name != ".git"]


def _keep_existing(top: Path, paths: Iterable[bytes]) -> Iterator[Path]:
    places = (top / os.fsdecode(path) for path in paths)
    return (place for place in places if os.path.lexists(place / ".git"))
