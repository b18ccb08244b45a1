import pytest

from git_retcon.heal.workflows.expressions.evaluation import evaluate
from git_retcon.heal.workflows.expressions.syntax import parse_expression
from git_retcon.heal.workflows.expressions.templates import EVERYTHING
from git_retcon.heal.workflows.expressions.values import NotKnown, Value
from git_retcon.heal.workflows.github_context import see_run
from git_retcon.heal.workflows.happenings import Checkout, Happening, NamedEvent, PullRequest, Push

CHECKOUT = Checkout("me/mine", "topic/x", "main", "c" * 40)
PUSH = Push("refs/heads/topic/x", None)
REQUEST = PullRequest("main", None)


def see(happening: Happening, text: str) -> Value:
    return evaluate(parse_expression(text, EVERYTHING), see_run(happening, CHECKOUT))


@pytest.mark.parametrize(
    ("happening", "text", "value"),
    [
        (PUSH, "github.event_name", "push"),
        (PUSH, "github.ref", "refs/heads/topic/x"),
        (PUSH, "github.ref_name", "topic/x"),
        (PUSH, "github.ref_type", "branch"),
        (PUSH, "github.sha", "c" * 40),
        (PUSH, "github.head_ref", ""),
        (PUSH, "github.base_ref", ""),
        (PUSH, "github.event.pull_request.draft", None),
        (PUSH, "github.event.repository.default_branch", "main"),
        (PUSH, "github.repository_owner", "me"),
        (Push("refs/tags/v1", None), "github.ref_type", "tag"),
        (Push("refs/tags/v1", None), "github.ref_name", "v1"),
        (REQUEST, "github.event_name", "pull_request"),
        (REQUEST, "github.ref", "refs/pull/0/merge"),
        (REQUEST, "github.ref_name", "0/merge"),
        (REQUEST, "github.ref_type", "branch"),
        (REQUEST, "github.head_ref", "topic/x"),
        (REQUEST, "github.base_ref", "main"),
        (REQUEST, "github.event.pull_request.head.repo.full_name == github.repository", True),
        (REQUEST, "github.event.pull_request.head.repo.fork", False),
        (REQUEST, "github.event.pull_request.draft", False),
        (REQUEST, "github.event.pull_request.base.ref", "main"),
        (REQUEST, "github.event.action", "synchronize"),
        (PUSH, "github.actor == 'dependabot[bot]'", False),
        (PUSH, "'Renovate[BOT]' != github.triggering_actor", True),
        (REQUEST, "github.event.pull_request.user.login == 'dependabot[bot]'", False),
        (NamedEvent("workflow_dispatch"), "github.event_name", "workflow_dispatch"),
        (NamedEvent("workflow_dispatch"), "github.ref", "refs/heads/topic/x"),
        (PUSH, "secrets.TOKEN", None),
        (PUSH, "vars.X", None),
        (PUSH, "inputs.x", None),
        (PUSH, "job.status", "success"),
    ],
)
def test_a_run_begins_with_what_is_known_of_its_event(
    happening: Happening, text: str, value: Value
) -> None:
    assert see(happening, text) == value


@pytest.mark.parametrize(
    ("happening", "text"),
    [
        (REQUEST, "github.event.pull_request.number"),
        (REQUEST, "github.event.pull_request.title"),
        (PUSH, "github.event.head_commit.message"),
        (PUSH, "github.actor"),
        (PUSH, "github.actor == 'ada'"),
        (PUSH, "github.actor == github.repository_owner"),
        (PUSH, "github.actor == github.triggering_actor"),
        (PUSH, "github.actor < 'dependabot[bot]'"),
        (REQUEST, "github.event.pull_request.user.login == 'renovate[bot]'"),
        (PUSH, "steps.x"),
        (PUSH, "needs.x"),
        (PUSH, "job.container.id"),
    ],
)
def test_the_rest_is_not_known_rather_than_empty(happening: Happening, text: str) -> None:
    with pytest.raises(NotKnown):
        see(happening, text)


def test_a_branch_of_dependabot_may_be_its_own_pull_request() -> None:
    checkout = CHECKOUT._replace(branch="dependabot/pip/x")
    around = see_run(REQUEST, checkout)
    author = "github.event.pull_request.user.login == 'dependabot[bot]'"
    with pytest.raises(NotKnown):
        evaluate(parse_expression(author, EVERYTHING), around)
    # Who pushes to it now is another.
    actor = "github.actor == 'dependabot[bot]'"
    assert evaluate(parse_expression(actor, EVERYTHING), around) is False
