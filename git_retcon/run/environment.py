"""The environment for other people's commands.

It is the caller's: a build must find what it finds in the user's own shell. What would make a git
inside it act on another repository is left out (a hook exports ``GIT_DIR``). So are secrets: no
build of a commit needs them, and its output would carry them into logs and prompts.
"""

import os
import re
from collections.abc import Mapping

# `git rev-parse --local-env-vars` of git 2.54, and what hooks and `git -c` add to it.
_GIT_LOCAL = frozenset(
    {
        "GIT_ALTERNATE_OBJECT_DIRECTORIES",
        "GIT_COMMON_DIR",
        "GIT_CONFIG",
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_PARAMETERS",
        "GIT_DIR",
        "GIT_GRAFT_FILE",
        "GIT_IMPLICIT_WORK_TREE",
        "GIT_INDEX_FILE",
        "GIT_INTERNAL_SUPER_PREFIX",
        "GIT_NAMESPACE",
        "GIT_NO_REPLACE_OBJECTS",
        "GIT_OBJECT_DIRECTORY",
        "GIT_PREFIX",
        "GIT_QUARANTINE_PATH",
        "GIT_REFLOG_ACTION",
        "GIT_REPLACE_REF_BASE",
        "GIT_SHALLOW_FILE",
        "GIT_WORK_TREE",
    }
)
_GIT_LOCAL_PREFIXES = ("GIT_CONFIG_KEY_", "GIT_CONFIG_VALUE_", "GIT_AUTHOR_", "GIT_COMMITTER_")

# A whole word of the name says so: GITHUB_TOKEN and NPM_AUTH_TOKEN are secrets, KEYBOARD and
# TOKENIZERS_PARALLELISM are not.
_SECRET_NAME = re.compile(
    r"""
      (?:^|_)(?:TOKENS?|SECRETS?|PASSWD|PASSPHRASE|PASS|PAT|KEYS?|CREDENTIALS?|AUTH|COOKIE|JWT)
      (?:_(?:ID|BASE|BASE64|CONFIG|JSON|FILE|PATH|\d+))*$
    | PASSWORD | API_?KEY | (?<=_)PWD$ | WEBHOOK
    | ^(?:ANTHROPIC|AWS|AZURE|ARM|OPENAI|GEMINI|VAULT)_
    | ^(?:DATABASE_URL|SENTRY_DSN|NETRC|GIT_ASKPASS|SSH_ASKPASS|PGPASSFILE|KUBECONFIG)$
    """,
    re.VERBOSE | re.IGNORECASE,
)
# Places and switches that a secret's prefix or name takes along, and that builds do need.
_NO_SECRET = frozenset(
    {"AWS_CA_BUNDLE", "AWS_DEFAULT_REGION", "AWS_REGION", "AZURE_CONFIG_DIR", "SSH_AUTH_SOCK"}
)
_URL_WITH_PASSWORD = re.compile(r"[a-z][a-z0-9+.-]*://[^/@\s]*:[^/@\s]+@", re.IGNORECASE)

# Ways to reach agents and daemons of the user's that act with the user's rights.
_AGENTS = frozenset(
    {
        "CONTAINER_HOST",
        "DBUS_SESSION_BUS_ADDRESS",
        "DISPLAY",
        "DOCKER_HOST",
        "GNUPGHOME",
        "GPG_AGENT_INFO",
        "GPG_TTY",
        "SSH_AGENT_PID",
        "SSH_AUTH_SOCK",
        "WAYLAND_DISPLAY",
        "XAUTHORITY",
        "XDG_RUNTIME_DIR",
    }
)

_UNATTENDED = {
    # Nobody is there to type: asking must fail at once instead of waiting for the deadline.
    "GIT_TERMINAL_PROMPT": "0",
    # A test that makes commits passes its own message; an editor that opens would wait for ever.
    # `true` would commit any text that is there, `false` says that something asked.
    "GIT_EDITOR": "false",
    "GIT_SEQUENCE_EDITOR": "false",
    "EDITOR": "false",
    "VISUAL": "false",
    "GIT_PAGER": "cat",
    "PAGER": "cat",
}


def command_environment(
    base: Mapping[str, str] | None = None, extra: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment for a command that runs as the user would run it.

    ``base`` is the caller's own (default: this process's). ``extra`` is laid over the result, so
    a name that was removed can be given again on purpose.
    """
    source = os.environ if base is None else base
    kept = {name: value for name, value in source.items() if not _is_withheld(name, value)}
    return kept | _UNATTENDED | dict(extra or {})


def sandboxed_environment(
    base: Mapping[str, str] | None = None, extra: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The environment for a command in a sandbox: the user's agents are out of reach too."""
    kept = command_environment(base)
    return {name: value for name, value in kept.items() if name not in _AGENTS} | dict(extra or {})


def is_secret_name(name: str) -> bool:
    """Whether a variable of this name is taken to hold a secret."""
    return name not in _NO_SECRET and _SECRET_NAME.search(name) is not None


def _is_withheld(name: str, value: str) -> bool:
    local = name in _GIT_LOCAL or name.startswith(_GIT_LOCAL_PREFIXES)
    return local or is_secret_name(name) or _URL_WITH_PASSWORD.search(value) is not None
