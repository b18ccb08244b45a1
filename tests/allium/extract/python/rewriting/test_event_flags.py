"""Events of threads and of asyncio, which are booleans of a class."""

from tests.allium.extract.declared import declare_python

SERVER = """
import asyncio
from threading import Event

class Server:
    def __init__(self):
        self._stopping = Event()
        self._ready: asyncio.Event = asyncio.Event()
        self._idle = make_event()

    def start(self):
        if self._stopping.is_set():
            raise RuntimeError
        self._ready.set()

    async def wait(self):
        await asyncio.wait_for(self._ready.wait(), 3)

    def stop(self):
        self._stopping.set()
        self._ready.clear()
        self._idle.set()

    def renew(self):
        self._stopping = Event()
"""


def test_an_event_is_a_flag_that_operations_switch_and_ask() -> None:
    told = declare_python(SERVER)
    assert "    stopping: Boolean\n    ready: Boolean\n}" in told
    start = told.split("rule ServerStart {")[1].partition("}")[0]
    assert "requires: not server.stopping\n    ensures: server.ready = true" in start
    stop = told.split("rule ServerStop {")[1].partition("}")[0]
    assert "ensures: server.stopping = true\n    ensures: server.ready = false" in stop


def test_a_new_event_is_not_set() -> None:
    told = declare_python(SERVER)
    assert "ensures: server.stopping = false" in told.split("rule ServerRenew {")[1]


def test_what_is_no_event_stays_what_it_is() -> None:
    assert "idle" not in declare_python(SERVER)
    assert "stopping" not in declare_python(SERVER.replace("from threading", "from .events"))


def test_a_class_that_only_hands_on_what_an_event_does_is_no_more_than_an_event() -> None:
    source = """
import asyncio

class Event:
    def __init__(self):
        self._event = asyncio.Event()

    def set(self):
        \"\"\"Let all go on.\"\"\"
        self._event.set()

    async def wait(self):
        await self._event.wait()
"""
    assert "rule" not in declare_python(source)
    # What does more has a state of its own.
    more = source.replace(
        "        self._event.set()", "        self._event.set()\n        self.tell()"
    )
    assert "ensures: event.event = true" in declare_python(more)
