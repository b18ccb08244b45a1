"""A limit on what a run may spend, kept before every request, not after."""

import contextlib
import json
import math
import threading
from collections.abc import Iterator

from git_retcon.model.budget import Budget
from git_retcon.model.failures import BudgetSpent
from git_retcon.model.messages import Json, Usage
from git_retcon.model.prices import PriceTable, Rates

# Source code is seldom denser than three bytes a token; a guess must not be too low here.
_BYTES_PER_TOKEN = 3
# An answer that may not even be this long is not worth asking for.
_SHORTEST_ANSWER = 1024


class Spending:
    """What has been spent of a budget, and what is on its way. Safe to use from threads."""

    def __init__(self, budget: Budget, prices: PriceTable) -> None:
        self.budget = budget
        self.prices = prices
        self.usage = Usage()
        self.dollars = 0.0
        self._reserved_dollars = 0.0
        self._reserved_tokens = 0
        self._lock = threading.Lock()

    def add(self, model: str, usage: Usage) -> float:
        """Record what an attempt was billed; returns its dollars."""
        dollars = self.prices.cost(model, usage)
        with self._lock:
            self.usage += usage
            self.dollars += dollars
        return dollars

    @contextlib.contextmanager
    def reserve(self, model: str, body: Json) -> Iterator[int]:
        """Set aside what the request may cost at most, for the length of the block.

        Gives how many output tokens it may ask for: what it wants, or as many as can be paid.
        Raises BudgetSpent where that is too few for any answer.
        """
        prompt = math.ceil(len(json.dumps(body, ensure_ascii=False).encode()) / _BYTES_PER_TOKEN)
        wanted: int = body["max_tokens"]
        with self._lock:
            # All of the prompt is counted as newly cached, the most expensive it can be.
            rates = self.prices.price(model).rates(prompt)
            allowed = self._find_affordable(rates, prompt, wanted)
            dollars = rates.cost(Usage(cache_write=prompt, output=allowed))
            # Reserved under the same lock: two threads must not spend the same rest.
            self._reserved_dollars += dollars
            self._reserved_tokens += prompt + allowed
        try:
            yield allowed
        finally:
            with self._lock:
                self._reserved_dollars -= dollars
                self._reserved_tokens -= prompt + allowed

    def _find_affordable(self, rates: Rates, prompt: int, wanted: int) -> int:
        allowed = wanted
        if self.budget.max_cost is not None:
            left = self.budget.max_cost - self.dollars - self._reserved_dollars
            left -= rates.cost(Usage(cache_write=prompt))
            allowed = min(
                allowed, _round_down(left * 1_000_000 / rates.output if rates.output else left)
            )
        if self.budget.max_tokens is not None:
            left_tokens = self.budget.max_tokens - self.usage.total - self._reserved_tokens
            allowed = min(allowed, left_tokens - prompt)
        if allowed < min(wanted, _SHORTEST_ANSWER):
            raise self._budget_spent()
        return allowed

    def _budget_spent(self) -> BudgetSpent:
        return BudgetSpent(
            f"the budget of {self.budget} is spent: the next request could pass it "
            f"(so far ${self.dollars:.4f}, {self.usage.total:,} tokens)",
            hint="raise it with --max-cost or --max-tokens and run the same command again",
        )


def _round_down(amount: float) -> int:
    return math.floor(max(-1.0, min(amount, 1e12)))
