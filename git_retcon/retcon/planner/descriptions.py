"""What the message and the hints of a logical commit say, read once for a plan."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from git_retcon.retcon.hints.hint import Hint, read_hint
from git_retcon.retcon.hints.message import Message, read_message
from git_retcon.retcon.spec.model import LogicalCommit


class Description(NamedTuple):
    """One logical commit in words. The hints, less what they exclude, are in ``message`` too."""

    message: Message
    hint: Hint


def read_descriptions(
    commits: Sequence[LogicalCommit], paths: Collection[bytes] = ()
) -> list[Description]:
    """Read every logical commit, in order. ``paths`` are the files of the difference."""
    short = _find_short_names(paths)
    hints = [_name_whole_files(read_hint(commit.hints), short) for commit in commits]
    return [
        Description(read_message(commit.message, hint.text), hint)
        for commit, hint in zip(commits, hints, strict=True)
    ]


def _find_short_names(paths: Collection[bytes]) -> Mapping[str, frozenset[str]]:
    """The names by which people call files such as ``README.md``: without the ending, where that
    is one file of its folder. In lower case, with the whole names.

    Only names in capitals: a word such as ``Cart`` is sooner the class than ``cart.py``.
    """
    counts: Counter[tuple[str, str]] = Counter()
    names: dict[tuple[str, str], str] = {}
    for path in paths:
        folder, _, base = path.decode("utf-8", "replace").rpartition("/")
        stem, dot, _ = base.rpartition(".")
        name = (folder, (stem if dot else base).lower())
        counts[name] += 1
        if dot and stem.isupper():
            names[name] = base.lower()
    found: dict[str, frozenset[str]] = {}
    for (folder, stem), base in names.items():
        if counts[folder, stem] == 1:
            found[stem] = found.get(stem, frozenset()) | {base}
    return found


def _name_whole_files(hint: Hint, short: Mapping[str, frozenset[str]]) -> Hint:
    wanted = hint.wanted
    whole = frozenset().union(*(short.get(each, frozenset()) for each in wanted.bare_files))
    return replace(hint, wanted=replace(wanted, files=wanted.files | whole)) if whole else hint
