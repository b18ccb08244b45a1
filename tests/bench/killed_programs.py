"""The commands that are killed and refused: what each works on, and what it is to leave behind."""

import json
import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pexpect

from tests.code_commit.project import answer_of, new_project
from tests.program import Ran, allium_here, code_commit_here, on_terminal, retcon_here
from tests.repository import TestRepository, new_repository
from tests.retcon.editing.sheets import editor, move, shown
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch

_MINE = "mine, not committed\n"
_ANSWER = {"src/a.txt": "two\n", "new/b": "b\n", "old.txt": None}
_FORCED = ("--query", "Make it two.", "--response", "-", "--force", "--yes")
_SPEC = "history.toml"


class Program(NamedTuple):
    """A command to disturb. ``prepare`` makes what it works on, ``run`` runs it there once and
    gives its exit status, ``describe`` gives all that it is to leave behind.
    """

    name: str
    prepare: Callable[[Path], None]
    run: Callable[[Path], int]
    describe: Callable[[Path], dict[str, str]]


def _show(status: int, said: str) -> int:
    if status:
        sys.stderr.write(said)
        sys.stderr.flush()
    return status


def _pass_where_done(done: Ran, said: str) -> int:
    """How a command ended; one that was killed at its very end finds nothing left to do."""
    return 0 if re.search(said, done.err) else _show(done.status, done.err)


# git retcon


def _make_scene(top: Path, spec: str = SPEC) -> Scene:
    scene = messy_branch(new_repository(top / "repo"))
    # It writes nothing itself, and is fast.
    scene.write_spec(spec.replace(BUILD, "test -e shop.py"))
    return scene


def _prepare_retcon(top: Path) -> None:
    _make_scene(top).repo.write({"README.md": _MINE})


def _run_retcon(top: Path, *options: str) -> int:
    done = retcon_here(top / "repo", _SPEC, "--offline", "-q", *options)
    return _show(done.status, done.err)


def _prepare_undo(top: Path) -> None:
    _prepare_retcon(top)
    assert _run_retcon(top) == 0


def _undo_retcon(top: Path) -> int:
    done = retcon_here(top / "repo", "undo", _SPEC)
    return _pass_where_done(done, "fatal: (?:there is )?no run .*to undo")


def _make_disorder(top: Path) -> Scene:
    """A spec whose first commit does not build by itself, so that it gets a fix behind it."""
    head, one, two, three = SPEC.split("[[commit]]")
    scene = messy_branch(new_repository(top / "repo"))
    scene.write_spec("[[commit]]".join([head, two, one, three]))
    return scene


def _prepare_repair(top: Path) -> None:
    """And what the claims put into the last commit is pinned to the first."""
    _make_disorder(top).repo.write({"README.md": _MINE})
    listed = retcon_here(top / "repo", "hunks", "--json").ok().out
    pins = [hunk["id"] for hunk in json.loads(listed)["hunks"] if hunk["path"] == "README.md"]
    spec = top / "repo" / _SPEC
    spec.write_text(spec.read_text().replace("[[commit]]", f"[[commit]]\nhunks = {pins}", 1))


def _prepare_squash(top: Path) -> None:
    """A finished branch with that fix in it."""
    scene = _make_disorder(top)
    assert _run_retcon(top) == 0
    assert any(subject.startswith("WIP: ") for subject in scene.repo.subjects("main..clean"))
    scene.repo.write({"README.md": _MINE})


def _squash_retcon(top: Path) -> int:
    return _run_retcon(top, "--squash-wip")


def _prepare_adopt(top: Path) -> None:
    scene = _make_scene(top)
    assert _run_retcon(top) == 0
    scene.repo.git("checkout", "-q", "feature")


def _adopt_retcon(top: Path) -> int:
    done = retcon_here(top / "repo", "adopt", _SPEC)
    return _show(done.status, done.err)


