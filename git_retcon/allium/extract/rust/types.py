"""Rust's types as types of the specification."""

import functools
import re

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

GRAMMAR = "tree_sitter_rust"
_INTEGERS = ("u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize")
_NAMES = TypeNames(
    {
        **dict.fromkeys(_INTEGERS, INTEGER), "f32": DECIMAL, "f64": DECIMAL, "Decimal": DECIMAL,
        "BigDecimal": DECIMAL, "bool": BOOLEAN, "String": STRING, "str": STRING, "char": STRING,
        "PathBuf": STRING, "Path": STRING, "Uuid": STRING, "ObjectId": STRING, "Url": STRING,
        "DateTime": TIMESTAMP, "NaiveDateTime": TIMESTAMP, "NaiveDate": TIMESTAMP,
        "OffsetDateTime": TIMESTAMP, "PrimitiveDateTime": TIMESTAMP, "SystemTime": TIMESTAMP,
        "Instant": TIMESTAMP, "Timestamp": TIMESTAMP, "Duration": DURATION,
        "NonZeroU32": INTEGER, "NonZeroU64": INTEGER, "NonZeroUsize": INTEGER,
        "AtomicUsize": INTEGER, "AtomicU64": INTEGER, "AtomicBool": BOOLEAN,
    },
    lists=frozenset({"Vec", "VecDeque", "SmallVec", "LinkedList", "BinaryHeap"}),
    sets=frozenset({"HashSet", "BTreeSet", "IndexSet"}),
    optionals=frozenset({"Option"}),
    wrappers=frozenset(
        {"Box", "Rc", "Arc", "Cow", "Cell", "RefCell", "Mutex", "RwLock", "Pin", "Weak", "Json",
         "Result", "OnceCell"}
    ),
    unknown=frozenset({"HashMap", "BTreeMap", "IndexMap", "Value", "PhantomData", "Self"}),
)  # fmt: skip


def read_type(text: str) -> Type:
    """The type that a text means."""
    text = _reference_pattern().sub("", text.strip())
    if text.startswith("["):
        element = text[1:].rpartition("]")[0].partition(";")[0]
        return collect(read_type(element)) if element.strip() != "u8" else ANY
    if text.startswith(("(", "dyn ", "impl ", "fn", "*")):
        return ANY
    return read_type_text(_reference_pattern().sub("", text), _NAMES)


@functools.cache
def _reference_pattern() -> "re.Pattern[str]":
    # &, &mut, &'a, and lifetimes among the arguments of a type.
    return re.compile(r"&\s*(?:'\w+\s*)?(?:mut\s+)?|'\w+\s*,\s*|<'\w+>")


OUTLINE = Outline(
    read_type,
    record=r"^\s*pub(?:\([^)]*\))? struct (?P<name>\w+)[^{;(\n]*\{",
    field=r"^[ \t]+pub(?:\([^)]*\))? (?P<name>\w+):[ \t]*(?P<type>[^\n]+?),?[ \t]*$",
    enum=r"^\s*pub(?:\([^)]*\))? enum (?P<name>\w+)\s*\{",
)
