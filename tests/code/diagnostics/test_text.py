"""Output becomes lines of text that are cheap to read."""

from git_retcon.code.diagnostics.text import split_output, strip_prefixes


def test_a_line_is_cut_at_a_thousand_characters() -> None:
    assert [len(line) for line in split_output(b"x" * 5000 + b"\ny")] == [1000, 1]


def test_head_and_tail_of_a_long_output_are_kept() -> None:
    lines = split_output(b"first\n" + b"x\n" * 2_000_000 + b"last")
    assert (lines[0], lines[-1]) == ("first", "last")
    assert len(lines) < 1_100_000


def test_colours_and_carriage_returns_are_gone() -> None:
    assert split_output(b"\x1b[1;31ma\x1b[0m\r\nb\rc\x1b]8;;x\x07") == ["a", "b", "c"]


def test_any_bytes_differ_from_others() -> None:
    (line,) = split_output(b"\xff.c")
    assert line.encode("utf-8", "surrogateescape") == b"\xff.c"


def test_the_task_of_ant_is_no_part_of_what_its_tool_says() -> None:
    printed = ["compile:", "    [javac] A.java:1: error: gone", "    [javac]   symbol: class B"]
    assert strip_prefixes(printed) == ["compile:", "A.java:1: error: gone", "  symbol: class B"]


def test_what_an_installer_quotes_is_read_as_its_own_tool_printed_it() -> None:
    printed = [
        "  ╰─> [2 lines of output]",
        "      a.c:1: error: x",
        "       ^",
        "      [end of output]",
    ]
    assert strip_prefixes([*printed, "  note: see", "      a.c:2: error: y"]) == [
        "  ╰─> [2 lines of output]", "a.c:1: error: x", " ^", "[end of output]", "  note: see",
        "      a.c:2: error: y",
    ]  # fmt: skip
    printed = ["    [stdout]", "    made", "", "    [stderr]", "    a.c:1: error: x", "hint: no"]
    assert strip_prefixes(printed) == [
        "    [stdout]", "made", "", "[stderr]", "a.c:1: error: x", "hint: no",
    ]  # fmt: skip


def test_a_name_in_brackets_elsewhere_is_kept() -> None:
    assert strip_prefixes(["[javac] A.java:1: error: gone"]) == ["[javac] A.java:1: error: gone"]
