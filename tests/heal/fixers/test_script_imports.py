"""Imports of JavaScript and TypeScript, taken out and brought in by lines."""

import pytest

from git_retcon.heal.fixers.script_imports import (
    ScriptImport,
    add_script_import,
    choose_script_import,
    remove_name,
)


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
        ("import fs from 'node:fs';\n", "other", None),
        ("const fs = open('fs');\n", "fs", None),
        ("import 'side-effect';\n", "fs", None),
    ],
)
def test_a_name_goes_and_the_others_of_its_line_stay(
    row: str, name: str, after: str | None
) -> None:
    made = remove_name(f"// first\n{row}rest\n".encode(), name, 2)
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
    assert add_script_import(beside, struct) == beside.replace(b"{b}", b"{b, Struct}")
    behind = b'import fs from "fs"\nimport {a} from "./a.js"\n\nx\n'
    assert add_script_import(behind, struct) == behind.replace(
        b'a.js"\n', b'a.js"\nimport { Struct } from "./struct.js"\n'
    )
    first = b"'use strict';\n// about\n\nf();\n"
    fs = ScriptImport("var", "fs", (), "fs", "'", ";")
    assert add_script_import(first, fs) == (
        b"'use strict';\n// about\n\nvar fs = require('fs');\n\nf();\n"
    )
    assert add_script_import(behind, fs) is None  # a module has no require
