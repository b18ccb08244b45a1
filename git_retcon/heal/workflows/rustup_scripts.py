"""Scripts that only ask rustup for a toolchain: what they want is compared with what is here."""

from collections.abc import Callable, Iterable

from git_retcon.heal.workflows.scripts import read_commands
from git_retcon.lazy_named_tuple import NamedTuple

_CHANNELS = (("update",), ("install",), ("default",), ("toolchain", "install"))
_PARTS = {"component": "components", "target": "targets"}
_VALUED = frozenset({"--toolchain", "--profile", "-c", "--component", "-t", "--target"})
_LOOKS = frozenset({"show", "--version", "-V", "which"})


class WantedRust(NamedTuple):
    """Toolchains in the order in which they are named, and what they need besides."""

    channels: tuple[str, ...]
    components: tuple[str, ...]
    targets: tuple[str, ...]


def read_rustup(script: str, expand: Callable[[str], str]) -> WantedRust | None:
    """What a script asks rustup for; None where it does anything else, or is not understood.

    ``expand`` gives the value of an environment variable, empty where it is not known.
    """
    channels: list[str] = []
    parts: dict[str, list[str]] = {"components": [], "targets": []}
    for words in read_commands(script):
        if words[0] not in ("rustup", "rustc", "cargo"):
            return None
        plain = [_expand_word(word, expand) for word in words[1:] if not word.startswith("-")]
        if words[1:2] and words[1] in _LOOKS:
            continue
        if words[0] != "rustup" or "" in plain or _has_valued_option(words):
            return None
        start = next((one for one in _CHANNELS if tuple(plain[: len(one)]) == one), None)
        if start is not None:
            channels += plain[len(start) :]
        elif len(plain) > 2 and plain[0] in _PARTS and plain[1] == "add":
            parts[_PARTS[plain[0]]] += plain[2:]
        else:
            return None
    wanted = WantedRust(
        tuple(dict.fromkeys(channels)), tuple(parts["components"]), tuple(parts["targets"])
    )
    return wanted if any(wanted) else None


def _has_valued_option(words: Iterable[str]) -> bool:
    """Whether an option has a value of its own, which would be taken for a name."""
    return not _VALUED.isdisjoint(words)


def _expand_word(word: str, expand: Callable[[str], str]) -> str:
    name = word.removeprefix("$").removeprefix("{").removesuffix("}")
    return expand(name) if word.startswith("$") else word
