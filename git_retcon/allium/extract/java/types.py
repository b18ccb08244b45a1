"""Java's types as types of the specification."""

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

GRAMMAR = "tree_sitter_java"
_NAMES = TypeNames(
    {
        **dict.fromkeys(("int", "long", "short", "byte", "Integer", "Long", "Short", "Byte",
                         "BigInteger", "AtomicInteger", "AtomicLong"), INTEGER),
        **dict.fromkeys(("double", "float", "Double", "Float", "BigDecimal", "Number"), DECIMAL),
        **dict.fromkeys(("boolean", "Boolean", "AtomicBoolean"), BOOLEAN),
        **dict.fromkeys(("String", "char", "Character", "CharSequence", "UUID", "URI", "URL",
                         "Path"), STRING),
        **dict.fromkeys(("Date", "Instant", "LocalDateTime", "LocalDate", "ZonedDateTime",
                         "OffsetDateTime", "Timestamp", "Calendar"), TIMESTAMP),
        "Duration": DURATION,
    },
    lists=frozenset({"List", "Collection", "ArrayList", "LinkedList", "Iterable", "Queue"}),
    sets=frozenset({"Set", "HashSet", "LinkedHashSet", "TreeSet", "EnumSet"}),
    optionals=frozenset({"Optional"}),
    wrappers=frozenset({"AtomicReference", "CompletableFuture", "Mono"}),
    unknown=frozenset({"Map", "HashMap", "Object", "Class", "Logger"}),
)  # fmt: skip


def read_type(text: str) -> Type:
    """The type that a text means."""
    return read_type_text(text.replace("? extends ", "").replace("? super ", ""), _NAMES)


OUTLINE = Outline(
    read_type,
    record=r"\bclass (?P<name>\w+)[^{;\n]*\{",
    field=r"^[ \t]+(?:private|protected|public) (?!static\b|transient\b)(?:final )?"
    r"(?P<type>\w[\w.<>, \[\]?]*?) (?P<name>\w+)(?: =[^\n]*)?;",
    enum=r"\benum (?P<name>\w+)[^{;\n]*\{",
)
