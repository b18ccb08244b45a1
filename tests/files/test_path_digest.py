"""One path has one short name, however it is written."""

from pathlib import Path

from git_retcon.files.path_digest import digest_name, digest_path


def test_ways_to_write_a_path_have_one_digest_and_other_paths_another(tmp_path: Path) -> None:
    (tmp_path / "spec.toml").write_bytes(b"")
    (tmp_path / "link").symlink_to("spec.toml")
    written = [tmp_path / "spec.toml", tmp_path / "x" / ".." / "spec.toml", tmp_path / "link"]
    assert len({digest_path(path) for path in written}) == 1
    assert digest_path(tmp_path / "other.toml") != digest_path(written[0])


def test_any_name_becomes_a_name_of_a_file() -> None:
    name = digest_name("refs/heads/a/" + "b" * 300)
    assert len(name) == 16
    assert name == digest_name(b"refs/heads/a/" + b"b" * 300)
