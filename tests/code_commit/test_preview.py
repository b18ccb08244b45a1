"""The difference of a dry run is one that git itself can apply."""

import os
import subprocess
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code_commit.preview import make_patch, show_difference
from git_retcon.code_commit.verification import Change
from git_retcon.files.beneath import File
from git_retcon.show.style import Style
from tests.code_commit.project import answer_of
from tests.program import code_commit
from tests.repository import TestRepository

# Whole lines, and what git apply, a terminal or a decoder could take for something else.
LINES = [
    b"a\n",
    b"b\n",
    b"\n",
    b"crlf\r\n",
    b"a\x0cb\n",
    b"\xe9\n",
    b"\x1b[2J\n",
    b"--- a\n",
    b"\x85\n",
]
texts = st.lists(st.sampled_from(LINES), max_size=8).map(b"".join)
contents = st.builds(lambda text, last: text + last, texts, st.sampled_from([b"", b"x", b"y\r"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("difference")


@hypothesis.settings(max_examples=60)
@given(st.none() | contents, st.none() | contents)
def test_git_applies_what_is_shown(folder: Path, old: bytes | None, new: bytes | None) -> None:
    hypothesis.assume(old != new)
    change = Change(b"f", None if old is None else File(old), None if new is None else File(new))
    patch = make_patch([change])
    place = folder / "f"
    place.unlink(missing_ok=True)
    if old is not None:
        place.write_bytes(old)
    done = subprocess.run(
        ["git", "apply", "--unidiff-zero", "-"],
        input=patch, cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stderr!r}\n{patch!r}"
    assert (place.read_bytes() if place.exists() else None) == new


def test_what_is_binary_or_hostile_is_not_printed() -> None:
    changes = [
        Change(b"b", File(b"\0"), File(b"\0\1")),
        Change(b"a", File(b"x\n"), File("\x1b[2Jx\n\u202ey\n".encode() + b"\xff\n")),
    ]
    assert list(show_difference(changes, Style(on=False))) == [
        "diff --git a/a b/a", "--- a/a", "+++ b/a", "@@ -1 +1,3 @@", "-x",
        "+\\x1b[2Jx", "+\\u202ey", "+\\xff",
        "diff --git a/b b/b", "Binary files differ",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "name", [b"with space", b"\xe9", b"a\tb", b'quo"te', b"back\\slash", b"\n"]
)
def test_git_applies_it_with_any_name_of_a_file(tmp_path: Path, name: bytes) -> None:
    place = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
    place.write_bytes(b"one\n")
    patch = make_patch([Change(name, File(b"one\n"), File(b"two\n"))])
    subprocess.run(["git", "apply", "-"], input=patch, cwd=tmp_path, check=True)
    assert place.read_bytes() == b"two\n"


def test_a_dry_run_prints_what_git_applies(project: TestRepository) -> None:
    answer = answer_of({"src/a.txt": b"two\r\n\x1b[2J\x0c\xe9\n"})
    done = code_commit(project.path, "--response", "-", "-n", stdin=answer).ok()
    project.git("apply", "-", stdin=done.out.encode("utf-8", "surrogateescape"))
    assert (project.path / "src/a.txt").read_bytes() == b"two\r\n\x1b[2J\x0c\xe9\n"


def test_people_see_where_a_last_line_has_no_end() -> None:
    change = Change(b"f", File(b"x"), File(b"y\n"))
    shown = list(show_difference([change], Style(on=False)))
    assert shown[-3:] == ["-x", "\\ No newline at end of file", "+y"]
