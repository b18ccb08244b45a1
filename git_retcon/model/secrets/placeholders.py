"""What is written where a secret goes, and is none: names, templates, patterns."""

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.randomness import is_scattered

_IDENTIFIERS = rb"[A-Za-z_][A-Za-z0-9_]*(?:(?:\.|::|->|-)[A-Za-z_][A-Za-z0-9_]*)*$"
# Regular expressions are given to names like TOKEN too.
_PATTERN = rb"\[[^\]]{1,40}-[^\]]{1,40}\]|\\[dDsSwWb.]"
# A dependency may be called a token too: "npm:^4.0.0".
_VERSION = rb"(?:[a-z]{1,12}:)?[~^=<>v]{0,3}[0-9]{1,6}(?:\.[0-9x*]{1,9}){1,3}$"
_TEMPLATE = (
    rb"^(?:\$|%[({sd]|[{<(*]|\.\.\.|[xX]{4})|\$[{(]|\{\{|%\(|\{[A-Za-z_][A-Za-z0-9_.]{0,60}\}"
)


def is_template(value: bytes) -> bool:
    """Whether it says where the secret is to be filled in."""
    return compile_pattern(_TEMPLATE).search(value) is not None


def is_code(value: bytes) -> bool:
    """Whether it is a name, a version or a pattern of values, as programs write them."""
    if compile_pattern(_IDENTIFIERS).match(value) and not is_scattered(value):
        return True
    if value[:1] in b",;)]}":  # a quote before it closes a text
        return True
    return bool(compile_pattern(_PATTERN).search(value) or compile_pattern(_VERSION).match(value))
