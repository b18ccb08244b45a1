"""The source in chunks: a tree, or what changed in it."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.reconcile.source_reader import (
    ReadLimits,
    SourceReader,
    SourceReadResult,
    TooLarge,
    cut_lines,
)
from git_retcon.model.never_send import NeverSend
from git_retcon.show.style import show_path
from tests.allium.history_shapes import entity
from tests.repository import TestRepository

MANY = ReadLimits(10**6, 10**5, 10**5)


def reader(
    repo: TestRepository, limits: ReadLimits = MANY, withheld: tuple[str, ...] = ()
) -> SourceReader:
    repository = repo.open()
    return SourceReader(repository, SourceFiles(repository, ()).select, NeverSend(withheld), limits)


def chunks(found: SourceReadResult) -> list[list[str]]:
    """The files of each chunk; parts with their lines."""
    return [
        [getattr(file, "label", show_path(file.path)) for file in chunk.files]
        for chunk in found.chunks
    ]


def text(source: SourceReader, found: SourceReadResult) -> str:
    return "".join(source.load(file) for chunk in found.chunks for file in chunk.files)


def test_a_tree_is_read_without_what_is_no_source(repo: TestRepository) -> None:
    head = repo.commit(
        "a",
        {
            "src/shop/order.py": entity("Order", "total"),
            "src/shop/order.test.js": "x\n",
            "deep/down/package-lock.json": "{}\n",
            "vendor/lib.py": "x = 1\n",
            "web/app.min.js": "x\n",
            "web/app.bundle.js": "x\n",
            "web/vite.config.ts": "x\n",
            "go.sum": "x\n",
            "api/made.pb.go": "package x\n",
        },
    )
    source = reader(repo)
    found = source.read_tree(head)
    assert chunks(found) == [["src/shop/order.py"]]
    assert text(source, found) == "--- src/shop/order.py\n" + entity("Order", "total")
    assert found.skipped_files == []


def test_what_cannot_be_read_is_named_with_the_reason(repo: TestRepository) -> None:
    head = repo.commit("a", {"a.py": b"x\0y", "b.py": "x = 1\n", "secret/key.py": "k = 1\n"})
    found = reader(repo, withheld=("secret/",)).read_tree(head)
    assert found.skipped_files == [(b"a.py", "it is binary"), (b"secret/key.py", "it is withheld")]
    assert chunks(found) == [["b.py"]]
    repo.commit("b", {"a.py": b"x\0z", "b.py": "x = 2\n", "secret/key.py": "k = 2\n"})
    found = reader(repo, withheld=("secret/",)).read_diff(head, repo.rev("HEAD"))
    assert [path for path, _ in found.skipped_files] == [b"a.py", b"secret/key.py"]
    assert "k = 2" not in text(reader(repo), found)


def test_a_file_is_binary_by_its_beginning_as_for_git(repo: TestRepository) -> None:
    head = repo.commit("a", {"a.py": b"x = 1\n" * 2000 + b"# \0\n"})
    assert chunks(reader(repo).read_tree(head)) == [["a.py"]]


def test_a_diff_that_is_larger_than_it_seemed_is_too_large(repo: TestRepository) -> None:
    base = repo.commit("a", {"a.py": ""})
    head = repo.commit("b", {"a.py": "1\n" * 400})
    source = reader(repo, ReadLimits(250, 10**5, 10**5))
    with pytest.raises(TooLarge):  # each line has its sign
        source.read_diff(base, head)
    assert not source.read(base, head).is_diff


def test_a_missing_blob_is_skipped_and_not_fatal(repo: TestRepository) -> None:
    head = repo.commit("a", {"a.py": "x = 1\n", "b.py": "y = 1\n"})
    oid = repo.rev("HEAD:a.py")
    (repo.path / ".git/objects" / oid[:2] / oid[2:]).unlink()
    found = reader(repo).read_tree(head)
    assert found.skipped_files == [(b"a.py", "it is missing from the repository")]
    assert chunks(found) == [["b.py"]]


def test_a_large_file_is_cut_by_lines_before_definitions_and_not_skipped(
    repo: TestRepository,
) -> None:
    classes = "".join(entity(f"C{n}", *"abcdefgh") for n in range(20))  # 9 lines each
    head = repo.commit("a", {"src/big.py": classes, "src/small.py": "x = 1\n"})
    source = reader(repo, ReadLimits(10**6, 100, 10**5))
    found = source.read_tree(head)
    labels = [label for chunk in chunks(found) for label in chunk]
    assert labels[:2] == ["src/big.py:1-27", "src/big.py:28-54"]
    assert labels[-1] == "src/small.py"
    parts = [file for chunk in found.chunks for file in chunk.files]
    assert all(part.tokens <= 100 for part in parts)
    assert source.load(parts[1]).splitlines()[1] == "class C3:"
    assert found.skipped_files == []


def test_groups_are_split_by_folders_again_and_again(repo: TestRepository) -> None:
    files = {f"src/{a}/{b}/{c}.py": "x = 1\n" * 10 for a in "pq" for b in "mn" for c in "ab"}
    head = repo.commit("a", {**files, "packages/one/x.py": "y = 1\n", "top.py": "z = 1\n"})
    found = reader(repo, ReadLimits(10**6, 100, 40)).read_tree(head)
    assert chunks(found) == [
        ["packages/one/x.py", "top.py"],
        *[[f"src/{a}/{b}/a.py", f"src/{a}/{b}/b.py"] for a in "pq" for b in "mn"],
    ] or all(chunk.tokens <= 40 for chunk in found.chunks)
    assert sorted(name for chunk in chunks(found) for name in chunk) == sorted(
        [*files, "packages/one/x.py", "top.py"]
    )
    assert all(chunk.tokens <= 40 for chunk in found.chunks)


def test_a_diff_holds_what_changed_and_what_is_gone(repo: TestRepository) -> None:
    base = repo.commit("a", {"src/a.py": "x = 1\n", "src/b.py": "y = 1\n", "src/c.py": "z\n"})
    repo.commit("b", {"src/a.py": "x = 2\n", "src/b.py": None})
    source = reader(repo)
    found = source.read(base, repo.rev("HEAD"))
    assert (found.is_diff, found.gone) == (True, frozenset({b"src/b.py"}))
    assert "-x = 1\n+x = 2\n" in text(source, found)
    assert "+++ (removed)" in text(source, found)
    assert "src/c.py" not in text(source, found)


def test_a_vanished_base_means_the_whole_tree(repo: TestRepository) -> None:
    head = repo.commit("a", {"a.py": "x = 1\n"})
    found = reader(repo).read("f" * 40, head)
    assert not found.is_diff
    assert chunks(found) == [["a.py"]]


def test_a_diff_off_the_ancestor_line_is_from_tree_to_tree(repo: TestRepository) -> None:
    """Three dots would compare with the merge base, and hide what only the other side has."""
    repo.commit("a", {"a.py": "x = 1\n"})
    repo.git("checkout", "-q", "-b", "side")
    base = repo.commit("b", {"side.py": "s = 1\n"})
    repo.git("checkout", "-q", "main")
    head = repo.commit("c", {"a.py": "x = 2\n"})
    found = reader(repo).read_diff(base, head)
    assert found.gone == {b"side.py"}


def test_too_much_is_not_loaded(repo: TestRepository, monkeypatch: pytest.MonkeyPatch) -> None:
    base = repo.commit("a", {"a.py": "x = 1\n" * 4000, "b.py": "y = 1\n"})
    head = repo.commit("b", {"a.py": "x = 2\n" * 4000})
    source = reader(repo, ReadLimits(5000, 1000, 1000))
    with monkeypatch.context() as patched:
        patched.setattr(
            "git_retcon.allium.reconcile.source_reader.read_object",
            lambda *_: pytest.fail("content was loaded"),
        )
        with pytest.raises(TooLarge, match="the source has 6,002 tokens, and 5,000 are allowed"):
            source.read_tree(head)
    with pytest.raises(TooLarge, match="what changed has"):
        source.read_diff(base, head)


def test_a_diff_that_is_too_large_falls_back_to_the_tree(repo: TestRepository) -> None:
    base = repo.commit("a", {"a.py": "x = 1\n" * 2000, "b.py": "y = 1\n"})
    head = repo.commit("b", {"a.py": "x = 2\n" * 20})
    found = reader(repo, ReadLimits(500, 1000, 1000)).read(base, head)
    assert not found.is_diff
    assert chunks(found) == [["a.py", "b.py"]]
    with pytest.raises(TooLarge):
        reader(repo, ReadLimits(10, 1000, 1000)).read(base, head)


def test_a_single_changed_line_of_a_large_file_is_a_small_diff(repo: TestRepository) -> None:
    base = repo.commit("a", {"a.py": "x = 1\n" * 9000})
    head = repo.commit("b", {"a.py": "x = 1\n" * 9000 + "y = 2\n"})
    assert reader(repo, ReadLimits(500, 1000, 1000)).read(base, head).is_diff


def test_a_method_is_no_better_place_to_cut_than_any_line() -> None:
    content = b"class A:\n" + b"    x = 1\n" * 6 + b"    def f(): pass\n" + b"    y = 1\n" * 6
    _, last, _, _ = next(cut_lines(b"a.py", content, 25))
    assert last == 9, "behind the method, as many lines as there is room for"


def test_a_withheld_file_is_not_read_for_its_imports(repo: TestRepository) -> None:
    repo.commit("a", {"a.py": "import b\n", "secret/key.py": "import b\n"})
    read = reader(repo, withheld=("secret/",)).read_file_of(repo.tree("HEAD"))
    assert read(b"a.py") == b"import b\n"
    assert read(b"secret/key.py") is None


lines = st.lists(st.sampled_from([b"class A:\n", b"    x = 1\n", b"\n", b"y" * 90 + b"\n", b"z"]))


@given(lines, st.integers(1, 40))
def test_the_parts_of_a_file_are_the_file(found: list[bytes], most: int) -> None:
    content = b"".join(found)
    ranges = list(cut_lines(b"a.py", content, most))
    assert b"".join(content[start:stop] for _, _, start, stop in ranges) == content
    at = 1
    for first, last, start, stop in ranges:
        assert first == at <= last
        assert content[start:stop].splitlines() == content.splitlines()[first - 1 : last]
        # Only a line that alone is too large makes a part too large.
        assert stop - start <= 4 * most or first == last
        at = last + 1
    assert at == len(content.splitlines()) + 1


def test_no_process_is_started_for_a_file(repo: TestRepository, tmp_path: Path) -> None:
    base = repo.commit("a", {f"src/{n}.py": "x = 1\n" for n in range(30)})
    head = repo.commit("b", {f"src/{n}.py": "x = 2\n" for n in range(30)})
    source = reader(repo)
    source._repository.git.env["GIT_TRACE2_EVENT"] = str(tmp_path / "trace")  # type: ignore[index]
    text(source, source.read_tree(head))
    text(source, source.read_diff(base, head))
    assert not (tmp_path / "trace").exists()
