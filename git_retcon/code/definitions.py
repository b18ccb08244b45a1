"""Which names a line defines.

Regular expressions, no grammar: it must work on any language and on half-written code, and a wrong
guess costs a word, never a byte. It is for cutting hunks and for the planner; a repair, which also
needs members, imports and uses, and can try what it guesses, asks ``symbols``.
"""

import re

from git_retcon.code.languages import LISTING, MARKDOWN, RST, TEXT, Language

# Only this much of a line is read: definitions stand at its start.
HEAD = 240

_MODIFIERS = (
    rb"(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|final"
    rb"|abstract|async|unsafe|extern|inline|virtual|override|open|sealed|data|partial|readonly"
    rb"|declare|suspend|local|const)\s+)*"
)
_KEYWORD = re.compile(
    rb"\s*" + _MODIFIERS + rb"(?:def|defp|class|fn|func|fun|function\*?|struct|enum|trait|interface"
    rb"|type|module|mod|namespace|record|object|protocol|extension|union|macro_rules!|macro"
    rb"|defmodule)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_$][\w$?]*)"
)
_IMPL = re.compile(rb"\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s+(?:[\w:<>', ]+\s+for\s+)?&?(\w+)")
_DEFINE = re.compile(rb"\s*#\s*define\s+(\w+)")
_BINDING = re.compile(
    rb"\s*" + _MODIFIERS + rb"(?:const|let|var|val|static)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)\s*[:=]"
)
_ASSIGNED = re.compile(rb"([A-Za-z_]\w*)\s*(?::[^=]{1,80})?=(?![=>])")
_MEMBER = re.compile(
    rb"\s*(?:module\.)?(?:[\w$]+\.)+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function|\()"
)
# In this order, each with what a line must hold for it: looking for that is far cheaper.
_PATTERNS = (
    (b"", _KEYWORD),
    (b"impl", _IMPL),
    (b"define", _DEFINE),
    (b"", _BINDING),
    (b"=", _ASSIGNED),
    (b".", _MEMBER),
)
_TABLE = re.compile(rb"\[\[?\s*([\w.\-\"' ]+?)\s*\]\]?\s*(?:#.*)?$")
_KEY = re.compile(rb"\s*[\"']?([A-Za-z_][\w.-]*)[\"']?\s*:(?:\s|$)")
_IDENTIFIER = re.compile(rb"[A-Za-z_~$][\w$]*")
_NO_FUNCTION = frozenset(
    b"if for while switch return else catch do case throw new delete sizeof assert await yield "
    b"foreach using lock when match print elif with in not and or defer go select typeof".split()
)
HEADING = re.compile(rb"(#{1,6})\s+(.+?)\s*#*\s*$")
COMMENT = re.compile(rb"\s*(?://|/\*|\*|#(?!define|\[)|--|@)")


def defined(line: bytes, language: Language) -> tuple[str, ...]:
    """The names that a line defines, most often none or one."""
    head = line[:HEAD]
    if not head.strip() or language is TEXT or language is LISTING:
        return ()
    if language is MARKDOWN or language is RST:
        heading = HEADING.match(head)
        return (_text(heading[2]),) if heading and language is MARKDOWN else ()
    name = _defined(head, language)
    return (_text(name),) if name else ()


def _defined(head: bytes, language: Language) -> bytes | None:
    if language.name == "toml":
        found = _TABLE.match(head) or _ASSIGNED.match(head)
        return found[1] if found else None
    if language.name in ("json", "yaml"):
        found = _KEY.match(head)
        return found[1] if found else None
    if COMMENT.match(head):
        return None
    for needed, pattern in _PATTERNS:
        if needed not in head:
            continue
        found = pattern.match(head)
        if found and (pattern is not _BINDING or len(head) - len(head.lstrip()) <= 4):
            return found[1]
    return _function_head(head) if language.function_heads else None


def _function_head(head: bytes) -> bytes | None:
    """The name of ``int f(int x)`` or ``method(a) {``; None for a call or a statement."""
    before, bracket, after = head.partition(b"(")
    ending = after.rstrip()
    if not bracket or b"=" in before or (ending.endswith((b";", b",")) and b"{" not in ending):
        return None
    words = _IDENTIFIER.findall(before)
    if not words or words[0] in _NO_FUNCTION or words[-1] in _NO_FUNCTION or b"." in before:
        return None
    if not before.rstrip().endswith(words[-1]):
        return None
    if len(words) == 1 and not ending.endswith(b"{"):
        return None
    return bytes(words[-1])


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def indent_of(line: bytes) -> int:
    """Columns of leading white space, a tab counting for four."""
    blank = len(line) - len(line.lstrip(b" \t"))
    return blank + 3 * line.count(b"\t", 0, blank)
