"""How the cost of something grows, where a wall time would say more of the machine; and what
happens while something else goes on.
"""

import contextlib
import threading
import time
from collections.abc import Callable, Iterator


def cpu_ratio(small: Callable[[], object], large: Callable[[], object]) -> float:
    """The CPU time of the large one by that of the small one, each the best of three."""
    return _best(large) / max(_best(small), 1e-4)


def _best(run: Callable[[], object]) -> float:
    return min(_seconds(run) for _ in range(3))


def _seconds(run: Callable[[], object]) -> float:
    start = time.process_time()
    run()
    return time.process_time() - start


@contextlib.contextmanager
def after(seconds: float, do: Callable[[], object]) -> Iterator[None]:
    """Do something in the middle of the block."""
    timer = threading.Timer(seconds, do)
    timer.start()
    try:
        yield
    finally:
        timer.join()
