"""Git's settings as a build reads them: without the secrets in them.

Addresses with a token and headers with a login are often kept there. A build that reads one could
print it in another form, which no mask finds, and what it prints is sent to the model.
"""

import os
from collections.abc import Iterator
from pathlib import Path

from git_retcon.code_commit.seal import sealed_folder
from git_retcon.files.atomic import save
from git_retcon.files.path_digest import digest_path
from git_retcon.git.process import repository_environment, run_git
from git_retcon.git.repository import Repository
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor

_NAMES = frozenset({"config", "config.worktree"})


def mask_settings(repository: Repository) -> dict[Path, Path]:
    """The files of settings that hold a secret, each with a copy that does not.

    The copies are the user's own and lie where no build can write. Raises Fatal where they cannot
    be written.
    """
    redactor = Redactor(secrets_in(os.environ))
    masked: dict[Path, Path] = {}
    for place in _list_settings(repository):
        try:
            content = place.read_bytes()
        except OSError:  # no build of this user's can read it either
            continue
        shown = redactor.redact_bytes(content)
        if shown != content:
            copy = sealed_folder() / f"settings-{digest_path(place)}"
            copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            save(copy, shown, 0o600)
            # A mask can take the end of a quotation with it; without settings, git works too.
            if not _can_be_read(copy):
                save(copy, b"", 0o600)
            masked[place] = copy
    return masked


def _list_settings(repository: Repository) -> Iterator[Path]:
    """Those of the repository, of its worktrees and of its submodules."""
    for top in dict.fromkeys((repository.common_dir, repository.git_dir)):
        for folder, folders, names in os.walk(top):
            # Thousands of folders, and nothing that git reads settings from.
            folders[:] = [name for name in folders if name not in ("objects", "refs", "logs")]
            yield from (
                path
                for name in _NAMES.intersection(names)
                if (path := Path(folder, name)).is_file() and not path.is_symlink()
            )


def _can_be_read(settings: Path) -> bool:
    listed = run_git(
        ["config", "--file", os.fspath(settings), "--no-includes", "--list"],
        env=repository_environment(),
    )
    return listed.returncode == 0
