"""A step that is found by the name of a state is run in that state."""

import pytest

from tests.allium.extract.declared import declare_python

FORM = """
from enum import Enum

class Step(Enum):
    HELLO = "Greeting"
    EMAIL = "Email"
    DONE = "Done"

class Form:
    def __init__(self):
        self._step = Step.HELLO

    @property
    def step(self):
        return self._step

    def feed(self, text):
        handler = getattr(self, NAME)
        return handler(text)

    def _on_hello(self, text):
        self._step = Step.EMAIL

    def _on_Email(self, text):
        self._step = Step.DONE
"""


def list_edges(name: str, source: str = FORM) -> list[str]:
    told = declare_python(source.replace("NAME", name))
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_it_is_run_in_the_state_of_its_name() -> None:
    named = 'f"_on_{self._step.name.lower()}"'
    source = FORM.replace("_on_Email", "_on_email")
    assert list_edges(named, source) == ["hello -> email", "email -> done"]
    assert list_edges('"_on_" + self._step.name.lower()', source) == list_edges(named, source)
    assert list_edges('f"_on_{self._step.value}", None') == [
        "hello -> email",
        "email -> done",
        "done -> email",
    ]


@pytest.mark.parametrize("name", ['f"_on_{text}"', 'f"_on_{text}_{self._step.name}"', "text"])
def test_another_name_says_nothing_of_the_state(name: str) -> None:
    assert "done -> email" in list_edges(name)


def test_a_variable_may_hold_what_it_is_found_by() -> None:
    source = FORM.replace("_on_Email", "_on_email").replace(
        "        handler =", "        step = self._step.name.lower()\n        handler ="
    )
    assert list_edges('f"_on_{step}"', source) == ["hello -> email", "email -> done"]
    twice = source.replace("        handler =", "        step = text\n        handler =")
    assert "done -> email" in list_edges('f"_on_{step}"', twice)


def test_a_public_step_is_run_so_where_nothing_else_names_it() -> None:
    source = FORM.replace("_on_Email", "_on_email").replace("_on_", "on_")
    named = 'f"on_{self._step.name.lower()}"'
    assert list_edges(named, source) == ["hello -> email", "email -> done"]
    assert "done -> email" in list_edges(named, source + "\ndef start(form): form.on_hello('')\n")
