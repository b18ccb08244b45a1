import pytest

from git_retcon.heal.workflows.happenings import Happening, NamedEvent, PullRequest, Push
from git_retcon.heal.workflows.triggers import decide_any, decide_start
from tests.heal.workflows.files import make_workflow

TO_MAIN = Push("refs/heads/main", [b"src/a.py"])
TO_TOPIC = Push("refs/heads/topic/x", [b"src/a.py", b"docs/b.md"])
TAG = Push("refs/tags/v1.0", [b"src/a.py"])
REQUEST = PullRequest("main", [b"docs/b.md"])
UNKNOWN = Push("refs/heads/main", None)


def decide(on: str, happening: Happening) -> str:
    """Empty if it starts, else why not."""
    workflow = make_workflow(f"on: {on}\njobs: {{a: {{runs-on: x}}}}\n")
    start = decide_start(workflow, happening)
    return "" if start.starts else start.reason


@pytest.mark.parametrize(
    ("on", "happening", "reason"),
    [
        ("push", TO_MAIN, ""),
        ("[pull_request, push]", TO_TOPIC, ""),
        ("push", TAG, ""),
        ("push", REQUEST, "starts on push, not on pull_request"),
        ("{push: {branches: main}}", TO_MAIN, ""),
        ("{push: {branches: [main]}}", TO_TOPIC, "the branch 'topic/x' is filtered out"),
        ("{push: {branches: [main]}}", TAG, "no tag starts it"),
        ("{push: {branches: ['**', '!topic/**']}}", TO_TOPIC,
         "the branch 'topic/x' is filtered out"),
        ("{push: {branches: ['!topic/**']}}", TO_MAIN, "the branch 'main' is filtered out"),
        ("{push: {branches-ignore: ['topic/**']}}", TO_MAIN, ""),
        ("{push: {branches-ignore: ['topic/**']}}", TO_TOPIC,
         "the branch 'topic/x' is filtered out"),
        ("{push: {tags: ['v*']}}", TAG, ""),
        ("{push: {tags: ['v*']}}", TO_MAIN, "no branch starts it"),
        ("{push: {tags-ignore: ['v*']}}", TAG, "the tag 'v1.0' is filtered out"),
        ("{push: {tags-ignore: ['v*']}}", TO_MAIN, "no branch starts it"),
        ("{push: {tags: ['w*'], branches: main}}", TAG, "the tag 'v1.0' is filtered out"),
        ("{push: {tags: , branches: main}}", TAG, "no tag starts it"),
        ("{push: {paths: '**.py'}}", TO_MAIN, ""),
        ("{push: {paths: ['**.md']}}", TO_MAIN, "no changed path is asked for"),
        ("{push: {paths: ['**.md']}}", TO_TOPIC, ""),
        ("{push: {paths: ['**', '!src/**']}}", TO_MAIN, "no changed path is asked for"),
        ("{push: {paths-ignore: ['**.py']}}", TO_MAIN, "all changed paths are ignored"),
        ("{push: {paths-ignore: ['**.py']}}", TO_TOPIC, ""),
        # Paths say nothing of tags, and nothing where the change is not known.
        ("{push: {paths: ['**.md']}}", TAG, ""),
        ("{push: {paths: ['**.md']}}", UNKNOWN, ""),
        ("{push: {paths: ['**.md'], branches: x}}", UNKNOWN,
         "the branch 'main' is filtered out"),
        ("{push: {paths: ['é*']}}", Push("refs/heads/a", ["é".encode()]), ""),
        ("{push: {paths: ['*']}}", Push("refs/heads/a", [b"\xff"]), ""),
        ("{pull_request: {branches: [main]}}", REQUEST, ""),
        ("{pull_request: {branches: [dev]}}", REQUEST,
         "pull requests to 'main' are filtered out"),
        ("{pull_request: {types: [labeled, closed]}}", REQUEST,
         "starts when a pull request is labeled or closed"),
        ("{pull_request: {types: [labeled, opened]}}", REQUEST, ""),
        ("{pull_request: {paths-ignore: ['docs/**']}}", REQUEST, "all changed paths are ignored"),
        ("pull_request_target", REQUEST, "starts on pull_request_target, not on pull_request"),
        ("workflow_dispatch", NamedEvent("workflow_dispatch"), ""),
        ("{schedule: [{cron: '1 2 * * *'}]}", NamedEvent("workflow_dispatch"),
         "starts on schedule, not on workflow_dispatch"),
        ("{schedule: [{cron: '1 2 * * *'}]}", NamedEvent("schedule"), ""),
    ],
)  # fmt: skip
def test_an_event_starts_a_workflow_or_there_is_a_reason(
    on: str, happening: Happening, reason: str
) -> None:
    assert decide(on, happening) == reason


def test_of_several_events_the_first_that_starts_it_counts() -> None:
    both = make_workflow("""\
        on: {push: {branches: main}, pull_request: }
        jobs: {a: {runs-on: x}}
        """)
    assert decide_any(both, [TO_TOPIC, REQUEST]) == (REQUEST, "starts on pull_request")
    assert decide_any(both, [TO_MAIN, REQUEST]) == (TO_MAIN, "starts on push")


def test_where_none_starts_it_a_filter_says_more_than_a_missing_event() -> None:
    push = make_workflow("on: {push: {tags: x}}\njobs: {a: {runs-on: x}}\n")
    assert decide_any(push, [REQUEST, TO_MAIN]) == (None, "no branch starts it")
    other = make_workflow("on: release\njobs: {a: {runs-on: x}}\n")
    reason = "starts on release, not on pull_request"
    assert decide_any(other, [REQUEST, TO_MAIN]) == (None, reason)
