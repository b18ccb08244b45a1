"""Numbers out of the environment and git's configuration."""

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.config import Config
from git_retcon.settings import ALLIUM_MAX_DIFF_TOKENS, Settings

VARIABLE = "GIT_ALLIUM_MAX_DIFF_TOKENS"


def configure(value: str) -> Settings:
    return Settings(Config({"allium.maxdifftokens": (value,)}), {})


@pytest.mark.parametrize(
    ("value", "meant"), [("0", 0), (" 12 ", 12), ("80k", 81_920), ("2M", 2 << 20), ("1g", 1 << 30)]
)
def test_a_whole_number_may_have_the_units_that_git_knows(value: str, meant: int) -> None:
    assert configure(value).whole_number(ALLIUM_MAX_DIFF_TOKENS) == meant


@pytest.mark.parametrize(
    "value", ["2.50", "-1", "many", "k", "1kk", "1e3", "1_000", "٣", "9" * 5000]
)
def test_what_is_no_whole_number_is_refused_with_one_that_would_do(value: str) -> None:
    message = f"bad number '{value}' for 'allium.maxDiffTokens'"
    with pytest.raises(Fatal, match=message) as refused:
        configure(value).whole_number(ALLIUM_MAX_DIFF_TOKENS)
    assert refused.value.hint == "use a whole number, 0 or more"


def test_what_is_less_than_the_least_is_refused_where_it_was_set() -> None:
    settings = Settings(Config({}), {VARIABLE: "0"})
    with pytest.raises(Fatal, match=f"bad number '0' for '{VARIABLE}'") as refused:
        settings.whole_number(ALLIUM_MAX_DIFF_TOKENS, 1)
    assert refused.value.hint == "use a whole number, 1 or more"
