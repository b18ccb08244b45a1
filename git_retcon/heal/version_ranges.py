"""Versions as workflows ask for them: ``3.11``, ``20.x``, ``^1.21``, ``>=3.9 <4``.

The forms are npm's, with those of Python (``~=3.11``, ``==3.11.*``, commas), as the setup actions
read them. What is in no known form is satisfied by nothing: a version is never called the wanted
one by mistake.
"""

import functools
import re
from collections.abc import Callable

from git_retcon.lazy_named_tuple import NamedTuple

# Words for all that is there.
_ANY = frozenset({"", "*", "x"})
_CHANNELS = frozenset({"stable", "beta", "nightly"})


class _WantedVersion(NamedTuple):
    """The numbers of a version, as many as are said."""

    numbers: tuple[int, ...]
    rest: str  # "-dev", "-rc.1"


def satisfies(version: str, wanted: str) -> bool:
    """Whether a version (``3.12.3``, ``1.75.0-nightly``) is one that was asked for."""
    found = _read_wanted(version)
    text = wanted.strip().lower()
    if text in _ANY:
        return True
    if found is None:
        return False
    return any(_satisfies_all(found, part.strip()) for part in text.split("||"))


def is_of_channel(version: str, channel: str) -> bool:
    """Whether a version is one of Rust's ``stable``, ``beta`` or ``nightly``. The channel of a day
    (``nightly-2024-01-01``) is another, and what a version is the newest of is not known here.
    """
    found = _read_wanted(version)
    if found is None or channel not in _CHANNELS:
        return False
    return channel == next((one for one in ("nightly", "beta") if one in found.rest), "stable")


def _satisfies_all(found: _WantedVersion, text: str) -> bool:
    hyphen = re.fullmatch(r"(\S+) +- +(\S+)", text)
    if hyphen:
        text = f">={hyphen[1]} <={hyphen[2]}"
    # an operator may be apart from its version
    joined = re.sub(r"([<>=~^!]) +", r"\1", text)
    parts = [part for part in re.split("[ ,]+", joined) if part]
    return bool(parts) and all(_satisfies_one(found, part) for part in parts)


def _satisfies_one(found: _WantedVersion, text: str) -> bool:
    said = _comparator().fullmatch(text)
    if said is None:
        return False
    wanted = _read_wanted(said["version"])
    if wanted is None or wanted.rest != found.rest:
        # A version with a suffix (a release candidate) is only that very one.
        return False
    if not wanted.numbers:
        return True
    return _OPERATORS[said["operator"]](found.numbers, wanted.numbers)


@functools.cache
def _comparator() -> re.Pattern[str]:
    return re.compile(r"(?P<operator>[<>]=?|={0,3}|!=|~[=>]?|\^)(?P<version>[^<>=~^!]*)")


def _read_wanted(text: str) -> _WantedVersion | None:
    """The numbers up to the first ``x`` or ``*``; None where it begins with something else."""
    said = re.fullmatch(r"v?(?P<numbers>(?:\d{1,9}|[x*])(?:\.(?:\d{1,9}|[x*]))*)(?P<rest>.*)", text)
    if said is None:
        return None
    numbers = re.split(r"\.?[x*]", said["numbers"])[0]
    rest = re.sub(r"[_+].*", "", said["rest"])  # a build's number is not part of the version
    return _WantedVersion(tuple(map(int, numbers.split("."))) if numbers else (), rest)


def _begins_with(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    padded = found + (0,) * (len(wanted) - len(found))
    return padded[: len(wanted)] == wanted


def _is_less(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    return found < wanted and not _begins_with(found, wanted)


def _is_compatible(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """``^``: the first number that is not 0 stays."""
    kept = next((place for place, one in enumerate(wanted) if one), len(wanted) - 1)
    return _begins_with(found, wanted[: kept + 1]) and not _is_less(found, wanted)


def _is_near(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """``~``: the second number stays."""
    return _begins_with(found, wanted[:2]) and not _is_less(found, wanted)


def _is_compatible_release(found: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """``~=`` and ``~>``: all numbers but the last stay."""
    return _begins_with(found, wanted[:-1]) and not _is_less(found, wanted)


_OPERATORS: dict[str, Callable[[tuple[int, ...], tuple[int, ...]], bool]] = {
    "": _begins_with,
    "=": _begins_with,
    "==": _begins_with,
    "===": _begins_with,
    # "!=3.11" leaves out 3.11.4 as well: what is not said may be anything.
    "!=": lambda found, wanted: not _begins_with(found, wanted),
    "<": _is_less,
    "<=": lambda found, wanted: _is_less(found, wanted) or _begins_with(found, wanted),
    ">": lambda found, wanted: not _is_less(found, wanted) and not _begins_with(found, wanted),
    ">=": lambda found, wanted: not _is_less(found, wanted),
    "~": _is_near,
    "^": _is_compatible,
    "~=": _is_compatible_release,
    "~>": _is_compatible_release,
}
