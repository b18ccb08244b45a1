"""Trying again, within a deadline.

The SDK obeys any ``retry-after``, an hour's too, without a word; so its own retries are off.
Full jitter after the AWS Architecture Blog, "Exponential Backoff And Jitter" (2015).
"""

import random
import time
from collections.abc import Callable
from typing import TypeVar

from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.failures import Unavailable, Unreachable
from git_retcon.show.counting import count

Answer = TypeVar("Answer")


@dataclass(frozen=True, slots=True)
class Patience:
    """How long to go on: no attempt begins later than ``seconds`` after the first one, or than
    ``unreached`` while no connection came about: a machine without a network stays so."""

    seconds: float = 300.0
    unreached: float = 20.0
    first_pause: float = 1.0
    longest_pause: float = 30.0

    def pause(self, attempt: int) -> float:
        """How long to wait after the given failed attempt (0 is the first), in seconds."""
        longest = min(self.longest_pause, self.first_pause * 2.0 ** min(attempt, 30))
        # Never near zero: a service that is overloaded would be asked again at once.
        return random.uniform(longest / 2, longest)


def retry_request(
    attempt: Callable[[], Answer],
    patience: Patience,
    tell: Callable[[str], None],
) -> Answer:
    """Call ``attempt`` until it does not raise Unavailable.

    ``tell`` gets a line before every wait. Raises the last Unavailable where the next attempt
    would begin after the deadline, at once, saying so.
    """
    began = time.monotonic()
    reached = False
    failures = 0
    while True:
        try:
            return attempt()
        except Unavailable as failure:
            last = failure
        asked = last.retry_after
        wait = patience.pause(failures) if asked is None else asked
        # Once it has answered, later breaks are the service's, and worth the longer wait.
        reached = reached or not isinstance(last, Unreachable)
        patient = patience.seconds if reached else min(patience.unreached, patience.seconds)
        left = began + patient - time.monotonic()
        if wait > left:
            raise _given_up(last, failures + 1, left)
        failures += 1
        tell(f"{last}; trying again in {wait:.0f} s" if wait >= 1 else f"{last}; trying again")
        time.sleep(wait)


def _given_up(last: Unavailable, attempts: int, left: float) -> Unavailable:
    if last.retry_after is not None:
        why = f"it asks to wait {last.retry_after:.0f} s, more than the {max(left, 0):.0f} s left"
    else:
        why = f"given up after {count(attempts, 'attempt')}"
    if isinstance(last, Unreachable):
        hint = "check the network, or use --offline; nothing done so far is lost"
    else:
        hint = "run the same command again later; nothing done so far is lost"
    return Unavailable(f"{last}: {why}", retry_after=last.retry_after, hint=hint)
