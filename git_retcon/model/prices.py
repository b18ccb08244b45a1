"""What tokens cost, from a dated table (``prices.toml``, or the file GIT_RETCON_PRICES names)."""

import re
import tomllib
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any

from git_retcon.errors import Fatal
from git_retcon.lazy_dataclass import dataclass
from git_retcon.model.messages import Usage

_MILLION = 1_000_000
_RELEASE = re.compile(r"-\d{8}$")


@dataclass(frozen=True, slots=True)
class Rates:
    """US dollars per million tokens."""

    input: float
    output: float
    cache_write: float
    cache_read: float

    def cost(self, usage: Usage) -> float:
        """Dollars for so many tokens."""
        return (
            usage.input * self.input
            + usage.output * self.output
            + usage.cache_write * self.cache_write
            + usage.cache_read * self.cache_read
        ) / _MILLION


@dataclass(frozen=True, slots=True)
class Price:
    """One model's rates; ``long`` hold for requests whose prompt exceeds ``above`` tokens."""

    model: str
    usual: Rates
    long: Rates | None = None
    above: int = 0

    def rates(self, prompt_tokens: int) -> Rates:
        """The rates of a request with a prompt of that length."""
        return self.long if self.long is not None and prompt_tokens > self.above else self.usual


@dataclass(frozen=True)
class PriceTable:
    """Every known price, as of ``date`` (ISO). ``batch`` is the share of it that a request in a
    batch costs.
    """

    date: str
    prices: Mapping[str, Price]
    batch: float = 1.0

    def knows(self, model: str) -> bool:
        """Whether the table names this model, perhaps with a release date behind."""
        return self._find_price(model) is not None

    def price(self, model: str) -> Price:
        """The model's price; the most expensive of the table for one it does not name."""
        # A guess must be too high: the limit of a run then still holds.
        return self._find_price(model) or self.most_expensive

    @property
    def most_expensive(self) -> Price:
        return max(self.prices.values(), key=lambda price: (price.usual.output, price.usual.input))

    def cost(self, model: str, usage: Usage) -> float:
        """US dollars for one request."""
        return self.price(model).rates(usage.prompt).cost(usage)

    def batch_cost(self, model: str, usage: Usage) -> float:
        """US dollars for one request in a batch."""
        return self.cost(model, usage) * self.batch

    def remark(self, model: str) -> str:
        """A warning where the price is a guess, else empty."""
        if self.knows(model):
            return ""
        counted = f"counted as {self.most_expensive.model}, the most expensive"
        return f"no price known for '{model}'; {counted}"

    def _find_price(self, model: str) -> Price | None:
        # "claude-x-20250101" costs what "claude-x" does.
        return self.prices.get(model) or self.prices.get(_RELEASE.sub("", model))


def find_prices(env: Mapping[str, str]) -> PriceTable:
    """The table that the environment names, else the package's own. Raises as ``load_prices``."""
    named = env.get("GIT_RETCON_PRICES")
    return load_prices(Path(named) if named else None)


def load_prices(path: Path | None = None) -> PriceTable:
    """Read a table, the package's own by default. Raises Fatal naming what is wrong."""
    try:
        source = files("git_retcon.model").joinpath("prices.toml") if path is None else path
        return _read_table(tomllib.loads(source.read_text(encoding="utf-8")))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Fatal(
            f"cannot read the prices in '{path}': {error}",
            hint="see git_retcon/model/prices.toml for the form, or unset GIT_RETCON_PRICES",
        ) from error


def _read_table(document: Mapping[str, Any]) -> PriceTable:
    prices = {entry["name"]: _read_price(entry) for entry in document["model"]}
    if not prices:
        raise ValueError("no [[model]] in it")
    # A table that does not say has no cheaper batches: the guess is not too low.
    batch = float(document.get("batch", 1.0))
    if not 0 <= batch <= 1:
        raise ValueError("the share of a batch is no number from 0 to 1")
    return PriceTable(date=str(document["date"]), prices=prices, batch=batch)


def _read_price(entry: Mapping[str, Any]) -> Price:
    long = entry.get("long")
    if long is None:
        return Price(entry["name"], _read_rates(entry))
    return Price(entry["name"], _read_rates(entry), _read_rates(long), int(long["above"]))


def _read_rates(entry: Mapping[str, Any]) -> Rates:
    rates = [float(entry[key]) for key in ("input", "output", "cache-write", "cache-read")]
    # Also false for NaN, which a limit would never reach.
    if not all(0 <= rate < _MILLION for rate in rates):
        raise ValueError("a price is negative or not a number")
    return Rates(*rates)
