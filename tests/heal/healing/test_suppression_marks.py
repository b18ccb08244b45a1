"""Which lines make a tool pass over what it would complain of."""

import pytest

from git_retcon.heal.healing.suppression_marks import find_mark


@pytest.mark.parametrize(
    "line",
    [
        "//go:build ignore", "//go:build never", "// +build ignore", "@no_type_check",
        "@typing.no_type_check", "if not TYPE_CHECKING:", "# ty: ignore", "x = 1  # pyre-ignore[7]",
        "# pyrefly: ignore", "# yapf: disable", "# autopep8: off", "//lint:ignore SA1000 x",
        "//lint:file-ignore U1000 x", "//revive:disable", "// deno-lint-ignore no-explicit-any",
        "// deno-lint-ignore-file", "/* eslint no-undef: off */", "/* eslint no-undef: 0 */",
        '/* eslint no-undef: "off" */', "/* global foo */", "// $FlowFixMe", "/* c8 ignore next */",
        "/* v8 ignore next */", "#![cfg(any())]", "#[rustfmt::skip]", "#if 0",
        "// cppcheck-suppress x", "// NOPMD", "// CHECKSTYLE:OFF", "//noinspection X",
        "<!-- markdownlint-disable -->", "# yamllint disable", "-- noqa", "// phpcs:ignore",
        "/** @psalm-suppress X */", "// ktlint-disable", '@file:Suppress("x")',
        "// swiftlint:disable x", "-- luacheck: ignore", "# credo:disable-for-this-file",
        "// buf:lint:ignore X", "# tflint-ignore: x", "# nosemgrep", "# NOSONAR",
        "# gitleaks:allow", "# pragma: allowlist secret", "# codespell:ignore", "// cspell:disable",
        "__test__ = False", "collect_ignore = ['x']", "# doctest: +SKIP", "#tfsec:ignore:x",
    ],
)  # fmt: skip
def test_the_mark_of_a_tool_is_found(line: str) -> None:
    assert find_mark(line.encode())
    assert find_mark(b"    " + line.encode() + b"\r")


@pytest.mark.parametrize(
    "line",
    [
        "# newtool: ignore", "# newtool: ignore[E501]", "// newtool:disable rule", "# newtool: off",
        "// newlint-disable-next-line", "# newtool disable=E1", "// newtool:ignore-next-line",
        "-- newtool: skip", "; newtool:off", "/* newfmt-ignore */", "// @newtool:ignore x",
    ],
)  # fmt: skip
def test_the_mark_of_an_unknown_tool_is_found_by_its_form(line: str) -> None:
    assert find_mark(line.encode())


@pytest.mark.parametrize(
    "line",
    [
        "# ignore empty lines here", "// TODO: skip this one", "# note: ignore what is not text",
        "/* disable the button while it loads */", "# the switch is off", "// Default: off",
        "# allow: either of them", "// they skip: the rest", "x -= 1  # off by one",
        "# read the file; ignore the rest", "url = 'https://example.org/#skip'",
        "/// --ignore-file", "#nav-off { color: red }", "# git check-ignore says why",
        "* globals are read once", "#if 01", "# if 0 is given, nothing happens", "y = a - skip",
    ],
)  # fmt: skip
def test_what_people_write_is_no_mark(line: str) -> None:
    assert find_mark(line.encode()) is None
