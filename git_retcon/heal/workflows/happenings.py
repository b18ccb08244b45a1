"""What happens to a branch, and what of it is checked: plain values, which every check loads."""

from collections.abc import Sequence

from git_retcon.lazy_named_tuple import NamedTuple


class Checkout(NamedTuple):
    """What is checked. ``repository`` is ``owner/name``, empty if it has no such name; ``branch``
    is the short name of the branch, ``base`` that of the remote's default one, which is at
    ``base_commit`` as far as git knows it here; empty if it does not.
    """

    repository: str
    branch: str
    base: str
    commit: str
    base_commit: str = ""


class Push(NamedTuple):
    """A push of a branch or tag. ``ref`` is its whole name, ``changed`` the paths that differ
    from before; None: they are not known, and no filter of paths holds a workflow back. ``before``
    is the commit that was pushed before, empty where it is not known or nothing differs.
    """

    ref: str
    changed: Sequence[bytes] | None
    before: str = ""


class PullRequest(NamedTuple):
    """A pull request to the branch ``base`` (its short name), opened or pushed to."""

    base: str
    changed: Sequence[bytes] | None


class NamedEvent(NamedTuple):
    """Any other event, for which a person asked by its name."""

    event: str


Happening = Push | PullRequest | NamedEvent


def name_event(happening: Happening) -> str:
    """GitHub's name of it."""
    match happening:
        case Push():
            return "push"
        case PullRequest():
            return "pull_request"
        case NamedEvent(event):
            return event
