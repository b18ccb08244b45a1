"""With which commit actions compare that look at changed files."""

import pytest

from git_retcon.heal.workflows.comparisons import (
    CHANGED_FILES,
    PATHS_FILTER,
    Comparison,
    find_comparison,
    find_strange_input,
)
from git_retcon.heal.workflows.github_context import see_run
from git_retcon.heal.workflows.happenings import (
    Checkout,
    Happening,
    NamedEvent,
    PullRequest,
    Push,
)

_BASE, _BEFORE = "a" * 40, "b" * 40
_PULL_REQUEST = PullRequest("main", None)


def _find(action: str, happening: Happening, base_commit: str = _BASE, **inputs: str) -> Comparison:
    checkout = Checkout("o/n", "topic", "main", "c" * 40, base_commit)
    around = see_run(happening, checkout)
    return find_comparison(action, list(inputs), around, lambda name: inputs.get(name, ""))


@pytest.mark.parametrize("action", [PATHS_FILTER, CHANGED_FILES])
def test_a_pull_request_is_compared_with_where_it_left_its_base(action: str) -> None:
    assert _find(action, _PULL_REQUEST, base="other") == Comparison(_BASE, True)
    assert _find(action, _PULL_REQUEST, base_commit="").refusal


@pytest.mark.parametrize(
    ("action", "ref", "inputs", "wanted"),
    [
        (PATHS_FILTER, "refs/heads/main", {}, Comparison(_BEFORE, False)),
        (PATHS_FILTER, "refs/heads/topic", {}, Comparison("main", True)),
        (PATHS_FILTER, "refs/heads/x", {"base": "refs/heads/x"}, Comparison(_BEFORE, False)),
        (PATHS_FILTER, "refs/heads/main", {"base": "stable"}, Comparison("stable", True)),
        (CHANGED_FILES, "refs/heads/topic", {}, Comparison(_BEFORE, False)),
    ],
)  # fmt: skip
def test_a_push_is_compared_with_what_was_pushed_before_or_the_base(
    action: str, ref: str, inputs: dict[str, str], wanted: Comparison
) -> None:
    assert _find(action, Push(ref, None, _BEFORE), **inputs) == wanted


def test_where_the_commit_is_not_known_this_is_said() -> None:
    refused = [
        _find(PATHS_FILTER, Push("refs/heads/main", None)),
        _find(CHANGED_FILES, Push("refs/heads/topic", None)),
        _find(CHANGED_FILES, Push("refs/tags/v1", None, _BEFORE)),
        _find(PATHS_FILTER, Push("refs/heads/main", None, _BEFORE), base="HEAD"),
        _find(PATHS_FILTER, Push("refs/heads/main", None, _BEFORE), ref="topic"),
        _find(PATHS_FILTER, NamedEvent("schedule")),
        _find(PATHS_FILTER, _PULL_REQUEST, base="stable", token=""),
    ]
    assert [one.since for one in refused] == [""] * 7
    assert all("not known here" in one.refusal for one in refused)


def test_an_input_of_unknown_meaning_is_named() -> None:
    def find(action: str, **inputs: str) -> str:
        return find_strange_input(action, list(inputs), lambda name: inputs[name])

    assert find(CHANGED_FILES, files="a", json="true") == ""
    assert find(CHANGED_FILES, files="a", files_yaml="a: b") == "files_yaml"
    assert find(CHANGED_FILES, json="yes") == "json"
    assert find(CHANGED_FILES, path="sub") == "path"
