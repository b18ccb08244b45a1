"""Which file was another one before, told from what came and what went."""

from git_retcon.allium.store.renamed_files import find_renames, pair_equal
from git_retcon.git.trees import Entry, EntryChange


def went(path: bytes, content: str) -> EntryChange:
    return EntryChange(path, Entry(b"100644", content), None)


def came(path: bytes, content: str) -> EntryChange:
    return EntryChange(path, None, Entry(b"100644", content))


def test_equal_content_tells_before_the_name_does() -> None:
    changes = [went(b"x/a.py", "1"), went(b"x/b.py", "2"), came(b"y/b.py", "1")]
    assert find_renames(changes) == {b"y/b.py": b"x/a.py"}


def test_the_name_alone_tells_where_one_file_can_be_meant() -> None:
    changes = [went(b"x/a.py", "1"), came(b"y/a.py", "2"), came(b"y/c.py", "3")]
    assert find_renames(changes) == {b"y/a.py": b"x/a.py"}
    assert find_renames([*changes, came(b"z/a.py", "4")]) == {}
    assert pair_equal(changes[:1], changes[1:]) == {}


def test_of_two_copies_none_is_it() -> None:
    assert pair_equal([went(b"a", "1")], [came(b"b", "1"), came(b"c", "1")]) == {}
