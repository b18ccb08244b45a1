"""The hints of a logical commit: the files, directories and definitions that they name."""

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.hints.clauses import read_clauses
from git_retcon.retcon.hints.exclusions import Exclusion, read_enumeration
from git_retcon.retcon.hints.message import bare_files_in, files_in, names_in, paths_in
from git_retcon.retcon.hints.rename_words import find_renames
from git_retcon.retcon.hints.words import STOP_WORDS, WORD


@dataclass(frozen=True, slots=True)
class Mentions:
    """What one text mentions. ``files`` are base names, ``bare_files`` words that are one if a
    file of this name exists, ``paths`` have a slash, all in lower case; ``names`` are written like
    names in code; ``words`` are all its words as written. ``renamed`` are the old and new names of
    the renames that it speaks of."""

    files: frozenset[str]
    bare_files: frozenset[str]
    paths: frozenset[str]
    names: frozenset[str]
    words: frozenset[str]
    renamed: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Hint:
    """The hints of one logical commit. ``text`` is what they say less what they exclude;
    ``claims_rest`` says that they want all that no other commit's hints name."""

    text: str
    wanted: Mentions
    unwanted: tuple[Exclusion, ...]
    claims_rest: bool = False

    @property
    def is_empty(self) -> bool:
        return not self.text.strip() and not self.unwanted


def read_hint(hints: str) -> Hint:
    """Read hints: what they name, and what they exclude."""
    clauses = read_clauses(hints)
    unwanted = [item for text in clauses.excluded for item in read_enumeration(text)]
    wanted = _read_mentions(clauses.wanted)
    return Hint(clauses.wanted, wanted, tuple(unwanted), clauses.claims_rest)


def _read_mentions(text: str) -> Mentions:
    names = names_in(text)
    words = WORD.findall(text)
    return Mentions(
        files=files_in(text),
        bare_files=bare_files_in(text),
        paths=paths_in(text),
        names=names,
        # Of two letters only what is written like a name: others are words of every sentence.
        words=names.union(
            word for word in words if len(word) > 2 and word.lower() not in STOP_WORDS
        ),
        renamed=frozenset(name for rename in find_renames(text) for name in rename),
    )


def names_path(path: str, mentions: Mentions) -> bool:
    """Whether a file (lower case path) is named: by its base name, its path, or a directory."""
    base = path.rpartition("/")[2]
    if base in mentions.files or base in mentions.bare_files:
        return True
    return any(_covers_path(named, path) for named in mentions.paths)


def names_directory(path: str, mentions: Mentions) -> bool:
    """Whether a directory above a file is named by a path with a slash."""
    return any(_covers_path(named, path) and not path.endswith(named) for named in mentions.paths)


def _covers_path(named: str, path: str) -> bool:
    # Slashes at both ends, so that a directory's name is matched whole.
    return f"/{path}/".find(f"/{named}/") >= 0
