"""The table of fixers is whole: each looks and fixes with the same program, and has a user."""

from git_retcon.heal.fixers.tool_fixers import exchange_words
from git_retcon.heal.fixers.tool_table import LAYOUT_FIXERS, TOOL_FIXERS


def test_each_fixer_fixes_with_the_program_that_looks() -> None:
    assert [one.name for one in TOOL_FIXERS if one.calls[0] != one.fix[0]] == []
    assert [one.name for one in TOOL_FIXERS if not one.reports] == []
    assert [one.name for one in TOOL_FIXERS if not (one.endings or one.whole)] == []


def test_no_option_that_only_looks_is_left_in_a_call_that_fixes() -> None:
    for fixer in TOOL_FIXERS:
        looks = [*fixer.calls, *fixer.drop, *(f"{name}=x" for name in fixer.drop_with_value)]
        assert exchange_words([*looks, "src"], fixer) == (*fixer.fix, "src"), fixer.name


def test_what_lays_out_writes_whatever_it_was_asked_to_look_at() -> None:
    by_name = {one.name: one for one in TOOL_FIXERS}
    for name, look in (
        ("ruff format", "--diff"), ("black", "--check"), ("isort", "--check-only"),
        ("prettier --write", "-l"), ("gofmt -w", "-d"), ("cargo fmt", "--check"),
        ("rustfmt", "--check"), ("shfmt -w", "-d"), ("clang-format -i", "--dry-run"),
    ):  # fmt: skip
        fixer = by_name[name]
        assert exchange_words([*fixer.calls, look, "."], fixer) == (*fixer.fix, "."), name


def test_what_lays_out_is_a_fixer() -> None:
    assert {one.name for one in TOOL_FIXERS} >= LAYOUT_FIXERS
