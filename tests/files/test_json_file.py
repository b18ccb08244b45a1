"""What is remembered in JSON comes back, and what is broken counts as nothing."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.json_file import read_json, remember_json, save_json


def test_what_is_saved_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "a/b.json"
    save_json(file, {"name": ["caf\u00e9", "\udcff"]}, 0o600)
    assert read_json(file) == {"name": ["caf\u00e9", "\udcff"]}
    assert file.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("content", [b"", b"{", b"\xff", b"[" * 100_000])
def test_what_is_no_json_counts_as_nothing(tmp_path: Path, content: bytes) -> None:
    file = tmp_path / "b.json"
    file.write_bytes(content)
    assert read_json(file) is None
    assert read_json(tmp_path / "none.json") is None
    assert read_json(tmp_path) is None


def test_a_place_that_cannot_be_written_is_an_error_only_where_it_matters(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    remember_json(tmp_path / "file/b.json", 1)
    with pytest.raises(Fatal, match=r"cannot make the folder '.*file': File exists"):
        save_json(tmp_path / "file/b.json", 1)
