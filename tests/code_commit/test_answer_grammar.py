"""The grammar of answers: what is understood, what is a fault, and on which line."""

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code_commit.answer_grammar import (
    Answer,
    Body,
    Faulty,
    escape_content,
    parse_answer,
    write_block,
)
from git_retcon.files.untrusted_paths import clean_path
from tests.timing import cpu_ratio


def contents(answer: Answer) -> dict[bytes, bytes | None]:
    return {b.path: None if b.body is None else b.body.content for b in answer.blocks}


def test_files_are_replaced_made_emptied_and_removed() -> None:
    answer = parse_answer(
        b"Commit message: tidy up\n\n^^^src/a.py\none\n\ntwo\n^^^end\nAnd:\n"
        b"^^^empty\n^^^end\n^^^old\n^^^delete\n\n^^^blank\n\n^^^end\n"
    )
    assert contents(answer) == {
        b"src/a.py": b"one\n\ntwo\n",
        b"empty": b"",
        b"old": None,
        b"blank": b"\n",
    }
    assert answer.message == "tidy up"


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        (b"", ["line 1: there is no block"]),
        (b"I cannot do that.\n", ["line 1: there is no block"]),
        (b" ^^^a\n ^^^end\n", ["line 1: there is no block"]),
        (b"hm\n^^^a\nx\n", ["line 2: this block is not terminated"]),
        (b"^^^a\nx\n ^^^end\n", ["line 1: this block is not terminated"]),
        (b"^^^a\nx\n^^^b\ny\n^^^end\n", ["line 3: a fence in the block of line 1"]),
        (b"^^^\nx\n^^^end\n", ["line 1: '^^^' without the name of a file"]),
        (b"^^^  \t\nx\n^^^end\n", ["line 1: '^^^' without the name of a file"]),
        (b"^^^a\n^^^delete now\n", ["line 2: text after '^^^delete' on its line"]),
        (b"^^^a\n^^^delete\nx\n^^^end\n",
         ["line 3: text after '^^^delete', which", "line 4: '^^^end' without an open block"]),
        (b"^^^a\n^^^delete\n\nbye\n", ["line 4: text after '^^^delete', which ends its block"]),
        (b"^^^a\nx\n^^^delete\n", ["line 3: '^^^delete' after text in the same block"]),
        (b"^^^a\n^^^end now\n", ["line 2: text after '^^^end' on its line"]),
        (b"^^^end\n", ["line 1: '^^^end' without an open block"]),
        (b"^^^delete\n", ["line 1: '^^^delete' without an open block"]),
        (b"^^^a\n1\n^^^end\n^^^a\n^^^delete\n", ["line 4: 'a' has a different block on line 1"]),
        (b"^^^a\n1\n^^^end\n^^^./a\n2\n^^^end\n", ["line 4: 'a' has a different block on line 1"]),
        (b"^^^../a\n^^^end\n^^^/b\n^^^end\n",
         ["line 1: '../a': path traversal", "line 3: '/b': absolute paths"]),
    ],
)  # fmt: skip
def test_each_fault_is_reported_with_its_line(text: bytes, faults: list[str]) -> None:
    with pytest.raises(Faulty) as caught:
        parse_answer(text)
    told = [str(fault) for fault in caught.value.faults]
    assert len(told) == len(faults), told
    for said, expected in zip(told, faults, strict=True):
        assert said.startswith(expected)


def test_a_name_is_reported_with_what_does_not_show_in_it() -> None:
    with pytest.raises(Faulty, match=r"line 1: 'a\\u202e\\x1b\\tb': .* invisible"):
        parse_answer("^^^a\u202e\x1b\tb\n^^^end\n".encode())


def test_the_same_block_twice_is_one() -> None:
    assert contents(parse_answer(b"^^^a\n1\n^^^end\n^^^./a\n1\n^^^end\n")) == {b"a": b"1\n"}


def test_blanks_behind_a_fence_and_a_missing_last_newline_do_not_count() -> None:
    assert contents(parse_answer(b"\xef\xbb\xbf^^^ a \t\nx \n^^^end \r\n^^^b\n^^^delete\t")) == {
        b"a": b"x \n",
        b"b": None,
    }


def test_a_line_that_is_a_fence_is_written_with_a_backslash() -> None:
    text = b"^^^a\n\\^^^end\n\\\\^^^end\n \\^^^\nx\\^^^end\n\\ ^^^\n^^^end\n"
    body = b"^^^end\n\\^^^end\n \\^^^\nx\\^^^end\n\\ ^^^\n"
    assert contents(parse_answer(text)) == {b"a": body}
    assert escape_content(body) == b"\\^^^end\n\\\\^^^end\n \\^^^\nx\\^^^end\n\\ ^^^\n"


def test_files_called_end_and_delete_can_be_written() -> None:
    assert contents(parse_answer(b"^^^./end\nx\n^^^end\n^^^./delete\n^^^delete\n")) == {
        b"end": b"x\n",
        b"delete": None,
    }


