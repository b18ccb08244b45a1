"""Imports of JavaScript and TypeScript, taken out and brought in by lines."""

import pytest

from git_retcon.heal.fixers.script_imports import (
    ScriptImport,
    add_script_import,
    choose_script_import,
    remove_name,
)


def is_relative(module: str) -> bool:
    return module.startswith(".")


@pytest.mark.parametrize(
    ("row", "name", "after"),
    [
        ("import fs from 'node:fs';\n", "fs", ""),
        ("import * as fs from 'node:fs';\n", "fs", ""),
        ("import fs, { join } from 'x';\n", "join", "import fs from 'x';\n"),
        ("import fs, {join} from 'x';\n", "fs", "import {join} from 'x';\n"),
        ("import {readFileSync as broken} from 'node:fs';\n", "broken", ""),
        ('import type { A, B } from "./a"\n', "A", 'import type { B } from "./a"\n'),
        ("const {a: b, c} = require('x');\n", "b", "const {c} = require('x');\n"),
        ("var fs = require('fs')\n", "fs", ""),
        ("var EE = require('events').EventEmitter;\n", "EE", ""),
        ("const tracing = require('./tracing')\n", "tracing", "require('./tracing')\n"),
        ("const {a} = require('../a').b;\n", "a", "require('../a');\n"),
        ("import x from './x';\n", "x", "import './x';\n"),
        ("import x, {y} from './x';\n", "x", "import {y} from './x';\n"),
        ('import type { A } from "./a"\n', "A", ""),
        ("import fs from 'node:fs';\n", "other", None),
        ("const fs = open('fs');\n", "fs", None),
        ("import 'side-effect';\n", "fs", None),
    ],
)
def test_a_name_goes_and_the_others_of_its_line_stay(
    row: str, name: str, after: str | None
) -> None:
    made = remove_name(f"// first\n{row}rest\n".encode(), name, 2, is_relative)
    assert made == (None if after is None else f"// first\n{after}rest\n".encode())


def test_a_name_is_imported_as_most_files_do_and_a_path_is_the_files_own() -> None:
    files = [
        (b"lib/a.js", b"import utils from './utils.js';\nimport path from 'path';\n"),
        (b"lib/deep/b.js", b"import utils from '../utils.js';\n"),
        (b"lib/c.js", b"import utils from 'utils';\n"),
        (b"lib/d.js", b"import {\n  many,\n} from 'x';\n"),
    ]

    def choose(name: str, path: bytes) -> str:
        found = choose_script_import(name, path, files)
        return found.write() if found else ""

    assert choose("utils", b"lib/x.js") == "import utils from './utils.js';"
    assert choose("utils", b"test/x.js") == "import utils from '../lib/utils.js';"
    assert choose("utils", b"lib/utils.js") == "import utils from 'utils';"
    assert choose("path", b"x.js") == "import path from 'path';"
    assert choose("nothing", b"x.js") == ""


def test_an_import_comes_beside_its_like_in_the_words_of_the_file() -> None:
    struct = ScriptImport("import", "", ("Struct",), "./struct.js", "'", ";")
    beside = b'import fs from "fs"\nimport {a} from "./a.js"\nimport {b} from "./struct.js"\n\nx\n'
    assert add_script_import(beside, struct, b"a.js") == beside.replace(b"{b}", b"{b, Struct}")
    behind = b'import fs from "fs"\nimport {a} from "./a.js"\n\nx\n'
    assert add_script_import(behind, struct, b"a.js") == behind.replace(
        b'a.js"\n', b'a.js"\nimport { Struct } from "./struct.js"\n'
    )
    first = b"'use strict';\n// about\n\nf();\n"
    fs = ScriptImport("var", "fs", (), "fs", "'", ";")
    assert add_script_import(first, fs, b"a.js") == (
        b"'use strict';\n// about\n\nvar fs = require('fs');\n\nf();\n"
    )
    assert add_script_import(behind, fs, b"a.js") is None  # a module has no require


@pytest.mark.parametrize(
    ("content", "path", "word", "is_added"),
    [
        (b"f(require ('a'));\n", b"a.js", "import", False),
        (b"module.exports = f;\n", b"a.js", "import", False),
        (b"exports.f = f;\n", b"a.js", "import", False),
        (b"f();\n", b"a.cjs", "import", False),
        (b"f();\n", b"a.js", "import", True),
        (b"// f(require('a'))\n/*\n exports.f = f;\n*/\nf();\n", b"a.ts", "import", True),
        (b"export default f;\n", b"a.js", "const", False),
        (b"import {\n  a,\n} from 'a';\n", b"a.js", "const", False),
        (b"f();\n", b"a.mjs", "const", False),
        (b"f();\n", b"a.mts", "const", False),
        (b"important();\n// x\n//import a\n", b"a.js", "const", True),
    ],
)
def test_a_module_gets_no_require_and_a_commonjs_file_no_import(
    content: bytes, path: bytes, word: str, *, is_added: bool
) -> None:
    fs = ScriptImport(word, "fs", (), "fs", "'", ";")
    assert (add_script_import(content, fs, path) is not None) == is_added


def test_line_ends_of_windows_are_read_and_kept() -> None:
    content = b"'use strict';\r\nimport a from 'a';\r\nimport b from 'b';\r\n\r\nb();\r\n"
    assert remove_name(content, "a", 2, is_relative) == content.replace(
        b"import a from 'a';\r\n", b""
    )
    found = choose_script_import("b", b"x.js", [(b"y.js", content)])
    assert found is not None
    assert add_script_import(b"f();\r\n", found, b"x.js") == (b"import b from 'b';\r\n\r\nf();\r\n")
    mixed = content.replace(b"\r\nb();", b"\nb();")
    assert remove_name(mixed, "a", 2, is_relative) is None
