"""One step: what is asked of an engine, and what is written."""

from git_retcon.allium.engine import Update
from git_retcon.allium.evolve.agenda import Parent
from git_retcon.allium.evolve.source_files import SourceFiles
from git_retcon.allium.evolve.step_writer import Layout, Result, StepWriter
from git_retcon.allium.history.source_notes import SpecRecord
from git_retcon.allium.store.source_map import SourceRoot
from git_retcon.git.graph import read_commit
from tests.allium.history_shapes import BRANCH, entity, evolve, spec
from tests.repository import TestRepository

TEXT = b"-- allium: 3\n-- X.\n\n-- Source: src/x/a.py, A\nentity A {\n    n: Integer\n}\n"
OTHER = TEXT.replace(b"entity A", b"entity B").replace(b"a.py, A", b"b.py, B")


class Desk:
    """A writer, and the steps that were described with it."""

    def __init__(self, repo: TestRepository, most_tokens: int = 8000) -> None:
        self.repo = repo
        self.repository = repo.open()
        layout = Layout(SourceRoot(), most_tokens)
        self.writer = StepWriter(self.repository, "test", SourceFiles(self.repository, ()), layout)

    def tell(self, source: str, update: Update, *parents: Parent) -> Result:
        commit = read_commit(self.repository, source)
        return self.writer.finish(self.writer.prepare(commit, 0, parents, ()), update)

    def parent(self, source: str, result: Result) -> Parent:
        return Parent(source, SpecRecord(result.spec, result.spec, 0))

    def modules(self, result: Result) -> list[str]:
        names = self.repo.git("ls-tree", "-r", "--name-only", f"{result.spec}:spec")
        return names.splitlines()


def test_a_step_without_a_change_keeps_the_tree(repo: TestRepository) -> None:
    a, b = repo.commit("a", {"src/x/a.py": "1\n"}), repo.commit("b", {"README": "x\n"})
    desk = Desk(repo)
    first = desk.tell(a, Update({b"x.allium": TEXT}))
    second = desk.tell(b, Update(), desk.parent(a, first))
    assert second.changed == []
    assert repo.tree(second.spec) == repo.tree(first.spec)
    assert repo.git("rev-parse", f"{second.spec}^") == first.spec


def test_a_module_that_grew_too_large_is_split_and_the_master_knows(repo: TestRepository) -> None:
    a = repo.commit("a", {"src/x/a.py": "1\n"})
    desk = Desk(repo, most_tokens=20)
    told = desk.tell(a, Update({b"x.allium": TEXT + OTHER.partition(b"\n\n")[2]}))
    assert desk.modules(told) == ["_master.allium", "x/a.allium", "x/b.allium"]
    assert 'use "./x/a.allium" as a' in repo.git("show", f"{told.spec}:spec/_master.allium")


def test_a_renamed_file_is_named_with_its_old_path(repo: TestRepository) -> None:
    a = repo.commit("a", {"src/x/a.py": "1\n", "src/x/same.py": "2\n", "src/x/other.py": "3\n"})
    repo.git("mv", "src/x", "src/y")
    b = repo.commit("b", {"src/y/a.py": "changed\n", "src/y/other.py": None})
    desk = Desk(repo)
    first = desk.tell(a, Update({b"x.allium": TEXT}))
    commit = read_commit(desk.repository, b)
    step = desk.writer.prepare(commit, 1, [desk.parent(a, first)], ()).step
    assert step.renames == {b"src/y/a.py": b"src/x/a.py", b"src/y/same.py": b"src/x/same.py"}
    assert list(step.store.all_modules()) == [b"y.allium"]


