"""The one client: redact, check the budget, send (again), record what it cost, then read.

The order matters. Nothing leaves unredacted; nothing is sent that could pass the limit; what was
billed is written down before the answer is looked at, so a bad answer is paid for knowingly.
"""

from collections.abc import Callable
from dataclasses import field
from typing import Any, Protocol

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.api_format import to_body, to_reply
from git_retcon.model.failures import ModelFailure
from git_retcon.model.masked_json import mask_json
from git_retcon.model.messages import Json, Reply, Request, Usage
from git_retcon.model.redaction import Redactor
from git_retcon.model.retry import Patience, retry_request
from git_retcon.model.service import Service
from git_retcon.model.spending import Spending


class Completer(Protocol):
    """Takes a request and gives the model's turn."""

    def complete(self, request: Request) -> Reply:
        """Answer. A refusal is a stop reason, no error.

        Raises ModelFailure, BudgetSpent, or WindowExceeded where the prompt is too long.
        """


def _drop_line(line: str) -> None:
    pass


def _book_nowhere(model: str, usage: Usage, dollars: float) -> None:
    pass


@dataclass(frozen=True)
class Client:
    """Talks to one service within one budget. Safe to use from several threads.

    ``tell`` gets a line for the user while waiting; ``book`` gets (model, usage, dollars)
    of every billed attempt, for the ledger.
    """

    service: Service
    spending: Spending
    redactor: Redactor = field(default_factory=Redactor)
    patience: Patience = field(default_factory=Patience)
    tell: Callable[[str], None] = _drop_line
    book: Callable[[str, Usage, float], None] = _book_nowhere

    def complete(self, request: Request) -> Reply:
        """See ``Completer``. No secret is in what is sent, answered or raised."""
        try:
            body = mask_json(to_body(request), self.redactor)
            # Masked once, before the retries, so that each sends the same bytes.
            message = retry_request(
                lambda: self._attempt_request(body), self.patience, self._say_line
            )
            return to_reply(mask_json(message, self.redactor))
        except ModelFailure as failure:
            # The service may quote the request in its error.
            failure.args = (self.redactor.redact_text(str(failure)),)
            raise

    def _attempt_request(self, body: dict[str, Any]) -> Json:
        model = body["model"]
        with self.spending.reserve(model, body) as allowed:

            def book_usage(usage: Usage) -> None:
                self.book(model, usage, self.spending.add(model, usage))

            return self.service.send(body | {"max_tokens": allowed}, book_usage)

    def _say_line(self, line: str) -> None:
        self.tell(self.redactor.redact_text(line))
