"""The files that `path` inputs name."""

from pathlib import Path

from git_retcon.heal.execution.stored_files import (
    copy_one,
    find_common_folder,
    find_paths,
    list_below,
)


def find(top: Path, patterns: str) -> list[str]:
    return [str(path.relative_to(top)) for path in find_paths(patterns, top / "w", top / "h")]


def test_lines_name_paths_patterns_and_exceptions(tmp_path: Path) -> None:
    for name in ("w/a.txt", "w/sub/b.txt", "w/sub/c.log", "h/.cache/x", "w/.hidden"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(name)
    assert find(tmp_path, "a.txt\n~/.cache\n# no\n\nmissing") == ["w/a.txt", "h/.cache"]
    assert find(tmp_path, "**/*.txt") == ["w/a.txt", "w/sub/b.txt"]
    assert find(tmp_path, "sub/*\n!sub/*.log") == ["w/sub/b.txt"]
    assert find(tmp_path, str(tmp_path / "w" / "sub")) == ["w/sub"]
    assert find(tmp_path, ".*") == ["w/.hidden"]


def test_files_are_placed_below_the_deepest_common_folder(tmp_path: Path) -> None:
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/x").write_text("")
    (tmp_path / "a/b/y").write_text("")
    one, other = tmp_path / "a/x", tmp_path / "a/b/y"
    assert find_common_folder([one]) == tmp_path / "a"
    assert find_common_folder([tmp_path / "a"]) == tmp_path / "a"
    assert find_common_folder([one, other]) == tmp_path / "a"
    assert sorted(list_below(tmp_path / "a")) == [other, one]


def test_a_folder_is_copied_over_another_and_through_no_link(tmp_path: Path) -> None:
    kept, there, outside = tmp_path / "kept", tmp_path / "there", tmp_path / "outside"
    for folder in (kept / "bin", kept / "sub", there / "bin", outside):
        folder.mkdir(parents=True)
    (kept / "bin/tool").symlink_to("../sub/new")
    (there / "bin/tool").symlink_to("../old")
    (kept / "sub/file").write_text("new")
    (there / "sub").symlink_to(outside)
    (kept / "plain").write_text("new")
    (outside / "target").write_text("old")
    (there / "plain").symlink_to(outside / "target")
    (there / "own").write_text("own")
    copy_one(kept, there)
    assert (there / "bin/tool").readlink() == Path("../sub/new")
    assert (there / "plain").read_text() == "new"
    assert (there / "sub/file").read_text() == "new"
    assert (there / "own").read_text() == "own"
    assert {each.name: each.read_text() for each in outside.iterdir()} == {"target": "old"}
