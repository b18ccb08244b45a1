"""The same promises where other tools than Python's complain. Each runs where its tool is."""

import os
import shutil
import sys
from pathlib import Path

import pytest

from tests.retcon.repair.trials import Bench, Make

pytestmark = pytest.mark.slow


def needs(tool: str) -> pytest.MarkDecorator:
    """Skip where a tool is not installed."""
    return pytest.mark.skipif(shutil.which(tool) is None, reason=f"{tool} is not installed")


def of(bench: Bench, *paths: str) -> frozenset[str]:
    """All atoms of some files."""
    return frozenset(atom.id for atom in bench.difference.atoms if atom.path.decode() in paths)


# rustup finds its toolchains by HOME, which tests do not share with the machine.
_RUSTUP = os.environ.get("RUSTUP_HOME") or str(Path("~/.rustup").expanduser())
RUSTC = f"RUSTUP_HOME={_RUSTUP} rustc --edition 2021 --emit=metadata --out-dir out src/main.rs"
JAVAC = "javac -d out $(find src -name '*.java')"
MAIN = "mod util;\n\nfn main() {\n    util::start();\n}\n"


@needs("rustc")
def test_rust_a_module_comes_with_its_file_and_its_needs(bench: Make) -> None:
    built = bench(
        {"src/main.rs": MAIN, "src/util.rs": "pub fn start() {}\n"},
        {
            "src/main.rs": (
                "mod util;\nmod token;\n\nfn main() {\n    util::start();\n    token::parse();\n}\n"
            ),
            "src/token.rs": "use crate::util::split;\n\npub fn parse() {\n    split();\n}\n",
            "src/util.rs": "pub fn start() {}\n\npub fn split() {}\n\npub fn other() {}\n",
        },
        RUSTC,
    )
    answer = built.repair(of(built, "src/main.rs"))
    assert answer.atoms == of(built, "src/token.rs") | built.holding("pub fn split")
    assert answer.after is None


@needs("rustc")
def test_rust_a_field_is_found_in_its_own_struct(bench: Make) -> None:
    before = (
        "pub struct Store {\n    pub size: u32,\n}\n\npub struct Other {\n    pub size: u32,\n}\n"
    )
    after = before.replace("size: u32,\n", "size: u32,\n    pub limit: u32,\n")
    built = bench(
        {"src/main.rs": MAIN, "src/util.rs": before + "\npub fn start() {}\n"},
        {
            "src/main.rs": MAIN.replace(
                "start();", "start();\n    let s = util::Store { size: 1, limit: 2 };\n    s.limit;"
            ),
            "src/util.rs": after + "\npub fn start() {}\n",
        },
        RUSTC,
    )
    answer = built.repair(of(built, "src/main.rs"))
    assert len(answer.atoms) == 1
    (atom,) = answer.atoms
    assert built.difference[atom].old.start == 2
    assert answer.progress.what == "add limit from src/util.rs"
    assert answer.after is None


@needs("cargo")
def test_cargo_a_dependency_comes_with_its_manifest_line_and_its_crate(bench: Make) -> None:
    manifest = '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n'
    built = bench(
        {"Cargo.toml": manifest, "src/main.rs": "fn main() {\n}\n", "NEWS": "1\n"},
        {
            "Cargo.toml": manifest + '\n[dependencies]\nclock = { path = "clock" }\n',
            "src/main.rs": "fn main() {\n    clock::tick();\n}\n",
            "clock/Cargo.toml": manifest.replace("demo", "clock"),
            "clock/src/lib.rs": "pub fn tick() {}\n",
            "NEWS": "2\n",
        },
        f"RUSTUP_HOME={_RUSTUP} cargo check --quiet --offline",
    )
    taken = of(built, "src/main.rs")
    for attempt in range(1, 5):
        answer = built.repair(taken, attempt=attempt)
        taken |= answer.atoms
        if answer.after is None:
            break
    assert built.trial(taken).outcome(taken) is None
    assert not taken & of(built, "NEWS")


@needs("javac")
def test_java_a_class_and_a_method_that_it_calls_elsewhere(bench: Make) -> None:
    built = bench(
        {
            "src/app/Main.java": "package app;\n\npublic class Main {\n}\n",
            "src/app/Session.java": "package app;\n\npublic class Session {\n    int id;\n}\n",
        },
        {
            "src/app/Main.java": (
                "package app;\n\npublic class Main {\n    TokenStore store = new TokenStore();\n}\n"
            ),
            "src/app/Session.java": (
                "package app;\n\npublic class Session {\n    int id;\n"
                "    int next() {\n        return id + 1;\n    }\n}\n"
            ),
            "src/app/TokenStore.java": (
                "package app;\n\nclass TokenStore {\n    int n = new Session().next();\n}\n"
            ),
            "src/app/Noise.java": "package app;\n\nclass Noise {\n}\n",
        },
        JAVAC,
    )
    taken = of(built, "src/app/Main.java")
    first = built.repair(taken)
    assert first.progress.what.startswith("add TokenStore")
    assert of(built, "src/app/TokenStore.java") <= first.atoms
    if first.after is not None:
        first = built.repair(taken | first.atoms, attempt=2)
    assert not first.atoms & of(built, "src/app/Noise.java")
    assert first.after is None


