"""How talking to a model can fail.

    ModelFailure            the conversation itself broke down (exit status 128)
      NoCredentials         nothing to sign a request with
      RequestRejected       the service will not take this request, now or later
      Unavailable           not now: limits, overload, a broken connection; worth a retry
        Unreachable         nobody answers at all: worth a few retries only
      MalformedAnswer       an answer of no known shape
    NoAnswer                the model was heard, but gave nothing to use (exit status 1)
      Declined  CutOff  WindowExceeded  TurnsSpent  WrongShape
    BudgetSpent             the next request would pass the limit (exit status 1)

A feature turns NoAnswer into its own "stuck"; the others go up to the user.
"""

from git_retcon.errors import Fatal, Reason, Refused


class ModelFailure(Fatal):
    """The conversation with the service broke down."""


class NoCredentials(ModelFailure):
    """There is no API key, or not one that can be sent."""


class RequestRejected(ModelFailure):
    """The service refuses the request for good; ``http_status`` is its code."""

    def __init__(self, message: str, *, http_status: int, hint: str | None = None) -> None:
        super().__init__(message, hint=hint)
        self.http_status = http_status


class Unavailable(ModelFailure):
    """The service cannot answer now. ``retry_after`` is how many seconds it asks to wait,
    ``http_status`` its code, 0 where it gave none.
    """

    reason = Reason.UNAVAILABLE

    def __init__(
        self,
        message: str,
        *,
        retry_after: float | None = None,
        hint: str | None = None,
        http_status: int = 0,
    ) -> None:
        super().__init__(message, hint=hint)
        self.retry_after = retry_after
        self.http_status = http_status


class Unreachable(Unavailable):
    """There is no connection to the service: no network, a wrong address, a closed port."""


class MalformedAnswer(ModelFailure):
    """What came back is not a message."""


class NoAnswer(Refused):
    """The model answered, but with nothing that can be used."""


class Declined(NoAnswer):
    """The model refused to answer."""

    reason = Reason.DECLINED


class CutOff(NoAnswer):
    """The answer reached the output limit, again and again."""


class WindowExceeded(NoAnswer):
    """The conversation no longer fits into the model's context window."""


class TurnsSpent(NoAnswer):
    """The model still wanted to go on after the last turn it was given."""


class WrongShape(NoAnswer):
    """The final answer stayed wrong though the fault was named each time."""


class BudgetSpent(Refused):
    """The next request would pass the limit the user set; each run has a budget of its own."""

    reason = Reason.BUDGET
    again = ()
