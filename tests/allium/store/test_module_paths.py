"""Which paths a module may have."""

import pytest

from git_retcon.allium.store.module_paths import (
    BadModulePath,
    check_module_path,
    find_collision,
    is_module_path,
)


@pytest.mark.parametrize("path", ["user.allium", "entities/user.allium", "zahlung/prüfung.allium"])
def test_a_plain_relative_path_is_taken_as_it_is(path: str) -> None:
    assert check_module_path(path.encode()) == path.encode()


@pytest.mark.parametrize(
    ("path", "why"),
    [
        (b"/user.allium", "absolute paths"),
        (b"C:/user.allium", "absolute paths"),
        (b"../user.allium", "traversal"),
        (b"a/../../user.allium", "traversal"),
        (b"a\\user.allium", "backslashes"),
        (b"a//user.allium", "empty and dot components"),
        (b"./user.allium", "empty and dot components"),
        (b"a/./user.allium", "empty and dot components"),
        (b"a/user.allium/", "folder, not a file"),
        (b"", "names no file"),
        (b"user", "does not end in .allium"),
        (b'q"x.allium', "it holds a quote"),
        (b"user.allium.txt", "does not end in .allium"),
        (b".allium", "has no name"),
        (b"a/.allium", "has no name"),
        (b"us\0er.allium", "invisible characters"),
        (b"us\ner.allium", "invisible characters"),
        (b"us\x7fer.allium", "invisible characters"),
        (b"us\xffer.allium", "not UTF-8"),
        ("us\u202eer.allium".encode(), "invisible characters"),
        ("us\u200ber.allium".encode(), "invisible characters"),
        (b".git/user.allium", "git's own folder"),
        (b"a/.GIT/user.allium", "git's own folder"),
        (b"git~1/user.allium", "git's own folder"),
        ("．．/user.allium".encode(), "look-alikes"),
        ("a／user.allium".encode(), "look-alikes"),
        ("uѕer.allium".encode(), "mixes alphabets"),
        ("uѕer/a.allium".encode(), "mixes alphabets"),
        (b"a.allium/user.allium", "named like a module"),
        (b"a.Allium/user.allium", "named like a module"),
        (b"_master.allium", "this is the master"),
        (b"_MASTER.allium", "this is the master"),
        (b"a" * 300 + b".allium", "too long"),
    ],
)
def test_what_leads_elsewhere_or_looks_like_another_is_refused(path: bytes, why: str) -> None:
    assert not is_module_path(path)
    with pytest.raises(BadModulePath, match=why):
        check_module_path(path)


def test_what_a_path_hides_is_shown() -> None:
    with pytest.raises(BadModulePath, match=r"'us\\x00er.allium' is no path of a module"):
        check_module_path(b"us\0er.allium")


def test_one_file_in_two_spellings_is_a_collision() -> None:
    others = [b"entities/user.allium", b"team.allium"]
    assert find_collision(b"Entities/USER.allium", others) == b"entities/user.allium"
    assert find_collision(b"entities/user.allium", others) is None
    assert find_collision("теам.allium".encode(), [b"team.allium"]) == b"team.allium"
