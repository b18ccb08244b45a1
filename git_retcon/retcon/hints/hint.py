"""What hints name: files, directories and definitions."""

from dataclasses import dataclass

from git_retcon.retcon.hints.clauses import part
from git_retcon.retcon.hints.exclusions import Exclusion, enumerated
from git_retcon.retcon.hints.message import files_in, names_in, paths_in
from git_retcon.retcon.hints.words import STOP_WORDS, WORD


@dataclass(frozen=True, slots=True)
class Names:
    """Names in one stretch of text. ``words`` are all its words as written."""

    files: frozenset[str]
    paths: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]


@dataclass(frozen=True, slots=True)
class Hint:
    """The hints of one logical commit, read. ``text`` is what they say less what they exclude;
    ``claims_rest`` that they want whatever no other commit's hints name."""

    text: str
    wanted: Names
    unwanted: tuple[Exclusion, ...]
    claims_rest: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.text.strip() and not self.unwanted


def read_hint(hints: str) -> Hint:
    """Read hints: what they name, and what they exclude."""
    parted = part(hints)
    unwanted = [item for text in parted.excluded for item in enumerated(text)]
    return Hint(parted.wanted, _names(parted.wanted), tuple(unwanted), parted.claims_rest)


def _names(text: str) -> Names:
    return Names(
        files=files_in(text),
        paths=paths_in(text),
        names=names_in(text),
        words=frozenset(
            word for word in WORD.findall(text) if len(word) > 2 and word.lower() not in STOP_WORDS
        ),
    )


def names_path(path: str, names: Names) -> bool:
    """Whether a file (lower case path) is named: by its base name, its path, or a directory."""
    base = path.rpartition("/")[2]
    return base in names.files or any(_covers(named, path) for named in names.paths)


def names_directory(path: str, names: Names) -> bool:
    """Whether a directory above a file is named by a path with a slash."""
    return any(_covers(named, path) and not path.endswith(named) for named in names.paths)


def _covers(named: str, path: str) -> bool:
    return f"/{path}/".find(f"/{named}/") >= 0
