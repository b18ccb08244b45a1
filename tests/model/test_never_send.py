"""What is withheld is named by patterns, and none of its lines is sent."""

import pytest

from git_retcon.git.difference import compare_trees
from git_retcon.model.never_send import NeverSend, hide_lines
from tests.repository import TestRepository


@pytest.mark.parametrize(
    ("pattern", "path", "held"),
    [
        ("private/", b"private/a/b.txt", True),
        ("*.pem", b"deep/down/key.pem", True),
        ("/top.txt", b"sub/top.txt", False),
        ("secret*", b"src/secrets/x.py", True),
        ("private", b"privateer.txt", False),
        ("[[:alpha:]]1.key", b"a1.key", True),
        ("secret.key ", b"secret.key", True),
        ("Secret.key", b"SECRET.KEY", True),
        ("[z-a]x", b"bx", False),
    ],
)
def test_withheld_patterns_read_like_gitignore(pattern: str, path: bytes, held: bool) -> None:
    assert NeverSend((pattern,)).matches(path) is held


def test_nothing_is_withheld_by_default() -> None:
    assert not NeverSend().matches(b"private/key.pem")


def test_a_rename_out_of_a_withheld_folder_is_withheld(repo: TestRepository) -> None:
    repo.commit("one", {"private/a": "some content that is moved as it is\n" * 4})
    repo.git("tag", "one")
    repo.git("mv", "private/a", "public")
    repo.commit("two")
    found = compare_trees(repo.open(), repo.tree("one"), repo.tree("HEAD"))
    assert found.atoms and all(map(NeverSend(("private/",)).holds, found.atoms))
    assert not any(map(NeverSend(("other/",)).holds, found.atoms))


@pytest.mark.parametrize(
    ("printed", "lines", "sent"),
    [
        ("x: buy tulips!", [b"  buy tulips\n"], "x: [a line of a withheld file]!"),
        ("return", [b"retur"], "return"),  # five characters are everybody's
        ("secret", [b"secret"], "[a line of a withheld file]"),
        ("buy tulips now", [b"buy tulips", b"buy tulips now"], "[a line of a withheld file]"),
        ("a.*b.*c", [b"a.*b.*c"], "[a line of a withheld file]"),
        ("axxbxxc", [b"a.*b.*c"], "axxbxxc"),
        ("nothing", [], "nothing"),
        ("gr\\xfc\\xdfe", [b"gr\xfc\xdfe"], "[a line of a withheld file]"),
    ],
)
def test_lines_of_withheld_files_are_hidden(printed: str, lines: list[bytes], sent: str) -> None:
    assert hide_lines(printed, lines) == sent
