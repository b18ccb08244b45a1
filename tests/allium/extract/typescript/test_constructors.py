"""What makes an object of a class: its constructor, or what a library runs as that."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DRAWER = """
import GObject from 'gi://GObject';
const DrawerState = { SHUT: 0, SLIDING: 1, OPEN: 2 };
export const Drawer = GObject.registerClass(class Drawer extends GObject.Object {
    _init(params) {
        super._init(params);
        this._state = DrawerState.SHUT;
    }
    pull() {
        if (this._state !== DrawerState.SHUT)
            return;
        this._state = DrawerState.SLIDING;
    }
    settle() {
        if (this._state !== DrawerState.SLIDING)
            throw new Error('still');
        this._state = DrawerState.OPEN;
    }
});
"""


def test_what_runs_the_base_classs_init_makes_the_object() -> None:
    found = declare({"ui/drawer.js": DRAWER})
    assert "state: shut | sliding | open" in found
    assert "shut -> sliding\n        sliding -> open" in found
    assert "rule DrawerInit" not in found


def test_what_it_does_is_no_transition() -> None:
    begun = DRAWER.replace("super._init(params);", "super._init(params); this._state = 0;")
    assert "-> shut" not in declare({"ui/drawer.js": begun})


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("        super._init(params);\n", ""),  # another class calls it when it likes
        ("pull() {", "again() { this._init({}); }\n    pull() {"),
        ("_init(params) {", "static _init(params) {"),
        ("_init(params) {", "constructor() { super(); }\n    _init(params) {"),
    ],
)
def test_other_methods_of_that_name_do_not(old: str, new: str) -> None:
    assert "sliding -> open" not in declare({"ui/drawer.js": DRAWER.replace(old, new)})
