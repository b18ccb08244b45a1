"""The keys of a workflow and of an action, with what may stand in each.

After GitHub's published schema, ``workflow-v1.0.json`` and ``action-v1.0.json``.
"""

from git_retcon.heal.workflows.expressions.syntax import MANY, Allowed
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

TEXT = Single()
NAME = Single(may_be_empty=False)
BOOLEAN = Single((bool,))
NUMBER = Single((float,))
NOTHING = Single((type(None),))
ANY_SCALAR = Either((TEXT, BOOLEAN, NUMBER))
NAMES = Either((NAME, Items(NAME)))
TEXT_BY_NAME = Fields({}, (), TEXT)


def one_of(*values: str) -> Single:
    return Single((str,), frozenset(values))


def _allow(contexts: str, *functions: tuple[str, int, int]) -> Allowed:
    return Allowed(
        frozenset(contexts.split()), {name: (least, most) for name, least, most in functions}
    )


_HASH = ("hashfiles", 1, 255)
_STATUS = [("always", 0, 0), ("cancelled", 0, 0)]
_JOB_STATUS = [*_STATUS, ("failure", 0, MANY), ("success", 0, MANY)]
_STEP_STATUS = [*_STATUS, ("failure", 0, 0), ("success", 0, 0), _HASH]

_RUN = "github inputs vars"
_NEEDS = _RUN + " needs"
_CELL = _NEEDS + " strategy matrix"
_RUNNER = _CELL + " steps job runner env"
IN_RUN = _allow(_RUN)
IN_NEEDS = _allow(_NEEDS)
IN_CELL = _allow(_CELL)
IN_STEP = _allow(_RUNNER + " secrets", _HASH)
IN_JOB_IF = _allow(_NEEDS, *_JOB_STATUS)
IN_STEP_IF = _allow(_RUNNER, *_STEP_STATUS)
_ACTION = "github inputs strategy matrix steps job runner env"
IN_ACTION = _allow(_ACTION, _HASH)
IN_ACTION_IF = _allow(_ACTION, *_STEP_STATUS)
_IN_ACTION_DEFAULT = _allow("github strategy matrix job runner", _HASH)


def _event(**fields: Shape) -> Shape:
    return Either((NOTHING, Fields({name.replace("_", "-"): v for name, v in fields.items()})))


def _types(words: str) -> Shape:
    types = one_of(*words.split())
    return Either((types, Items(types)))


# The published schema wants a value; GitHub itself takes `tags:` with nothing for no filter.
_FILTER = Either((NOTHING, NAME, Items(NAME)))
_BRANCHES: dict[str, Shape] = {"branches": _FILTER, "branches_ignore": _FILTER}
_PATHS: dict[str, Shape] = {"paths": _FILTER, "paths_ignore": _FILTER}
_PULL_REQUEST = _event(
    types=_types(
        "assigned unassigned labeled unlabeled opened edited closed reopened synchronize"
        " converted_to_draft locked unlocked enqueued dequeued milestoned demilestoned"
        " ready_for_review review_requested review_request_removed auto_merge_enabled"
        " auto_merge_disabled stacked"
    ),
    **_BRANCHES,
    **_PATHS,
)
_COMMENT = _event(types=_types("created edited deleted"))
# Events of which nothing but the activity matters.
_ACTIVITIES = {
    "branch_protection_rule": "created edited deleted",
    "check_run": "created rerequested completed requested_action",
    "check_suite": "completed requested rerequested",
    "discussion": "created edited deleted transferred pinned unpinned labeled unlabeled locked"
    " unlocked category_changed answered unanswered",
    "issues": "opened edited deleted transferred pinned unpinned closed reopened assigned"
    " unassigned labeled unlabeled locked unlocked milestoned demilestoned typed untyped"
    " field_added field_removed",
    "label": "created edited deleted",
    "milestone": "created closed opened edited deleted",
    "project": "created updated closed reopened edited deleted",
    "project_card": "created moved converted edited deleted",
    "project_column": "created updated moved deleted",
    "pull_request_review": "submitted edited dismissed",
    "registry_package": "published updated",
    "release": "published unpublished created edited deleted prereleased released",
    "watch": "started",
}
_INPUT_TYPE = one_of("string", "boolean", "number", "environment", "choice")
_DISPATCH_INPUT = Fields(
    {
        "description": TEXT,
        "type": _INPUT_TYPE,
        "required": BOOLEAN,
        "default": ANY_SCALAR,
        "deprecationMessage": TEXT,
        "options": Items(TEXT),
    }
)
_CALL = Fields(
    {
        "inputs": Fields(
            {},
            (),
            Fields(
                {
                    "description": TEXT,
                    "type": one_of("string", "boolean", "number"),
                    "required": BOOLEAN,
                    "default": Within(IN_RUN, ANY_SCALAR),
                    "deprecationMessage": TEXT,
                },
                ("type",),
            ),
        ),
        "secrets": Fields(
            {}, (), Either((NOTHING, Fields({"description": TEXT, "required": BOOLEAN})))
        ),
        "outputs": Fields(
            {},
            (),
            Fields(
                {"description": TEXT, "value": Within(_allow(_RUN + " jobs"), TEXT)}, ("value",)
            ),
        ),
    }
)
EVENTS: dict[str, Shape] = {
    **{name: _event(types=_types(words)) for name, words in _ACTIVITIES.items()},
    **dict.fromkeys(
        (
            "create",
            "delete",
            "deployment",
            "deployment_status",
            "fork",
            "gollum",
            "page_build",
            "public",
            "status",
        ),
        NOTHING,
    ),
    **dict.fromkeys(
        (
            "discussion_comment",
            "issue_comment",
            "pull_request_comment",
            "pull_request_review_comment",
        ),
        _COMMENT,
    ),
    "image_version": _event(types=NAMES, names=NAMES, versions=NAMES),
    "merge_group": _event(types=_types("checks_requested"), **_BRANCHES),
    "pull_request": _PULL_REQUEST,
    "pull_request_target": _PULL_REQUEST,
    "push": _event(**_BRANCHES, tags=_FILTER, tags_ignore=_FILTER, **_PATHS),
    "repository_dispatch": _event(types=NAMES),
    "schedule": Items(Fields({"cron": NAME, "timezone": NAME}, ("cron",))),
    "workflow_call": Either((NOTHING, _CALL)),
    "workflow_dispatch": _event(inputs=Fields({}, (), _DISPATCH_INPUT)),
    "workflow_run": _event(
        types=_types("requested completed in_progress"), workflows=NAMES, **_BRANCHES
    ),
}

