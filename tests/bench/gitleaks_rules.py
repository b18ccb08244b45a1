"""The positives of gitleaks' rules, read from its checkout: nothing of it is kept here.

A rule is a function in ``cmd/generate/config/rules/*.go`` that lists texts which hold a secret
(``tps``). These lists are expressions of a few forms (texts, sums, and calls that make a random
value of a pattern), which are evaluated here. What a rule finds in a text says which part of the
text is the secret; for that its pattern is rewritten from Go's syntax to Python's.
"""

import random
import re
import tomllib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.bench.pattern_samples import make_sample

Span = tuple[int, int]


@dataclass(frozen=True)
class Positive:
    """A text in which a rule of this name finds a secret, and where it is (in characters)."""

    rule: str
    text: str
    secret: Span


class Unreadable(Exception):
    """An expression of a form that is not evaluated here."""


def read_positives(checkout: Path, seed: int = 0) -> tuple[list[Positive], list[str]]:
    """Every positive that can be made; and what could not: rules without one, by name."""
    rules = read_rules(checkout)
    chance = random.Random(seed)
    found: list[Positive] = []
    for file in sorted((checkout / "cmd/generate/config/rules").glob("*.go")):
        for rule, texts in _read_texts(file.read_text("utf-8"), chance):
            if rule in rules:
                found += _place(rule, rules[rule], texts)
    named = {positive.rule for positive in found}
    return found, sorted(set(rules) - named)


@dataclass(frozen=True)
class Rule:
    pattern: re.Pattern[str]
    group: int


def read_rules(checkout: Path) -> dict[str, Rule]:
    """The rules with a pattern, by their names."""
    config = tomllib.loads((checkout / "config/gitleaks.toml").read_text("utf-8"))
    return {
        rule["id"]: Rule(translate_pattern(rule["regex"]), rule.get("secretGroup", 0))
        for rule in config["rules"]
        if "regex" in rule
    }


def translate_pattern(pattern: str) -> re.Pattern[str]:
    """Go's syntax in Python's: a flag amid a group holds from there to the end of that group."""
    pattern = pattern.replace("[[:alnum:]]", "[A-Za-z0-9]").replace(r"\z", r"\Z")
    out: list[str] = []
    open_flags = [0]  # by group: how many flag groups of ours are open in it
    position = 0
    while position < len(pattern):
        piece = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|\(\?i\)|.", re.DOTALL).match(
            pattern, position
        )
        assert piece
        position = piece.end()
        match piece[0]:
            case "(?i)":
                out.append("(?i:")
                open_flags[-1] += 1
            case "(":
                out.append("(")
                open_flags.append(0)
            case ")":
                out.append(")" * open_flags.pop() + ")")
            case "|" if open_flags[-1]:
                out.append(")" * open_flags[-1] + "|" + "(?i:" * open_flags[-1])
            case other:
                out.append(other)
    return re.compile("".join(out) + ")" * open_flags[-1], re.ASCII)


def _place(rule: str, known: Rule, texts: Sequence[str]) -> Iterator[Positive]:
    for text in texts:
        found = known.pattern.search(text)
        if found is None:  # the list holds texts for what goes beside the pattern too
            continue
        groups = [n for n in range(1, known.pattern.groups + 1) if found[n]]
        yield Positive(rule, text, found.span(known.group or (groups[0] if groups else 0)))


def _read_texts(source: str, chance: random.Random) -> Iterator[tuple[str, list[str]]]:
    for body in re.split(r"^func ", source, flags=re.MULTILINE)[1:]:
        named = re.search(r'RuleID:\s*"([^"]+)"', body)
        if named:
            yield named[1], _Body(body, chance).list_positives()


_TOKEN = re.compile(
    r"""(?P<skip>[ \t\r\n]+|//[^\n]*|/\*.*?\*/)|(?P<raw>`[^`]*`)|(?P<text>"(?:\\.|[^"\\\n])*")
    |(?P<name>[A-Za-z_][\w.]*\w|[A-Za-z_])|(?P<mark>:=|\.\.\.|.)""",
    re.VERBOSE | re.DOTALL,
)


