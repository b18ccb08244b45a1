"""A property that a call makes is one as much as a decorated method is."""

import ast

from git_retcon.allium.extract.python.rewriting.made_properties import write_properties
from tests.allium.extract.declared import declare_python

TASK = """
class Task:
    (NEW, QUEUED, PAUSED) = list(range(3))

    def __init__(self):
        self.__status = Task.NEW

    def __get_status(self):
        return self.__status

    def __set_status(self, status):
        if status != self.__status:
            self.__changed = True
            self.__status = status

    status = property(fget=__get_status, fset=__set_status)

    def queue(self):
        if self.status not in (self.NEW, self.PAUSED):
            raise ValueError
        self.status = self.QUEUED

    def pause(self):
        with self:
            if self.status == self.QUEUED:
                self.status = self.PAUSED
"""


def list_edges(found: str) -> list[str]:
    return [line.strip() for line in found.split("\n") if " -> " in line]


def test_what_is_assigned_to_it_moves_the_state_behind_it() -> None:
    for call in (
        "property(fget=__get_status, fset=__set_status)",
        "property(__get_status, __set_status)",
    ):
        found = declare_python(TASK.replace("property(fget=__get_status, fset=__set_status)", call))
        assert "    status: new | queued | paused\n" in found
        assert list_edges(found) == ["new -> queued", "queued -> paused", "paused -> queued"]
        assert "rule TaskStatus" not in found


def test_a_method_that_is_run_by_its_own_name_stays_one() -> None:
    source = f"{TASK}\n    def renew(self):\n        self.__set_status(self.NEW)\n"
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.ClassDef)
    write_properties(source.encode(), [node])
    assert ast.unparse(node) == ast.unparse(ast.parse(source))


def test_a_property_of_something_else_is_none_of_the_class() -> None:
    source = TASK.replace("fset=__set_status", "fset=make_setter()")
    node = ast.parse(source).body[0]
    assert isinstance(node, ast.ClassDef)
    write_properties(source.encode(), [node])
    assert ast.unparse(node) == ast.unparse(ast.parse(source))
