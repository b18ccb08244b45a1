"""Names that were meant, and those that nobody can know."""

import pytest

from git_retcon.code.diagnostics.diagnostic import Diagnostic, Kind
from git_retcon.heal.engine import Item
from git_retcon.heal.fixers.import_languages import Sources, choose_language
from git_retcon.heal.fixers.module_aliases import ProjectFiles
from git_retcon.heal.fixers.name_fixes import add_imports, replace_names
from git_retcon.heal.found_errors import FoundError
from git_retcon.run.places import Finding


def item(
    name: str,
    line: int,
    suggestion: str = "",
    path: bytes = b"a.py",
    kind: Kind = Kind.UNDEFINED,
) -> Item:
    said = Diagnostic(path, line, "x", missing=(name,), kind=kind, suggestion=suggestion)
    return Item(path, (FoundError(Finding(said, path, line, None, (), (), "", ""), b"", "", ""),))


@pytest.mark.parametrize(
    ("wrong", "suggestion", "after"),
    [
        ("resul", "", b"result = 1\nprint(result, ourresulting)\n"),
        ("resul", "total", b"result = 1\nprint(total, ourresulting)\n"),
        ("zzzz", "", None),
    ],
)
def test_the_nearest_name_of_the_file_or_the_one_that_the_tool_means(
    wrong: str, suggestion: str, after: bytes | None
) -> None:
    content = f"result = 1\nprint({wrong}, ourresulting)\n".encode()
    assert replace_names(item(wrong, 2, suggestion), content, lambda name: False) == after


def test_two_names_as_near_are_no_answer() -> None:
    assert replace_names(item("val", 3), b"vala = 1\nvalb = 2\nval\n", lambda name: False) is None


@pytest.mark.parametrize(
    ("path", "row", "after"),
    [
        (b"a.py", 'print("nme \\" nme", nme)  # nme', 'print("nme \\" nme", name)  # nme'),
        (b"a.py", """print(f"nme {nme!r} {{nme}} {x['nme']}")""",
         """print(f"nme {name!r} {{nme}} {x['nme']}")"""),
        (b"a.js", "say(`nme é ${nme}`, 'nme', nme) // nme",
         "say(`nme é ${name}`, 'nme', name) // nme"),
        (b"a.py", '"""nme', None),
        (b"a.go", "`\nnme`", None),
        (b"a.txt", '"nme"', '"name"'),
    ],
)  # fmt: skip
def test_without_a_column_strings_and_comments_keep_their_words(
    path: bytes, row: str, after: str | None
) -> None:
    number = 1 + len(row.split("\n"))
    made = replace_names(item("nme", number, "name", path), f"x\n{row}\n".encode(), lambda _: False)
    assert made == (f"x\n{after}\n".encode() if after else None)


def test_for_a_name_that_is_there_no_other_file_is_read() -> None:
    asked: list[str] = []

    def is_importable(name: str) -> bool:
        asked.append(name)
        return False

    unused = item("result", 1, kind=Kind.UNUSED)
    assert replace_names(unused, b"import result\nresults = 1\n", is_importable) is None
    assert asked == []


def test_what_can_be_imported_is_imported_and_not_renamed() -> None:
    content = b"x = os\nost = 1\n"
    assert replace_names(item("os", 1), content, lambda name: True) is None
    sources = Sources(b"a.py", list, ProjectFiles(frozenset, lambda _: None))
    python = choose_language(b"a.py")
    assert python is not None

    def add(made: bytes, name: str) -> bytes | None:
        adding = python.find_adding(name, sources)
        return adding(made) if adding else None

    assert add_imports(item("os", 1), content, add) == b"import os\n\nx = os\nost = 1\n"
