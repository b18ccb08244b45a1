"""What a model may read and write: paths of the tree, and nothing that git obeys."""

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.model.toolloop import ToolFault
from git_retcon.retcon.engines.claude.workspace import readable_path, writable_path
from tests.files.test_untrusted_paths import HOSTILE

_NAMES = st.sampled_from(
    ["a", "..", ".", "", ".git", ".GIT", ".git ", ".git.", "git~1", "x y", "é", ".gitx", "~", "C:"]
) | st.text(string.printable, max_size=6)


@settings(max_examples=300)
@given(st.lists(_NAMES, min_size=1, max_size=5).map("/".join))
@example("./a")
def test_a_path_that_is_let_through_stays_beneath_the_root(text: str) -> None:
    try:
        path = writable_path(text)
    except ToolFault:
        return
    names = path.decode().split("/")
    assert all(name not in ("", ".", "..") for name in names)
    assert not any(name.casefold().startswith(".git") for name in names)
    assert "\\" not in text and "\0" not in text and "\n" not in text


@pytest.mark.parametrize("path", ["a", "src/a.py", ".env", "git/x", "a.git/x", "x y/é"])
def test_ordinary_paths_are_let_through(path: str) -> None:
    assert writable_path(path) == readable_path(path) == path.encode()


def test_what_git_obeys_may_be_read_and_not_written() -> None:
    for path in ("sub/.gitattributes", "GITIGN~1", "GI250A~1", ".travis.yml"):
        assert readable_path(path) == path.encode()
        with pytest.raises(ToolFault, match="changes what git or a forge does"):
            writable_path(path)


@pytest.mark.parametrize("name", [name for name, _ in HOSTILE])
def test_no_tool_takes_a_hostile_path(name: bytes) -> None:
    text = name.decode("utf-8", "surrogateescape")
    for check in (readable_path, writable_path):
        with pytest.raises(ToolFault):
            check(text)
