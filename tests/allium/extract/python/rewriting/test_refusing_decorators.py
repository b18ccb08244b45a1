"""What a decorator checks, its methods demand."""

import pytest

from tests.allium.extract.declared import declare_python

PLAIN = """
def open_required(method):
    {wraps}
    def wrapper(self, *args, **kwargs):
        \"\"\"Checks first.\"\"\"
        if self._status == "closed":
            raise Closed({said})
        return method(self, *args, **kwargs)
    return wrapper
"""
MAKER = """
def open_required(method): ...

def requires(status, other="x"):
    def mark(method):
        async def wrapper(self, *args):
            assert self._status == status
            return await method(self, *args)
        return wrapper
    return mark
"""
PROJECT = """
{decorator}
class Project:
    def __init__(self, name, status="opened"):
        self._status = status
        self._count = 0

    {mark}
    def rename(project, name):
        project._count += 1

    def close(self):
        self._status = "closed"

    def open(self):
        if self._status != "closed":
            raise ValueError
        self._status = "opened"
"""


def declare_rename(decorator: str, mark: str) -> str:
    """The rule of a method with a decorator, without its first line."""
    found = declare_python(PROJECT.replace("{decorator}", decorator).replace("{mark}", mark))
    return found.partition("rule ProjectRename {\n")[2].partition("\n}")[0]


DEMAND = """\
    when: RenameProject(project)
    requires: project.status = opened
    ensures: project.count = project.count + 1"""


@pytest.mark.parametrize(
    ("decorator", "mark"),
    [
        (PLAIN.format(wraps="", said=""), "@open_required"),
        (PLAIN.format(wraps="@wraps(method)", said="kwargs"), "@open_required"),
        (MAKER, "@requires('opened')"),
        (MAKER, "@requires(status='opened')"),
    ],
)
def test_a_method_demands_what_its_decorator_checks(decorator: str, mark: str) -> None:
    assert declare_rename(decorator, mark) == DEMAND


BARE = PLAIN.format(wraps="", said="")


@pytest.mark.parametrize(
    ("decorator", "mark"),
    [
        # It hides the error, does more than refuse, refuses by what it is called with, or runs
        # something else.
        (BARE.replace("raise Closed()", "return None"), "@open_required"),
        (BARE.replace("if self", "x = 1\n        if self"), "@open_required"),
        (BARE.replace("if self", "if args and self"), "@open_required"),
        (BARE.replace("return method(self", "return other(self"), "@open_required"),
        (BARE, "@open_required()"),
        (MAKER, "@requires"),
        (MAKER, "@others.requires('opened')"),
    ],
)
def test_no_other_decorator_is_a_guard(decorator: str, mark: str) -> None:
    assert declare_rename(decorator, mark) == declare_rename("", "")


def test_a_decorator_may_be_in_its_class() -> None:
    inner = PLAIN.format(wraps="", said="").replace("\n", "\n    ")
    source = PROJECT.replace("{decorator}", "").replace("{mark}", "@open_required")
    source = source.replace("class Project:", f"class Project:{inner}")
    found = declare_python(source)
    assert DEMAND in found
    assert "Required" not in found


MOVING = """
def transition(required, following):
    def mark(method):
        def wrapper(obj, *args, **kwargs):
            with obj._lock:
                if obj.state != required:
                    raise ValueError(obj.state)
                obj.state = following
            return method(obj, *args, **kwargs)
        return wrapper
    return mark

class Call:
    def __init__(self):
        self.state = "new"

    @transition("new", "ringing")
    def ring(self):
        self.bell.ring()

    @transition("ringing", "taken")
    def take(self):
        self.bell.stop()
"""


def test_a_decorator_may_give_the_next_state() -> None:
    found = declare_python(MOVING)
    assert "        new -> ringing\n        ringing -> taken\n" in found
    assert "    requires: call.state = ringing\n    ensures: call.state = taken\n" in found
    given = MOVING.replace("obj.state = following", "obj.state = args[0]")
    assert "->" not in declare_python(given)


PORT = """
from enum import Enum

{decorator}
class State(Enum):
    IDLE = 0
    OPEN = 1
    BUSY = 2

class Port:
    def __init__(self):
        self.state = State.IDLE

    def open(self):
        if self.state != State.IDLE:
            raise ValueError
        self.state = State.OPEN

    def work(self):
        self._work()

    {mark}
    def _work(self):
        self.state = State.BUSY
"""
ONLY = """
def only(*states):
    def mark(method):
        def wrapper(self, *args):
            if self.state in states:
                return method(self, *args)
            {left}
        return wrapper
    return mark
"""


@pytest.mark.parametrize("left", ["", "return None", "raise ValueError(self.state)"])
def test_a_decorator_may_run_the_method_in_some_states_alone(left: str) -> None:
    decorator = ONLY.replace("{left}", left)
    found = declare_python(
        PORT.replace("{decorator}", decorator).replace("{mark}", "@only(State.OPEN)")
    )
    assert "        open -> busy\n" in found
    assert "        idle -> busy\n" not in found


@pytest.mark.parametrize(
    ("mark", "moves"),
    [
        ("@only(State.OPEN)", False),
        ("@machine.on(State.OPEN)", False),
        ("@requires_open", False),
        ("@only_in_some_states", False),
        ("@port.when('open')", False),
        ("@requires_port", True),
        ("@login_required", True),
        ("@router.post('/work', status_code=status.HTTP_200_OK)", True),
        ("@logged(Level.OPEN)", True),
    ],
)
def test_what_another_one_lets_pass_is_not_known(mark: str, *, moves: bool) -> None:
    found = declare_python(PORT.replace("{decorator}", "").replace("{mark}", mark))
    assert ("        idle -> busy\n" in found) is moves


CHECKED = """
def open_required(method):
    def wrapper(self, *args, **kwargs):
        self._check(method.__name__, "opened")
        return method(self, *args, **kwargs)
    return wrapper
"""

CHECK = """
    def _check(self, name, status):
        if self._status != status:
            raise ValueError(name)

    def close(self):"""
CHECKED_PROJECT = (
    PROJECT.replace("{decorator}", CHECKED)
    .replace("{mark}", "@open_required")
    .replace("\n    def close(self):", CHECK)
    .replace("def rename(project, name):", "def rename(self, name):")
    .replace("project._count", "self._count")
)


def test_a_method_demands_what_its_decorator_has_the_object_check() -> None:
    assert DEMAND in declare_python(CHECKED_PROJECT)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # The check is up to the method, or is one of another object.
        ("status:\n", "status and name not in FREE:\n"),
        ("self._check(", "self.peer._check("),
        ("self._check(", "self.log("),
    ],
)
def test_a_check_that_asks_for_more_is_no_demand(old: str, new: str) -> None:
    source = CHECKED_PROJECT.replace(old, new)
    assert source != CHECKED_PROJECT
    assert "requires: project.status = opened" not in declare_python(source)
