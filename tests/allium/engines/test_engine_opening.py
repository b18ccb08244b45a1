"""Which engine a run has."""

import pytest

from git_retcon.allium.engines.engine_opening import choose_models, open_engine
from git_retcon.model.budget import Budget
from git_retcon.options import Output, SharedOptions
from git_retcon.settings import Settings
from tests.model.loopback import LoopbackApi
from tests.repository import TestRepository


@pytest.mark.parametrize(("is_offline", "name"), [(True, "offline"), (False, "claude-sonnet-5-5")])
def test_it_is_the_chosen_one_and_has_no_budget_of_its_own(
    repo: TestRepository, api: LoopbackApi, is_offline: bool, name: str
) -> None:
    repository = repo.open()
    chosen = Settings(repository.config, api.env)
    shared = SharedOptions(Output(), offline=is_offline)
    choice = choose_models(shared, chosen)
    assert choice.budget == Budget(None, None)
    with pytest.MonkeyPatch.context() as patch:
        for key, value in api.env.items():
            patch.setenv(key, value)
        engine = open_engine(repository, shared, chosen, choice, print).engine
    assert (engine.name, engine.is_slow) == (name, not is_offline)
