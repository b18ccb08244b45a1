"""What actions say of changed files."""

import pytest

from git_retcon.heal.workflows.changed_paths import (
    CannotTell,
    Change,
    filter_changes,
    list_changes,
)

_CHANGES = [
    Change("A", "src/new.py"),
    Change("M", "src/old.py"),
    Change("D", "docs/gone.md"),
    Change("R", "docs/name.md"),
]


def _filter(filters: str, **inputs: str) -> dict[str, str]:
    return filter_changes({"filters": filters, **inputs}, _CHANGES, {"f.yml": "a: '**'"}.get)


def test_filters_say_which_of_them_match() -> None:
    outputs = _filter(
        """
        shared: &shared [pyproject.toml, 'src/new.*']
        src: [*shared, 'src/**']
        gone:
        - deleted: '**'
        - added|modified: [nothing, 'docs/**']
        other: lib/**
        """
    )
    assert outputs == {
        "shared": "true", "shared_count": "1",
        "src": "true", "src_count": "2",
        "gone": "true", "gone_count": "1",
        "other": "false", "other_count": "0",
        "changes": '["shared","src","gone"]',
    }  # fmt: skip


def test_one_pattern_that_takes_away_matches_all_the_rest() -> None:
    filters = "code: ['**', '!docs/**']"
    assert _filter(filters)["code_count"] == "4"
    assert _filter(filters, **{"predicate-quantifier": "every"})["code_count"] == "2"


def test_filters_may_be_in_a_file_and_names_are_listed() -> None:
    assert _filter("f.yml")["a_count"] == "4"
    listed = {how: _filter("a: src/*", **{"list-files": how})["a_files"] for how in ("json", "csv")}
    assert listed == {"json": '["src/new.py","src/old.py"]', "csv": "src/new.py,src/old.py"}
    assert _filter("a: src/*", **{"list-files": "shell"})["a_files"] == "src/new.py src/old.py"


@pytest.mark.parametrize(
    ("filters", "reason"),
    [
        ("a: '[ab]'", "the pattern '\\[ab\\]' is not understood"),
        ("missing.yml", "no file 'missing.yml'"),
        ("- a\n- b", "no mapping"),
        ("a: 1\n", "no text"),
        ("a: [\n", "its filters"),
    ],
)
def test_what_is_not_understood_is_not_guessed(filters: str, reason: str) -> None:
    with pytest.raises(CannotTell, match=reason):
        _filter(filters)


def test_names_that_formats_quote_are_not_guessed() -> None:
    strange = [Change("A", "a b")]
    with pytest.raises(CannotTell, match="'a b'"):
        filter_changes({"filters": "a: '*'", "list-files": "shell"}, strange, lambda path: None)
    with pytest.raises(CannotTell, match="'a b'"):
        list_changes({}, strange)
    assert filter_changes({"filters": "a: '*'"}, strange, lambda path: None)["a"] == "true"


def test_all_changed_files_are_listed_by_kind() -> None:
    outputs = list_changes({}, _CHANGES)
    assert outputs["all_changed_files"] == "src/new.py src/old.py docs/name.md"
    assert outputs["all_modified_files"] == "src/new.py src/old.py docs/name.md docs/gone.md"
    assert outputs["deleted_files"] == "docs/gone.md"
    assert (outputs["any_added"], outputs["any_deleted"]) == ("true", "true")
    # Without patterns no change is the only kind.
    assert (outputs["any_changed"], outputs["only_changed"]) == ("true", "false")


def test_patterns_choose_and_the_rest_is_told_beside() -> None:
    outputs = list_changes({"files": "src/\n!src/new.py\n"}, _CHANGES)
    assert outputs["all_changed_files"] == "src/old.py"
    assert outputs["other_changed_files"] == "src/new.py docs/name.md"
    assert outputs["only_changed"] == "false"
    outputs = list_changes({"files": "**", "files_ignore": "docs/**"}, _CHANGES)
    assert outputs["all_changed_files"] == "src/new.py src/old.py"
    assert list_changes({"files": "src/**\n**.md"}, _CHANGES)["only_changed"] == "true"
    assert list_changes({"files": "lib/**"}, _CHANGES)["any_changed"] == "false"


def test_lists_may_be_json_or_have_another_separator() -> None:
    asked = {"files": "src/**", "json": "true"}
    assert (
        list_changes(asked, _CHANGES)["all_changed_files"] == '[\\"src/new.py\\",\\"src/old.py\\"]'
    )
    plain = list_changes({**asked, "escape_json": "false"}, _CHANGES)
    assert plain["all_changed_files"] == '["src/new.py","src/old.py"]'
    commas = list_changes({"files": "src/**", "separator": ","}, _CHANGES)
    assert commas["all_changed_files"] == "src/new.py,src/old.py"
