"""Names and ancestry are git's answers."""

import itertools
import random
from dataclasses import replace
from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.git.graph import (
    NamedCommit,
    find_merge_base,
    find_named,
    is_ancestor,
    is_commit,
    is_shallow,
    list_candidates,
    list_merge_bases,
    list_own_commits,
    read_commit,
    read_full_name,
    resolve_commit,
    resolve_tree,
)
from git_retcon.git.process import Git
from git_retcon.git.refs import list_refs
from git_retcon.git.repository import open_repository
from tests.repository import TestRepository, new_repository


def test_any_commit_ish_is_resolved_and_nothing_else(repo: TestRepository) -> None:
    oid = repo.commit("one", {"a": "1\n"})
    repo.git("tag", "-a", "-m", "v1", "v1")
    opened = repo.open()
    for name in ("main", "HEAD", "v1", oid[:7], "@{0}", "refs/heads/main", "main^{commit}"):
        assert resolve_commit(opened, name) == oid
    for name in ("nowhere", "HEAD^{tree}", "--all", "main:a", "", "HEAD~9"):
        assert resolve_commit(opened, name) is None


def test_any_tree_ish_is_resolved_to_its_tree_and_nothing_else(repo: TestRepository) -> None:
    repo.commit("one", {"d/a": "1\n"})
    repo.git("tag", "-a", "-m", "v1", "v1")
    opened, tree = repo.open(), repo.tree("HEAD")
    for name in ("main", "v1", tree, "HEAD^{tree}"):
        assert resolve_tree(opened, name) == tree
    assert resolve_tree(opened, "HEAD:d") == repo.rev("HEAD:d")
    for name in ("nowhere", "--all", "main:d/a", "", "HEAD~9"):
        assert resolve_tree(opened, name) is None


def test_merge_base_and_unrelated_histories(repo: TestRepository) -> None:
    base = repo.commit("base")
    repo.git("checkout", "-q", "-b", "topic")
    tip = repo.commit("topic")
    repo.git("checkout", "-q", "--orphan", "other")
    other = repo.commit("other")
    opened = repo.open()
    assert find_merge_base(opened, tip, base) == base
    assert find_merge_base(opened, tip, other) is None
    assert is_ancestor(opened, base, tip)
    assert not is_ancestor(opened, tip, base)


def test_messages_of_any_encoding_are_read(repo: TestRepository) -> None:
    repo.git("config", "i18n.commitEncoding", "ISO-8859-1")
    repo.git("commit", "-q", "--allow-empty", "-F", "-", stdin="grün\n".encode("latin-1"))
    commit = read_commit(repo.open(), repo.rev("HEAD"))
    assert (commit.subject, commit.author) == (
        "grün",
        "Ada Lovelace <ada@example.com> 1500000000 +0000",
    )


def test_a_missing_commit_is_named(repo: TestRepository) -> None:
    repo.commit("one")
    with pytest.raises(Fatal, match=r"commit 1{40} is missing"):
        read_commit(repo.open(), "1" * 40)


NAMES = [
    "main", "topic", "heads/topic", "refs/heads/topic", "refs/tags/v1", "tags/v1", "v1", "both",
    "heads/both", "tags/both", "tree", "origin", "origin/main", "remotes/origin/main", "link",
    "HEAD", "@", "ORIG_HEAD", "main~0", "topic^{commit}", "nowhere", "", "-x", "main*", "ma[i]n",
    "packed", "refs/heads", "@{0}", "topic@{0}", "a b", "a" * 40, "config", "<one>", "<two>",
    "<short>",
]  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_what_git_takes_it_for(repo: TestRepository, name: str) -> None:
    one = repo.commit("one", {"f": "x\n"})
    repo.git("branch", "packed")
    repo.git("pack-refs", "--all")
    repo.git("checkout", "-q", "-b", "topic")
    two = repo.commit("two")
    repo.git("tag", "-a", "-m", "v1", "v1", one)
    repo.git("tag", "tree", "main^{tree}")
    repo.git("branch", "both")
    repo.git("tag", "both", one)
    repo.git("branch", "a" * 40)
    repo.git("update-ref", "refs/heads/ORIG_HEAD", one)
    repo.git("update-ref", "ORIG_HEAD", two)
    repo.git("update-ref", f"refs/heads/{two}", one)
    repo.git("update-ref", "refs/remotes/origin/main", two)
    repo.git("symbolic-ref", "refs/remotes/origin/HEAD", "refs/remotes/origin/main")
    repo.git("symbolic-ref", "refs/heads/link", "refs/heads/topic")
    name = {"<one>": one, "<two>": two, "<short>": one[:8]}.get(name, name)
    opened = repo.open()
    oid = resolve_commit(opened, name)
    expected = None if oid is None else NamedCommit(oid, read_full_name(opened, name))
    assert find_named(opened, name, list_refs(opened.git, *list_candidates(name))) == expected


