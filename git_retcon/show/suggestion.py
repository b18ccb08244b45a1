"""What somebody may have meant by a word that is unknown."""

from collections.abc import Iterable

_ALIKE = 0.75  # of difflib's ratio: "claen" is clean (0.8), "msg" is not message (0.6)


def find_similar(word: str, known: Iterable[str]) -> str | None:
    """The known word that is spelled most like this one, if any is near."""
    import difflib  # late: hardly any run needs it

    return next(iter(difflib.get_close_matches(word.lower(), known, n=1, cutoff=_ALIKE)), None)
