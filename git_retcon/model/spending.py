"""A limit on what a run may spend, kept before every request, not after."""

import contextlib
import json
import math
import threading
from collections.abc import Iterator, Sequence

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

    def add_batched(self, model: str, usage: Usage) -> float:
        """The same for a request of a batch."""
        dollars = self.prices.batch_cost(model, usage)
        with self._lock:
            self.usage += usage
            self.dollars += dollars
        return dollars

    def estimate_batch(self, bodies: Sequence[Json]) -> float:
        """US dollars that requests cost at most in a batch. Raises BudgetSpent where that, or
        their tokens, would pass the limit.
        """
        usages = [
            (body["model"], Usage(cache_write=_count_prompt(body), output=body["max_tokens"]))
            for body in bodies
        ]
        dollars = math.fsum(self.prices.batch_cost(model, usage) for model, usage in usages)
        tokens = sum(usage.total for _, usage in usages)
        too_dear = self.budget.max_cost is not None and dollars > self.budget.max_cost
        too_long = self.budget.max_tokens is not None and tokens > self.budget.max_tokens
        if too_dear or too_long:
            raise BudgetSpent(
                f"the batch may cost ${dollars:.4f} and {tokens:,} tokens, above the budget of "
                f"{self.budget}; nothing was sent",
                hint="raise it with --max-cost or --max-tokens, or name fewer files",
            )
        return dollars

    @contextlib.contextmanager
    def reserve(self, model: str, body: Json) -> Iterator[int]:
        """Set aside what the request may cost at most, for the length of the block.

        Gives how many output tokens it may ask for: what it wants, or as many as can be paid.
        Raises BudgetSpent where that is too few for any answer.
        """
        prompt = _count_prompt(body)
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


def _count_prompt(body: Json) -> int:
    """How many tokens a request has at most, without its answer."""
    return math.ceil(len(json.dumps(body, ensure_ascii=False).encode()) / _BYTES_PER_TOKEN)


def _round_down(amount: float) -> int:
    return math.floor(max(-1.0, min(amount, 1e12)))
