"""What tokens cost, and a price table of the user's own."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.model.messages import Usage
from git_retcon.model.prices import load_prices

PRICES = load_prices()


MILLION = 1_000_000


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


def test_an_unknown_model_counts_as_the_most_expensive_and_that_is_said() -> None:
    assert PRICES.price("claude-next").model == "claude-fable-5-1"
    assert PRICES.remark("claude-next") == (
        "no price known for 'claude-next'; counted as claude-fable-5-1, the most expensive"
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
