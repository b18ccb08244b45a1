"""A state that an object has without a part is none behind a question for the part."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare, declare_python

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LINE = """
class Line {
  constructor() { this.state = 'closed'; this.peer = null; }
  call(peer) {
    this.state = 'calling';
    this.peer = peer;
  }
  answer() {
    if (this.peer) { this.state = 'open'; }
  }
  close() {
    this.state = 'closed';
    if (this.peer) {
      this.peer.close();
      this.peer = null;
    }
  }
  isOpen() { return this.state === 'open'; }
}
"""


def list_edges(source: str) -> set[str]:
    found = declare({"src/line.js": source})
    return {line.strip() for line in found.split("\n") if " -> " in line}


def test_a_question_for_the_part_excludes_the_states_without_it() -> None:
    edges = list_edges(LINE)
    assert "calling -> open" in edges and "closed -> open" not in edges
    unset = LINE.replace(" this.peer = null; }", " }", 1)  # what is never set is nothing
    assert list_edges(unset) == edges


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("      this.peer = null;\n", ""),
        ("    this.state = 'calling';\n", ""),
        ("this.peer = null; }", "this.peer = makePeer(); }"),
        ("call(peer) {", "lose() { this.state = 'closed'; }\n  call(peer) {"),
        ("call(peer) {", "take(peer) { this.peer = peer; }\n  call(peer) {"),
        ("call(peer) {", "load(from) { this.state = from.state; }\n  call(peer) {"),
        ("if (this.peer) { this.state", "if (this.line) { this.state"),
    ],
)
def test_a_part_may_be_there_in_any_state(old: str, new: str) -> None:
    assert old in LINE
    edges = list_edges(LINE.replace(old, new))
    assert "closed -> open" in edges or not edges


def test_python_says_so_in_what_makes_the_object() -> None:
    source = """
class Line:
    def __init__(self):
        self.state = "closed"
        self.peer = None

    def call(self, peer):
        self.state = "calling"
        self.peer = peer

    def answer(self):
        if self.peer:
            self.state = "open"

    def close(self):
        self.peer = None
        self.state = "closed"

    def is_open(self):
        return self.state == "open"
"""
    told = declare_python(source)
    assert "calling -> open" in told and "closed -> open" not in told
    assert "closed -> open" in declare_python(source.replace("        self.peer = None\n", "", 1))
    asked = source.replace("if self.peer:", "if self.peer is not None:")
    assert "closed -> open" not in declare_python(asked)
    gone = "        self.peer = None\n        self.state = "
    for held in ("if self.peer:", "if self.peer is not None:", "if self.peer != None:"):
        taken = f"        {held}\n            self.peer = None\n        self.state = "
        once = source[: source.index(gone)] + taken + source[source.index(gone) + len(gone) :]
        assert "closed -> open" not in declare_python(once)
        other = once.replace(taken, taken.replace(held, "if self.line:"))
        assert "closed -> open" in declare_python(other)
    left = source.replace(
        "if self.peer:", "if self.peer is None:\n            return\n        else:"
    )
    assert "closed -> open" not in declare_python(left)


JOB = """
class Job:
    def __init__(self):
        self.state = "new"
        self.answer = None

    def begin(self, make):
        self.answer = make()
        self.state = "running"

    def stop(self):
        if self.answer:
            if self.answer.is_good():
                self.state = "finished"
            elif self.answer.is_bad():
                self.state = "failed"
            self.answer = None

    def is_over(self):
        return self.state in ("finished", "failed")
"""


def test_a_part_that_is_taken_away_behind_several_states_is_gone_in_each() -> None:
    told = declare_python(JOB)
    assert "running -> finished" in told and "running -> failed" in told
    assert "finished -> failed" not in told and "failed -> finished" not in told
    left = JOB.replace(
        '"finished"\n            elif', '"finished"\n                return\n            elif'
    )
    assert "finished -> failed" in declare_python(left)
    assert "finished -> failed" in declare_python(
        JOB.replace("answer = None\n\n    def is", "a = 0\n\n    def is")
    )
