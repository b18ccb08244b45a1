"""Steps that bring packages: the sandbox has no network for them, and a fix seldom changes what
they bring.
"""

import posixpath
import shlex
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.patches import FileChange
from git_retcon.heal.results import StepResult

_SEPARATORS = LazyPattern(r"&&|\|\||[;|\n]")
# Beginnings of commands that install what manifests and lock files name, which no model changes.
_INSTALLERS = (
    "apt", "apt-get", "brew", "bun install", "bundle install", "bundle config", "cargo fetch",
    "cargo install", "composer install", "corepack enable", "go install", "go mod download",
    "npm ci", "npm install", "npm i", "pdm install", "pip install", "pipx install", "pnpm install",
    "poetry install", "poetry config", "rustup component add", "rustup toolchain", "sudo",
    "uv pip install", "uv sync", "uv tool install", "uv venv", "yarn", "yarn install",
    "python -m venv", "python -m pip install", "python -m ensurepip",
)  # fmt: skip
# Those of them that copy the packages whose folders they name.
_COPYING = ("pip install", "python -m pip install", "uv pip install")
# What does nothing that a fix could change.
_IDLE = ("echo", "printf", "cd", "export", "set", "true", ":", "which", "git config", "mkdir")
_VERSIONS = LazyPattern(r"^(python|pip)[\d.]+$")


def keeps_result(step: StepResult, changes: Sequence[FileChange]) -> bool:
    """Whether a step that came before keeps its recorded result and products: it runs nothing of
    the tree that a fix changes.
    """
    if step.inner:
        return all(keeps_result(one, changes) for one in step.inner)
    return all(_is_apart(words, changes) for words in _list_commands(step.command))


def find_copied_folders(step: StepResult, paths: Collection[bytes]) -> tuple[str, ...]:
    """The folders, relative to the top, whose packages a step installs a copy of, if it does
    nothing else that a fix could change.
    """
    found: list[str] = []
    for words in _list_commands(step.command):
        plain = [_VERSIONS.compiled.sub(r"\1", words[0]), *words[1:]]
        if _begins_with(plain, _COPYING):
            places = (_find_package(word, before, step.folder, paths)
                      for before, word in pairwise(words))  # fmt: skip
            found += [place for place in places if place]
        elif not _is_apart(words, ()):
            return ()
    return tuple(dict.fromkeys(found))


def _find_package(word: str, before: str, folder: str, paths: Collection[bytes]) -> str:
    if before in ("-e", "--editable", "-r", "-c", "--requirement", "--constraint"):
        return ""
    place = posixpath.normpath(posixpath.join(folder, word.partition("[")[0]))
    prefix = "" if place == "." else f"{place}/"
    files = (f"{prefix}{name}".encode() for name in ("pyproject.toml", "setup.py"))
    return place if any(one in paths for one in files) else ""


def _list_commands(script: str) -> Iterator[list[str]]:
    for line in _SEPARATORS.compiled.split(script.replace("\\\n", " ")):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:  # a part of something that is no plain command
            words = [line]
        if words:
            yield words


def _is_apart(words: Sequence[str], changes: Sequence[FileChange]) -> bool:
    plain = [_VERSIONS.compiled.sub(r"\1", words[0]), *words[1:]]
    if _begins_with(plain, _IDLE):
        return True
    if not _begins_with(plain, _INSTALLERS):
        return False
    return not any(_names_tree(word, before, changes) for before, word in pairwise(words))


def _begins_with(words: Sequence[str], beginnings: Sequence[str]) -> bool:
    return any(words[: len(each.split())] == each.split() for each in beginnings)


def _names_tree(word: str, before: str, changes: Sequence[FileChange]) -> bool:
    """Whether an installer copies the tree: an editable install only links to it."""
    if before in ("-e", "--editable") or word.startswith("-"):
        return False
    path = word.partition("[")[0].removeprefix("./").rstrip("/")
    if path in ("", "."):
        return True
    name = path.encode("utf-8", "surrogateescape")
    return any(one.path == name or one.path.startswith(name + b"/") for one in changes)
