"""Which model is asked what."""

from typing import NamedTuple


class Models(NamedTuple):
    """The model of most steps, the one of first commits and of merges, and the one that writes
    what a reconciliation found.
    """

    usual: str
    large: str
    combining: str