def test_of_a_merge_only_what_no_parent_has_is_asked(repo: TestRepository) -> None:
    base = repo.commit("base", {"src/x/a.py": "1\n", "src/x/b.py": "1\n", "src/x/c.py": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"src/x/a.py": "2\n", "src/x/b.py": "2\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit("main", {"src/x/c.py": "2\n"})
    repo.write({"src/x/a.py": "2\n", "src/x/b.py": "3\n"})
    repo.git("add", "-A")
    tree = repo.git("write-tree")
    merge = repo.git("commit-tree", "-p", main, "-p", side, "-m", "merge", tree)
    desk = Desk(repo)
    first = desk.parent(base, desk.tell(base, Update({b"x.allium": TEXT})))
    changed = TEXT.replace(b"n: Integer", b"n: Integer\n    m: Integer")
    ours = desk.parent(main, desk.tell(main, Update({b"x.allium": changed}), first))
    conflicting = TEXT.replace(b"n: Integer", b"n: String")
    theirs = desk.parent(side, desk.tell(side, Update({b"x.allium": conflicting}), first))
    prepared = desk.writer.prepare(read_commit(desk.repository, merge), 3, [ours, theirs], ())
    assert [change.path for change in prepared.step.changes] == [b"src/x/b.py"]
    assert not prepared.step.conflicts
    told = desk.writer.finish(prepared, Update())
    text = repo.git("show", f"{told.spec}:spec/x.allium")
    assert "n: String\n    m: Integer" in text
    assert "Merged 2 specifications." in repo.git("log", "-1", "--format=%b", told.spec)


def test_a_file_that_a_merge_itself_moves_is_named_with_its_old_path(repo: TestRepository) -> None:
    base = repo.commit("base", {"src/x/a.py": "1\n", "src/z/c.py": "1\n"})
    repo.git("checkout", "-q", "-b", "side")
    side = repo.commit("side", {"src/z/c.py": "2\n"})
    repo.git("checkout", "-q", "main")
    main = repo.commit("main", {"src/z/d.py": "1\n"})
    repo.git("merge", "-q", "--no-commit", "side")
    repo.git("mv", "src/x", "src/y")
    merged = repo.commit("merge")
    desk = Desk(repo)
    first = desk.parent(base, desk.tell(base, Update({b"x.allium": TEXT})))
    sides = [desk.parent(each, desk.tell(each, Update(), first)) for each in (main, side)]
    step = desk.writer.prepare(read_commit(desk.repository, merged), 3, sides, ()).step
    assert step.renames == {b"src/y/a.py": b"src/x/a.py"}
    assert list(step.store.all_modules()) == [b"y.allium"]


FILES = {"src/shop/order.py": entity("Order", "n"), "src/post/letter.py": entity("Letter", "n")}


def move_source(repo: TestRepository, former: str, root: str) -> None:
    repo.git("mv", former, root)
    repo.commit(f"{former} is {root}")


def list_modules(repo: TestRepository) -> list[str]:
    return repo.git("ls-tree", "-r", "--name-only", BRANCH, "spec").splitlines()


def test_modules_keep_their_names_where_the_source_root_is_renamed(repo: TestRepository) -> None:
    repo.commit("a", FILES)
    evolve(repo)
    before = list_modules(repo)
    for former, root in (("src", "lib2"), ("lib2", "app"), ("app", "src")):
        move_source(repo, former, root)
        repo.commit("new", {f"{root}/tax/{root}.py": entity("Rate", "n")})
        evolve(repo)
        assert list_modules(repo) == [*before, "spec/tax.allium"]
        assert f"-- Source: {root}/shop/order.py, Order" in spec(repo, "shop")
    assert "Source root" not in spec(repo, "_master")


def test_a_branch_brings_the_renamed_root_along(repo: TestRepository) -> None:
    repo.commit("a", FILES)
    repo.git("checkout", "-q", "-b", "side")
    move_source(repo, "src", "lib2")
    repo.git("checkout", "-q", "main")
    repo.commit("c", {"note.txt": "x"})
    repo.git("merge", "-q", "--no-edit", "side")
    repo.commit("d", {"lib2/tax/rate.py": entity("Rate", "n")})
    evolve(repo)
    modules = [f"spec/{each}.allium" for each in ("_master", "post", "shop", "tax")]
    assert list_modules(repo) == modules
