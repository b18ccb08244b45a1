"""Paths, output, withheld lines, pages and trails, by themselves."""

import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from git_retcon.git.difference import compare_trees
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.model.toolloop import ToolFault
from git_retcon.retcon.engine import Situation
from git_retcon.retcon.engines.claude.bench import shorten_output
from git_retcon.retcon.engines.claude.display import (
    Display,
    clip_line,
    divide_into_pages,
    show_page,
)
from git_retcon.retcon.engines.claude.final_answer import clean_subject
from git_retcon.retcon.engines.claude.quotations import Quotations
from git_retcon.retcon.engines.claude.workspace import readable_path, writable_path
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.files.test_untrusted_paths import HOSTILE
from tests.repository import TestRepository

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
        with pytest.raises(ToolFault, match="git or a forge obeys"):
            writable_path(path)


@pytest.mark.parametrize("name", [name for name, _ in HOSTILE])
def test_no_tool_takes_a_hostile_path(name: bytes) -> None:
    text = name.decode("utf-8", "surrogateescape")
    for check in (readable_path, writable_path):
        with pytest.raises(ToolFault):
            check(text)


def test_long_output_keeps_its_head_and_tail() -> None:
    text = "".join(f"line {n}\n" for n in range(5000))
    shown = shorten_output(text, 100, 100)
    assert shown.startswith("line 0\n") and shown.endswith("line 4999\n")
    assert "characters left out]\n" in shown
    assert len(shown) < 300
    assert shorten_output("short") == "short"


@given(st.lists(st.text("ab", max_size=30), max_size=40), st.integers(1, 50))
def test_pages_hold_every_line_once_and_in_order(lines: list[str], size: int) -> None:
    pages = divide_into_pages(lines, size)
    assert "\n".join(pages).split("\n") == (lines or [""])
    assert all(len(page) <= size or "\n" not in page for page in pages)
    assert show_page(pages, 10**9) == show_page(pages, len(pages))
    assert show_page(pages, -1) == show_page(pages, 1)


def test_a_long_line_says_what_is_missing() -> None:
    assert clip_line("x" * 1500) == "x" * 1000 + " [500 more characters]"


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("add x from y", "add x from y"),
        ("WIP: wip : add x", "add x"),
        ("a\n\nSigned-off-by: x", "a Signed-off-by: x"),
        ("\x1b[31m", "[31m"),
        ("  ", ""),
    ],
)
def test_a_subject_is_one_plain_line(said: str, kept: str) -> None:
    assert clean_subject(said) == kept


def test_lines_of_withheld_files_are_hidden_in_output(repo: TestRepository) -> None:
    repo.commit("one", {"private/a": "unchanged content\n", "b": "public line\n"})
    repo.git("tag", "one")
    repo.commit("two", {"private/c": "    brand new content\n"})
    opened = repo.open()
    found = compare_trees(opened, repo.tree("one"), repo.tree("HEAD"))
    quotations = Quotations(NeverSend(("private/",)), opened, found)
    said = "x: unchanged content!\nbrand new content\npublic line\n"
    hidden = "[a line of a withheld file]"
    assert quotations.hide(said, repo.tree("one")) == f"x: {hidden}!\n{hidden}\npublic line\n"


def test_a_secret_in_several_pieces_is_masked_in_each(repo: TestRepository) -> None:
    """Every second line of a key changes: no hunk by itself looks like one."""
    old = [f"OLDx{n:02}q7Rk3Zt9XwLm5Vb8Yc1Nd4Gf6Hj2Kp0Sa" for n in range(8)]
    new = [line.replace("OLDx", "NEWx") if n % 2 else line for n, line in enumerate(old)]
    frame = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----")
    versions = ["\n".join((frame[0], *lines, frame[1], "")) for lines in (old, new)]
    repo.commit("one", {"key.txt": versions[0]})
    repo.git("tag", "one")
    repo.commit("two", {"key.txt": versions[1]})
    found = compare_trees(repo.open(), repo.tree("one"), repo.tree("HEAD"))
    assert len(found.atoms) == 4
    spec = Spec("messy", "main", "clean", (LogicalCommit("all"),))
    display = Display(Situation(spec, 0, found, {}), Redactor(), NeverSend())
    shown = "\n".join(display.show_hunks(found.atoms))
    assert shown.count("+[masked secret ..Sa]") == 4
    assert "NEWx" not in shown and "OLDx" not in shown
