"""What steps hand on through files, read as GitHub's runner reads it."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.execution.command_files import BadCommandFile, CommandFiles, read_pairs


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("a=b\nc=d=e\n\n", [("a", "b"), ("c", "d=e")]),
        ("a=\n", [("a", "")]),
        ("a<<X\none\ntwo\nX\nb=1", [("a", "one\ntwo"), ("b", "1")]),
        ("a<<X\nX\n", [("a", "")]),
        ("a=x<<y\n", [("a", "x<<y")]),
        ("a<<X=\nv\nX=\n", [("a", "v")]),
        ("a=b\r\nc<<E\r\nx\r\nE\r\n", [("a", "b"), ("c", "x")]),
    ],
)
def test_names_and_values(text: str, pairs: list[tuple[str, str]]) -> None:
    assert list(read_pairs(text)) == pairs


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("just words", "Invalid format 'just words'"),
        ("=x", "Invalid format '=x'. Name must not be empty"),
        ("a<<\nx\n", "Invalid format 'a<<'. Delimiter must not be empty"),
        ("a<<X\nnever ends\n", "Invalid value. Matching delimiter not found 'X'"),
    ],
)
def test_what_github_refuses(text: str, message: str) -> None:
    with pytest.raises(BadCommandFile) as refusal:
        list(read_pairs(text))
    assert str(refusal.value) == message


@given(st.text(st.characters(exclude_characters="\r", codec="utf-8")))
def test_any_value_comes_back_from_between_two_words(value: str) -> None:
    word = "word" + "x" * len(value)
    assert list(read_pairs(f"name<<{word}\n{value}\n{word}\n")) == [("name", value)]


def test_a_step_may_not_speak_for_the_runner(tmp_path: Path) -> None:
    files = CommandFiles(tmp_path / "files")
    names = files.make()
    assert sorted(names) == [
        "GITHUB_ENV", "GITHUB_OUTPUT", "GITHUB_PATH", "GITHUB_STATE", "GITHUB_STEP_SUMMARY",
    ]  # fmt: skip
    Path(names["GITHUB_ENV"]).write_text("A=1\nGITHUB_TOKEN=x\nrunner_os=x\n")
    Path(names["GITHUB_PATH"]).write_text("/a\n\n/b\n")
    assert files.read_variables() == {"A": "1"}
    assert files.read_paths() == ["/a", "/b"]
    Path(names["GITHUB_ENV"]).write_text("NODE_OPTIONS=--require x\n")
    with pytest.raises(BadCommandFile, match="NODE_OPTIONS"):
        files.read_variables()


def test_a_file_that_the_step_removed_says_nothing(tmp_path: Path) -> None:
    files = CommandFiles(tmp_path / "files")
    Path(files.make()["GITHUB_OUTPUT"]).unlink()
    assert files.read_outputs() == {}


def test_a_file_is_read_up_to_a_limit(tmp_path: Path) -> None:
    files = CommandFiles(tmp_path / "files")
    path = Path(files.make()["GITHUB_OUTPUT"])
    path.write_bytes(b"a=".ljust(16 << 20, b"1"))
    assert files.read_outputs().keys() == {"a"}
    with path.open("ab") as file:
        file.write(b"\n")
    with pytest.raises(BadCommandFile, match="larger than 16 MiB"):
        files.read_outputs()


def replace_with_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def replace_with_link(path: Path) -> None:
    path.unlink()
    path.symlink_to("/etc/hostname")


def replace_with_linked_folder(path: Path) -> None:
    path.parent.rename(path.parent.with_name("away"))
    path.parent.symlink_to("away")


@pytest.mark.parametrize(
    ("replace", "why"),
    [
        (replace_with_pipe, "$GITHUB_OUTPUT cannot be read: it is no regular file"),
        (replace_with_link, "$GITHUB_OUTPUT cannot be read: it is a symbolic link"),
        (replace_with_linked_folder, "$GITHUB_OUTPUT cannot be read: 'files' is a symbolic link"),
    ],
)
def test_what_a_step_puts_in_the_place_of_a_file_is_refused(
    tmp_path: Path, replace: Callable[[Path], None], why: str
) -> None:
    files = CommandFiles(tmp_path / "files")
    replace(Path(files.make()["GITHUB_OUTPUT"]))
    with pytest.raises(BadCommandFile) as refusal:
        files.read_outputs()
    assert str(refusal.value) == why


def test_a_file_that_a_step_removed_or_made_a_folder_says_nothing(tmp_path: Path) -> None:
    files = CommandFiles(tmp_path / "files")
    names = files.make()
    Path(names["GITHUB_OUTPUT"]).unlink()
    Path(names["GITHUB_ENV"]).unlink()
    Path(names["GITHUB_ENV"]).mkdir()
    assert files.read_outputs() == {}
    assert files.read_variables() == {}
