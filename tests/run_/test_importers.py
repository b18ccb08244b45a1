"""What is said of a module that is not there is said of the one line that asks for it."""

import pytest

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.run.places import Tree, place_diagnostics

# What node prints of tests that run a bundle of the source.
BUNDLE = b"""\
Error: Cannot find module './not-here.js'
Require stack:
- /work/tree/lib/index.js
- /work/tree/test/index.js
    at Module._resolveFilename (node:internal/modules/cjs/loader:1207:15)
    at Object.<anonymous> (/work/tree/lib/index.js:15:17) {
  code: 'MODULE_NOT_FOUND',
"""
# The loader esm, which knows no ``node:`` and names the first line of a file.
LOADER = b"""\
/work/tree/src/index.js:1
Error [ERR_INVALID_PROTOCOL]: Protocol 'node:' not supported. Expected 'file:'
    at Object.<anonymous> (/work/tree/src/index.js:1)
    at Generator.next (<anonymous>)

Node.js v20.20.2
"""
TEST = b"const mri = require('../lib');\n"
ASKS = b"// parses\n\nimport notHere from './not-here.js';\nexport default 1;\n"


def find_places(output: bytes, files: dict[bytes, bytes]) -> list[tuple[bytes | None, int | None]]:
    tree = Tree(frozenset(files), files.__getitem__, (b"/work/tree",))
    found = place_diagnostics(extract_complaints(output), tree)
    return [(each.path, each.line) for each in found]


@pytest.mark.parametrize(
    ("files", "place"),
    [
        ({b"src/index.js": ASKS}, (b"src/index.js", 3)),
        ({b"src/index.js": ASKS, b"src/other.js": ASKS}, (None, None)),
        ({b"src/index.js": b"// './not-here.js'\n"}, (None, None)),
        # The tree has it, so the bundle alone is at fault.
        ({b"src/index.js": ASKS, b"src/not-here.ts": b""}, (None, None)),
        ({b"src/index.js": ASKS, b"src/not-here/index.js": b""}, (None, None)),
        ({b"index.py": ASKS}, (None, None)),
    ],
)
def test_a_complaint_of_a_bundle_is_of_the_file_that_it_is_made_of(
    files: dict[bytes, bytes], place: tuple[bytes | None, int | None]
) -> None:
    assert find_places(BUNDLE, {b"test/index.js": TEST, **files}) == [place]


def test_what_is_outside_of_the_tree_says_nothing_of_it() -> None:
    output = BUNDLE.replace(b"/work/tree/lib", b"/home/ada/other")
    assert find_places(output, {b"src/index.js": ASKS}) == [(None, None)]
    output = BUNDLE.replace(b"/work/tree/lib", b"/work/tree/node_modules/x")
    files = {b"src/index.js": ASKS, b"test/index.js": TEST}
    assert find_places(output, files) == [(b"test/index.js", None)]


def test_a_loader_without_a_protocol_means_the_import_that_has_it() -> None:
    one = b"// first\nimport a from 'a';\nimport {readFileSync} from 'node:fs';\n"
    assert find_places(LOADER, {b"src/index.js": one}) == [(b"src/index.js", 3)]
    two = one + b"import {join} from 'node:path';\n"
    assert find_places(LOADER, {b"src/index.js": two}) == [(b"src/index.js", 1)]
