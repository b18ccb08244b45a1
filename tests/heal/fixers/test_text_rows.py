"""Rows of files, whose line ends stay what they were."""

from git_retcon.heal.fixers.text_rows import read_rows, read_text, write_rows


def test_rows_come_back_with_the_line_ends_of_their_file() -> None:
    for content in (b"", b"a", b"a\nb\n", b"a\r\nb\r\n", b"\xff\r\n"):
        assert write_rows(read_rows(content), content) == content
    assert read_rows(b"a\r\nb") == ["a", "b"]
    assert read_text(b"a\r\nb\n") == "a\nb\n"


def test_a_file_of_mixed_line_ends_is_not_written() -> None:
    assert write_rows(["a", "b", ""], b"a\r\nb\n") is None
