"""Actions that say which files an event changed: with which commit they compare.

A pull request is compared with where it left its base, a push with what was pushed before.
"""

from collections.abc import Callable

from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import UNKNOWN, Object, Value
from git_retcon.lazy_named_tuple import NamedTuple

PATHS_FILTER, CHANGED_FILES = "dorny/paths-filter", "tj-actions/changed-files"
# The inputs whose meaning is known, with the values that are; none: any.
_INPUTS: dict[str, dict[str, tuple[str, ...]]] = {
    PATHS_FILTER: {
        "base": (),
        "filters": (),
        "initial-fetch-depth": (),
        "list-files": (),
        "predicate-quantifier": (),
        "ref": (),
        "token": (),
        "working-directory": ("", "."),
    },
    CHANGED_FILES: {
        "escape_json": (),
        "fetch_depth": (),
        "files": (),
        "files_ignore": (),
        "files_ignore_separator": (),
        "files_separator": (),
        "json": ("true", "false"),
        "path": ("", "."),
        "quotepath": (),
        "separator": (),
        "since_last_remote_commit": ("false",),
        "skip_initial_fetch": (),
        "token": (),
        "write_output_files": ("false",),
    },
}
COMPARING = frozenset(_INPUTS)
_NOT_KNOWN = "what it compares with is not known here"
_ASKING = ("pull_request", "pull_request_target")


class Comparison(NamedTuple):
    """With what an action compares; ``refusal`` says why that is not known."""

    since: str
    forked: bool
    refusal: str = ""


def find_strange_input(action: str, names: list[str], read_input: Callable[[str], str]) -> str:
    """The first input whose meaning is not known, or that has such a value; else empty."""
    known = _INPUTS[action]
    return next(
        (one for one in names if one not in known or not _is_usual(known[one], read_input(one))),
        "",
    )


def _is_usual(values: tuple[str, ...], value: str) -> bool:
    return not values or value.lower() in values


def find_comparison(
    action: str, names: list[str], around: Surroundings, read_input: Callable[[str], str]
) -> Comparison:
    """With what an action compares the commit of an event. ``names`` are the inputs given."""
    event = _see(around, "event_name")
    if event in _ASKING:
        # Only without a token its 'base' counts; which secrets are empty is not known here.
        if "token" in names and not read_input("token") and read_input("base"):
            return Comparison("", True, _NOT_KNOWN)
        commit = _see(around, "event", "pull_request", "base", "sha")
        return Comparison(commit, True) if commit else Comparison("", True, _NOT_KNOWN)
    if event != "push" or _see(around, "ref_type") != "branch":
        return Comparison("", False, f"{_NOT_KNOWN} ({event})")
    before = _see(around, "event", "before")
    branch = _see(around, "ref_name")
    if action == PATHS_FILTER:
        base, ref = (_shorten(read_input(name)) for name in ("base", "ref"))
        base = base or _see(around, "event", "repository", "default_branch")
        if base == "HEAD" or ref not in ("", branch):
            return Comparison("", False, _NOT_KNOWN)
        if base and base != branch:
            return Comparison(base, True)
    return Comparison(before, False) if before else Comparison("", False, _NOT_KNOWN)


def _shorten(ref: str) -> str:
    return ref.removeprefix("refs/heads/").removeprefix("refs/tags/")


def _see(around: Surroundings, *names: str) -> str:
    """A text of the context ``github``; empty where it is not known."""
    place: Value = around.contexts.get("github", UNKNOWN)
    for name in names:
        place = place.get(name) if isinstance(place, Object) else UNKNOWN
    return place if isinstance(place, str) else ""
