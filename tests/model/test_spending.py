"""Prices, and the limit that is kept before each request."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.model.budget import Budget
from git_retcon.model.failures import BudgetSpent
from git_retcon.model.messages import Usage
from git_retcon.model.spending import Spending
from tests.model.test_prices import MILLION, PRICES


def body(size: int, max_tokens: int) -> dict[str, object]:
    return {"max_tokens": max_tokens, "system": "x" * size}


def test_the_output_is_cut_to_what_can_be_paid() -> None:
    spending = Spending(Budget(max_cost=0.05), PRICES)
    with spending.reserve("claude-sonnet-5-5", body(300, 32_000)) as allowed:
        assert 4900 < allowed < 5000


def test_requests_on_their_way_count() -> None:
    spending = Spending(Budget(max_tokens=10_000), PRICES)
    with (
        spending.reserve("claude-sonnet-5-5", body(300, 9000)),
        pytest.raises(BudgetSpent),
        spending.reserve("claude-sonnet-5-5", body(300, 9000)),
    ):
        pass
    with spending.reserve("claude-sonnet-5-5", body(300, 9000)) as allowed:
        assert allowed == 9000


def test_no_limit_is_no_limit() -> None:
    spending = Spending(Budget(), PRICES)
    spending.add("claude-opus-5-5", Usage(output=MILLION * 100))
    with spending.reserve("claude-opus-5-5", body(10**6, 128_000)) as allowed:
        assert allowed == 128_000
    assert str(Budget()) == "no limit"


def test_a_budget_of_nothing_sends_nothing() -> None:
    for budget in (Budget(max_cost=0.0), Budget(max_tokens=0)):
        with (
            pytest.raises(BudgetSpent, match="is spent") as caught,
            Spending(budget, PRICES).reserve("claude-haiku-5-5", body(10, 100)),
        ):
            pass
        assert caught.value.status == 1


@settings(max_examples=60, deadline=None)
@given(
    limit=st.floats(0.001, 1),
    model=st.sampled_from(["claude-haiku-5-5", "claude-sonnet-5-5", "claude-next"]),
    sizes=st.lists(st.integers(10, 400_000), min_size=1, max_size=12),
)
def test_the_limit_holds_for_any_requests(limit: float, model: str, sizes: list[int]) -> None:
    spending = Spending(Budget(max_cost=limit), PRICES)
    for size in sizes:
        request = body(size, 8000)
        try:
            with spending.reserve(model, request) as allowed:
                # The most it can cost: a token every three bytes, all of it newly cached.
                spending.add(model, Usage(cache_write=size // 3, output=allowed))
        except BudgetSpent:
            continue
    assert spending.dollars <= limit * 1.000001


def test_what_was_set_aside_is_free_again_once_the_request_is_over() -> None:
    spending = Spending(Budget(max_cost=0.1), PRICES)
    body = {"model": "claude-sonnet-5-5", "max_tokens": 4000, "messages": []}
    for _ in range(20):
        with spending.reserve("claude-sonnet-5-5", body) as allowed:
            assert allowed == 4000
