"""Byte offsets to lines and columns."""

from git_retcon.allium.language.source import Source


def test_lines_and_columns_count_from_one() -> None:
    source = Source(b"ab\ncd\n")
    assert [source.position(offset) for offset in (0, 1, 2, 3, 4, 6)] == [
        (1, 1), (1, 2), (1, 3), (2, 1), (2, 2), (3, 1),
    ]  # fmt: skip


def test_columns_count_characters_and_a_tab_is_one() -> None:
    data = "\té x".encode()
    assert Source(data).position(data.index(b"x")) == (1, 4)


def test_a_lone_carriage_return_ends_no_line() -> None:
    assert Source(b"a\rb\nc").position(2) == (1, 3)


def test_an_empty_file_has_one_line() -> None:
    assert Source(b"").position(0) == (1, 1)


def test_a_line_comes_with_its_end() -> None:
    source = Source(b"a\n\nbc\r\nd")
    assert [source.read_line(number) for number in (1, 2, 3, 4)] == [b"a\n", b"\n", b"bc\r\n", b"d"]
    assert Source(b"").read_line(1) == b""
