"""What happens to a branch has GitHub's name."""

from git_retcon.heal.workflows.happenings import NamedEvent, PullRequest, Push, name_event


def test_events_have_the_names_that_workflows_give_them() -> None:
    happenings = (Push("refs/heads/main", None), PullRequest("main", [b"a"]), NamedEvent("release"))
    assert [name_event(one) for one in happenings] == ["push", "pull_request", "release"]
