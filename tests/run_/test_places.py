"""Places in the words of tools become files and lines of a tree, or are refused."""

from collections.abc import Mapping

import pytest

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Edit, Kind, Severity
from git_retcon.run.places import Finding, Source, Tree, make_remark, place_diagnostics
from git_retcon.show.annotations import make_workflow_command

_FILES = {
    b"src/app.py": b"one\ntwo\nthree\nfour\nfive\nsix\nseven\neight\n",
    b"src/main/java/app/Main.java": b"class Main {}\n",
    b"store/store_test.go": b"package store\n\nx\n",
    b"other/main_test.go": b"package other\n",
    b"more/main_test.go": b"package more\n",
    b"lib/a.c": b"int a;\n",
    b"empty.txt": b"",
    b"a b/c d.py": b"x\n",
}


def _tree(files: Mapping[bytes, bytes] = _FILES, folder: bytes = b"") -> Tree:
    return Tree(frozenset(files), files.__getitem__, (b"/work/tree", b"/private/work/tree"), folder)


def _place(
    path: bytes | None, line: int | None = 1, base: bytes = b"", **fields: object
) -> Finding:
    said = Diagnostic(path, line, "odd", base=base, tool="t", **fields)  # type: ignore[arg-type]
    (found,) = place_diagnostics([said], _tree())
    return found


@pytest.mark.parametrize(
    ("named", "path"),
    [
        (b"src/app.py", b"src/app.py"),
        (b"./src/app.py", b"src/app.py"),
        (b"src/../src/./app.py", b"src/app.py"),
        (b"/work/tree/src/app.py", b"src/app.py"),
        (b"/private/work/tree/src/app.py", b"src/app.py"),
        (b"file:///work/tree/src/app.py", b"src/app.py"),
        (b"/home/runner/work/demo/demo/src/app.py", b"src/app.py"),
        (b"C:\\a\\demo\\src\\app.py", b"src/app.py"),
        (b"src\\app.py", b"src/app.py"),
        (b"a b/c d.py", b"a b/c d.py"),
        (b"store_test.go", b"store/store_test.go"),
        (b"app/Main.java", b"src/main/java/app/Main.java"),
        (b"Main.java", b"src/main/java/app/Main.java"),
    ],
)
def test_the_same_file_in_many_words(named: bytes, path: bytes) -> None:
    assert _place(named).path == path


@pytest.mark.parametrize(
    ("named", "path"),
    [
        (b".tox/py/lib/python3.11/site-packages/demo/app.py", b"src/demo/app.py"),
        (b"/home/ada/.venv/lib/python3.11/site-packages/flat/app.py", b"flat/app.py"),
        (b"/usr/lib/python3/dist-packages/flat/app.py", b"flat/app.py"),
        (b".tox/py/lib/python3.11/site-packages/vendored/app.py", None),
        (b".tox/py/lib/python3.11/site-packages/single.py", None),
        (b".tox/py/lib/python3.11/site-packages/tests/app.py", None),
    ],
)
def test_an_installed_copy_is_the_file_that_it_was_made_from(
    named: bytes, path: bytes | None
) -> None:
    own = (
        b"src/demo/app.py",
        b"flat/app.py",
        b"third/vendored/app.py",
        b"single.py",
        b"tests/app.py",
    )
    tree = _tree(dict.fromkeys(own, b"x\n"))
    (found,) = place_diagnostics([Diagnostic(named, 1, "odd", tool="t")], tree)
    assert found.path == path


_CHAIN = (
    "tests/conftest.py:3: in <module>",
    "    from demo import main",
    ".tox/py/lib/python3.12/site-packages/demo/__init__.py:1: in <module>",
    "    from .app import main",
    ".tox/py/lib/python3.12/site-packages/demo/app.py:2: in <module>",
    "    import nothing",
    "E   ModuleNotFoundError: No module named 'nothing'",
)


