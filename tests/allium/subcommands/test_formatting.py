"""``git allium format`` as it is typed: what it writes, names and leaves alone."""

import json
import stat
from pathlib import Path

import pytest

from git_retcon.allium.spec_files import SpecFile, SpecSet
from git_retcon.allium.subcommands import formatting
from git_retcon.allium.subcommands.formatting import Purpose, format_specs
from git_retcon.errors import Fatal
from git_retcon.options import Output
from tests.allium.specs import BROKEN, HEAD, SOUND
from tests.program import allium_here
from tests.repository import TestRepository

UGLY = HEAD + "entity Order{\n  total:Integer\n}"


def test_a_file_is_laid_out_and_named(repo: TestRepository) -> None:
    repo.write({"spec/ugly.allium": UGLY, "spec/sound.allium": SOUND})
    done = allium_here(repo.path, "format").ok()
    assert (done.out, done.err) == ("formatted spec/ugly.allium\n", "1 of 2 files changed\n")
    assert (repo.path / "spec/ugly.allium").read_text() == SOUND
    again = allium_here(repo.path, "format").ok()
    assert (again.out, again.err) == ("", "0 of 2 files changed\n")


@pytest.mark.parametrize(("option", "status"), [("--check", 1), ("-n", 0), ("--dry-run", 0)])
def test_it_can_name_what_would_change_and_write_nothing(
    repo: TestRepository, option: str, status: int
) -> None:
    repo.write({"spec/ugly.allium": UGLY, "spec/sound.allium": SOUND})
    done = allium_here(repo.path / "spec", "format", option)
    assert (done.status, done.out, done.err) == (
        status, "would format spec/ugly.allium\n", "1 of 2 files would change\n"
    )  # fmt: skip
    assert (repo.path / "spec/ugly.allium").read_text() == UGLY


def test_a_check_of_what_is_laid_out_passes(tmp_path: Path) -> None:
    (tmp_path / "a.allium").write_text(SOUND)
    assert allium_here(tmp_path, "format", "--check", "a.allium").ok().out == ""


def test_what_does_not_parse_is_left_as_it_is_and_named(tmp_path: Path) -> None:
    (tmp_path / "broken.allium").write_text(BROKEN)
    (tmp_path / "ugly.allium").write_text(UGLY)
    done = allium_here(tmp_path, "format", "broken.allium", "ugly.allium")
    assert (done.status, done.out) == (1, "formatted ugly.allium\n")
    assert done.err.startswith("error: broken.allium:5:5: left as it is: expected a field")
    assert (tmp_path / "broken.allium").read_text() == BROKEN
    assert (tmp_path / "ugly.allium").read_text() == SOUND


def test_a_program_gets_what_changed_and_how_to_go_on(repo: TestRepository) -> None:
    repo.write({"a.allium": UGLY, "b.allium": BROKEN, "c.allium": SOUND})
    told = json.loads(allium_here(repo.path, "format", "--check", "--json", "a.allium").out)
    assert (told["status"], told["reason"], told["error"]) == (
        "failed", "invalid", "1 file would change"
    )  # fmt: skip
    assert told["next"] == [["git", "allium", "format", "a.allium"]]
    done = allium_here(repo.path, "format", "--json")
    told = json.loads(done.out)
    assert (done.status, told["error"]) == (1, "1 file cannot be parsed")
    assert [told[name] for name in ("files", "changed", "unparsed", "skipped")] == [
        3, ["a.allium"], ["b.allium"], []
    ]  # fmt: skip


def test_permissions_and_links_stay(tmp_path: Path) -> None:
    place = tmp_path / "a.allium"
    place.write_text(UGLY)
    place.chmod(0o755)
    (tmp_path / "link").symlink_to("a.allium")
    allium_here(tmp_path, "format", "link").ok()
    assert place.read_text() == SOUND
    assert stat.S_IMODE(place.stat().st_mode) == 0o755
    assert (tmp_path / "link").is_symlink()


def test_a_link_in_a_set_is_not_written_through(repo: TestRepository, tmp_path: Path) -> None:
    (tmp_path / "outside").write_text(UGLY)
    (repo.path / "link.allium").symlink_to(tmp_path / "outside")
    done = allium_here(repo.path, "format").ok()
    assert done.err.startswith("warning: 'link.allium' is skipped: it is a symbolic link\n")
    assert (tmp_path / "outside").read_text() == UGLY


def test_a_missing_name_changes_nothing(tmp_path: Path) -> None:
    (tmp_path / "ugly.allium").write_text(UGLY)
    done = allium_here(tmp_path, "format", "ugly.allium", "missing.allium")
    assert (done.status, done.out) == (128, "")
    assert (tmp_path / "ugly.allium").read_text() == UGLY


def test_what_somebody_changed_meanwhile_is_left_as_it_is(tmp_path: Path) -> None:
    place = tmp_path / "a.allium"
    place.write_text("theirs")
    read = SpecSet([SpecFile(b"a.allium", UGLY.encode(), place)])
    with pytest.raises(Fatal, match=r"'a\.allium' changed meanwhile"):
        format_specs([read], Purpose.WRITE, Output())
    assert place.read_text() == "theirs"


def test_a_disk_that_refuses_leaves_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise Fatal("cannot write")

    (tmp_path / "a.allium").write_text(UGLY)
    monkeypatch.setattr(formatting, "save", refuse)
    done = allium_here(tmp_path, "format", "a.allium")
    assert (done.status, done.out) == (128, "")
    assert (tmp_path / "a.allium").read_text() == UGLY


def test_quiet_names_nothing_that_was_written(tmp_path: Path) -> None:
    (tmp_path / "a.allium").write_text(UGLY)
    assert allium_here(tmp_path, "format", "-q", "--check", "a.allium").out.startswith("would")
    done = allium_here(tmp_path, "format", "-q", "a.allium").ok()
    assert (done.out, done.err) == ("", "")


def test_line_ends_become_those_of_the_layout(tmp_path: Path) -> None:
    (tmp_path / "a.allium").write_bytes(SOUND.replace("\n", "\r\n").encode())
    allium_here(tmp_path, "format", "a.allium").ok()
    assert (tmp_path / "a.allium").read_bytes() == SOUND.encode()
