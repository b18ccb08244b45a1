"""What somebody may have meant by a word that is unknown."""

import functools
from collections.abc import Iterable

_ALIKE = 0.75  # of difflib's ratio: "claen" is clean (0.8), "msg" is not message (0.6)


def find_similar(word: str, known: Iterable[str]) -> str | None:
    """The known word that is spelled most like this one, if any is near."""
    import difflib  # late: hardly any run needs it

    return next(iter(difflib.get_close_matches(word.lower(), known, n=1, cutoff=_ALIKE)), None)


# A run plans once for each commit, and asks the same of the same paths each time.
@functools.lru_cache(maxsize=64)
def find_similar_path(path: str, known: frozenset[str]) -> str | None:
    """The known path that is spelled most like this one, if any is near in its last part too."""
    import difflib  # late: hardly any run needs it

    spelled = {each.lower(): each for each in sorted(known)}
    names = {each: _take_name(each) for each in spelled}
    different = set(names.values())
    # By the last part first: as wholes, the paths of any two files in one deep folder are alike.
    alike = difflib.get_close_matches(
        _take_name(path.lower()), different, n=max(1, len(different)), cutoff=_ALIKE
    )
    near = [each for each, name in names.items() if name in alike]
    meant = find_similar(path, near)
    return None if meant is None else spelled[meant]


def _take_name(path: str) -> str:
    return path.rstrip("/").rpartition("/")[2]
