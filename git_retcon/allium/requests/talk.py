"""Questions to a model, and what they cost together."""

import threading
from collections.abc import Callable
from typing import NamedTuple

from git_retcon.model.client import Client, Completer
from git_retcon.model.messages import Json, Reply, Request, Usage
from git_retcon.model.toolloop import Task, hold_conversation

# A module has at most some thousand tokens, and an answer may rewrite several.
_LONGEST_ANSWER = 32_000  # tokens
_MOST_FAULTS = 2  # an answer and one more try


class Models(NamedTuple):
    """The model of most steps, the one of first commits and of merges, and the one that writes
    what a reconciliation found.
    """

    usual: str
    large: str
    combining: str


class Question(NamedTuple):
    """What is asked. ``check`` names what is wrong with an answer that fits the schema, or None."""

    system: str
    prompt: str
    schema: Json
    check: Callable[[Json], str | None]


class Talk:
    """The requests of one step or one reconciliation. Safe to use from several threads."""

    def __init__(self, client: Client, completer: Completer) -> None:
        self._prices = client.spending.prices
        self._completer = completer
        self._lock = threading.Lock()
        self.cost = 0.0
        self.usage = Usage()

    def complete(self, request: Request) -> Reply:
        """As ``Completer``, with the cost added up, of answers that are refused too."""
        reply = self._completer.complete(request)
        usage = reply.usage or Usage()
        with self._lock:
            self.cost += self._prices.cost(request.model, usage)
            self.usage += usage
        return reply

    def ask(self, model: str, question: Question) -> Json:
        """Ask. An answer that cannot be taken is sent back once, with what is wrong.

        Raises NoAnswer where the second one cannot be taken either.
        """
        task = Task(
            model=model,
            system=question.system,
            prompt=question.prompt,
            schema=question.schema,
            check=question.check,
            max_faults=_MOST_FAULTS,
            max_output_tokens=_LONGEST_ANSWER,
        )
        return hold_conversation(self, task).answer
