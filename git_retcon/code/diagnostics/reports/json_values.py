"""Values in JSON of unknown shape: what is not of the wanted sort is absent."""

from collections.abc import Iterator

_MOST = 10**9


def get(value: object, *keys: str | int) -> object:
    """The value below these keys and indices; None where the path breaks off."""
    for key in keys:
        if isinstance(value, dict) and isinstance(key, str):
            value = value.get(key)
        elif isinstance(value, list) and isinstance(key, int) and -len(value) <= key < len(value):
            value = value[key]
        else:
            return None
    return value


def get_text(value: object, *keys: str | int) -> str:
    """A string; "" for any other value."""
    found = get(value, *keys)
    return found if isinstance(found, str) else ""


def get_number(value: object, *keys: str | int) -> int | None:
    """A whole number that counts something; None for any other value."""
    found = get(value, *keys)
    if isinstance(found, bool) or not isinstance(found, int):
        return None
    return found if 0 <= found < _MOST else None


def get_list(value: object, *keys: str | int) -> Iterator[object]:
    """The items of a list; nothing for any other value."""
    found = get(value, *keys)
    if isinstance(found, list):
        yield from found


def one_more(number: int | None) -> int | None:
    """A number that a tool counts from 0, counted from 1."""
    return None if number is None else number + 1