def _prepare_working(top: Path) -> None:
    """Uncommitted work of each kind: two commits take most of it, and leave the rest."""
    files = {"README.md": "# ?\n", "gone.txt": "gone\n", "left.txt": "1\n"}
    repo = new_repository(top / "repo")
    repo.commit("Start", {**files, ".gitignore": "ignored\nhistory.toml\n"})
    work = {"README.md": "# Named\n", "new.py": "NEW = 1\n", "gone.txt": None}
    kept = {"left.txt": "2\n", "notes/left.md": "left\r\nas it is\n", "ignored": "ignored\n"}
    repo.write({**work, **kept, "run.sh": "run\n", ".env": "KEY=mine\n"})
    (repo.path / "run.sh").chmod(0o755)
    (repo.path / "link").symlink_to("new.py")
    repo.git("add", "left.txt", "new.py")
    repo.git("add", "-N", "run.sh")
    (repo.path / _SPEC).write_text(
        'source = "main"\nworktree = true\nremote = "main"\ncleaned = "clean"\n'
        'build = "test -e README.md"\n\n'
        '[[commit]]\nmessage = "Take what is named"\n'
        'files = ["*.py", "run.sh", "link", "gone.txt"]\n\n'
        '[[commit]]\nmessage = "Say it"\nfiles = ["README.md"]\n'
    )


def _prepare_working_adopt(top: Path) -> None:
    _prepare_working(top)
    assert _run_retcon(top) == 0


def _prepare_resolve(top: Path) -> None:
    scene = _make_scene(top, SPEC.replace(BUILD, "false"))
    assert retcon_here(scene.repo.path, _SPEC, "--offline", "-q").status == 1


def _resolve_retcon(top: Path) -> int:
    done = retcon_here(top / "repo", "resolve", _SPEC, "the build is another now")
    return _pass_where_done(done, "fatal: no commit of .* is stuck")


def _prepare_edit(top: Path) -> None:
    scene = _make_scene(top)
    left = move("README.md", 1)(shown(scene))
    (top / "editor.json").write_text(json.dumps(editor(scene, left)))


def _edit_retcon(top: Path) -> int:
    env = json.loads((top / "editor.json").read_text())
    done = retcon_here(top / "repo", "edit", _SPEC, env=env)
    return _show(done.status, done.err)


def _prepare_review(top: Path) -> None:
    """A squashed branch, and messages that say nothing of the code: every page is a question."""
    repo = _make_scene(top).repo
    squashed = repo.git("commit-tree", "feature^{tree}", "-p", "main", "-m", "squashed")
    repo.git("branch", "-f", "feature", squashed)
    head = SPEC.partition("[[commit]]")[0].replace(BUILD, "test -e shop.py")
    text = f'{head}[[commit]]\nmessage = "One"\n\n[[commit]]\nmessage = "Two"\n'
    (repo.path / _SPEC).write_text(text)


def _review_retcon(top: Path) -> int:
    env = {"NO_COLOR": "1", "COLUMNS": "100", "PYTHONDONTWRITEBYTECODE": "1"}
    child = on_terminal("retcon", top / "repo", "review", _SPEC, env=env)
    # The last is what a review says that finds every answer in the spec already.
    while (which := child.expect([r"Right\? \[", r"Write and run \(w\)", pexpect.EOF])) < 2:
        child.sendline(("1 2", "q")[which])
    said = str(child.before)
    child.close()
    status = child.exitstatus
    return _show(1 if status is None else status, said)


def _describe_retcon(top: Path) -> dict[str, str]:
    repo = TestRepository(top / "repo")
    notes = repo.git("log", "--notes=retcon", "--format=%H%n%N", "main..clean")
    return {
        **_describe_branches(top),
        "notes": re.sub(r"(?m)^(Verdict: \w+ \w+|Seconds:).*", r"\1", notes),
    }


