"""The output of a step: all of it in the log, masked; commands obeyed as they come."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.heal.execution.masks import Masks
from git_retcon.heal.execution.runner_commands import Command
from git_retcon.heal.execution.step_output import StepOutput
from git_retcon.model.redaction import Redactor


def collect(log: Path, chunks: list[bytes], masks: Masks | None = None) -> list[Command]:
    """Feed the chunks; the commands that were found."""
    found: list[Command] = []
    masks = masks or Masks([], lambda data: data)

    def obey(command: Command) -> None:
        found.append(command)
        if command.name == "add-mask":
            masks.add(command.data)

    output = StepOutput(log, masks, obey, lambda line: None)
    for chunk in chunks:
        output.take(chunk)
    output.close()
    return found


def test_a_secret_is_masked_from_the_line_on_that_names_it(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "log"
    found = collect(log, [b"before s3", b"cret\n::add-m", b"ask::s3cret\nit is s3cre", b"t"])
    assert [one.name for one in found] == ["add-mask"]
    assert log.read_bytes() == b"before s3cret\n::add-mask::***\nit is ***"


def test_nothing_printed_leaves_no_log(tmp_path: Path) -> None:
    output = StepOutput(tmp_path / "log", Masks([], lambda data: data), print, print)
    assert output.close() == ""
    assert not (tmp_path / "log").exists()


@given(st.lists(st.binary(max_size=30), max_size=20))
def test_every_byte_is_in_the_log(
    tmp_path_factory: pytest.TempPathFactory, chunks: list[bytes]
) -> None:
    log = tmp_path_factory.mktemp("output") / "log"
    collect(log, chunks)
    whole = b"".join(chunks)
    assert (log.read_bytes() if log.exists() else b"") == whole


def test_a_line_without_end_is_passed_on_all_the_same(tmp_path: Path) -> None:
    log = tmp_path / "log"
    shown: list[str] = []
    output = StepOutput(log, Masks([], lambda data: data), print, shown.append)
    for _ in range(40):
        output.take(b"x" * 8192)
    assert shown, "nothing waits for an end that may never come"
    output.close()
    assert log.stat().st_size == 40 * 8192


KEY = (
    b"".join([b"-----BEGIN " + b"PRIVATE KEY-----\n", *(b"%064d\n" % n for n in range(11, 40))])
    + b"-----END PRIVATE KEY-----\n"
)
TOKEN = b"ghp_" + b"a1B2c3" * 6 + b"\n"


@pytest.mark.slow
@settings(max_examples=10)
@given(st.integers(1, 70_000), st.integers(0, 3000))
def test_what_looks_like_a_secret_is_masked_wherever_the_output_is_split(
    tmp_path_factory: pytest.TempPathFactory, size: int, shift: int
) -> None:
    mask = Redactor().redact_bytes
    text = b"".join((b"a line\n" * (9000 + shift), KEY, TOKEN, b"x" * 70_000, b"\n", KEY, TOKEN))
    log = tmp_path_factory.mktemp("output") / "log"
    shown: list[str] = []
    output = StepOutput(log, Masks([], mask), print, shown.append)
    for at in range(0, len(text), size):
        output.take(text[at : at + size])
        if at > 200 * size:  # the rest at once
            output.take(text[at + size :])
            break
    output.close()
    assert log.read_bytes() == mask(text)
    assert not [line for line in shown if line.startswith(("0000", "ghp_"))]
