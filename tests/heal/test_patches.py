"""Fixes as unified diffs: what is written is read back, and never over another file."""

import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.files.beneath import File
from git_retcon.heal.patches import (
    FileChange,
    WrongBase,
    fit_patch,
    list_hunks,
    read_patch,
    take_hunks,
    write_patch,
)
from tests.repository import new_repository

LINES = st.lists(
    st.sampled_from([b"a", b"b", b"", b"\xff", b"--- x", b"\\ No", b"c\r"]), max_size=12
)
CONTENTS = st.builds(
    lambda lines, end: b"\n".join(lines) + end, LINES, st.sampled_from([b"", b"\n"])
)


@given(old=CONTENTS, new=CONTENTS)
def test_a_patch_gives_the_new_content_back(old: bytes, new: bytes) -> None:
    change = FileChange(b"dir/a b.py", File(old, 0o644), File(new, 0o644))
    patch = write_patch([change])
    assert read_patch(patch, lambda path: change.old) == [change]


def test_another_file_than_the_patch_was_made_of_is_not_touched() -> None:
    patch = write_patch([FileChange(b"a", File(b"1\n"), File(b"2\n"))])
    with pytest.raises(WrongBase):
        read_patch(patch, lambda path: File(b"3\n"))


def test_files_come_and_go() -> None:
    made = FileChange(b"new", None, File(b"x\n"))
    gone = FileChange(b"old", File(b"x\n"), None)
    patch = write_patch([made, gone])
    files = {b"old": File(b"x\n")}
    assert read_patch(patch, files.get) == [made, gone]


def test_git_applies_the_same(tmp_path: Path) -> None:
    old, new = b"1\n2\n3\n4\n5\n6\n7\n8\n9", b"1\n2\nX\n4\n5\n6\n7\n8\n9\n10\n"
    (tmp_path / "f").write_bytes(old)
    patch = write_patch([FileChange(b"f", File(old), File(new))])
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True)
    assert (tmp_path / "f").read_bytes() == new


def test_a_part_of_the_hunks_is_a_change_of_its_own() -> None:
    old = b"".join(b"%d\n" % number for number in range(30))
    new = old.replace(b"\n3\n", b"\nthree\n").replace(b"\n25\n", b"\n")
    change = FileChange(b"f", File(old), File(new))
    assert len(list_hunks(change)) == 2
    assert take_hunks(change, [0]).new == File(old.replace(b"\n3\n", b"\nthree\n"))
    assert take_hunks(change, [1]).new == File(old.replace(b"\n25\n", b"\n"))
    assert take_hunks(change, [0, 1]) == change


def test_a_patch_fits_where_its_lines_are_now() -> None:
    old = b"".join(b"%d\n" % number for number in range(30)) + b"end"
    new = old.replace(b"\n9\n", b"\nnine\n").replace(b"end", b"END")
    patch = write_patch([FileChange(b"f", File(old), File(new))])
    moved = File(b"first\n" + old.replace(b"\n20\n", b"\n"))
    (fitted,) = fit_patch(patch, lambda _: moved)
    assert fitted.new == File(b"first\n" + new.replace(b"\n20\n", b"\n"))
    others = {b"none": None, b"twice": File(old + old), b"done": File(new)}
    for name in others:
        with pytest.raises(WrongBase):
            fit_patch(patch.replace(b"/f", b"/" + name), others.get)


@pytest.mark.parametrize("content", [b"#!/bin/sh\n", b"#!/bin/bash\n"])
@pytest.mark.parametrize(("before", "after"), [(0o644, 0o755), (0o755, 0o644)])
def test_permissions_change_with_a_file_or_alone(
    content: bytes, before: int, after: int, tmp_path: Path
) -> None:
    old, new = File(b"#!/bin/sh\n", before), File(content, after)
    change = FileChange(b"bin/a b", old, new)
    patch = write_patch([change])
    assert read_patch(patch, lambda _: old) == [change]
    assert fit_patch(patch, lambda _: old) == [change]
    repository = new_repository(tmp_path / "project")
    repository.write({"bin/a b": "#!/bin/sh\n"})
    script = repository.path / "bin/a b"
    script.chmod(before)
    repository.git("add", ".")
    (repository.path / "fix.patch").write_bytes(patch)
    repository.git("apply", "--index", "fix.patch")
    assert script.read_bytes() == content
    assert (script.stat().st_mode & 0o100) == (after & 0o100)
