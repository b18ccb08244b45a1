import hashlib

import pytest

from git_retcon.heal.workflows.expressions.values import Value
from git_retcon.heal.workflows.hashing import hash_files


class Folder:
    """Files with their own names as contents, given out of order."""

    def __init__(self, *names: str) -> None:
        self.names = names

    def list_files(self) -> list[bytes]:
        return [name.encode() for name in self.names]

    def digest_file(self, path: bytes) -> bytes:
        return hashlib.sha256(path).digest()


FOLDER = Folder("z.lock", "a/b/x.lock", "a/x.lock", "a.lock", "a/x.txt", "src/m.c", "[x]", ".h/y")


def digest_of(*names: str) -> str:
    """As GitHub makes it: a digest of the digests."""
    whole = b"".join(hashlib.sha256(name.encode()).digest() for name in names)
    return hashlib.sha256(whole).hexdigest() if names else ""


@pytest.mark.parametrize(
    ("patterns", "names"),
    [
        (["**/*.lock"], "a/b/x.lock a/x.lock a.lock z.lock"),
        (["*.lock"], "a.lock z.lock"),
        (["**/x.lock"], "a/b/x.lock a/x.lock"),
        (["**/lock"], ""),
        (["a"], "a/b/x.lock a/x.lock a/x.txt"),
        (["a/**"], "a/b/x.lock a/x.lock a/x.txt"),
        (["./a/x.???"], "a/x.txt"),
        (["/w/z.lock"], "z.lock"),
        (["/elsewhere/z.lock"], ""),
        (["**", "!**/*.lock"], ".h/y [x] a/x.txt src/m.c"),
        (["**/*.lock\n!a/**\na/b/**"], "a/b/x.lock a.lock z.lock"),
        (["# **", " z.lock ", ""], "z.lock"),
        (["[az].lock"], "a.lock z.lock"),
        (["[!a-y].lock"], "z.lock"),
        (["[a-b]/x.lock"], "a/x.lock"),
        (["s[!x]c[!x]m.c"], ""),
        (["--follow-symbolic-links", "src/*"], "src/m.c"),
        (["!!z.lock"], "z.lock"),
        (["none"], ""),
        ([".h"], ".h/y"),
    ],
)
def test_the_digest_is_of_the_files_that_match_in_order(patterns: list[Value], names: str) -> None:
    assert hash_files(patterns, FOLDER, "/w") == digest_of(*names.split())


def test_the_order_is_by_folders() -> None:
    """`a/x` comes before `a.x`: a folder's files stay together."""
    assert hash_files(["**"], Folder("a.x", "a/x", "a-x"), "") == digest_of("a/x", "a-x", "a.x")
