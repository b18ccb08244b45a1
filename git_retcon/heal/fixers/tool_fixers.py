"""The repository's own fixers: found in the failing step, run as the step runs them."""

import functools
import os
import shlex
import shutil
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.fixers.tool_table import LAYOUT_FIXERS, TOOL_FIXERS, ToolFixer
from git_retcon.lazy_named_tuple import NamedTuple

if TYPE_CHECKING:
    from git_retcon.heal.engine import Item

_SEPARATORS = LazyPattern(r"&&|\|\||[;|\n]")
# As in: test -z "$(gofmt -l .)"
_INNER = LazyPattern(r"\$\(([^()`$]+)\)|`([^`$]+)`")
# What may stand between the beginning of a command and the program that does the work.
_RUNNERS = frozenset(
    {
        "npx", "bunx", "uv", "uvx", "poetry", "pipenv", "hatch", "pdm", "rye", "pnpm", "yarn",
        "npm", "bun", "bundle", "run", "exec", "x", "dlx", "env", "time", "command", "python",
        "python3",
        "-m", "--", "--no-install", "pipx", "tool",
    }
)  # fmt: skip
# Where a repository says which tools its commands call.
_SCRIPTS = ("Makefile", "package.json", "tox.ini", "noxfile.py", "justfile", "pyproject.toml",
            ".pre-commit-config.yaml", "setup.cfg")  # fmt: skip


class ToolCall(NamedTuple):
    """A fixer as it is run. ``name`` is for people."""

    name: str
    argv: tuple[str, ...]


class CallSite(NamedTuple):
    """Where fixers are looked for: the script of a step, its environment, the top of the tree."""

    script: str
    env: Mapping[str, str]
    top: Path


def list_tool_calls(items: Sequence["Item"], site: CallSite) -> list[ToolCall]:
    """The fixers that the step calls, then those of the tools that complained, for some items."""
    named = list(_find_in_script(site.script))
    found = [call for call, _ in named]
    seen = {fixer.calls[0] for _, fixer in named}
    tools = {error.finding.diagnostic.tool for item in items for error in item.errors}
    for fixer in TOOL_FIXERS:
        if fixer.calls[0] in seen or not tools & set(fixer.reports):
            continue
        paths = [item.path for item in items if item.path and item.path.endswith(fixer.endings)]
        program = find_program(fixer.fix[0], site)
        # "formatter" may mean any of them, so another sign is needed that this one is meant.
        if program and (fixer.whole or paths) and is_used(fixer, tools, site.top):
            files = [] if fixer.whole else [os.fsdecode(path) for path in paths]
            found.append(ToolCall(fixer.name, (program, *fixer.fix[1:], *files)))
    return list(dict.fromkeys(found))


def list_layout_calls(script: str) -> list[ToolCall]:
    """The fixers that lay files out, of those that a script calls to look."""
    found = (call for call, _ in _find_in_script(script) if call.name in LAYOUT_FIXERS)
    return list(dict.fromkeys(found))


def list_named_calls(script: str) -> list[ToolCall]:
    """All fixers that a script calls to look."""
    return list(dict.fromkeys(call for call, _ in _find_in_script(script)))


def find_program(name: str, site: CallSite) -> str:
    """The path of a program that the step would find, or that the project's packages bring."""
    folders = (str(site.top / "node_modules/.bin"), site.env.get("PATH", os.defpath))
    return shutil.which(name, path=os.pathsep.join(folders)) or ""


def is_used(fixer: ToolFixer, tools: set[str], top: Path) -> bool:
    """Whether the repository uses a fixer: its own program complained, or a script calls it."""
    program = fixer.fix[0]
    if program in tools:
        return True
    for name in _SCRIPTS:
        try:
            text = (top / name).read_text("utf-8", "replace")
        except OSError:
            continue
        if program in text and (len(fixer.calls) == 1 or fixer.calls[1] in text):
            return True
    return False


@functools.cache  # asked for once a kind of fixer
def _find_in_script(script: str) -> tuple[tuple[ToolCall, ToolFixer], ...]:
    return tuple(_read_script(script))


def _read_script(script: str) -> Iterator[tuple[ToolCall, ToolFixer]]:
    inner = "".join(f"\n{one or other}" for one, other in _INNER.findall(script))
    for line in _SEPARATORS.compiled.split((script + inner).replace("\\\n", " ")):
        try:
            words = shlex.split(line, comments=True)
        except ValueError:  # a part of something that is no plain command
            continue
        programs = {word.rpartition("/")[2] for word in words}
        for fixer in TOOL_FIXERS:
            # A script may have hundreds of lines, of which hardly one calls a fixer.
            if fixer.calls[0] not in programs:
                continue
            argv = exchange_words(words, fixer)
            if argv:
                yield ToolCall(fixer.name, argv), fixer


def exchange_words(words: Sequence[str], fixer: ToolFixer) -> tuple[str, ...]:
    """A command that looks, as one that fixes; empty where it does not call this fixer."""
    at = next((at for at, word in enumerate(words) if Path(word).name == fixer.calls[0]), None)
    if at is None or not all(_is_before_program(word) for word in words[:at]):
        return ()
    calls = len(fixer.calls)
    if tuple(words[at + 1 : at + calls]) != fixer.calls[1:]:
        return ()
    if any(each in word for word in words for each in ("$", "`", ">", "<")):
        return ()  # a shell would make something else of it
    before = [word for word in words[:at] if "=" not in word]
    rest = list(_drop_options(words[at + calls :], fixer))
    if fixer.whole and fixer.fix[0] == "cargo":
        rest = rest[: rest.index("--")] if "--" in rest else rest
    return (*before, words[at], *fixer.fix[1:], *rest)


def _is_before_program(word: str) -> bool:
    return word in _RUNNERS or "=" in word or word.startswith("-")


def _drop_options(words: Sequence[str], fixer: ToolFixer) -> Iterator[str]:
    skips = False
    for word in words:
        name = word.partition("=")[0]
        if skips:
            skips = False
        elif name in fixer.drop_with_value:
            skips = "=" not in word
        elif word not in fixer.drop:
            yield word