def test_carriage_returns_are_kept_and_those_of_the_fence_are_noted() -> None:
    (one, two) = parse_answer(b"^^^a\r\nx\r\n^^^end\r\n^^^b\nx\r\ny\n^^^end\n").blocks
    assert (one.body, two.body) == (Body(b"x\r\n", crlf=True), Body(b"x\r\ny\n"))


@pytest.mark.parametrize(
    "text",
    [
        b"```\n^^^a.py\nx = 1\n^^^end\n```\n",
        b"^^^a.py\n```python\nx = 1\n```\n^^^end\n",
        b"^^^a.py\n~~~~ py\nx = 1\n~~~~\n^^^end\n",
        b"```text\n^^^a.py\n```python\nx = 1\n```\n^^^end\n```\n",
    ],
)
def test_markdown_fences_around_blocks_and_bodies_are_no_content(text: bytes) -> None:
    assert contents(parse_answer(text)) == {b"a.py": b"x = 1\n"}


def test_a_markdown_fence_behind_a_deletion_is_no_text() -> None:
    assert contents(parse_answer(b"```\n^^^a\n^^^delete\n```\n")) == {b"a": None}


def test_fences_that_belong_to_a_markdown_file_stay() -> None:
    body = b"```sh\nmake\n```\n"
    assert contents(parse_answer(b"^^^a.md\n" + body + b"^^^end\n")) == {b"a.md": body}
    whole = b"^^^a.md\n```markdown\n# T\n```sh\nmake\n```\n```\n^^^end\n"
    assert contents(parse_answer(whole)) == {b"a.md": b"# T\n```sh\nmake\n```\n"}


def test_fences_that_do_not_go_around_everything_stay() -> None:
    for body in (b"```\nx\n```\ny\n", b"x\n```\ny\n```\n", b"````\nx\n```\n", b"```\n"):
        assert contents(parse_answer(b"^^^a.py\n" + body + b"^^^end\n")) == {b"a.py": body}


fragments = st.sampled_from(
    [b"^^^", b"^^^end", b"^^^delete", b"^^^a", b"^^^b/c", b"^^^../x", b"\\", b"```", b"~~~", b"\n",
     b"\r\n", b"x", b" ", b"\0", b"\xff", "ä".encode(), b"^^^.git/config", b"`````", b"````py",
     b"```markdown\n", b"\n```\n"]
)  # fmt: skip
bodies = st.lists(fragments, max_size=12).map(b"".join)


@given(st.lists(fragments, max_size=30).map(b"".join) | st.binary(max_size=200))
def test_any_bytes_are_an_answer_or_faults_with_their_lines(text: bytes) -> None:
    try:
        answer = parse_answer(text)
    except Faulty as faulty:
        assert faulty.faults
        assert all(
            1 <= fault.line <= text.count(b"\n") + 1 and fault.why for fault in faulty.faults
        )
    else:
        assert answer.blocks
        assert len({block.path for block in answer.blocks}) == len(answer.blocks)
        assert all(clean_path(block.path) == block.path for block in answer.blocks)


@given(
    st.sampled_from([b"a.py", b"b/readme.md", b"end", b"delete", b" a", b"\xcc\x88"]),
    st.none() | bodies | st.binary(max_size=80),
)
def test_what_is_written_is_read_back(path: bytes, content: bytes | None) -> None:
    text = b"Said before.\n" + write_block(path, content)
    expected = content
    if content and not content.endswith(b"\n"):
        expected = content + b"\n"
    assert contents(parse_answer(text)) == {path: expected}


@given(bodies)
def test_cutting_an_answer_short_never_makes_another_one(content: bytes) -> None:
    whole = write_block(b"a", content)
    for length in range(len(whole) - len(b"end\n")):
        with pytest.raises(Faulty):
            parse_answer(whole[:length])


@pytest.mark.parametrize(
    ("start", "repeated", "end"),
    [(b"```", b" ", b"!"), (b"Commit message: x", b" ", b"x"), (b"```", b"a", b"!"),
     (b"", b"\\", b""), (b"", b"^", b""), (b"", b"`", b"x")],
)  # fmt: skip
def test_a_long_line_is_read_in_linear_time(start: bytes, repeated: bytes, end: bytes) -> None:
    def read_line(size: int) -> None:
        line = start + repeated * size + end
        text = line + b"\n^^^a.py\n" + line.lstrip(b"^") + b"\n```\n^^^end\n^^^b\n^^^delete\n"
        within = b"^^^a.py\n```\n" + line + b"\n^^^end\n"
        for answer in (text, text + line, within):
            with contextlib.suppress(Faulty):
                parse_answer(answer)

    assert cpu_ratio(lambda: read_line(20_000), lambda: read_line(320_000)) < 40
