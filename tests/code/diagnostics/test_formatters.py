"""What formatters print, where the step's command says that it is meant so."""

from git_retcon.code.diagnostics.complaints import extract_complaints
from git_retcon.code.diagnostics.formatters import read_diffs, read_lists
from git_retcon.code.diagnostics.step_tools import choose_families
from tests.code.diagnostics.sample import described

_DIFF = "\n".join(
    (
        "diff -u store.go.orig store.go",
        "--- store.go.orig\t2024-01-01 00:00:00",
        "+++ store.go\t2024-01-01 00:00:00",
        "@@ -3,4 +3,4 @@",
        " package store",
        " ",
        "-type  Store struct{}",
        "+type Store struct{}",
        " ",
        "@@ -40 +40 @@",
        "-x:=1",
        "+x := 1",
        "",
    )
)


def test_a_diff_gives_the_first_line_of_each_hunk_that_changes() -> None:
    assert [described(each) for each in read_diffs(_DIFF.split("\n"))] == [
        "store.go:5 error lint formatter: not formatted",
        "store.go:40 error lint formatter: not formatted",
    ]


def test_a_diff_within_a_diff_is_read_too() -> None:
    """``diff -u <(echo -n) <(gofmt -d .)``: Go projects write it so, for its exit status."""
    outer = ["--- /dev/fd/63\t2026-01-01", "+++ /dev/fd/62\t2026-01-01", "@@ -0,0 +1,20 @@"]
    files = [
        line
        for name in ("a.go", "sub/b.go")
        for line in _DIFF.replace("store.go", name).split("\n")[:-1]
    ]
    printed = [*outer, *(f"+{line}" for line in files)]
    found = list(read_diffs(printed))
    assert [(each.path, each.line) for each in found] == [
        (b"a.go", 5), (b"a.go", 40), (b"sub/b.go", 5), (b"sub/b.go", 40),
    ]  # fmt: skip
    assert printed[found[2].first] == "+@@ -3,4 +3,4 @@"


def test_names_alone() -> None:
    lines = ["main.tf", "modules/a b/x.tf", "Formatting is wrong.", "see docs/x.md for more", ""]
    assert [each.path for each in read_lists(lines)] == [b"main.tf", b"modules/a b/x.tf"]


def test_they_are_read_only_where_the_command_calls_for_it() -> None:
    output = _DIFF.encode()
    assert extract_complaints(output) == ()
    for script in (
        "gofmt -d .",
        "git diff --exit-code",
        "black --diff --check .",
        "make x; gofmt -d .",
    ):
        assert len(extract_complaints(output, choose_families(script))) == 2
    listed = b"main.tf\n"
    assert extract_complaints(listed) == ()
    for script in ("terraform fmt -check", "gofmt -l .", "npx prettier --list-different src"):
        assert len(extract_complaints(listed, choose_families(script))) == 1


def test_what_else_a_step_runs_is_read_too() -> None:
    output = b"main.c:3:1: error: expected ';'\n" + _DIFF.encode()
    families = choose_families("make && git diff --exit-code")
    assert [each.tool for each in extract_complaints(output, families)] == [
        "cc",
        "formatter",
        "formatter",
    ]
