"""The flags of a class without a framework, and what its refusals ask to be there."""

import pytest

from tests.allium.extract.declared import declare_python

WORKER = """
class Worker:
    def __init__(self, verbose):
        self._closed = False
        self._socket = None
        self._verbose = False
        self._name = verbose

    def connect(self):
        if self._socket is not None:
            raise ConnectionError
        self._socket = open_socket()

    async def send(self, data):
        if self._closed:
            raise ConnectionError
        if not self._socket:
            raise ConnectionError
        return await self._socket.send(data)

    def close(self):
        self._closed = True

    def speak(self):
        self._verbose = True

    def size(self):
        if self._closed:
            raise ConnectionError
        return len(self._name)
"""


def test_a_flag_that_lets_a_class_go_on_is_a_state_which_operations_switch() -> None:
    told = declare_python(WORKER)
    close = told.split("rule WorkerClose {")[1].partition("}")[0]
    assert "ensures: worker.closed = true" in close
    send = told.split("rule WorkerSend {")[1].partition("}")[0]
    assert "requires: not worker.closed" in send


def test_a_flag_that_nothing_depends_on_may_be_a_setting() -> None:
    assert "Speak" not in declare_python(WORKER)


def test_what_a_refusal_asks_to_be_there_is_a_field_that_may_be_missing() -> None:
    told = declare_python(WORKER)
    assert "    socket: Any?\n" in told
    assert "requires: worker.socket != null" in told.split("rule WorkerSend {")[1]
    assert "requires: worker.socket = null" in told.split("rule WorkerConnect {")[1]


def test_what_only_computes_refuses_where_it_fails() -> None:
    assert "rule WorkerSize" in declare_python(WORKER)


def test_a_flag_that_anything_is_given_to_is_no_state() -> None:
    told = declare_python("""
class Reader:
    def __init__(self):
        self.is_done = False

    def feed(self, line):
        self.is_done = not line

    def reset(self):
        self.is_done = False

    def read(self):
        if self.is_done:
            raise EOFError
        self.count += 1
""")
    assert "ReaderReset" not in told
    assert "requires: not reader.is_done" in told


def test_flags_may_begin_in_the_body_of_a_class() -> None:
    told = declare_python("""
class Server(Base):
    running = False
    task = None

    def start(self):
        if self.running:
            raise RuntimeError
        self.running = True

    def wait(self):
        if self.task is None:
            raise RuntimeError
        self.task.join()
""")
    assert "requires: not server.running\n    ensures: server.running = true" in told
    assert "requires: server.task != null" in told


def test_what_a_collection_has_may_refuse() -> None:
    told = declare_python("""
class Registry:
    def __init__(self, known):
        self._plugins = {}
        self._seen = set()
        self._known = known

    def add(self, name, plugin):
        if name in self._plugins or name in self._known:
            raise KeyError
        if name in self._plugins:
            raise KeyError
        if name not in self._seen:
            raise KeyError
        self._plugins[name] = plugin

    def check(self, name):
        if name not in self._plugins:
            raise KeyError
""")
    assert "    plugins: Any\n    seen: Set<Any>\n}" in told
    assert "requires: name not in registry.plugins\n    requires: name in registry.seen\n}" in told
    assert "RegistryCheck" not in told


CONNECTION = """
class Connection:
    def __init__(self):
        self._socket = None
        self._timer = None

    def close(self):
        if self._socket is None:
            return
        self._socket.close()
        self._socket = None

    def wake(self):
        self.count()
        if not self._timer:
            return
        self._timer = None

    def _stop_timer(self):
        if self._timer:
            self._timer.cancel()
            self._timer = None
"""


def test_doing_nothing_without_an_object_is_a_demand_on_who_calls_from_outside() -> None:
    told = declare_python(CONNECTION)
    close = told.split("rule ConnectionClose {")[1].partition("}")[0]
    assert "requires: connection.socket != null\n    ensures: connection.socket = null" in close
    assert "StopTimer" not in told


def test_what_is_done_behind_a_way_out_that_is_not_the_first_is_not_certain() -> None:
    assert "connection.timer = null" not in declare_python(CONNECTION)


SWITCHED = """
class Handler:
    def __init__(self):
        self._forced = False

    def force(self):
        self._forced = True

    @property
    def is_dry(self):
        {answer}

    def handle(self, event):
        {asked}
        self.queue.put(event)
"""


@pytest.mark.parametrize("answer", ["if self._forced: return True", "return self._forced"])
def test_a_flag_that_a_property_answers_by_is_a_state_where_the_class_goes_on_by_it(
    answer: str,
) -> None:
    source = SWITCHED.replace("{answer}", answer)
    told = declare_python(source.replace("{asked}", "if self.is_dry: raise ValueError"))
    assert "ensures: handler.forced = true" in told
    assert "rule" not in declare_python(source.replace("{asked}", "pass"))


def test_how_something_is_done_is_a_setting_though_an_operation_leaves_by_it() -> None:
    source = WORKER + "\n    def ask(self):\n        if self._verbose: return\n        self.run()\n"
    told = declare_python(source)
    assert "Speak" not in told
    assert "requires: not worker.verbose" not in told
    assert "not worker.closed" in told
