"""Ids of objects, short enough for people."""

# Beside a subject, as git itself cuts them by default.
TO_READ = 7
# In the message of a spec commit, as its specification writes it.
IN_A_RECORD = 8
# Where a person may type or paste it: not ambiguous in a repository of any size.
_TO_TYPE = 12


def shorten_id(oid: str, digits: int = _TO_TYPE) -> str:
    """The first hexadecimal digits of a full id."""
    return oid[:digits]
