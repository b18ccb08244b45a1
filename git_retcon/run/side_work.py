"""Work done side by side, in threads of this process.

Ctrl-C reaches the main thread alone, which has the others end. They are daemons: one that waits
for the network cannot keep the process from ending.
"""

import queue
import threading
import time
from collections.abc import Callable, Sequence

from git_retcon.errors import UserError
from git_retcon.interrupts import forget_halt, halt_threads

_PATIENCE = 3.0  # seconds for threads to end what they run
Task = Callable[[], None]


def run_side_by_side(tasks: Sequence[Task]) -> dict[int, UserError]:
    """Run each task in a thread of its own, to their ends; the faults, by the number of the task.

    Raises what else a task raises, and KeyboardInterrupt, behind the end of the others.
    """
    ended: queue.SimpleQueue[tuple[int, BaseException | None]] = queue.SimpleQueue()
    threads = [
        threading.Thread(target=_run_task, args=(number, task, ended), daemon=True)
        for number, task in enumerate(tasks)
    ]
    faults: dict[int, UserError] = {}
    try:
        for thread in threads:
            thread.start()
        for _ in threads:
            number, error = ended.get()
            if isinstance(error, UserError):
                faults[number] = error
            elif error is not None:
                raise error
    except BaseException:
        _end_threads(threads)
        raise
    return dict(sorted(faults.items()))


def _run_task(
    number: int, task: Task, ended: "queue.SimpleQueue[tuple[int, BaseException | None]]"
) -> None:
    error: BaseException | None = None
    try:
        task()
    except BaseException as raised:
        error = raised
    forget_halt()
    ended.put((number, error))


def _end_threads(threads: Sequence[threading.Thread]) -> None:
    running = [thread for thread in threads if thread.is_alive()]
    halt_threads(running)
    until = time.monotonic() + _PATIENCE
    for thread in running:
        thread.join(max(0.0, until - time.monotonic()))
