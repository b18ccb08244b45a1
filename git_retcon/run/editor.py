"""The user's editor, found and run as git does it."""

import os
import subprocess

from git_retcon.git.process import repository_environment, run_git
from git_retcon.run.temporary_folder import open_temporary


def edit_text(content: bytes, name: str) -> bytes | None:
    """A content as its user left it in the editor; None where the editor failed or
    removed the file.

    ``name`` is that of the file that the editor shows.
    """
    said = run_git(["var", "GIT_EDITOR"], env=repository_environment())
    editor = said.stdout.decode("utf-8", "surrogateescape").strip() or "vi"
    with open_temporary("git-retcon.edit-", outlives_us=True) as folder:
        path = folder / name
        path.write_bytes(content)
        # The editor is the user's own shell command, as git runs it.
        words = ["sh", "-c", f'{editor} "$@"', editor, os.fspath(path)]
        done = subprocess.run(words, check=False, close_fds=False)
        if done.returncode != 0:
            return None
        try:
            return path.read_bytes()
        except FileNotFoundError:
            return None