@pytest.mark.parametrize(
    ("stack", "place"),
    [
        (_CHAIN, (b"src/demo/app.py", 2)),
        (tuple(line.replace("demo", "other") for line in _CHAIN), (b"tests/conftest.py", 3)),
        # What an installed copy calls in a file of the tree is deeper than the copy.
        ((*_CHAIN[2:4], *_CHAIN[:2]), (b"tests/conftest.py", 3)),
        (
            ('  File "/v/lib/python3.12/site-packages/demo/app.py", line 2, in <module>',),
            (b"src/demo/app.py", 2),
        ),
    ],
)
def test_a_stack_that_ends_in_an_installed_copy_is_followed_there(
    stack: tuple[str, ...], place: tuple[bytes, int]
) -> None:
    files = (b"tests/conftest.py", b"src/demo/__init__.py", b"src/demo/app.py")
    said = Diagnostic(b"tests/conftest.py", 3, "odd", tool="pytest", stack=stack)
    (found,) = place_diagnostics([said], _tree(dict.fromkeys(files, b"x\n" * 5)))
    assert (found.path, found.line) == place


@pytest.mark.parametrize(
    "named",
    [
        b"src/gone.py",
        b"../src/app.py.orig",
        b"/usr/lib/python3.11/src/app.py",
        b"/home/ada/venv/lib/python3.11/site-packages/src/app.py",
        b"/somewhere/app.py",
        b"main_test.go",
        b"gone/app.py",
        b"<string>",
    ],
)
def test_what_is_no_file_of_the_tree_is_refused(named: bytes) -> None:
    found = _place(named)
    assert (found.path, found.line, found.snippet) == (None, None, ())
    assert "is not a file of this tree" in found.refused


@pytest.mark.parametrize(
    ("wanted", "line", "found"),
    [
        (b"./gone.js", None, 3),
        (b"./gone.js", 1, 3),  # where node says that the file begins
        (b"/work/tree/src/gone.js", None, 3),
        (b"./gone.js", 5, 5),  # the tool names a line that asks for it
        (b"one.js", None, None),  # no line does
        (b"./twice.js", None, None),  # two do: which one is not known
        (b"./said.js", 1, 1),  # a text is no import
    ],
)
def test_a_missing_file_is_complained_of_where_it_is_imported(
    wanted: bytes, line: int | None, found: int | None
) -> None:
    text = (
        b"// first\nlog('./said.js');\nimport {gone} from './gone.js';\n"
        b"require('./twice.js'); require('./gone.json')\nlazy('./gone.js');\n"
        b'export * from "./twice.js";\n'
    )
    said = Diagnostic(b"a.js", line, "Cannot find it", wants_file=(wanted,), kind=Kind.FILE)
    (placed,) = place_diagnostics([said], _tree({b"a.js": text}))
    assert placed.line == found


def test_without_a_place_nothing_is_refused() -> None:
    found = _place(None, None)
    assert (found.path, found.refused) == (None, "")


def test_the_directory_that_make_entered() -> None:
    assert _place(b"a.c", base=b"/work/tree/lib").path == b"lib/a.c"
    assert _place(b"main_test.go", base=b"example.com/demo/other").path == b"other/main_test.go"
    assert _place(b"a.c", base=b"lib").path == b"lib/a.c"


def test_the_directory_that_a_step_ran_in() -> None:
    (found,) = place_diagnostics([Diagnostic(b"app.py", 1, "odd")], _tree(folder=b"src"))
    assert found.path == b"src/app.py"


def test_lines_outside_are_refused_and_the_end_of_the_file_is_its_last_line() -> None:
    assert _place(b"src/app.py", 8).line == 8
    assert _place(b"src/app.py", 9).line == 8
    assert _place(b"src/app.py", 10).refused == "src/app.py has no line 10"
    assert _place(b"src/app.py", 0).refused == "src/app.py has no line 0"
    assert _place(b"empty.txt", 1).line == 1