def test_an_ordinary_branch_is_found_without_asking_again(repo: TestRepository) -> None:
    oid = repo.commit("one")
    opened = repo.open()
    refs = list_refs(opened.git, *list_candidates("main"))
    without_git = replace(opened, git=Git(opened.git_dir, env={"PATH": ""}))
    assert find_named(without_git, "main", refs) == NamedCommit(oid, "refs/heads/main")
    with pytest.raises(Fatal, match="git is not installed"):
        find_named(without_git, "main~0", refs)


def test_own_commits_are_those_of_the_branch_itself(repo: TestRepository) -> None:
    base = repo.commit("base", {"f": "1\n"})
    repo.git("checkout", "-q", "-b", "topic")
    one = repo.commit("one", {"t": "1\n"})
    repo.git("checkout", "-q", "main")
    trunk = repo.commit("trunk", {"m": "1\n"})
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-edit", "main")
    merge, two = repo.rev("HEAD"), repo.commit("two", {"t": "2\n"})
    opened = repo.open()
    assert [commit.oid for commit in list_own_commits(opened, base, two)] == [one, merge, two]
    assert read_commit(opened, merge).parents == (one, trunk)


def test_a_commit_is_known_by_its_full_id_alone(repo: TestRepository) -> None:
    oid = repo.commit("one")
    opened = repo.open()
    assert is_commit(opened, oid)
    assert not is_commit(opened, oid[:10])
    assert not is_commit(opened, repo.tree("HEAD"))
    assert not is_commit(opened, "1" * 40)
    assert not is_commit(opened, "main")
    assert not is_commit(opened, "z" * 40)


def test_a_cut_off_history_is_shallow(repo: TestRepository) -> None:
    repo.commit("one")
    repo.commit("two")
    shallow = repo.path.parent / "shallow"
    repo.git("clone", "-q", "--depth=1", f"file://{repo.path}", str(shallow))
    opened = TestRepository(shallow).open()
    assert is_shallow(opened)
    assert not is_shallow(repo.open())
    with pytest.raises(Fatal, match=r"is not in this clone, which is shallow") as raised:
        read_commit(opened, repo.rev("HEAD~"))
    assert raised.value.hint == "'git fetch --unshallow' brings what it lacks"


@pytest.mark.slow
@pytest.mark.parametrize("own", [1, 3, 250])
def test_own_commits_and_their_base_are_git_s_answer(repo: TestRepository, own: int) -> None:
    base = repo.commit("base")
    for number in range(own):
        tip = repo.commit(f"own {number}")
    repo.git("checkout", "-q", "-b", "moved", base)
    moved = repo.commit("moved on")
    opened = repo.open()
    listed = repo.git("rev-list", "--reverse", f"{base}..{tip}").split()
    assert [each.oid for each in list_own_commits(opened, base, tip)] == listed
    assert find_merge_base(opened, tip, base) == find_merge_base(opened, tip, moved) == base


def test_a_base_beside_the_first_parents_is_found_too(repo: TestRepository) -> None:
    repo.commit("old")
    repo.git("checkout", "-q", "-b", "topic")
    first = repo.commit("first")
    repo.git("checkout", "-q", "main")
    base = repo.commit("newer")
    repo.git("checkout", "-q", "topic")
    repo.git("merge", "-q", "--no-ff", "-m", "merge", "main")
    merge, last = repo.rev("HEAD"), repo.commit("last")
    opened = repo.open()
    assert find_merge_base(opened, last, base) == base
    own = [each.oid for each in list_own_commits(opened, base, last)]
    assert own == [first, merge, last]


