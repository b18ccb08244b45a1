"""Sets of files, and what their authors asked not to hear."""

import pytest

from git_retcon.allium.language import Severity, check, is_error
from tests.allium.language.specimen import codes, diagnose, read


def test_diagnostics_come_by_file_then_by_place() -> None:
    files = [read('open question "q"\nentity A { b: C }', b"b"), read("entity A { b: C }", b"a")]
    found = check(files)
    assert [(each.file, each.line, each.column) for each in found] == [
        (b"b", 2, 1), (b"b", 3, 15), (b"a", 2, 15),
    ]  # fmt: skip


def test_context_is_not_checked() -> None:
    assert check([read("entity A {}", b"a")], [read("entity A { b: C }", b"b")]) == []


def test_syntax_errors_stand_alone() -> None:
    assert codes("entity A { b: Missing }\nnonsense") == ["parse.error"]


def test_a_wrong_version_is_an_error_and_the_rest_is_checked() -> None:
    document = read("entity A { b: Missing }")
    assert [is_error(found) for found in check([document])] == [True]
    assert check([document])[0].severity is Severity.ERROR


@pytest.mark.parametrize(
    "comment",
    [
        "-- allium-ignore allium.type.undefinedReference",
        "-- allium-ignore all",
        "--allium-ignore allium.x, allium.type.undefinedReference ",
    ],
)
def test_a_comment_above_or_behind_silences_a_code(comment: str) -> None:
    assert codes(f"entity A {{\n    {comment}\n    b: Missing\n}}") == []
    assert codes(f"entity A {{\n    b: Missing {comment}\n}}") == []
    assert codes(f"entity A {{\n    {comment}\n\n    b: Missing\n}}") != []
    assert codes(f"entity A {{\n    b: Missing\n    {comment}\n}}") != []


def test_another_code_is_not_silenced() -> None:
    text = "entity A {\n    -- allium-ignore allium.openQuestion.present\n    b: Missing\n}"
    assert codes(text) == ["type.undefinedReference"]


def test_an_empty_file_is_right() -> None:
    assert diagnose("") == []
