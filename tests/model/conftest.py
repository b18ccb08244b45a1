"""A loopback service and a client that talks to it."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest

from git_retcon.model.budget import Budget
from git_retcon.model.client import Client
from git_retcon.model.credentials import required_credentials
from git_retcon.model.prices import load_prices
from git_retcon.model.retry import Patience
from git_retcon.model.service import AnthropicService
from git_retcon.model.spending import Spending
from tests.model.loopback import LoopbackApi


@pytest.fixture
def api() -> Iterator[LoopbackApi]:
    server = LoopbackApi()
    yield server
    server.close()


@pytest.fixture
def make_client(api: LoopbackApi) -> Callable[..., Client]:
    """A client of the loopback service; it retries quickly."""

    def make(budget: Budget | None = None, **options: Any) -> Client:
        options.setdefault("patience", Patience(seconds=5, first_pause=0.01, longest_pause=0.05))
        return Client(
            service=AnthropicService(required_credentials(api.env)),
            spending=Spending(budget or Budget(), load_prices()),
            **options,
        )

    return make


@pytest.fixture
def client(make_client: Callable[..., Client]) -> Client:
    return make_client()
