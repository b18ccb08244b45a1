"""What makes an ES module of a script is the line that is one's, not those that were there."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.run.places import Tree, place_diagnostics

# What node 20 prints of a script with one line of a module more.
SCRIPT = b"""\
file:///work/tree/colours.js:5
module.exports = create()
^

ReferenceError: module is not defined in ES module scope
    at file:///work/tree/colours.js:5:1
    at ModuleJobSync.runSync (node:internal/modules/esm/module_job:437:37)

Node.js v20.20.2
"""
PACKAGE = SCRIPT.replace(
    b"scope\n",
    b"scope\nThis file is being treated as an ES module because it has a '.js' file extension and"
    b' \'/work/tree/package.json\' contains "type": "module".\n',
)
OLD = b"function create() {\n}\n\n%s\nmodule.exports = create()\nmodule.exports.create = create\n"


def find_place(
    output: bytes, content: bytes, name: bytes = b"colours.js"
) -> tuple[int | None, int | None]:
    tree = Tree(frozenset({name}), {name: content}.__getitem__, (b"/work/tree",))
    found = place_diagnostics(extract_complaints(output.replace(b"colours.js", name)), tree)
    return next((each.line, each.column) for each in found if each.path == name)


@pytest.mark.parametrize(
    "line",
    [
        b"export const broken = [1, 2]",
        b"import {readFileSync} from 'node:fs';",
        b"import fs from 'node:fs'",
        b"export {create}",
    ],
)
def test_the_one_line_of_a_module_is_at_fault(line: bytes) -> None:
    assert find_place(SCRIPT, OLD % line) == (4, None)


@pytest.mark.parametrize(
    ("output", "content", "name"),
    [
        # Two lines say that it is a module: then what a script has is at fault.
        (SCRIPT, OLD % b"import a from 'a'" + b"export default 1\n", b"colours.js"),
        # One line of each kind says nothing of which is meant.
        (SCRIPT, b"import a from 'a'\n\n\n\nmodule.exports = a\n", b"colours.js"),
        (SCRIPT, OLD % b"const a = import('a')", b"colours.js"),
        (SCRIPT, OLD % b"import a from 'a'", b"colours.mjs"),
        (PACKAGE, OLD % b"import a from 'a'", b"colours.js"),
    ],
)
def test_otherwise_it_is_where_node_says(output: bytes, content: bytes, name: bytes) -> None:
    assert find_place(output, content, name) == (5, 1)
