"""Marks in a line that make a tool pass over what it would complain of.

The marks of known tools are named. Those of others are found by their form: a comment that begins
with a tool's name joined to a word such as "ignore", which people's prose does not.
"""

from git_retcon.code.lazy_pattern import LazyPattern

_KNOWN = LazyPattern(
    rb"#\s*(?:ruff:\s*|flake8[:=]\s*)?noqa|#\s*type:\s*ignore|#\s*(?:mypy|pyright|pylint|pytype):"
    rb"|#\s*nosec|#\s*fmt:\s*(?:off|skip)|#\s*isort:\s*(?:skip|off)|#\s*pragma:\s*(?:no|allow|white)"
    rb"|(?:eslint|tslint|stylelint|biome|prettier|oxlint)-(?:disable|ignore)|@ts-(?:ignore|nocheck"
    rb"|expect-error)|istanbul ignore|#!?\[(?:allow|ignore|expect)\b|//\s*nolint|//\s*#nosec"
    rb"|NOLINT|@SuppressWarnings|@(?:file:)?Suppress\b|rubocop:(?:disable|todo)"
    rb"|shellcheck\s+(?:disable|source=/dev/null)|clang-format\s+off"
    rb"|#pragma\s+(?:GCC|clang)\s+diagnostic\s+ignored|phpstan-ignore|@psalm-suppress"
    rb"|@(?:unittest\.|pytest\.mark\.)?(?:skip|xfail|expectedFailure)|pytest\.(?:skip|xfail)"
    rb"|\.(?:skipTest|skip|todo)\(|\b(?:xit|xdescribe|xtest)\(|t\.Skip|@(?:Disabled|Ignore)\b"
    rb"|\|\|\s*(?:true|:|exit 0)|\bset \+e\b|continue-on-error|\bsys\.exit\(0\)|\bos\._exit\("
    rb"|contextlib\.suppress|except(?:\s+(?:Base)?Exception)?\s*:\s*(?:pass|\.\.\.)\s*$"
    # What takes code out of a build, or out of the sight of type checkers and test runners.
    rb"|^\s*//\s*(?:go:build|\+build)\b|#!?\[cfg\((?:any\(\)|false|FALSE|not\(all\(\)\))\)"
    rb"|#!?\[cfg_attr\(.*\b(?:allow|ignore|expect|skip)\b|#!?\[\w+::skip\b"
    rb"|^\s*#[ \t]*if[ \t]+(?:0|false|FALSE)[ \t]*(?:/[/*].*)?\r?$|@(?:\w+\.)?no_type_check\b"
    rb"|\bif not (?:\w+\.)?TYPE_CHECKING\b|\b__test__\s*=\s*False|\bcollect_ignore(?:_glob)?\b"
    rb"|doctest:\s*\+SKIP|\$Flow(?:FixMe|Ignore|ExpectedError|Issue)"
    rb"|\b(?:NOPMD|NOSONAR)\b|CHECKSTYLE[:.]\s?OFF|@generated\b|Code generated .*DO NOT EDIT"
    rb"|cppcheck-suppress|//\s*noinspection\b|:nocov:|@codeCoverageIgnore"
    rb"|/\*\s*eslint\s.*:\s*[\[\"']*(?:off|0)\b|/\*\s*(?:globals?|exported)\s+[\w$]"
    rb"|\b(?:c8|v8|jshint|csslint|yamllint|hadolint|kics-scan|luacheck:|codespell:|cspell:"
    rb"|pyre-|pyrefly:|yapf:|import-linter:)\s?(?:ignore|disable|off)"
)
_OPENER = (
    rb"(?:(?<![:\w\"'])//+!?|/\*+|<!--|(?:^|(?<=\s))(?:--|#+:?|;+|%+)(?=\s|(?<!--)[a-z]+[:-])"
    rb"|^\s*\*(?=\s))\s*"
)
_WORD = rb"(?:ignore|disable|off|skip|suppress|no(?:lint|qa|check)|allow)"
_SPEECH = (
    rb"(?!(?:todo|fixme|note|default|xxx|hack|warning|important|nb|see|example|usage|returns?|param"
    rb"|optional|but|so|if|then|else|otherwise|step|case|bug|hint|tip|on|yes|no|true|false)\b)"
)
_FORM = LazyPattern(
    _OPENER + rb"@?" + _SPEECH + rb"(?:"
    # lint:ignore SA1000, credo:disable-for-this-file, ktlint-disable, deno-lint-ignore no-undef
    rb"[a-z][\w.]*(?:-[a-z\d]+)*:(?:[a-z]+[:-])*" + _WORD + rb"(?![a-z_(])"
    rb"|(?:[a-z]+-)?[a-z]*(?:lint|fmt|hint|check|scan|print|spell|standard|cov)-(?:[a-z]+-)?"
    + _WORD + rb"(?![a-z_])"
    # ty: ignore[x], autopep8: off; after a space, prose goes on with more than one word.
    rb"|[a-z][\w.]*(?:-[a-z\d]+)*:\s(?:[a-z]+-)*" + _WORD
    + rb"(?=\s*(?:\*/|-->|\r?$)|[\[=:(-]|\s+[\w./*-]*[\d/*_-][\w./*-]*\s*$)"
    # mylint disable=x, tool ignore:start
    rb"|[a-z][\w.-]*\s(?:ignore|disable|skip|suppress|allow)(?:[=:]\w|-(?:next|line|file|start)\b)"
    # nosemgrep, nolint
    rb"|no(?:qa|lint|sec|semgrep|cov|check|inspection|format|verify)\b"
    rb"|(?:ignore|disable|skip|suppress|allow)[:-](?:next|line|file|start|begin)\b)"
)  # fmt: skip


def find_mark(line: bytes) -> bytes | None:
    """The mark in a line; None where it has none."""
    found = _KNOWN.search(line) or _FORM.search(line)
    return found[0] if found is not None else None
