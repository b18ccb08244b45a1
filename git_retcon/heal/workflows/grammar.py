"""The keys of a workflow and of an action, with what each may hold.

After GitHub's published schema, ``workflow-v1.0.json`` and ``action-v1.0.json``.
"""

from git_retcon.heal.workflows.expressions.syntax import MANY, AllowedNames
from git_retcon.heal.workflows.shapes import (
    Anything,
    Conditional,
    Either,
    Fields,
    Items,
    Shape,
    Single,
    Within,
)


def _either(*shapes: Shape) -> Either:
    return Either(shapes)


def _one_of(words: str) -> Single:
    return Single((str,), frozenset(words.split()))


def _some_of(words: str) -> Shape:
    return _either(_one_of(words), Items(_one_of(words)))


def _fields(required: str = "", /, **known: Shape) -> Fields:
    """These keys, with ``-`` for each ``_``, but for one that begins a private name."""
    return Fields({_key(name): shape for name, shape in known.items()}, tuple(required.split()))


def _key(name: str) -> str:
    return name.strip("_").replace("_", "-")


def _by_name(shape: Shape) -> Fields:
    return Fields({}, (), shape)


def _allow_contexts(contexts: str, *functions: tuple[str, int, int]) -> AllowedNames:
    return AllowedNames(
        frozenset(contexts.split()), {name: (least, most) for name, least, most in functions}
    )


_TEXT, _NAME = Single(), Single(may_be_empty=False)
_BOOLEAN, _NUMBER, _NOTHING = Single((bool,)), Single((float,)), Single((type(None),))
_SCALAR = _either(_TEXT, _BOOLEAN, _NUMBER)
_NAMES = _either(_NAME, Items(_NAME))

_HASH = ("hashfiles", 1, 255)
_STATUS = (("always", 0, 0), ("cancelled", 0, 0))
_STEP_STATUS = (*_STATUS, ("failure", 0, 0), ("success", 0, 0), _HASH)
_RUN = "github inputs vars"
_NEEDS = f"{_RUN} needs"
_CELL = f"{_NEEDS} strategy matrix"
_RUNNER = f"{_CELL} steps job runner env"
_ACTION = "github inputs strategy matrix steps job runner env"
_IN_RUN, _IN_CELL, _IN_RUNNER = (
    _allow_contexts(_RUN),
    _allow_contexts(_CELL),
    _allow_contexts(f"{_RUNNER} secrets"),
)
_IN_CELL_SECRETS = _allow_contexts(f"{_CELL} secrets")
_IN_STEP = _allow_contexts(f"{_RUNNER} secrets", _HASH)
_IN_JOB_IF = _allow_contexts(_NEEDS, *_STATUS, ("failure", 0, MANY), ("success", 0, MANY))

