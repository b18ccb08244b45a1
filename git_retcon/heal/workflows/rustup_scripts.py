"""Scripts that only ask rustup for a toolchain: what they want is compared with what is here."""

from collections.abc import Callable

from git_retcon.heal.workflows.scripts import read_commands
from git_retcon.lazy_named_tuple import NamedTuple

_CHANNELS = (("update",), ("install",), ("default",), ("toolchain", "install"))
_PARTS = {"component": "components", "target": "targets"}
# Options of what installs a toolchain. A profile only says which components come of themselves,
# and those that later steps use must be here anyway.
_INSTALLING = {
    "-c": "components",
    "--component": "components",
    "--profile": "",
    "-t": "targets",
    "--target": "targets",
}
_FLAGS = frozenset(
    {
        "--allow-downgrade",
        "--force",
        "--no-self-update",
        "--no-update",
        "--quiet",
        "--verbose",
        "-q",
        "-v",
    }
)
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
        if words[1:2] and words[1] in _LOOKS:
            continue
        said = _split_words([_expand_word(word, expand) for word in words[1:]])
        if words[0] != "rustup" or said is None:
            return None
        plain = said.plain
        start = next((one for one in _CHANNELS if tuple(plain[: len(one)]) == one), None)
        if start is not None:
            channels += plain[len(start) :]
            parts["components"] += said.components
            parts["targets"] += said.targets
        elif len(plain) > 2 and plain[0] in _PARTS and plain[1] == "add" and not said.has_parts:
            parts[_PARTS[plain[0]]] += plain[2:]
        else:
            return None
    wanted = WantedRust(
        tuple(dict.fromkeys(channels)), tuple(parts["components"]), tuple(parts["targets"])
    )
    return wanted if any(wanted) else None


class _Said(NamedTuple):
    """The words of a command that are no options, and what its options name."""

    plain: list[str]
    components: list[str]
    targets: list[str]

    @property
    def has_parts(self) -> bool:
        return bool(self.components or self.targets)


def _split_words(words: list[str]) -> _Said | None:
    """None where a value is not known, or an option may change what the words mean."""
    said = _Said([], [], [])
    rest = iter(words)
    for word in rest:
        option, has_value, value = word.partition("=")
        if option in _INSTALLING:
            value = value if has_value else next(rest, "")
            if not value:
                return None
            if kind := _INSTALLING[option]:
                getattr(said, kind).extend(value.split(","))
        elif (word.startswith("-") and word not in _FLAGS) or not word:
            return None
        elif not word.startswith("-"):
            said.plain.append(word)
    return said


def _expand_word(word: str, expand: Callable[[str], str]) -> str:
    name = word.removeprefix("$").removeprefix("{").removesuffix("}")
    return expand(name) if word.startswith("$") else word
