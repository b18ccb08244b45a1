"""What most languages write alike, and shapes that several of them share.

All are regular expressions, no grammar: they must work on half-written code, and a wrong guess
costs a word, never a byte.
"""

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.lazy_named_tuple import NamedTuple


class Quote(NamedTuple):
    """A string or block comment: from ``start`` to ``stop``; many lines only if it says so."""

    start: bytes
    stop: bytes
    many_lines: bool = False
    escapes: bool = True


class Definition(NamedTuple):
    """A line that defines the name in the pattern's first group.

    ``needle`` is what every such line holds: looking for that is far cheaper. Lines indented by
    more than ``deepest`` bytes are no definitions.
    """

    pattern: LazyPattern[bytes]
    needle: bytes = b""
    deepest: int | None = None


DOUBLE = Quote(b'"', b'"')
SINGLE = Quote(b"'", b"'")
C_COMMENT = Quote(b"/*", b"*/", many_lines=True, escapes=False)

_MODIFIERS = (
    rb"(?:(?:export|default|pub(?:\([^)]*\))?|public|private|protected|internal|static|final"
    rb"|abstract|async|unsafe|extern|inline|virtual|override|open|sealed|data|partial|readonly"
    rb"|declare|suspend|local|const)\s+)*"
)
# A name at the margin that is given a value.
ASSIGNMENT = Definition(LazyPattern(rb"([A-Za-z_]\w*)\s*(?::[^=]{1,80})?=(?![=>])"), b"=")
USUAL_DEFINITIONS = (
    Definition(
        LazyPattern(
            rb"\s*" + _MODIFIERS + rb"(?:def|defp|class|fn|func|fun|function\*?|struct|enum|trait"
            rb"|interface|type|module|mod|namespace|record|object|protocol|extension|union"
            rb"|macro_rules!|macro|defmodule)\s+(?:\([^)]*\)\s*)?(?:self\.)?([A-Za-z_$][\w$?]*)"
        )
    ),
    Definition(
        LazyPattern(
            rb"\s*(?:unsafe\s+)?impl\b(?:<[^>]*>)?\s+(?:[\w:<>', ]+\s+for\s+)?&?(\w+)",
        ),
        b"impl",
    ),
    Definition(LazyPattern(rb"\s*#\s*define\s+(\w+)"), b"define"),
    # Deeper than one level of blocks it is a local variable.
    Definition(
        LazyPattern(
            rb"\s*"
            + _MODIFIERS
            + rb"(?:const|let|var|val|static)\s+(?:mut\s+)?([A-Za-z_$][\w$]*)\s*[:=]"
        ),
        deepest=4,
    ),
    ASSIGNMENT,
    Definition(
        LazyPattern(
            rb"\s*(?:module\.)?(?:[\w$]+\.)+([A-Za-z_$][\w$]*)\s*=\s*(?:async\s*)?(?:function|\()"
        ),
        b".",
    ),
)
# A key of JSON and YAML.
KEY = Definition(LazyPattern(rb"\s*[\"']?([A-Za-z_][\w.-]*)[\"']?\s*:(?:\s|$)"))

USUAL_COMMENT = LazyPattern(rb"\s*(?://|/\*|\*|#(?!define|\[)|--|@)")
USUAL_CONTINUATION = LazyPattern(
    rb"\s*(?:[})\]]|(?:else|elif|except|finally|catch|elsif|rescue|ensure|when|end|fi|done|esac"
    rb"|then|do)\b|\{|\|\||&&|\.\w|\?\s|[+*/<>=|&]=?\s)"
)
USUAL_NOISE = LazyPattern(
    r"(?<![frFR$])\"(?:[^\"\\]|\\.)*\"|(?<![frFR\w&<'])'(?:[^'\\]|\\.)*'|//.*|(?<!\w)#(?!\s*(?:define|"
    r"include|if|elif|undef)|\[|!).*|/\*.*?\*/"
)

HASH_ATTACHED = LazyPattern(rb"\s*#")
SLASH_ATTACHED = LazyPattern(rb"\s*(?://|/\*|\*|@\w|#\[|\[\w[^\]]*\]\s*$|template\s*<)")
# A character between apostrophes: what else begins with one ('static, 'a) is no string.
CHARACTER = rb"'(?:\\(?:x[0-9a-fA-F]+|u\{?[0-9a-fA-F]+\}?|[0-7]{1,3}|.)|[^'\\\n])'"