def _describe_working(top: Path) -> dict[str, str]:
    """And what is staged, and that no object is missing or broken."""
    repo = TestRepository(top / "repo")
    history = repo.git("log", "--notes=retcon", "--format=%H%n%N", "clean")
    return {
        **_describe_branches(top),
        "notes": re.sub(r"(?m)^(Verdict: \w+ \w+|Seconds:).*", r"\1", history),
        "index": repo.git("ls-files", "--stage"),
        "fsck": repo.git("fsck", "--strict", "--no-dangling", "--no-progress"),
    }


def _describe_branches(top: Path) -> dict[str, str]:
    repo = TestRepository(top / "repo")
    kept = repo.git("for-each-ref", "--format=%(objectname)", "refs/retcon")
    return {
        "branches": repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads"),
        "kept": "\n".join(sorted(set(kept.split()))),
        **_describe_checkout(repo),
    }


# git code-commit


def _prepare_code_commit(top: Path) -> None:
    project = new_project(top / "repo")
    (project.path / "agent-config/query.txt").unlink()
    project.write({"src/a.txt": _MINE})


def _run_code_commit(top: Path, *options: str) -> int:
    words = (*_FORCED, *options, "-q")
    done = code_commit_here(top / "repo", *words, stdin=answer_of(_ANSWER))
    return _show(done.status, done.err)


def _run_and_commit(top: Path) -> int:
    return _run_code_commit(top, "--commit")


def _prepare_code_commit_undo(top: Path) -> None:
    _prepare_code_commit(top)
    assert _run_and_commit(top) == 0


def _undo_code_commit(top: Path) -> int:
    done = code_commit_here(top / "repo", "undo")
    return _pass_where_done(done, "fatal: (?:there is )?no run .*to undo")


def _describe_code_commit(top: Path) -> dict[str, str]:
    repo = TestRepository(top / "repo")
    kept = repo.git("for-each-ref", "--format=%(refname)", "refs/code-commit/before").split()
    is_kept = any(repo.git("show", f"{ref}:src/a.txt") == _MINE.rstrip() for ref in kept)
    return {
        "HEAD": repo.rev("HEAD"),
        "kept": str(is_kept),
        "index": repo.git("ls-files", "-s"),
        **_describe_checkout(repo),
    }


# git allium


def _prepare_evolve(top: Path) -> None:
    from tests.allium.history_shapes import entity, merge

    repo = new_repository(top / "repo")
    repo.commit("a", {"src/shop/order.py": entity("Order", "total")})
    repo.git("checkout", "-q", "-b", "topic")
    repo.commit("x", {"src/shop/cart.py": entity("Cart", "size")})
    repo.git("checkout", "-q", "main")
    repo.commit("b", {"src/shop/order.py": entity("Order", "total", "paid")})
    merge(repo, "m", "topic")
    repo.commit("c", {"src/tax/rate.py": entity("Rate", "n")})


def _prepare_reconcile(top: Path) -> None:
    from tests.allium.history_shapes import entity

    _prepare_evolve(top)
    _run_allium(top, "evolve", "--offline")
    repo = TestRepository(top / "repo")
    repo.commit("d", {"src/shop/order.py": entity("Order", "total", "weight")})


def _run_allium(top: Path, *arguments: str) -> int:
    done = allium_here(top / "repo", *arguments, "-q")
    return _show(done.status, done.err)


def _run_evolve(top: Path) -> int:
    from git_retcon.git import new_objects

    new_objects._FEWEST_PACKED = 8  # so few steps would become files alone
    return _run_allium(top, "evolve", "--offline", "--reconciliation-interval", "2")


def _run_reconcile(top: Path) -> int:
    return _run_allium(top, "reconcile", "--offline")


def _run_accept(top: Path) -> int:
    return _run_allium(top, "accept", "--all")


