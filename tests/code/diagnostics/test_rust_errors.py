"""What is read from real output of rustc and cargo."""

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.diagnostic import Category
from tests.code.diagnostics.sample import places, told


def test_rustc() -> None:
    assert told("rustc") == [
        "unused a.rs:7 HashMap of std.collections",
        "member a.rs:12 y of P",
        "member a.rs:13 z of P",
        "member a.rs:14 run of P",
        "member a.rs:15 new of P",
        "mismatch a.rs:16 of two",
        "mismatch a.rs:17 of k",
        "member a.rs:18 Third of E",
        "member a.rs:20 w of P",
        "mismatch a.rs:21",
        "member a.rs:22 nope of String",
        "member a.rs:23 a of P",
    ]


def test_rustc_short() -> None:
    assert told("rustc_short") == [
        "unused a.rs:7 HashMap of std.collections",
        "member a.rs:12 y of P",
        "member a.rs:13 z of P",
        "member a.rs:14 run of P",
        "member a.rs:15 new of P",
        "mismatch a.rs:16",
        "mismatch a.rs:17",
        "member a.rs:18 Third of E",
        "member a.rs:20 w of P",
        "mismatch a.rs:21",
        "member a.rs:22 nope of String",
        "member a.rs:23 a of P",
    ]


def test_cargo() -> None:
    assert told("cargo") == [
        "file main.rs:4 <token>",
        "import main.rs:1 missing_one of crate.util",
        "import main.rs:2 also of crate.util",
        "file main.rs:3 serde <serde>",
        "undefined main.rs:19 foo",
        "member util.rs:4 b of T",
        "undefined main.rs:7 Trait",
        "undefined main.rs:16 TokenStore",
        "undefined main.rs:17 MAX",
        "undefined main.rs:20 gone of util",
        "mismatch util.rs:4 a",
        "file main.rs:18 foo <foo>",
        "undefined main.rs:15 parse_token",
    ]


def test_cargo_test() -> None:
    assert told("cargo_test") == [
        "test main.rs:2",
    ]


def test_cargo_traits_and_manifests() -> None:
    assert told("cargo_more") == [
        "mismatch main.rs:3 of save",
        "mismatch main.rs:10 Saver of {integer}",
        "mismatch main.rs:12 of secret",
        "mismatch main.rs:14 of Color",
        "mismatch main.rs:13 Debug of Color",
        "file <other>",
        "file </home/ada/demo/Cargo.toml>",
    ]


def test_every_record_of_clippy() -> None:
    assert places("clippy") == [
        "src/lib.rs:2:9 warning compile rustc/unused_variables: unused variable: `unused`",
        "src/lib.rs:3:5 error lint rustc/clippy::needless_return: unneeded `return` statement",
    ]


def test_every_record_of_zizmor() -> None:
    assert places("zizmor") == [
        ".github/workflows/ci.yml:6:9 warning lint /artipacked: credential persistence through",
        ".github/workflows/ci.yml:3:3 warning lint /excessive-permissions: overly broad permiss",
        ".github/workflows/ci.yml:1:1 error lint /dangerous-triggers: use of fundamentally inse",
        ".github/workflows/ci.yml:7:23 error lint /template-injection: code injection via templ",
        ".github/workflows/ci.yml:6:15 error lint /unpinned-uses: unpinned action reference",
    ]


def test_a_package_that_is_not_there_is_a_dependency() -> None:
    (found,) = extract_complaints(b"error: no matching package named `futures` found\n")
    assert (found.category, found.tool) == (Category.DEPENDENCY, "cargo")


def test_any_program_may_say_error() -> None:
    (found,) = extract_complaints(b"error: the frobnicator is not ready\n")
    assert (found.category, found.tool) == (Category.UNKNOWN, "")


def test_what_is_never_closed_is_where_it_is_opened() -> None:
    """rustc 1.95 names the end of the file; the second of nested.rs it tells by the indent."""
    assert [place.partition(" ")[0] for place in places("rustc_delimiters")] == [
        "open.rs:5", "nested.rs:3:17", "nested.rs:2", "extra.rs:2:13", "extra.rs:4:1",
    ]  # fmt: skip


def test_a_script_of_the_build_that_fails() -> None:
    assert places("cargo_build_script")[1:] == [
        "build.rs:4:49 error runtime rust: no VERSION: Os { code: 2, kind: NotFound"
    ]
