"""Which names a line defines.

Regular expressions, no grammar: it must work on any language and on half-written code, and a wrong
guess costs a word, never a byte. It is for cutting hunks and for the planner; a repair, which also
needs members, imports and uses, and can try what it guesses, asks ``symbols``.
"""

from git_retcon.code.languages.language import Headings, Language
from git_retcon.code.lazy_pattern import LazyPattern

# Only this much of a line is read: definitions are at its start.
HEAD = 240

_IDENTIFIER = LazyPattern(rb"[A-Za-z_~$][\w$]*")
_NO_FUNCTION = frozenset(
    b"if for while switch return else catch do case throw new delete sizeof assert await yield "
    b"foreach using lock when match print elif with in not and or defer go select typeof".split()
)
HEADING = LazyPattern(rb"(#{1,6})\s+(.+?)\s*#*\s*$")


def find_definitions(line: bytes, language: Language) -> tuple[str, ...]:
    """The names that a line defines, most often none or one."""
    head = line[:HEAD]
    if language.headings is Headings.MARKED:
        heading = HEADING.match(head)
        return (_decode_name(heading[2]),) if heading else ()
    if not language.definitions or not head.strip() or language.comment.match(head):
        return ()
    name = _find_name(head, language)
    return (_decode_name(name),) if name else ()


def _find_name(head: bytes, language: Language) -> bytes | None:
    for pattern, needle, deepest in language.definitions:
        if needle not in head:
            continue
        found = pattern.match(head)
        if found and (deepest is None or len(head) - len(head.lstrip()) <= deepest):
            return found[1]
    return _find_function(head) if language.function_heads else None


def _find_function(head: bytes) -> bytes | None:
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
    # "name(...)" alone is a call; with a brace it is a method of JavaScript or Java.
    if len(words) == 1 and not ending.endswith(b"{"):
        return None
    return bytes(words[-1])


def _decode_name(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def indent_of(line: bytes) -> int:
    """Columns of leading white space, a tab counting for four."""
    blank = len(line) - len(line.lstrip(b" \t"))
    # Only compared within one file, so what a tab is worth matters little.
    return blank + 3 * line.count(b"\t", 0, blank)
