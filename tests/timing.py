"""How the cost of something grows, where a wall time would say more of the machine."""

import time
from collections.abc import Callable


def cpu_ratio(small: Callable[[], object], large: Callable[[], object]) -> float:
    """The CPU time of the large one by that of the small one, each the best of three."""
    return _best(large) / max(_best(small), 1e-4)


def _best(run: Callable[[], object]) -> float:
    return min(_seconds(run) for _ in range(3))


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start