_LEVEL = one_of("read", "write", "none")
_PERMISSIONS = Either(
    (
        one_of("read-all", "write-all"),
        Fields(
            dict.fromkeys(
                (
                    "actions", "artifact-metadata", "attestations", "checks", "code-quality",
                    "contents", "copilot-requests", "deployments", "discussions", "drives",
                    "id-token", "issues", "models", "packages", "pages", "pull-requests",
                    "repository-projects", "security-events", "statuses", "vulnerability-alerts",
                ),
                _LEVEL,
            )
        ),
    )
)  # fmt: skip
_CONCURRENCY = Either(
    (
        NAME,
        Fields(
            {"group": NAME, "cancel-in-progress": BOOLEAN, "queue": one_of("single", "max")},
            ("group",),
        ),
    )
)
_RUN_DEFAULTS = Fields({"shell": NAME, "working-directory": NAME})
_STEP_TEXT = Within(IN_STEP, TEXT)
_STEP_COMMON: dict[str, Shape] = {
    "name": _STEP_TEXT,
    "id": NAME,
    "if": Within(IN_STEP_IF, Conditional()),
    "timeout-minutes": Within(IN_STEP, NUMBER),
    "continue-on-error": Within(IN_STEP, BOOLEAN),
    "env": Within(IN_STEP, TEXT_BY_NAME),
    "background": BOOLEAN,
}
_WAITING: dict[str, Shape] = {
    name: _STEP_COMMON[name] for name in ("name", "id", "continue-on-error")
}
_PLAIN_STEPS = (
    Fields(
        {
            **_STEP_COMMON,
            "run": _STEP_TEXT,
            "working-directory": _STEP_TEXT,
            "shell": Within(IN_STEP, NAME),
        },
        ("run",),
    ),
    Fields({**_STEP_COMMON, "uses": NAME, "with": Within(IN_STEP, TEXT_BY_NAME)}, ("uses",)),
)
STEP = Either(
    (
        *_PLAIN_STEPS,
        Fields({**_WAITING, "wait": NAMES}, ("wait",)),
        Fields({**_WAITING, "wait-all": Either((NOTHING, BOOLEAN))}, ("wait-all",)),
        Fields({**_WAITING, "cancel": NAME}, ("cancel",)),
        Fields({"parallel": Items(Either(_PLAIN_STEPS))}, ("parallel",)),
    )
)
_CONTAINER_FIELDS: dict[str, Shape] = {
    "image": TEXT,
    "options": TEXT,
    "env": Within(_allow(_RUNNER + " secrets"), TEXT_BY_NAME),
    "ports": Items(NAME),
    "volumes": Items(NAME),
    "credentials": Within(
        _allow(_RUN + " secrets env"), Fields({"username": NAME, "password": NAME})
    ),
}
_SERVICE = Either((NAME, Fields({**_CONTAINER_FIELDS, "entrypoint": TEXT, "command": TEXT})))
_MATRIX_FILTER = Items(Fields({}, (), Anything()))
_JOB_COMMON: dict[str, Shape] = {
    "name": Within(IN_CELL, TEXT),
    "needs": NAMES,
    "if": Within(IN_JOB_IF, Conditional()),
    "permissions": _PERMISSIONS,
    "concurrency": Within(IN_CELL, _CONCURRENCY),
    "strategy": Within(
        IN_NEEDS,
        Fields(
            {
                "fail-fast": BOOLEAN,
                "max-parallel": NUMBER,
                "matrix": Fields(
                    {"include": _MATRIX_FILTER, "exclude": _MATRIX_FILTER}, (), Items(Anything())
                ),
            }
        ),
    ),
}
_CALL_VALUES = Fields({}, (), ANY_SCALAR)
JOB = Either(
    (
        Fields(
            {
                **_JOB_COMMON,
                "runs-on": Within(
                    IN_CELL, Either((NAME, Items(NAME), Fields({"group": NAME, "labels": NAMES})))
                ),
                "timeout-minutes": Within(IN_CELL, NUMBER),
                "cancel-timeout-minutes": Within(IN_CELL, NUMBER),
                "continue-on-error": Within(IN_CELL, BOOLEAN),
                "container": Within(IN_CELL, Either((TEXT, Fields(_CONTAINER_FIELDS)))),
                "services": Within(IN_CELL, Fields({}, (), _SERVICE)),
                "env": Within(_allow(_CELL + " secrets"), TEXT_BY_NAME),
                "environment": Within(
                    IN_CELL,
                    Either(
                        (
                            TEXT,
                            Fields(
                                {
                                    "name": TEXT,
                                    "url": Within(_allow(_RUNNER), TEXT),
                                    "deployment": BOOLEAN,
                                },
                                ("name",),
                            ),
                        )
                    ),
                ),
                "outputs": Within(_allow(_RUNNER + " secrets"), TEXT_BY_NAME),
                "defaults": Fields({"run": Within(_allow(_CELL + " env"), _RUN_DEFAULTS)}),
                "steps": Items(STEP),
                "snapshot": Within(
                    _allow(_CELL),
                    Either(
                        (
                            NAME,
                            Fields(
                                {"image-name": NAME, "if": Conditional(), "version": NAME},
                                ("image-name",),
                            ),
                        )
                    ),
                ),
            },
            ("runs-on",),
        ),
        Fields(
            {
                **_JOB_COMMON,
                "uses": NAME,
                "with": Within(IN_CELL, _CALL_VALUES),
                "secrets": Either(
                    (one_of("inherit"), Within(_allow(_CELL + " secrets"), _CALL_VALUES))
                ),
            },
            ("uses",),
        ),
    )
)
WORKFLOW = Fields(
    {
        "on": Either((one_of(*EVENTS), Items(one_of(*EVENTS)), Fields(EVENTS))),
        "name": TEXT,
        "run-name": Within(IN_RUN, TEXT),
        "defaults": Fields({"run": _RUN_DEFAULTS}),
        "env": Within(_allow(_RUN + " secrets"), TEXT_BY_NAME),
        "permissions": _PERMISSIONS,
        "concurrency": Within(IN_RUN, _CONCURRENCY),
        "jobs": Fields({}, (), JOB),
    },
    ("on", "jobs"),
)

