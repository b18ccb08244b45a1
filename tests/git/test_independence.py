"""No setting of the user, and nothing a hook sets, changes the atoms or the trees.

A law across ``repository``, ``difference``, ``renames`` and ``trees``.
"""

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from git_retcon.git.difference import compare_trees
from git_retcon.git.repository import open_repository
from tests.repository import TestRepository

BODY = "".join(f"line {number}\n" for number in range(20))


@pytest.fixture
def messy(repo: TestRepository) -> TestRepository:
    """A branch with every kind of change that settings are known to bend."""
    repo.commit(
        "base",
        {
            "old.txt": BODY,
            "second-old.txt": BODY.upper(),
            "crlf.txt": "one\r\ntwo\r\nthree\r\n",
            "sp ace/\u00fc.txt": "x\n",
            "gone": "gone\n",
        },
    )
    repo.git("branch", "base")
    repo.git("mv", "old.txt", "new.txt")
    repo.git("mv", "second-old.txt", "second-new.txt")
    repo.commit(
        "source",
        {
            "new.txt": BODY + "more\n",
            "second-new.txt": BODY.upper() + "MORE\n",
            "crlf.txt": "one\r\nTWO\r\nthree\n",
            "sp ace/\u00fc.txt": "y\n",
            "gone": None,
        },
    )
    return repo


def seen(repo: TestRepository) -> tuple[list[str], list[str]]:
    """Ids of the atoms, and the trees of each atom alone, through a repository newly opened."""
    found = compare_trees(repo.open(), repo.tree("base"), repo.tree("main"))
    return [atom.id for atom in found.atoms], [found.tree([atom.id]) for atom in found.atoms]


def setting(*pairs: str) -> Callable[[TestRepository], None]:
    def apply(repo: TestRepository) -> None:
        for pair in pairs:
            key, _, value = pair.partition("=")
            repo.git("config", key, value)

    return apply


def attributes(*lines: str) -> Callable[[TestRepository], None]:
    def apply(repo: TestRepository) -> None:
        info = repo.path / ".git/info/attributes"
        info.parent.mkdir(exist_ok=True)
        info.write_text("".join(f"{line}\n" for line in lines))
        (repo.path / ".gitattributes").write_text("".join(f"{line}\n" for line in lines))

    return apply


def custom_driver(repo: TestRepository) -> None:
    setting("diff.odd.textconv=false", "diff.odd.command=false", "filter.odd.clean=false")(repo)
    attributes("* diff=odd filter=odd")(repo)


def order_file(repo: TestRepository) -> None:
    (repo.path / ".git/order").write_text("sp*\nnew*\n")
    setting(f"diff.orderFile={repo.path}/.git/order")(repo)


def replaced(repo: TestRepository) -> None:
    other = repo.git("hash-object", "-w", "--stdin", stdin=b"replaced\n")
    for name in ("main:new.txt", "main:crlf.txt", "base:crlf.txt"):
        repo.git("replace", repo.rev(name), other)


def packed(repo: TestRepository) -> None:
    repo.git("repack", "-adq")
    repo.git("pack-refs", "--all")


