"""The contexts that a run begins with: ``github`` and its like, as far as they are known."""

from git_retcon.heal.workflows.expressions.evaluation import Surroundings
from git_retcon.heal.workflows.expressions.values import (
    UNKNOWN,
    Login,
    Object,
    Value,
    make_exact_object,
    make_open_object,
)
from git_retcon.heal.workflows.happenings import (
    Checkout,
    Happening,
    NamedEvent,
    PullRequest,
    Push,
    name_event,
)

_BOT = "[bot]"
_DEPENDABOT = "dependabot"
# A pull request that is not made has no number yet; but its ref is no branch, and conditions ask.
_NO_PULL_REQUEST = "refs/pull/0/merge"


def see_run(happening: Happening, checkout: Checkout) -> Surroundings:
    """What expressions see at the start of a run. Secrets and variables of GitHub are empty here,
    since they are not ours to know.
    """
    contexts: dict[str, Value] = {
        "env": make_exact_object(()),
        "github": make_open_object(_make_github(happening, checkout).items()),
        "inputs": Object(),
        "job": make_open_object({"status": "success"}.items()),
        "secrets": Object(),
        "vars": Object(),
    }
    return Surroundings(contexts)


def _make_github(happening: Happening, checkout: Checkout) -> dict[str, Value]:
    ref = happening.ref if isinstance(happening, Push) else f"refs/heads/{checkout.branch}"
    asked = isinstance(happening, PullRequest)
    ref = _NO_PULL_REQUEST if asked else ref
    return {
        "actor": Login(_BOT),  # no bot asks what its push would start
        "base_ref": happening.base if isinstance(happening, PullRequest) else "",
        "event": _make_event(happening, checkout),
        "event_name": name_event(happening),
        "head_ref": checkout.branch if asked else "",
        "ref": ref,
        "ref_name": ref.split("/", 2)[-1],
        "ref_type": "tag" if ref.startswith("refs/tags/") else "branch",
        "repository": checkout.repository or UNKNOWN,
        "repository_owner": checkout.repository.partition("/")[0] or UNKNOWN,
        "server_url": "https://github.com",
        "sha": checkout.commit,
        "triggering_actor": Login(_BOT),
    }


def _make_event(happening: Happening, checkout: Checkout) -> Value:
    repository: dict[str, Value] = {
        "default_branch": checkout.base,
        "fork": False,
        "full_name": checkout.repository or UNKNOWN,
    }
    known: dict[str, Value] = {"repository": make_open_object(repository.items())}
    match happening:
        case Push(ref, _, before):
            known |= {"before": before} if before else {}
            # These are null rather than unknown: a push has no pull request.
            known |= {"ref": ref, "pull_request": None, "action": None, "deleted": False}
        case PullRequest(base):
            known |= {"action": "synchronize", "pull_request": _pull_request(base, checkout)}
        case NamedEvent():
            known |= {"pull_request": None}
    return make_open_object(known.items())


def _pull_request(base: str, checkout: Checkout) -> Object:
    """One from a branch of the same repository, not a draft."""
    repository = make_open_object(
        {"full_name": checkout.repository or UNKNOWN, "fork": False}.items()
    )
    at: Value = checkout.base_commit if base == checkout.base else ""
    target: dict[str, Value] = {"ref": base, "sha": at or UNKNOWN, "repo": repository}
    head: dict[str, Value] = {"ref": checkout.branch, "sha": checkout.commit, "repo": repository}
    # The branches of this one have its name.
    is_bot = checkout.branch.lower().startswith(_DEPENDABOT)
    author: Value = UNKNOWN if is_bot else Login(f"{_DEPENDABOT}{_BOT}")
    described: dict[str, Value] = {
        "base": make_open_object(target.items()),
        "draft": False,
        "head": make_open_object(head.items()),
        "merged": False,
        "state": "open",
        "user": make_open_object({"login": author}.items()),
    }
    return make_open_object(described.items())