def _describe_allium(top: Path) -> dict[str, str]:
    from tests.allium.evolve.killed_runs import list_records

    repo = TestRepository(top / "repo")
    heads = repo.git("for-each-ref", "--format=%(refname) %(objectname)", "refs/heads")
    others = repo.git("for-each-ref", "--format=%(refname)", "refs/allium", "refs/notes")
    return {
        "branches": heads,
        "refs": others,
        "notes": repo.git("log", "--notes=allium", "--format=%H%n%N", "main"),
        "states": str(sorted(list_records(repo).items())),
        "fsck": repo.git("fsck", "--connectivity-only", "--no-dangling", "--no-progress"),
        **_describe_checkout(repo),
    }


# of all


def _describe_checkout(repo: TestRepository) -> dict[str, str]:
    return {
        "status": repo.git("status", "--porcelain", "--ignored=no"),
        "stash": repo.git("stash", "list"),
        "branch": repo.git("symbolic-ref", "HEAD"),
        "files": "\n".join(sorted(_list_files(repo.path.parent))),
        "contents": "\n".join(sorted(_read_files(repo.path))),
    }


def _list_files(top: Path) -> Iterator[str]:
    """Every file by name, where a time or an id in a name differs from run to run."""
    for folder, folders, names in os.walk(top):
        # "moves": a record of a killed git, that the next run which moves a ref removes.
        # "tree": what was built last there; a verdict that is known needs no other build.
        passed = ("objects", "logs", "blobs", "moves", "tree")
        folders[:] = [name for name in folders if name not in passed]
        for name in names:
            path = str(Path(folder, name).relative_to(top))
            # A cache, and its journal, that SQLite tidies up when it is next opened.
            is_cache = name.startswith("verdicts.db")
            if not is_cache and not {"before", "COMMIT_EDITMSG"}.intersection(Path(path).parts):
                yield re.sub("/[0-9a-f]{16}[.]json", "/ID.json", path)


def _read_files(checkout: Path) -> Iterator[str]:
    """What the user sees in the checkout: every file, the spec and what is not committed too."""
    for folder, folders, names in os.walk(checkout):
        folders[:] = [name for name in folders if name not in (".git", "logs")]
        for name in names:
            path = Path(folder, name)
            is_link, mode = path.is_symlink(), path.lstat().st_mode
            content = os.fsencode(path.readlink()) if is_link else path.read_bytes()
            yield f"{path.relative_to(checkout)}: {mode:o} {content!r}"


PROGRAMS = (
    Program("git retcon", _prepare_retcon, _run_retcon, _describe_retcon),
    Program("git retcon, pins and repair", _prepare_repair, _run_retcon, _describe_retcon),
    Program("git retcon --squash-wip", _prepare_squash, _squash_retcon, _describe_retcon),
    Program("git retcon undo", _prepare_undo, _undo_retcon, _describe_branches),
    Program("git retcon adopt", _prepare_adopt, _adopt_retcon, _describe_branches),
    Program("git retcon, of a worktree", _prepare_working, _run_retcon, _describe_working),
    Program(
        "git retcon adopt, of a worktree", _prepare_working_adopt, _adopt_retcon, _describe_working
    ),
    Program("git retcon resolve", _prepare_resolve, _resolve_retcon, _describe_branches),
    Program("git retcon edit", _prepare_edit, _edit_retcon, _describe_branches),
    Program("git retcon review", _prepare_review, _review_retcon, _describe_branches),
    Program(
        "git code-commit --force", _prepare_code_commit, _run_code_commit, _describe_code_commit
    ),
    Program(
        "git code-commit --force --commit",
        _prepare_code_commit,
        _run_and_commit,
        _describe_code_commit,
    ),
    Program(
        "git code-commit undo",
        _prepare_code_commit_undo,
        _undo_code_commit,
        _describe_code_commit,
    ),
    Program("git allium evolve", _prepare_evolve, _run_evolve, _describe_allium),
    Program("git allium reconcile", _prepare_reconcile, _run_reconcile, _describe_allium),
    Program("git allium accept", _prepare_reconcile, _run_accept, _describe_allium),
)
