"""A command that fills a folder never fills somebody's."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.files.claimed_folder import claim_folder


def test_a_new_and_an_empty_folder_are_taken(tmp_path: Path) -> None:
    claim_folder(tmp_path / "a" / "b")
    claim_folder(tmp_path / "a" / "b")
    assert (tmp_path / "a" / "b").is_dir()


def test_what_holds_something_is_refused_and_so_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("x", "ascii")
    with pytest.raises(Fatal, match="is not empty"):
        claim_folder(tmp_path)
    with pytest.raises(Fatal, match="cannot use"):
        claim_folder(tmp_path / "mine")
