"""What functions of a Python file answer, or refuse, for files that ask them."""

import ast

from git_retcon.allium.extract.python.rewriting.told_answers import spell_functions
from git_retcon.allium.extract.python.syntax.constants import read_constants

SOURCE = ast.parse("""
NEXT = {A.NEW: [A.OLD]}

def ensure(current, new):
    if new not in NEXT[current]:
        raise ValueError
    if current == A.OLD:
        raise ValueError

def is_old(one):
    return one == A.OLD

def run(one):
    if one == A.OLD:
        start()

def choose(one, other=A.OLD):
    return one == other

async def wait(one):
    return one == A.OLD

@cached
def is_new(one):
    return one == A.NEW

class Policy:
    @classmethod
    def allows(cls, one):
        return one in NEXT

    @property
    def is_open(self):
        return self.one == A.NEW
""").body


def test_they_are_told_as_functions_of_what_they_are_given() -> None:
    assert spell_functions(SOURCE, read_constants(SOURCE)) == {
        "ensure": "lambda current, new: new not in {A.NEW: [A.OLD]}[current] or current == A.OLD",
        "is_old": "lambda one: one == A.OLD",
        "Policy.allows": "lambda one: one in {A.NEW: [A.OLD]}",
    }
