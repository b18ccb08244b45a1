"""Prices, and the limit that is kept before each request."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.errors import Fatal
from git_retcon.model.budget import Budget
from git_retcon.model.failures import BudgetSpent
from git_retcon.model.messages import Usage
from git_retcon.model.prices import load_prices
from git_retcon.model.spending import Spending

PRICES = load_prices()
MILLION = 1_000_000


def body(size: int, max_tokens: int) -> dict[str, object]:
    return {"max_tokens": max_tokens, "system": "x" * size}


def test_cost_of_each_kind_of_token() -> None:
    usage = Usage(input=MILLION, output=MILLION, cache_read=MILLION, cache_write=MILLION)
    assert PRICES.cost("claude-sonnet-5-5", usage) == pytest.approx(2 + 10 + 0.10 + 2.50)
    assert PRICES.cost("claude-opus-5-5", usage) == pytest.approx(4 + 20 + 0.20 + 5)


def test_a_long_prompt_of_haiku_costs_five_times_as_much() -> None:
    short = Usage(input=40_000, cache_read=60_000, output=1000)
    assert PRICES.cost("claude-haiku-5-5", short) == pytest.approx(0.004 + 0.0006 + 0.0005)
    long = Usage(input=40_001, cache_read=60_000, output=1000)
    assert PRICES.cost("claude-haiku-5-5", long) == pytest.approx(0.0200005 + 0.003 + 0.0025)


def test_a_release_of_a_known_model_has_its_price() -> None:
    assert PRICES.price("claude-haiku-5-5-20261007").model == "claude-haiku-5-5"
    assert PRICES.remark("claude-haiku-5-5-20261007") == ""


def test_an_unknown_model_counts_as_the_dearest_and_that_is_said() -> None:
    assert PRICES.price("claude-next").model == "claude-fable-5-1"
    assert PRICES.remark("claude-next") == (
        "no price known for 'claude-next'; counted as claude-fable-5-1, the dearest"
    )


def test_a_table_of_the_users_own(tmp_path: Path) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(
        "date = 2027-01-01\n[[model]]\nname = 'm'\ninput = 1\noutput = 2\n"
        "cache-write = 3\ncache-read = 4\n"
    )
    table = load_prices(path)
    assert table.date == "2027-01-01"
    assert table.cost("m", Usage(MILLION, MILLION, MILLION, MILLION)) == pytest.approx(10)


@pytest.mark.parametrize(
    "content",
    ["", "date = 1\nmodel = []", "[[model]]\nname = 'm'", "not toml", "date = 1\nmodel = 3"],
)
def test_a_table_that_is_none_is_named(tmp_path: Path, content: str) -> None:
    path = tmp_path / "prices.toml"
    path.write_text(content)
    with pytest.raises(Fatal, match=r"cannot read the prices in '.*prices.toml'"):
        load_prices(path)


def test_the_output_is_cut_to_what_can_be_paid() -> None:
    spending = Spending(Budget(max_cost=0.05), PRICES)
    with spending.reserved("claude-sonnet-5-5", body(300, 32_000)) as allowed:
        assert 4900 < allowed < 5000


def test_requests_on_their_way_count() -> None:
    spending = Spending(Budget(max_tokens=10_000), PRICES)
    with (
        spending.reserved("claude-sonnet-5-5", body(300, 9000)),
        pytest.raises(BudgetSpent),
        spending.reserved("claude-sonnet-5-5", body(300, 9000)),
    ):
        pass
    with spending.reserved("claude-sonnet-5-5", body(300, 9000)) as allowed:
        assert allowed == 9000


def test_no_limit_is_no_limit() -> None:
    spending = Spending(Budget(), PRICES)
    spending.add("claude-opus-5-5", Usage(output=MILLION * 100))
    with spending.reserved("claude-opus-5-5", body(10**6, 128_000)) as allowed:
        assert allowed == 128_000
    assert str(Budget()) == "no limit"


def test_a_budget_of_nothing_sends_nothing() -> None:
    for budget in (Budget(max_cost=0.0), Budget(max_tokens=0)):
        with (
            pytest.raises(BudgetSpent, match="is spent") as caught,
            Spending(budget, PRICES).reserved("claude-haiku-5-5", body(10, 100)),
        ):
            pass
        assert caught.value.status == 1


@settings(max_examples=60, deadline=None)
@given(
    limit=st.floats(0.001, 1),
    model=st.sampled_from(["claude-haiku-5-5", "claude-sonnet-5-5", "claude-next"]),
    sizes=st.lists(st.integers(10, 400_000), min_size=1, max_size=12),
)
def test_the_limit_holds_whatever_the_requests(limit: float, model: str, sizes: list[int]) -> None:
    spending = Spending(Budget(max_cost=limit), PRICES)
    for size in sizes:
        request = body(size, 8000)
        try:
            with spending.reserved(model, request) as allowed:
                # The dearest it can come: a token every three bytes, all of it newly cached.
                spending.add(model, Usage(cache_write=size // 3, output=allowed))
        except BudgetSpent:
            continue
    assert spending.dollars <= limit * 1.000001