# The published schema wants a value; GitHub itself takes `tags:` with nothing for no filter.
_FILTER = _either(_NOTHING, _NAMES)
_TYPES_OF = {
    "branch_protection_rule": "created edited deleted",
    "check_run": "created rerequested completed requested_action",
    "check_suite": "completed requested rerequested",
    "discussion": "created edited deleted transferred pinned unpinned labeled unlabeled locked"
    " unlocked category_changed answered unanswered",
    "discussion_comment": "created edited deleted",
    "issue_comment": "created edited deleted",
    "issues": "opened edited deleted transferred pinned unpinned closed reopened assigned"
    " unassigned labeled unlabeled locked unlocked milestoned demilestoned typed untyped"
    " field_added field_removed",
    "label": "created edited deleted",
    "milestone": "created closed opened edited deleted",
    "project": "created updated closed reopened edited deleted",
    "project_card": "created moved converted edited deleted",
    "project_column": "created updated moved deleted",
    "pull_request_comment": "created edited deleted",
    "pull_request_review": "submitted edited dismissed",
    "pull_request_review_comment": "created edited deleted",
    "registry_package": "published updated",
    "release": "published unpublished created edited deleted prereleased released",
    "watch": "started",
}
_WITHOUT_FIELDS = "create delete deployment deployment_status fork gollum page_build public status"
_PULL_REQUEST = _fields(
    types=_some_of(
        "assigned unassigned labeled unlabeled opened edited closed reopened synchronize"
        " converted_to_draft locked unlocked enqueued dequeued milestoned demilestoned"
        " ready_for_review review_requested review_request_removed auto_merge_enabled"
        " auto_merge_disabled stacked"
    ),
    branches=_FILTER, branches_ignore=_FILTER, paths=_FILTER, paths_ignore=_FILTER,
)  # fmt: skip
_INPUT: dict[str, Shape] = {
    "description": _TEXT, "required": _BOOLEAN, "deprecationMessage": _TEXT,
}  # fmt: skip
_DISPATCH_INPUT = _fields(
    type=_one_of("string boolean number environment choice"),
    default=_SCALAR,
    options=Items(_TEXT),
    **_INPUT,
)
_CALL_INPUT = _fields(
    "type", type=_one_of("string boolean number"), default=Within(_IN_RUN, _SCALAR), **_INPUT
)
_CALL_OUTPUT = _fields(
    "value", description=_TEXT, value=Within(_allow_contexts(f"{_RUN} jobs"), _TEXT)
)  # fmt: skip
_SECRET = _either(_NOTHING, _fields(description=_TEXT, required=_BOOLEAN))
_FIELDS_OF: dict[str, Fields] = {
    **{name: _fields(types=_some_of(types)) for name, types in _TYPES_OF.items()},
    "image_version": _fields(types=_NAMES, names=_NAMES, versions=_NAMES),
    "merge_group": _fields(
        types=_some_of("checks_requested"), branches=_FILTER, branches_ignore=_FILTER
    ),
    "pull_request": _PULL_REQUEST,
    "pull_request_target": _PULL_REQUEST,
    "push": _fields(
        branches=_FILTER, branches_ignore=_FILTER, tags=_FILTER, tags_ignore=_FILTER,
        paths=_FILTER, paths_ignore=_FILTER,
    ),
    "repository_dispatch": _fields(types=_NAMES),
    "workflow_call": _fields(
        inputs=_by_name(_CALL_INPUT), secrets=_by_name(_SECRET), outputs=_by_name(_CALL_OUTPUT)
    ),
    "workflow_dispatch": _fields(inputs=_by_name(_DISPATCH_INPUT)),
    "workflow_run": _fields(
        types=_some_of("requested completed in_progress"), workflows=_NAMES,
        branches=_FILTER, branches_ignore=_FILTER,
    ),
}  # fmt: skip
EVENTS: dict[str, Shape] = {
    **dict.fromkeys(_WITHOUT_FIELDS.split(), _NOTHING),
    **{name: _either(_NOTHING, fields) for name, fields in _FIELDS_OF.items()},
    "schedule": Items(_fields("cron", cron=_NAME, timezone=_NAME)),
}

_SCOPES = (
    "actions artifact_metadata attestations checks code_quality contents copilot_requests"
    " deployments discussions drives id_token issues models packages pages pull_requests"
    " repository_projects security_events statuses vulnerability_alerts"
)
_PERMISSIONS = _either(
    _one_of("read-all write-all"),
    _fields(**dict.fromkeys(_SCOPES.split(), _one_of("read write none"))),
)
_CONCURRENCY = _either(
    _NAME,
    _fields("group", group=_NAME, cancel_in_progress=_BOOLEAN, queue=_one_of("single max")),
)
_RUN_DEFAULTS = _fields(shell=_NAME, working_directory=_NAME)

_STEP_ENV = Within(_IN_STEP, _by_name(_TEXT))
_WAITING: dict[str, Shape] = {
    "name": Within(_IN_STEP, _TEXT), "id": _NAME, "continue_on_error": Within(_IN_STEP, _BOOLEAN),
}  # fmt: skip
_ANY_STEP: dict[str, Shape] = {
    **_WAITING,
    "if_": Within(_allow_contexts(_RUNNER, *_STEP_STATUS), Conditional()),
    "timeout_minutes": Within(_IN_STEP, _NUMBER),
    "env": _STEP_ENV,
    "background": _BOOLEAN,
}
_RUN_STEP = _fields(
    "run", run=Within(_IN_STEP, _TEXT), working_directory=Within(_IN_STEP, _TEXT),
    shell=Within(_IN_STEP, _NAME), **_ANY_STEP,
)  # fmt: skip
_USES_STEP = _fields("uses", uses=_NAME, with_=_STEP_ENV, **_ANY_STEP)
_STEP = _either(
    _RUN_STEP,
    _USES_STEP,
    _fields("wait", wait=_NAMES, **_WAITING),
    _fields("wait-all", wait_all=_either(_NOTHING, _BOOLEAN), **_WAITING),
    _fields("cancel", cancel=_NAME, **_WAITING),
    _fields("parallel", parallel=Items(_either(_RUN_STEP, _USES_STEP))),
)

