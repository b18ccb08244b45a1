"""The tools that are installed here say what they lack in words that are read."""

import os
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from git_retcon.code.diagnostics.build_failures import read_failures
from tests.code.diagnostics.sample import rendered

_RUSTUP = os.environ.get("RUSTUP_HOME") or str(Path("~/.rustup").expanduser())

C = {
    "util.h": "struct store { int size; };\nint one(int a);\n",
    "main.c": (
        '#include "util.h"\nint main(void) {\n    struct store s;\n    s.limit = one(COUNT);\n'
        "    token_t t;\n    return one();\n}\n"
    ),
    "lost.c": '#include "token.h"\n',
}
GO = {
    "go.mod": "module example.com/demo\n\ngo 1.19\n",
    "store/store.go": "package store\n\ntype Store struct{ Size int }\n",
    "main.go": (
        'package main\n\nimport "example.com/demo/store"\n\nfunc main() {\n\ts := store.Store{}\n'
        "\ts.Save()\n\ts.Limit = 1\n\tparse()\n\tvar t store.Token\n\t_ = t\n}\n"
    ),
}
LOST_GO = {
    "go.mod": "module example.com/demo\n\ngo 1.19\n",
    "main.go": 'package main\n\nimport "example.com/demo/gone"\n\nfunc main() { gone.F() }\n',
}
JAVA = {
    "app/Store.java": "package app;\n\npublic class Store {\n    enum Color { RED }\n}\n",
    "app/Main.java": (
        "package app;\n\nimport app.gone.Thing;\n\nclass Main {\n    void f(Store s) {\n"
        "        s.limit();\n        parse();\n        Token t = null;\n"
        "        var c = Store.Color.BLUE;\n        Runnable r = Main::gone;\n    }\n}\n"
    ),
}
KOTLIN = {
    "store.kt": "class Store(val size: Int)\ninterface Saver { fun save() }\n",
    "main.kt": (
        "class Impl : Saver\nfun main() {\n    Store()\n    Store(1).limit()\n    parse()\n"
        "    val t: Token? = null\n}\n"
    ),
}
RUST = {
    "store.rs": "pub struct Store { pub size: u32 }\npub trait Saver { fn save(&self); }\n",
    "main.rs": (
        "mod store;\nimpl store::Saver for store::Store {}\nfn main() {\n"
        "    let s = store::Store { size: 1 };\n    s.limit();\n    s.width;\n    dbg!(s);\n}\n"
    ),
}
LOST_RUST = {"main.rs": "mod gone;\nfn main() {\n    parse();\n}\n"}
NODE = {"store.mjs": "export const V = 1\n", "main.mjs": 'import { W } from "./store.mjs"\n'}
NODE_VALUE = {"main.cjs": "const o = { a: 1 }\no.deep.call()\n"}
NODE_TEST = {
    "store.test.mjs": (
        'import test from "node:test"\nimport assert from "node:assert"\n'
        'test("adds", () => assert.equal(1, 2))\ntest("saves", () => ({}).save())\n'
    )
}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("tool", "files", "command", "expected"),
    [
        (
            "clang",
            C,
            "clang -c main.c",
            ["member main.c:4 limit of store", "undefined main.c:4 COUNT",
             "undefined main.c:5 token_t", "mismatch main.c:6 of one"],
        ),
        ("clang", C, "clang -c lost.c", ["file lost.c:1 <token.h>"]),
        (
            "gcc",
            C,
            "gcc -c main.c",
            ["member main.c:4 limit of store", "undefined main.c:4 COUNT",
             "undefined main.c:5 token_t", "mismatch main.c:6 of one"],
        ),
        (
            "go",
            GO,
            "go build ./...",
            ["member main.go:7 Save of store.Store", "member main.go:8 Limit of store.Store",
             "undefined main.go:9 parse", "undefined main.go:10 Token of store"],
        ),
        ("go", LOST_GO, "go vet ./...", ["file main.go:3 <example.com/demo/gone>"]),
        (
            "javac",
            JAVA,
            "javac -d out app/*.java",
            ["file Main.java:3 <app.gone>", "undefined Main.java:9 Token of Main",
             "member Main.java:7 limit of Store", "undefined Main.java:8 parse of Main",
             "undefined Main.java:10 BLUE of Color", "undefined Main.java:11 gone of Main"],
        ),
        (
            "kotlinc",
            KOTLIN,
            "kotlinc store.kt main.kt -d out",
            ["mismatch main.kt:1 save of Impl", "mismatch main.kt:3 size",
             "undefined main.kt:4 limit", "undefined main.kt:5 parse",
             "undefined main.kt:6 Token"],
        ),
        (
            "rustc",
            RUST,
            f"RUSTUP_HOME={_RUSTUP} rustc --edition 2021 --emit=metadata main.rs",
            ["mismatch main.rs:2 save", "member main.rs:5 limit of Store",
             "member main.rs:6 width of Store", "mismatch main.rs:7 Debug of Store"],
        ),
        (
            "rustc",
            LOST_RUST,
            f"RUSTUP_HOME={_RUSTUP} rustc --edition 2021 --emit=metadata main.rs",
            ["file main.rs:1 <gone>", "undefined main.rs:3 parse"],
        ),
        ("node", NODE, "node main.mjs", ["import main.mjs:1 W of ./store.mjs"]),
        ("node", NODE_VALUE, "node main.cjs", ["member main.cjs:2 deep"]),
        (
            "node",
            NODE_TEST,
            "node --test",
            ["test store.test.mjs:3", "member store.test.mjs:4 save"],
        ),
    ],
)  # fmt: skip
def test_what_is_missing_is_named(
    tmp_path: Path, tool: str, files: Mapping[str, str], command: str, expected: Sequence[str]
) -> None:
    if shutil.which(tool) is None:
        pytest.skip(f"{tool} is not installed")
    for name, text in files.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    done = subprocess.run(
        ["sh", "-c", command],
        cwd=tmp_path,
        env={**os.environ, "GOPROXY": "off", "GOFLAGS": "", "GOCACHE": str(tmp_path / "cache")},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    assert done.returncode != 0
    found = [rendered(each) for each in read_failures(done.stdout)]
    assert [each for each in expected if each not in found] == [], done.stdout.decode()
