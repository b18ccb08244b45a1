"""Names that a method has for its object."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

LINE = """
class Line {
  constructor() { this.state = 'new'; }
  open() {
    if (this.state !== 'new') { throw new Error('opened before'); }
    this.state = 'open';
  }
  watch() { WATCH }
}
"""
SHUT = "if (NAME.state === 'open') { NAME.state = 'shut'; }"
MOVED = "        new -> open\n        open -> shut\n"


@pytest.mark.parametrize(
    "watch",
    [
        "const self = this; {SELF}",
        "var self = this, more = 1; this.socket.on('end', function () { {SELF} });",
        "const that = this;\nsetTimeout(() => { {THAT} }, 5);",
        "const that = this; this.run().then(function () { {THAT} });",
        "this.run(() => { const that = this; {THAT} });",
    ],
)
def test_a_method_may_have_another_name_for_its_object(watch: str) -> None:
    text = watch.replace("{SELF}", SHUT.replace("NAME", "self"))
    text = text.replace("{THAT}", SHUT.replace("NAME", "that"))
    found = declare({"net/line.js": LINE.replace("WATCH", text)})
    assert "state: new | open | shut" in found
    assert MOVED in found
    assert "rule LineWatch" in found


@pytest.mark.parametrize(
    "watch",
    [
        "{SELF}",  # that of the window, or of a worker
        "const self = this.other; {SELF}",
        "let self = this; self = read(); {SELF}",
        "this.run((self) => { {SELF} });",
        "this.run(self => { {SELF} }); const self = this;",
        "this.run(function () { const self = this; {SELF} });",
        "for (const self of this.lines) { {SELF} }",
    ],
)
def test_a_name_of_something_else_is_none(watch: str) -> None:
    text = LINE.replace("this.state = 'new';", "this.state = 'new'; this.other = 'shut';")
    text = text.replace("watch()", "shut() { if (this.state !== 'open') { return; } this.state = "
                        "'shut'; }\n  watch()")  # fmt: skip
    watched = watch.replace("{SELF}", SHUT.replace("NAME", "self").replace("open'", "shut'"))
    found = declare({"net/line.js": text.replace("WATCH", watched.replace("= 'shut'", "= 'new'"))})
    assert MOVED in found
    assert "shut -> new" not in found


@pytest.mark.parametrize(
    ("watch", "is_own"),
    [
        ("this.socket.on('end', function () { {THIS} }.bind(this));", True),
        ("this.socket.on('end', (function () { {THIS} }).bind(this));", True),
        ("this.run().then(function () { {THIS} }.bind(this));", True),
        ("const end = function () { {THIS} }.bind(this); end();", True),
        ("this.socket.on('end', function () { {THIS} });", False),
        ("this.socket.on('end', function () { {THIS} }.bind(socket));", False),
    ],
)
def test_a_function_that_is_bound_has_the_same_object(watch: str, is_own: bool) -> None:
    text = watch.replace("{THIS}", SHUT.replace("NAME", "this"))
    assert (MOVED in declare({"net/line.js": LINE.replace("WATCH", text)})) is is_own
