"""English plurals: all instances of an entity have the plural of its name."""

from collections.abc import Sequence

_VOWELS = "aeiou"


def list_singulars(plural: str) -> Sequence[str]:
    """What an English plural may be the plural of."""
    # Too many guesses are better than a wrong complaint: any that is declared will do.
    endings = (("ies", "y"), ("ses", "sis"), ("es", ""), ("s", ""), ("people", "person"), ("", ""))
    return [
        plural.removesuffix(ending) + singular
        for ending, singular in endings
        if plural.endswith(ending)
    ]


def make_plural(singular: str) -> str:
    """A plural that ``list_singulars`` knows."""
    if singular.endswith("y") and singular[-2:-1] not in _VOWELS:
        return singular[:-1] + "ies"
    if singular.endswith(("s", "x", "z", "ch", "sh")):
        return singular + "es"
    return singular + "s"


def list_plurals(singular: str) -> Sequence[str]:
    """Every word of which ``list_singulars`` gives this one."""
    endings = (("y", "ies"), ("sis", "ses"), ("", "es"), ("", "s"), ("person", "people"))
    return [
        singular.removesuffix(ending) + plural
        for ending, plural in endings
        if singular.endswith(ending)
    ]
