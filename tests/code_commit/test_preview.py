"""The difference of a dry run is one that git itself can apply."""

import subprocess
from pathlib import Path

import hypothesis
import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.code_commit.preview import show_difference
from git_retcon.code_commit.verification import Change
from git_retcon.files.beneath import File
from git_retcon.show.style import Style

texts = st.lists(st.sampled_from(["a\n", "b\n", "c\n", "\n"]), max_size=8).map("".join)
contents = st.builds(lambda text, last: (text + last).encode(), texts, st.sampled_from(["", "x"]))


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("difference")


@hypothesis.settings(max_examples=40)
@given(st.none() | contents, st.none() | contents)
def test_git_applies_what_is_shown(folder: Path, old: bytes | None, new: bytes | None) -> None:
    hypothesis.assume(old != new)
    change = Change(b"f", None if old is None else File(old), None if new is None else File(new))
    lines = show_difference([change], Style(on=False))
    patch = "".join(f"{line}\n" for line in lines)
    place = folder / "f"
    place.unlink(missing_ok=True)
    if old is not None:
        place.write_bytes(old)
    done = subprocess.run(
        ["git", "apply", "--unidiff-zero", "-"],
        input=patch.encode(), cwd=folder, capture_output=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, f"{done.stderr!r}\n{patch}"
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
