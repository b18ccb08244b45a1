"""Go's types as types of the specification."""

from git_retcon.allium.extract.grammar.outline import Outline
from git_retcon.allium.extract.grammar.written_types import TypeNames, read_type_text
from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    DECIMAL,
    DURATION,
    INTEGER,
    STRING,
    TIMESTAMP,
    Type,
    collect,
)

GRAMMAR = "tree_sitter_go"
_NAMES = TypeNames(
    {
        "string": STRING, "bool": BOOLEAN, "int": INTEGER, "int8": INTEGER, "int16": INTEGER,
        "int32": INTEGER, "int64": INTEGER, "uint": INTEGER, "uint8": INTEGER, "uint16": INTEGER,
        "uint32": INTEGER, "uint64": INTEGER, "byte": INTEGER, "rune": INTEGER,
        "float32": DECIMAL, "float64": DECIMAL, "big.Int": INTEGER, "decimal.Decimal": DECIMAL,
        "time.Time": TIMESTAMP, "time.Duration": DURATION, "uuid.UUID": STRING, "error": ANY,
        "any": ANY, "sql.NullString": STRING._replace(is_optional=True),
        "sql.NullInt64": INTEGER._replace(is_optional=True),
        "sql.NullInt32": INTEGER._replace(is_optional=True),
        "sql.NullFloat64": DECIMAL._replace(is_optional=True),
        "sql.NullBool": BOOLEAN._replace(is_optional=True),
        "sql.NullTime": TIMESTAMP._replace(is_optional=True),
        "gorm.DeletedAt": TIMESTAMP._replace(is_optional=True),
        "primitive.ObjectID": STRING, "bson.ObjectID": STRING,
    },
    optionals=frozenset({"sql.Null", "Null", "Option", "Optional"}),
    wrappers=frozenset({"atomic.Pointer", "Pointer"}),
    unknown=frozenset({"RawMessage", "Mutex", "RWMutex", "WaitGroup", "Once", "Context"}),
)  # fmt: skip


def read_type(text: str) -> Type:
    """The type that a text means. What is pointed at may be missing."""
    text = text.strip()
    if text.startswith("*"):
        return read_type(text[1:])._replace(is_optional=True)
    if text.startswith("["):
        length, _, element = text[1:].partition("]")
        is_text = element.strip() == "byte" and not length
        return ANY._replace(source="[]byte") if is_text else collect(read_type(element))
    if text.startswith(("map[", "chan ", "<-chan ", "func(", "struct{", "struct {", "interface")):
        return ANY
    return read_type_text(text, _NAMES)


OUTLINE = Outline(
    read_type,
    record=r"^type (?P<name>[A-Z]\w*) struct \{",
    field=r"^[ \t]+(?P<name>[A-Za-z]\w*)[ \t]+(?P<type>[\w.*\[\]]+)[ \t]*(?:`[^`\n]*`)?[ \t]*$",
)