@pytest.mark.parametrize(
    "bend",
    [
        setting("diff.noprefix=true", "diff.mnemonicPrefix=true"),
        setting("diff.renames=false"),
        setting("diff.renameLimit=1", "merge.renameLimit=1"),
        setting("diff.renames=copies"),
        setting("core.quotePath=false"),
        setting("diff.external=false"),
        setting("diff.relative=true", "diff.interHunkContext=9", "diff.context=9"),
        setting("diff.algorithm=patience", "diff.indentHeuristic=false"),
        setting("diff.ignoreSubmodules=all"),
        setting("core.autocrlf=true", "core.safecrlf=false"),
        setting("core.autocrlf=input", "core.eol=crlf"),
        setting("core.ignoreCase=true", "core.precomposeUnicode=true"),
        setting("core.fileMode=false", "core.symlinks=false"),
        attributes("* -diff"),
        attributes("* binary"),
        attributes("* text eol=crlf working-tree-encoding=UTF-16"),
        custom_driver,
        order_file,
        replaced,
        packed,
    ],
)
def test_settings_change_nothing(
    messy: TestRepository, bend: Callable[[TestRepository], None]
) -> None:
    before = seen(messy)
    base, target = messy.tree("base"), messy.tree("main")
    bend(messy)
    found = compare_trees(messy.open(), base, target)
    ids = [atom.id for atom in found.atoms]
    assert (ids, [found.tree([name]) for name in ids]) == before


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("GIT_INDEX_FILE", ".git/next-index-1.lock"),
        ("GIT_PREFIX", "sp ace/"),
        ("GIT_EXTERNAL_DIFF", "false"),
        ("GIT_DIFF_OPTS", "-u9"),
        ("GIT_LITERAL_PATHSPECS", "1"),
        ("GIT_ICASE_PATHSPECS", "1"),
        ("GIT_NAMESPACE", "other"),
        ("GIT_CONFIG_PARAMETERS", "'diff.renames'='false' 'diff.renamelimit'='1'"),
        ("LC_ALL", "de_DE.UTF-8"),
        ("GIT_PAGER", "false"),
    ],
)
def test_a_hooks_environment_changes_nothing(
    messy: TestRepository, monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    before = seen(messy)
    base, target = messy.tree("base"), messy.tree("main")
    monkeypatch.chdir(messy.path)
    monkeypatch.setenv(name, value)
    found = compare_trees(messy.open(), base, target)
    ids = [atom.id for atom in found.atoms]
    assert (ids, [found.tree([atom]) for atom in ids]) == before


def test_a_real_hook_sees_the_same(messy: TestRepository) -> None:
    """From pre-commit in a linked worktree, where git sets GIT_DIR and GIT_INDEX_FILE."""
    before, _ = seen(messy)
    linked = TestRepository(messy.path.parent / "linked")
    messy.git("worktree", "add", "-q", "-b", "work", str(linked.path))
    hook = messy.path / ".git/hooks/pre-commit"
    hook.parent.mkdir(exist_ok=True)
    code = (
        "from pathlib import Path\n"
        "from git_retcon.git.difference import compare_trees\n"
        "from git_retcon.git.repository import open_repository\n"
        f"found = compare_trees(open_repository(Path('.')), '{messy.tree('base')}', "
        f"'{messy.tree('main')}')\n"
        "print(*[atom.id for atom in found.atoms], found.tree([found.atoms[0].id]))\n"
    )
    script = messy.path.parent / "script.py"
    script.write_text(f"import sys\nsys.path.insert(0, {str(Path(__file__).parents[2])!r})\n{code}")
    hook.write_text(f"#!/bin/sh\nset -e\n'{sys.executable}' '{script}' > ../seen\n")
    hook.chmod(0o755)
    linked.commit("in a hook", {"new.txt": "other\n"})
    *ids, tree = (messy.path.parent / "seen").read_text().split()
    assert ids == before
    assert messy.git("cat-file", "-t", tree) == "tree"


def test_places_to_start_from_change_nothing(messy: TestRepository) -> None:
    before = seen(messy)
    base, target = messy.tree("base"), messy.tree("main")
    beside = messy.path.parent
    messy.git("worktree", "add", "-q", "--detach", str(beside / "linked"))
    messy.git("clone", "-q", "--bare", ".", str(beside / "bare.git"))
    messy.git("clone", "-q", "--shared", ".", str(beside / "shared"))
    odd = beside / "new\nline"
    messy.git("clone", "-q", ".", str(odd))
    for where in (
        messy.path / "sp ace",
        messy.path / ".git",
        beside / "linked",
        beside / "bare.git",
        beside / "shared",
        odd,
    ):
        found = compare_trees(open_repository(where), base, target)
        ids = [atom.id for atom in found.atoms]
        assert (ids, [found.tree([name]) for name in ids]) == before


def test_git_reads_what_we_write(messy: TestRepository) -> None:
    found = compare_trees(messy.open(), messy.tree("base"), messy.tree("main"))
    (crlf, *_) = [atom for atom in found.atoms if atom.path == b"crlf.txt"]
    made = found.tree([crlf.id])
    assert messy.show(f"{made}:crlf.txt").startswith(b"one\r\nTWO\r\n")
    assert messy.git("diff-tree", "-r", "--name-only", found.base, made) == "crlf.txt"
    status = subprocess.run(
        ["git", "-C", str(messy.path), "status", "--porcelain"], capture_output=True, check=True
    )
    assert status.stdout == b""