def test_columns_are_within_the_line() -> None:
    assert _place(b"src/app.py", 1, column=2).column == 2
    assert _place(b"src/app.py", 1, column=99).column == 4
    assert _place(b"src/app.py", 1, column=0).column == 1
    assert _place(b"src/app.py", None, column=3).column is None


def test_three_lines_before_and_after() -> None:
    assert _place(b"src/app.py", 5).snippet == tuple(
        Source(number, text)
        for number, text in enumerate(["two", "three", "four", "five", "six", "seven", "eight"], 2)
    )
    assert [each.number for each in _place(b"src/app.py", 1).snippet] == [1, 2, 3, 4]


def test_a_guess_at_a_file_that_does_not_exist_is_dropped() -> None:
    guess = Diagnostic(b"gone.xyz", 1, "odd", tool="generic")
    assert place_diagnostics([guess], _tree()) == ()
    kept = guess._replace(path=b"src/app.py")
    assert [each.path for each in place_diagnostics([kept], _tree())] == [b"src/app.py"]


def test_a_fingerprint_survives_that_lines_move() -> None:
    before = {b"a.py": b"x = 1\nbad()\n"}
    after = {b"a.py": b"import os\n\nx = 1\n    bad()\n"}
    (one,) = place_diagnostics([Diagnostic(b"a.py", 2, "line 2: bad at 0xab12")], _tree(before))
    (two,) = place_diagnostics([Diagnostic(b"a.py", 4, "line 4: bad at 0xcd34")], _tree(after))
    assert one.fingerprint == two.fingerprint


def test_another_message_rule_file_or_line_of_code_is_another_fingerprint() -> None:
    files = {b"a.py": b"bad()\nworse()\nbad()\n", b"b.py": b"bad()\n"}
    said = [
        Diagnostic(b"a.py", 1, "odd"),
        Diagnostic(b"a.py", 1, "other"),
        Diagnostic(b"a.py", 1, "odd", rule="R"),
        Diagnostic(b"a.py", 2, "odd"),
        Diagnostic(b"a.py", 3, "odd"),
        Diagnostic(b"b.py", 1, "odd"),
    ]
    found = place_diagnostics(said, _tree(files))
    assert len({each.fingerprint for each in found}) == len(said)


def test_edits_come_with_paths_of_the_tree_or_not_at_all() -> None:
    edit = Edit(b"/work/tree/src/app.py", 1, 1, 1, 4, "ONE")
    found = _place(b"src/app.py", 1, edits=(edit,))
    assert found.edits == (edit._replace(path=b"src/app.py"),)
    outside = edit._replace(path=b"/etc/passwd")
    assert _place(b"src/app.py", 1, edits=(edit, outside)).edits == ()


def test_a_file_that_cannot_be_read_has_no_lines() -> None:
    def read(path: bytes) -> bytes:
        raise OSError(path)

    (found,) = place_diagnostics([Diagnostic(b"a.py", 3, "odd")], Tree(frozenset({b"a.py"}), read))
    assert found.refused == "a.py has no line 3"


def test_a_finding_is_shown_by_code_hosts() -> None:
    found = _place(b"src/app.py", 2, column=2, rule="R1", severity=Severity.WARNING)
    assert make_workflow_command(make_remark(found)) == (
        "::warning file=src/app.py,line=2,col=2,title=t/R1::odd"
    )
    nowhere = make_workflow_command(make_remark(_place(b"gone.py", 2)))
    assert nowhere == "::error title=t::odd"
    whole = make_workflow_command(make_remark(_place(b"src/app.py", None)))
    assert whole == "::error file=src/app.py,title=t::odd"
    plain = Diagnostic(b"src/app.py", 2, "odd", category=Category.TEST)
    (found,) = place_diagnostics([plain], _tree())
    assert make_remark(found).rule == "test"
