"""The ``origin`` of a job that fetches from it: the branches that the remote has, as far as git
knows them here. Nothing of it is the user's, and nobody's network or credentials are needed.
"""

import os
import shutil
from pathlib import Path

from git_retcon.files.atomic import save_for_now
from git_retcon.git.process import run_unconfigured
from git_retcon.git.refs import list_refs, read_symbolic_ref
from git_retcon.git.repository import Repository
from git_retcon.heal.current_branch import choose_remote
from git_retcon.run.clone import list_alternates
from git_retcon.run.removal import remove
from git_retcon.run.worktree import Worktree

_HEADS, _TAGS = "refs/heads/", "refs/tags/"
_CONFIG = """
[remote "origin"]
\turl = {address}
\tpushurl = {nowhere}
\tfetch = +refs/heads/*:refs/remotes/origin/*
[url "{folder}"]
\tinsteadOf = {address}
"""


def provide_origin(worktree: Worktree, folder: Path, name: str | None) -> None:
    """Let the clone of a worktree have an ``origin`` until it is made ready for the next job. It is
    made in ``folder``; ``name`` is what GitHub calls the repository, if that is known.

    Raises GitError.
    """
    _make_origin(worktree.repository, folder)
    config = worktree.git_dir / "config"
    here = _quote(folder)
    address = f"https://github.com/{name}" if name else here
    said = _CONFIG.format(address=address, folder=here, nowhere=_quote(folder / "none"))
    save_for_now(config, config.read_bytes() + os.fsencode(said))


def _make_origin(repository: Repository, folder: Path) -> None:
    remove(folder)
    folder.mkdir(parents=True)
    kind = repository.config.get("extensions.objectformat") or "sha1"
    env = {"GIT_TEMPLATE_DIR": "", "GIT_DEFAULT_REF_FORMAT": "files"}
    run_unconfigured(folder, "init", "-q", "--bare", f"--object-format={kind}", env=env)
    (folder / "objects/info/alternates").write_bytes(list_alternates(repository))
    shallow = repository.common_dir / "shallow"
    if shallow.is_file():
        shutil.copyfile(shallow, folder / "shallow")
    remote = choose_remote(repository.config, "")
    place = f"refs/remotes/{remote}/" if remote else _HEADS
    found = list_refs(repository.git, place, _TAGS)
    lines = [
        f"{ref.oid} {_HEADS + name.removeprefix(place) if name.startswith(place) else name}\n"
        for name, ref in found.items()
        if ref.symbolic is None
    ]
    packed = "# pack-refs with: \n" + "".join(lines)
    (folder / "packed-refs").write_bytes(os.fsencode(packed))
    head = read_symbolic_ref(repository, f"{place}HEAD") if remote else None
    if head is not None and head.startswith(place):
        (folder / "HEAD").write_bytes(os.fsencode(f"ref: {_HEADS}{head.removeprefix(place)}\n"))


def _quote(path: Path) -> str:
    return str(path).replace("\\", "\\\\").replace('"', '\\"')
