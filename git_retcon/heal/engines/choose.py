"""Make the engine of a heal from what options and settings decide."""

from collections.abc import Callable

from git_retcon.errors import Fatal
from git_retcon.heal.check_situation import Checkout
from git_retcon.heal.engine import Engine
from git_retcon.heal.engines.offline import OfflineEngine
from git_retcon.heal.healing.heal_events import HealEvent
from git_retcon.options import SharedOptions
from git_retcon.show.events import EngineChosen

_HINT = "fixes without a model are tried; healing with one is not built yet"


def choose_engine(
    checkout: Checkout, shared: SharedOptions, tell: Callable[[HealEvent], None]
) -> Engine:
    """The engine that the options name. Raises Fatal for one that is not there."""
    if shared.engine == "claude":
        raise Fatal(
            "healing with a model is not built yet",
            hint="leave out '--engine': fixes without a model are tried",
        )
    hint = "" if shared.offline or shared.engine else _HINT
    tell(EngineChosen("offline", "offline (no model is asked)", hint))
    return OfflineEngine()