_CONTAINER: dict[str, Shape] = {
    "image": _TEXT, "options": _TEXT, "ports": Items(_NAME), "volumes": Items(_NAME),
    "env": Within(_IN_RUNNER, _by_name(_TEXT)),
    "credentials": Within(
        _allow_contexts(f"{_RUN} secrets env"), _fields(username=_NAME, password=_NAME)
    ),
}  # fmt: skip
_SERVICE = _either(_NAME, _fields(entrypoint=_TEXT, command=_TEXT, **_CONTAINER))
_ENVIRONMENT = _fields(
    "name", name=_TEXT, url=Within(_allow_contexts(_RUNNER), _TEXT), deployment=_BOOLEAN
)  # fmt: skip
_SNAPSHOT = _fields("image-name", image_name=_NAME, if_=Conditional(), version=_NAME)
_MATRIX_FILTER = Items(_by_name(Anything()))
_MATRIX = Fields(
    {"include": _MATRIX_FILTER, "exclude": _MATRIX_FILTER}, (), Items(Anything())
)  # fmt: skip
_ANY_JOB: dict[str, Shape] = {
    "name": Within(_IN_CELL, _TEXT),
    "needs": _NAMES,
    "if_": Within(_IN_JOB_IF, Conditional()),
    "permissions": _PERMISSIONS,
    "concurrency": Within(_IN_CELL, _CONCURRENCY),
    "strategy": Within(
        _allow_contexts(_NEEDS), _fields(fail_fast=_BOOLEAN, max_parallel=_NUMBER, matrix=_MATRIX)
    ),
}
_JOB = _either(
    _fields(
        "runs-on",
        runs_on=Within(_IN_CELL, _either(_NAMES, _fields(group=_NAME, labels=_NAMES))),
        timeout_minutes=Within(_IN_CELL, _NUMBER),
        cancel_timeout_minutes=Within(_IN_CELL, _NUMBER),
        continue_on_error=Within(_IN_CELL, _BOOLEAN),
        container=Within(_IN_CELL, _either(_TEXT, _fields(**_CONTAINER))),
        services=Within(_IN_CELL, _by_name(_SERVICE)),
        env=Within(_IN_CELL_SECRETS, _by_name(_TEXT)),
        environment=Within(_IN_CELL, _either(_TEXT, _ENVIRONMENT)),
        outputs=Within(_IN_RUNNER, _by_name(_TEXT)),
        defaults=_fields(run=Within(_allow_contexts(f"{_CELL} env"), _RUN_DEFAULTS)),
        steps=Items(_STEP),
        snapshot=Within(_IN_CELL, _either(_NAME, _SNAPSHOT)),
        **_ANY_JOB,
    ),
    _fields(
        "uses",
        uses=_NAME,
        with_=Within(_IN_CELL, _by_name(_SCALAR)),
        secrets=_either(_one_of("inherit"), Within(_IN_CELL_SECRETS, _by_name(_SCALAR))),
        **_ANY_JOB,
    ),
)
WORKFLOW = _fields(
    "on jobs",
    on=_either(_some_of(" ".join(EVENTS)), Fields(EVENTS)),
    name=_TEXT,
    run_name=Within(_IN_RUN, _TEXT),
    defaults=_fields(run=_RUN_DEFAULTS),
    env=Within(_allow_contexts(f"{_RUN} secrets"), _by_name(_TEXT)),
    permissions=_PERMISSIONS,
    concurrency=Within(_IN_RUN, _CONCURRENCY),
    jobs=_by_name(_JOB),
)

_IN_ACTION = _allow_contexts(_ACTION, _HASH)
_ACTION_TEXT, _ACTION_ENV = Within(_IN_ACTION, _TEXT), Within(_IN_ACTION, _by_name(_TEXT))
_ACTION_STEP: dict[str, Shape] = {
    "name": _ACTION_TEXT,
    "id": _NAME,
    "if_": Within(_allow_contexts(_ACTION, *_STEP_STATUS), Conditional()),
    "env": _ACTION_ENV,
    "continue_on_error": Within(_IN_ACTION, _BOOLEAN),
}
_COMPOSITE_STEP = _either(
    _fields(
        "run shell", run=_ACTION_TEXT, shell=_ACTION_TEXT, working_directory=_ACTION_TEXT,
        **_ACTION_STEP,
    ),
    _fields("uses", uses=_NAME, with_=_ACTION_ENV, **_ACTION_STEP),
)  # fmt: skip
# The keys of `runs` of an action that is composite.
COMPOSITE = _fields("using steps", using=_NAME, steps=Items(_COMPOSITE_STEP))
_IN_DEFAULT = _allow_contexts("github strategy matrix job runner", _HASH)
_ACTION_INPUT = Fields({"default": Within(_IN_DEFAULT, _TEXT)}, (), Anything())
ACTION = Fields(
    {
        "inputs": _by_name(_either(_NOTHING, _ACTION_INPUT)),
        "outputs": _by_name(
            _fields(description=_TEXT, value=Within(_allow_contexts(_ACTION), _TEXT))
        ),
        "runs": Fields({"using": _NAME}, ("using",), Anything()),
    },
    ("runs",),
    Anything(),
)
