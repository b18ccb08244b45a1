"""C#'s types as types of the specification."""

from git_retcon.allium.extract.grammar.outline import Outline
from git_retcon.allium.extract.grammar.written_types import TypeNames, read_type_text
from git_retcon.allium.extract.source_facts import (
    BOOLEAN,
    DECIMAL,
    DURATION,
    INTEGER,
    STRING,
    TIMESTAMP,
    Type,
)

GRAMMAR = "tree_sitter_c_sharp"
_NAMES = TypeNames(
    {
        **dict.fromkeys(("int", "long", "short", "byte", "uint", "ulong", "Int32", "Int64",
                         "BigInteger"), INTEGER),
        **dict.fromkeys(("decimal", "double", "float", "Decimal", "Double"), DECIMAL),
        **dict.fromkeys(("bool", "Boolean"), BOOLEAN),
        **dict.fromkeys(("string", "String", "char", "Guid", "Uri"), STRING),
        **dict.fromkeys(("DateTime", "DateTimeOffset", "DateOnly"), TIMESTAMP),
        "TimeSpan": DURATION,
    },
    lists=frozenset({"List", "IList", "ICollection", "IReadOnlyList", "IReadOnlyCollection",
                     "IEnumerable", "Collection"}),
    sets=frozenset({"HashSet", "ISet", "IReadOnlySet", "SortedSet"}),
    optionals=frozenset({"Nullable"}),
    wrappers=frozenset({"Task", "ValueTask", "Lazy"}),
    unknown=frozenset({"Dictionary", "IDictionary", "object", "dynamic", "ILogger"}),
)  # fmt: skip


def read_type(text: str) -> Type:
    """The type that a text means."""
    return read_type_text(text, _NAMES)


OUTLINE = Outline(
    read_type,
    record=r"\b(?:class|record|struct) (?P<name>\w+)[^{;]*\{",
    field=r"^[ \t]+public (?!static\b)(?:required |virtual )*(?P<type>\w[\w.<>, \[\]?]*?)"
    r" (?P<name>\w+)\s*\{\}",
    enum=r"\benum (?P<name>\w+)[^{;]*\{",
)
