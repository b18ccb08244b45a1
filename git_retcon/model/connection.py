"""Putting a client together from what was chosen and what the environment holds."""

from collections.abc import Callable, Mapping

from git_retcon.files.xdg import state_folder
from git_retcon.model.cassette import Cassette, cassette_in
from git_retcon.model.client import Client
from git_retcon.model.credentials import required_credentials
from git_retcon.model.engine_choice import ModelChoice
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.ledger import Ledger
from git_retcon.model.messages import Usage
from git_retcon.model.prices import find_prices
from git_retcon.model.recording import Recording, Replay
from git_retcon.model.redaction import Redactor
from git_retcon.model.retry import Patience
from git_retcon.model.service import AnthropicService, Service, import_sdk_early
from git_retcon.model.spending import Spending


def open_client(
    choice: ModelChoice,
    env: Mapping[str, str],
    command: str,
    tell: Callable[[str], None],
    *,
    key: str | None = None,
    patience: Patience | None = None,
) -> Client:
    """The client of one run of ``command`` ("retcon", "heal", ...).

    ``tell`` gets lines for the user: waits, warnings. ``key`` is an API key from elsewhere than
    the environment. Nothing is sent yet. A replay needs no key and is not booked.
    Raises NoCredentials, or Fatal for a bad price table or cassette.
    """
    redactor = Redactor(secrets_in(env, [key.encode()] if key else ()))
    prices = find_prices(env)
    spending = Spending(choice.budget, prices)
    patience = patience or Patience()
    cassette = cassette_in(env)
    # No ledger: nobody is billed for an answer from a file.
    if cassette is not None and cassette.mode == "replay":
        return Client(Replay(cassette.path), spending, redactor, patience, tell)
    service = _choose_service(env, key, cassette, redactor)
    import_sdk_early()  # imports take a second, which a first build or the planner hides
    if remark := prices.remark(choice.model):
        tell(remark)
    ledger = Ledger(state_folder(env), tell)

    def book(model: str, usage: Usage, dollars: float) -> None:
        ledger.book(command, model, usage, dollars)

    return Client(service, spending, redactor, patience, tell, book)


def _choose_service(
    env: Mapping[str, str], key: str | None, cassette: Cassette | None, redactor: Redactor
) -> Service:
    service = AnthropicService(required_credentials(env, key))
    return service if cassette is None else Recording(service, cassette.path, redactor)