def test_where_the_history_is_cut_off_git_is_asked(repo: TestRepository, tmp_path: Path) -> None:
    base = repo.commit("base")
    for number in range(3):
        tip = repo.commit(f"own {number}")
    repo.git("clone", "-q", "--depth=2", f"file://{repo.path}", str(tmp_path / "shallow"))
    shallow = open_repository(tmp_path / "shallow")
    assert find_merge_base(shallow, tip, repo.rev("HEAD~")) == repo.rev("HEAD~")
    with pytest.raises(Fatal, match="merge-base"):
        find_merge_base(shallow, tip, base)


def test_git_is_asked_where_libgit2_cannot_open(tmp_path: Path) -> None:
    repo = new_repository(tmp_path / "repo", "--object-format=sha256")
    base, tip = repo.commit("base"), repo.commit("tip")
    opened = repo.open()
    assert resolve_commit(opened, tip) == resolve_commit(opened, "HEAD") == tip
    assert find_merge_base(opened, tip, base) == base
    assert is_ancestor(opened, base, tip)


def test_a_full_id_is_its_commit_in_any_spelling(repo: TestRepository) -> None:
    oid = repo.commit("one", {"a": "1\n"})
    opened = repo.open()
    assert resolve_commit(opened, oid.upper()) == oid
    assert resolve_commit(opened, repo.tree("HEAD")) is None
    assert resolve_commit(opened, "1" * 40) is None


def test_head_is_resolved_at_a_branch_packed_or_not_detached_or_unborn(
    repo: TestRepository,
) -> None:
    assert resolve_commit(repo.open(), "HEAD") is None
    one = repo.commit("one")
    assert resolve_commit(repo.open(), "HEAD") == one
    repo.git("pack-refs", "--all")
    assert resolve_commit(repo.open(), "HEAD") == one
    repo.git("checkout", "-q", "--detach")
    assert resolve_commit(repo.open(), "HEAD") == one


def test_all_merge_bases_of_branches_that_were_merged_into_each_other(repo: TestRepository) -> None:
    repo.commit("root", {"a": "1\n"})
    for name in ("one", "two", "three"):
        repo.git("checkout", "-q", "-b", name, "main")
        repo.commit(name, {name: "1\n"})
    for name in ("left", "right"):
        repo.git("checkout", "-q", "-b", name, "one")
        repo.git("merge", "-q", "--no-ff", "-m", name, "two", "three")
        repo.commit(f"{name} goes on", {name: "1\n"})
    opened = repo.open()
    expected = repo.git("merge-base", "--all", "left", "right").splitlines()
    assert len(expected) == 3
    assert sorted(list_merge_bases(opened, repo.rev("left"), repo.rev("right"))) == sorted(expected)
    assert list_merge_bases(opened, repo.rev("left"), repo.rev("two")) == [repo.rev("two")]
    repo.git("checkout", "-q", "--orphan", "other")
    repo.commit("other", {"b": "1\n"})
    assert list_merge_bases(opened, repo.rev("other"), repo.rev("two")) == []


def test_the_merge_bases_of_any_two_commits_are_gits(repo: TestRepository) -> None:
    chance = random.Random(7)
    made = [repo.commit("root", {"a": "1\n"})]
    tree = repo.tree("HEAD")
    for number in range(24):
        parents = chance.sample(made[-5:], k=min(len(made), chance.choice((1, 2, 2))))
        options = [word for parent in parents for word in ("-p", parent)]
        made.append(repo.git("commit-tree", tree, *options, "-m", str(number)).strip())
    opened = repo.open()
    several = 0
    for one, other in itertools.combinations(made[1:], 2):
        expected = repo.git("merge-base", "--all", one, other).split()
        assert sorted(list_merge_bases(opened, one, other)) == sorted(expected)
        several += len(expected) > 1
    assert several
