"""Which commands a model may run: a table of programs that only read, the exact commands of the
repository's own steps, and what the user adds (``heal.command``).
"""

import functools
import re
import tomllib
from collections.abc import Iterable, Iterator, Sequence
from importlib.resources import files
from typing import Any

from git_retcon.files.untrusted_paths import ForbiddenPath, clean_path
from git_retcon.heal.engines.claude.command_words import BadCommand, split_words
from git_retcon.lazy_dataclass import dataclass
from git_retcon.lazy_named_tuple import NamedTuple

_RANGE = re.compile(r"\d{1,9}(?:,(?:\d{1,9}|\$))?p")
_REVISION = re.compile(r"[\w./~^@-]+")
_SEPARATORS = re.compile(r"&&|\|\||[;\n]")
ANY_MORE = "..."


class Rule(NamedTuple):
    """One entry of ``allowed_commands.toml``, which explains the members."""

    words: tuple[str, ...]
    flags: frozenset[str]
    valued: frozenset[str]
    operands: str
    number: bool = False
    most: int = 50
    single_dash: bool = False
    needs: tuple[str, ...] = ()
    always: tuple[str, ...] = ()


@dataclass(frozen=True)
class AllowedCommands:
    """``own`` are the scripts of the repository's steps, ``added`` what the user allows besides."""

    own: Sequence[str]
    added: Sequence[str] = ()

    def check(self, command: str) -> list[str]:
        """The argv to run. Raises BadCommand with why it is refused."""
        words = split_words(command)
        if tuple(words) in set(self._list_own()) or any(
            _fits_rule(words, one) for one in self.added
        ):
            return words
        rule = next((one for one in read_rules() if _begins_with(words, one.words)), None)
        if rule is None:
            raise BadCommand(
                f"'{words[0]}' is not allowed: only commands that read "
                f"({', '.join(_name_programs())}) and the exact commands of the steps are"
            )
        rest = words[len(rule.words) :]
        _check_arguments(rule, rest)
        return [*rule.words, *rule.always, *rest]

    def _list_own(self) -> Iterator[tuple[str, ...]]:
        for script in self.own:
            for line in _SEPARATORS.split(script.replace("\\\n", " ")):
                try:
                    yield tuple(split_words(line.strip()))
                except BadCommand:
                    continue  # a part of a script that only its shell understands


@functools.cache
def read_rules() -> tuple[Rule, ...]:
    """The table, those of several words first."""
    text = files("git_retcon.heal.engines.claude").joinpath("allowed_commands.toml")
    document = tomllib.loads(text.read_text("utf-8"))
    rules = map(_make_rule, document["command"])
    return tuple(sorted(rules, key=lambda rule: -len(rule.words)))


def _make_rule(entry: dict[str, Any]) -> Rule:
    return Rule(
        tuple(entry["words"]), frozenset(entry.get("flags", ())),
        frozenset(entry.get("valued", ())), entry["operands"], entry.get("number", False),
        entry.get("most", 50), entry.get("single-dash", False), tuple(entry.get("needs", ())),
        tuple(entry.get("always", ())),
    )  # fmt: skip


def _name_programs() -> list[str]:
    return sorted({" ".join(rule.words) for rule in read_rules()})


def _begins_with(words: Sequence[str], beginning: Sequence[str]) -> bool:
    return list(words[: len(beginning)]) == list(beginning)


def _fits_rule(words: Sequence[str], added: str) -> bool:
    """Whether a command is one that the user allows; ``...`` at its end admits any more words."""
    try:
        wanted = split_words(added)
    except BadCommand:
        return False
    if wanted[-1] == ANY_MORE:
        return _begins_with(words, wanted[:-1])
    return list(words) == wanted


def _check_arguments(rule: Rule, words: Sequence[str]) -> None:
    operands: list[str] = []
    given: set[str] = set()
    rest = iter(words)
    for word in rest:
        if word == "--":
            operands += rest
            break
        if not word.startswith("-") or word == "-":
            operands.append(word)
            continue
        for flag, takes_value in _read_option(rule, word):
            given.add(flag)
            if takes_value and next(rest, None) is None:
                raise BadCommand(f"'{flag}' needs a value")
    missing = [flag for flag in rule.needs if flag not in given]
    if missing:
        raise BadCommand(f"'{' '.join(rule.words)}' is allowed only with '{missing[0]}'")
    _check_operands(rule, operands)


def _read_option(rule: Rule, word: str) -> Iterator[tuple[str, bool]]:
    """The flags in one word, and whether the next word is a value. Raises BadCommand."""
    name, equals, _ = word.partition("=")
    if word in rule.flags or (rule.number and re.fullmatch(r"-\d+", word)):
        yield word, False
    elif word in rule.valued:
        yield word, True
    elif equals and name.startswith("--") and name in rule.valued:
        yield name, False
    elif word.startswith("--") or rule.single_dash:
        raise BadCommand(f"'{word}' is not allowed with '{' '.join(rule.words)}'")
    elif word[:2] in rule.valued:
        yield word[:2], False
    elif all(f"-{letter}" in rule.flags for letter in word[1:]):
        yield from ((f"-{letter}", False) for letter in word[1:])
    else:
        raise BadCommand(f"'{word}' is not allowed with '{' '.join(rule.words)}'")


def _check_operands(rule: Rule, operands: Sequence[str]) -> None:
    name = " ".join(rule.words)
    if rule.operands == "none" and operands:
        raise BadCommand(f"'{name}' takes no further words")
    if len(operands) > rule.most:
        raise BadCommand(f"'{name}' takes at most {rule.most} of these")
    rest = list(operands)
    if rule.operands in ("pattern", "range"):
        if not rest:
            raise BadCommand(f"'{name}' needs a {rule.operands}")
        first = rest.pop(0)
        if rule.operands == "range" and not _RANGE.fullmatch(first):
            raise BadCommand(f"'{name}' may only print lines, as in '{name} -n 10,20p FILE'")
    for word in rest:
        if rule.operands == "revisions" and not _REVISION.fullmatch(word):
            raise BadCommand(f"'{word}' is no plain name of a commit or a path")
        _check_path(word)


def _check_path(word: str) -> None:
    text = word.rstrip("/") or word
    if text in (".", "./") or not text:
        return
    try:
        clean_path(text.encode("utf-8", "surrogateescape"))
    except ForbiddenPath as error:
        raise BadCommand(f"'{word}': {error}") from error


def list_paths(words: Iterable[str]) -> Iterator[bytes]:
    """The words of a command that may be paths."""
    for word in words:
        if not word.startswith("-"):
            yield word.strip("/").removeprefix("./").encode("utf-8", "surrogateescape")
