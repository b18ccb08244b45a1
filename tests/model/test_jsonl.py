"""Lines that several processes append are whole, however one was cut off."""

from pathlib import Path

import pytest

from git_retcon.model.jsonl import append, read


def test_records_come_back_in_their_order(tmp_path: Path) -> None:
    path = tmp_path / "deep/er/log.jsonl"
    for number in range(3):
        append(path, {"n": number, "text": "a\nb"})
    found = read(path)
    assert [record["n"] for record in found.records] == [0, 1, 2]
    assert (found.records[0]["text"], found.broken) == ("a\nb", 0)
    assert path.stat().st_mode & 0o777 == 0o600
    assert path.parent.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("torn", [b'{"n": 1, "te', b"[1]", b"null", b"\xff", b"[" * 100_000])
def test_a_torn_line_is_counted_and_swallows_no_neighbour(tmp_path: Path, torn: bytes) -> None:
    path = tmp_path / "log.jsonl"
    append(path, {"n": 1})
    with path.open("ab") as file:
        file.write(torn)
    append(path, {"n": 2})
    found = read(path)
    assert ([record["n"] for record in found.records], found.broken) == ([1, 2], 1)


def test_what_cannot_be_read_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        read(tmp_path / "missing")


def test_a_record_that_does_not_fit_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """A limit on the size of files is a full disk, to this process."""
    import resource
    import signal

    path = tmp_path / "log.jsonl"
    append(path, {"n": 1})
    before = path.read_bytes()
    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    try:
        resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 10, limits[1]))
        with pytest.raises(OSError):
            append(path, {"text": "x" * 100})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before
