"""What the frameworks' names mean: fields of Django, columns of SQLAlchemy, base classes."""

from collections.abc import Mapping

from git_retcon.allium.extract.source_facts import (
    ANY,
    BOOLEAN,
    DECIMAL,
    DURATION,
    INTEGER,
    STRING,
    TIMESTAMP,
    Type,
)


def _make_table(names: Mapping[Type, str]) -> Mapping[str, Type]:
    return {name: kind for kind, each in names.items() for name in each.split()}


# Classes of django.db.models, of what extends it, and of mongoengine and Tortoise, which are like
# it. Text, since a table of calls says less.
DJANGO_FIELDS = _make_table({
    STRING: "CharField TextField SlugField EmailField URLField UUIDField FilePathField FileField"
    " ImageField GenericIPAddressField IPAddressField CICharField CITextField CIEmailField FSMField"
    " FSMKeyField AutoSlugField RichTextField StringField",
    INTEGER: "IntegerField BigIntegerField SmallIntegerField PositiveIntegerField"
    " PositiveBigIntegerField PositiveSmallIntegerField AutoField BigAutoField SmallAutoField"
    " FSMIntegerField IntField LongField SmallIntField BigIntField",
    DECIMAL: "FloatField DecimalField",
    BOOLEAN: "BooleanField NullBooleanField",
    TIMESTAMP: "DateField DateTimeField TimeField DatetimeField",
    DURATION: "DurationField",
    ANY: "JSONField BinaryField HStoreField ArrayField GeneratedField",
})  # fmt: skip
DJANGO_ONE = frozenset({"ForeignKey", "OneToOneField", "TreeForeignKey", "ParentalKey",
                        "TreeOneToOneField"})  # fmt: skip
DJANGO_MANY = frozenset({"ManyToManyField", "ParentalManyToManyField", "TreeManyToManyField"})
DJANGO_ENUMS = frozenset({"TextChoices", "IntegerChoices", "Choices"})
COLUMN_CALLS = frozenset({"Column", "mapped_column", "MappedColumn", "deferred", "column_property"})
RELATION_CALLS = frozenset({"relationship", "relation", "Relationship", "dynamic_loader"})
COLUMN_TYPES = _make_table({
    STRING: "String Unicode Text UnicodeText UUID Uuid GUID VARCHAR NVARCHAR CHAR TEXT CLOB"
    " LONGTEXT MEDIUMTEXT CITEXT INET UUIDType AutoString UnicodeString",
    INTEGER: "Integer BigInteger SmallInteger INTEGER BIGINT SMALLINT INT TINYINT",
    DECIMAL: "Float Numeric DECIMAL Double FLOAT REAL DOUBLE DOUBLE_PRECISION NUMERIC",
    BOOLEAN: "Boolean BOOLEAN",
    TIMESTAMP: "DateTime Date Time TIMESTAMP DATETIME DATE TIME UTCDateTime AwareDateTime",
    DURATION: "Interval INTERVAL",
    ANY: "LargeBinary BLOB BYTEA JSON JSONB PickleType BINARY VARBINARY HSTORE TSVECTOR",
})  # fmt: skip

DATACLASS_CALLS = frozenset({"dataclass", "dataclasses.dataclass", "pydantic_dataclass"})
ATTRS_CALLS = frozenset(
    {"define", "attrs", "attr.s", "attrs.define", "attr.define", "attr.attrs", "frozen",
     "attrs.frozen", "attr.frozen", "mutable", "attrs.mutable", "attr.dataclass"}
)  # fmt: skip
ATTRS_FIELDS = frozenset({"attr.ib", "attr.attrib", "attrib", "attrs.field", "attr.field", "field"})
# Always a value: no identity, no change.
VALUE_BASES = frozenset({"NamedTuple", "TypedDict"})
MODEL_BASES = frozenset({"BaseModel", "SQLModel", "GenericModel", "RootModel"})
MODEL_PACKAGES = frozenset({"pydantic", "pydantic_v1", "sqlmodel"})
SETTINGS_BASES = frozenset({"BaseSettings"})
COMBINED_ENUMS = frozenset({"Flag", "IntFlag"})
ENUM_BASES = frozenset({"Enum", "IntEnum", "StrEnum"}) | COMBINED_ENUMS | DJANGO_ENUMS
# By their full names: asyncio has a Protocol too, which is none.
CONTRACT_BASES = frozenset(
    {"typing.Protocol", "typing_extensions.Protocol", "abc.ABC", "abc.ABCMeta"}
)
ERRORS = ("Error", "Exception", "Warning")