class _Body:
    """The statements of one function, as far as they give a value to a name."""

    def __init__(self, source: str, chance: random.Random) -> None:
        self._tokens = [
            (token.lastgroup or "", token[0])
            for token in _TOKEN.finditer(source)
            if token.lastgroup != "skip"
        ]
        self._at = 0
        self._chance = chance
        self._values: dict[str, Any] = {}

    def list_positives(self) -> list[str]:
        while self._at < len(self._tokens) - 2:
            (kind, name), (_, mark) = self._tokens[self._at : self._at + 2]
            self._at += 1
            if kind == "name" and mark in (":=", "="):
                begin = self._at = self._at + 1
                try:
                    self._values[name] = self._read_sum()
                except (Unreadable, IndexError):
                    self._at = begin
        found = self._values.get("tps", [])
        return [text for text in found if isinstance(text, str)]

    def _next(self) -> tuple[str, str]:
        self._at += 1
        return self._tokens[self._at - 1]

    def _peek(self) -> str:
        return self._tokens[self._at][1]

    def _read_sum(self) -> Any:
        value = self._read_value()
        while self._peek() == "+":
            self._at += 1
            value += self._read_value()
        return value

    def _read_value(self) -> Any:
        kind, token = self._next()
        if kind == "raw":
            return token[1:-1]
        if kind == "text":
            return read_text(token)
        if token == "[":
            self._expect("]", "string", "{")
            return self._read_list("}")
        if token == "map":
            self._expect("[", "string", "]", "string", "{")
            return self._read_list("}")
        if kind == "name" and self._peek() == "(":
            self._at += 1
            return self._call(token, self._read_list(")"))
        if token in self._values:
            return self._values[token]
        raise Unreadable(token)

    def _expect(self, *tokens: str) -> None:
        for token in tokens:
            if self._next()[1] != token:
                raise Unreadable(token)

    def _read_list(self, end: str) -> list[Any]:
        """Items up to the end; of ``key: value`` the value, of ``items...`` each item."""
        items: list[Any] = []
        while self._peek() != end:
            value = self._read_sum()
            if self._peek() == ":":
                self._at += 1
                value = self._read_sum()
            if self._peek() == "...":
                self._at += 1
                items += value
            else:
                items.append(value)
            if self._peek() == ",":
                self._at += 1
        self._at += 1
        return items

    def _call(self, name: str, given: list[Any]) -> Any:
        if name == "append":
            return [*given[0], *given[1:]]
        if name == "secrets.NewSecret":
            return make_sample(given[0], self._chance)
        if name in _CALLS:
            return _CALLS[name](*given)
        raise Unreadable(name)


def read_text(token: str) -> str:
    """The value of Go's interpreted string literal."""
    escapes = {"n": "\n", "t": "\t", "r": "\r"}

    def read_escape(found: re.Match[str]) -> str:
        code = found[1][1:]
        return chr(int(code, 16)) if code else escapes.get(found[1], found[1])

    return re.sub(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|.)", read_escape, token[1:-1])


def _repeat(characters: str) -> Callable[[str], str]:
    return lambda size: f"[{characters}]{{{size}}}"


def _sample_one(name: str, secret: str) -> str:
    return f'{name}_api_token = "{secret}"'


# How the same value is written in configuration, in programs and in makefiles.
_WRITTEN = (
    '{i}Token="{s}"',
    '{i}Token = "{s}"',
    "{i}Token={s}",
    "{i}Token = {s}",
    '{{\n    "{i}_token": "{s}"\n}}',
    '{{"config.ini": "{I}_TOKEN={s}\\nBACKUP_ENABLED=true"}}',
    "<{i}Token>\n    {s}\n</{i}Token>",
    "{i}_token: {s}",
    "{i}_token: '{s}'",
    '{i}_token: "{s}"',
    'string {i}Token = "{s}";',
    'var {i}Token string = "{s}"',
    "{i}Token := `{s}`",
    '${i}Token .= "{s}"',
    "{i}Token = '{s}'",
    'System.setProperty("{I}_TOKEN", "{s}")',
    '  "{i}Token" => "{s}"',
    '{i}_TOKEN := "{s}"',
    '{i}_TOKEN ::= "{s}"',
    '{i}_TOKEN :::= "{s}"',
    '{i}_TOKEN ?= "{s}"',
)


def _sample_many(name: str, secret: str) -> list[str]:
    return [form.format(i=name, I=name.upper(), s=secret) for form in _WRITTEN]


_CALLS: dict[str, Callable[..., Any]] = {
    "utils.GenerateSampleSecret": _sample_one,
    "utils.GenerateSampleSecrets": _sample_many,
    "utils.Numeric": _repeat("0-9"),
    "utils.Hex": _repeat("a-f0-9"),
    "utils.AlphaNumeric": _repeat("a-z0-9"),
    "utils.AlphaNumericExtendedShort": _repeat("a-z0-9_-"),
    "utils.AlphaNumericExtended": _repeat(r"a-z0-9=_\-"),
    "utils.AlphaNumericExtendedLong": _repeat(r"a-z0-9\/=_\+\-"),
    "utils.Hex8_4_4_4_12": lambda: "[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}",
    "strings.ToUpper": str.upper,
    "fmt.Sprintf": lambda form, *values: form % values,
}
