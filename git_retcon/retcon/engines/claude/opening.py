"""Open the Claude engine for one run."""

import sys
from collections.abc import Callable, Mapping, Sequence

from git_retcon.git.repository import Repository
from git_retcon.model.client import Client, Completer
from git_retcon.model.connection import open_client
from git_retcon.model.engine_choice import ModelChoice
from git_retcon.model.never_send import NeverSend
from git_retcon.model.shown_prompts import ShownPrompts
from git_retcon.retcon.engines.claude.engine import ClaudeEngine, Extraction
from git_retcon.retcon.engines.claude.workspace import Ground


def open_engine(
    repository: Repository,
    choice: ModelChoice,
    never_send: Sequence[str],
    env: Mapping[str, str],
    tell: Callable[[str], None],
    *,
    show_prompt: bool,
    extract: str,
) -> tuple[ClaudeEngine, Client]:
    """The engine, and the client that counts what the run spends.

    ``tell`` gets lines for the user: waits, warnings. Raises NoCredentials, or Fatal for a bad
    price table or cassette. ``extract`` is a value of Extraction.
    """
    client = open_client(choice, env, "retcon", tell)
    completer: Completer = client
    if show_prompt:
        completer = ShownPrompts(client, client.redactor, sys.stderr)
    ground = Ground(repository, client.redactor, NeverSend(tuple(never_send)))
    extraction = Extraction(extract)
    engine = ClaudeEngine(completer, choice.model, ground, extraction=extraction, warn=tell)
    return engine, client