@needs("javac")
def test_java_a_constant_is_found_in_its_own_enumeration(bench: Make) -> None:
    before = "package app;\n\nenum {} {{\n    RED,\n}}\n"
    after = "package app;\n\nenum {} {{\n    RED,\n    BLUE,\n}}\n"
    main = "package app;\n\nclass Main {{\n    Object seen = Shade.{};\n}}\n"
    built = bench(
        {
            "src/app/Main.java": main.format("RED"),
            "src/app/Shade.java": before.format("Shade"),
            "src/app/Hue.java": before.format("Hue"),
        },
        {
            "src/app/Main.java": main.format("BLUE"),
            "src/app/Shade.java": after.format("Shade"),
            "src/app/Hue.java": after.format("Hue"),
        },
        JAVAC,
    )
    answer = built.repair(of(built, "src/app/Main.java"))
    assert answer.atoms == of(built, "src/app/Shade.java")
    assert len(answer.trial.made) == 1
    assert answer.after is None


@needs("node")
def test_javascript_an_export_and_a_module(bench: Make) -> None:
    built = bench(
        {"main.mjs": "import './util.mjs';\n", "util.mjs": "export const one = 1;\n"},
        {
            "main.mjs": (
                "import { two } from './util.mjs';\nimport three from './three.mjs';\n"
                "two + three;\n"
            ),
            "util.mjs": "export const one = 1;\nexport const two = 2;\nexport const four = 4;\n",
            "three.mjs": "export default 3;\n",
        },
        "node main.mjs",
    )
    taken = of(built, "main.mjs")
    for attempt in (1, 2):
        answer = built.repair(taken, attempt=attempt)
        assert not answer.atoms & built.holding("four")
        taken |= answer.atoms
        if answer.after is None:
            break
    assert built.trial(taken).outcome(taken) is None


@needs("make")
@needs("gcc")
def test_make_the_line_of_the_build_that_lists_a_source(bench: Make) -> None:
    makefile = "SOURCES = main.c\n\nall:\n\tgcc -o main $(SOURCES)\n"
    built = bench(
        {"Makefile": makefile, "main.c": "int main(void) {\n    return 0;\n}\n"},
        {
            "Makefile": makefile.replace("main.c\n", "main.c token.c\n"),
            "main.c": "int token(void);\nint main(void) {\n    return token();\n}\n",
            "token.c": "int token(void) {\n    return 0;\n}\n",
            "README": "words\n",
        },
        "make",
    )
    answer = built.repair(of(built, "main.c", "token.c"))
    assert answer.atoms == of(built, "Makefile")
    assert answer.after is None


@needs("gcc")
def test_a_header_renamed_too_early_takes_its_includes_along(bench: Make) -> None:
    header = "int token_of(int n);\nint token_max(int n);\nint token_min(int n);\n"
    built = bench(
        {
            "old.h": header,
            "a.c": '#include "old.h"\nint a(void) {\n    return 1;\n}\n',
            "b.c": "\n",
        },
        {
            "old.h": None,
            "new.h": header,
            "a.c": '#include "new.h"\nint a(void) {\n    return 1;\n}\n',
            "b.c": "int b(void) {\n    return 2;\n}\n",
        },
        "gcc -c a.c",
    )
    answer = built.repair(of(built, "new.h"))
    assert answer.atoms == of(built, "a.c")
    assert answer.progress.what == "add changes from a.c"
    assert answer.after is None


@needs("gcc")
def test_a_definition_that_moved_leaves_its_old_place(bench: Make) -> None:
    helper = "int helper(void) {\n    return 0;\n}\n"
    built = bench(
        {"main.c": helper + "int main(void) {\n    return helper();\n}\n", "util.c": "int u;\n"},
        {
            "main.c": "int helper(void);\nint main(void) {\n    return helper();\n}\n",
            "util.c": "int u;\n" + helper,
            "noise.c": "int noise;\n",
        },
        "gcc -o main main.c util.c",
    )
    answer = built.repair(of(built, "util.c"))
    assert b"multiple definition" in answer.failure.output
    assert answer.atoms == of(built, "main.c")
    assert answer.after is None


def test_a_linter_that_sees_an_unused_import_gets_its_use(bench: Make) -> None:
    built = bench(
        {"m.py": "A = 1\n", "n.py": "N = 1\n"},
        {"m.py": "import os\n\nA = 1\nB = os.sep\nC = 3\n", "n.py": "N = 2\n"},
        f"{sys.executable} -m ruff check --isolated --no-cache --select F .",
    )
    answer = built.repair(built.holding("import os"))
    assert b"F401" in answer.failure.output
    assert answer.atoms == built.holding("os.sep")
    # Read from the message, not found by trying this and that.
    (atom,) = answer.atoms
    assert answer.progress.choice.reasons[atom].why == "the build named what it lacks"
    assert answer.trial.made == [answer.atoms]
    assert answer.progress.what == "add B from m.py"
    assert answer.after is None


def test_modules_that_import_each_other_come_together(bench: Make) -> None:
    built = bench(
        {"store.py": "import sys\n", "session.py": "import sys\n", "check.py": "import store\n"},
        {
            "store.py": (
                "import sys\nimport session\n\n\n"
                "def store(n):\n    return session.session(n - 1) if n else 0\n\n\n"
                "def s2():\n    pass\n"
            ),
            "session.py": (
                "import sys\nimport store\n\n\n"
                "def session(n):\n    return store.store(n - 1) if n else 0\n"
            ),
            "check.py": "import store\nstore.store(4)\n",
        },
        f"{sys.executable} -B check.py",
    )
    planned = dict.fromkeys(of(built, "session.py"), 3)
    answer = built.repair(of(built, "check.py"), planned=planned)
    assert answer.after is None
    assert not answer.atoms & built.holding("def s2")
    reasons = answer.progress.choice.reasons
    assert all("planned for commit 4" in reasons[atom].why for atom in of(built, "session.py"))