_ACTION_TEXT = Within(IN_ACTION, TEXT)
_ACTION_STEP: dict[str, Shape] = {
    "name": _ACTION_TEXT,
    "id": NAME,
    "if": Within(IN_ACTION_IF, Conditional()),
    "env": Within(IN_ACTION, TEXT_BY_NAME),
    "continue-on-error": Within(IN_ACTION, BOOLEAN),
}
_COMPOSITE_STEP = Either(
    (
        Fields(
            {
                **_ACTION_STEP,
                "run": _ACTION_TEXT,
                "shell": _ACTION_TEXT,
                "working-directory": _ACTION_TEXT,
            },
            ("run", "shell"),
        ),
        Fields({**_ACTION_STEP, "uses": NAME, "with": Within(IN_ACTION, TEXT_BY_NAME)}, ("uses",)),
    )
)
COMPOSITE = Fields({"using": NAME, "steps": Items(_COMPOSITE_STEP)}, ("using", "steps"))
ACTION = Fields(
    {
        "name": TEXT,
        "author": TEXT,
        "description": TEXT,
        "inputs": Fields(
            {},
            (),
            Either(
                (
                    NOTHING,
                    Fields({"default": Within(_IN_ACTION_DEFAULT, TEXT)}, (), Anything()),
                )
            ),
        ),
        "outputs": Fields(
            {}, (), Fields({"description": TEXT, "value": Within(_allow(_ACTION), TEXT)})
        ),
        "runs": Fields({"using": NAME}, ("using",), Anything()),
        "branding": Anything(),
    },
    ("runs",),
    Anything(),
)
