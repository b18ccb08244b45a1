"""Git's settings as a build reads them: without the secrets in them.

Addresses with a token and headers with a login are often kept there. A build that reads one could
print it in another form, which no mask finds, and what it prints is sent to the model.
"""

import os
import shlex
from collections.abc import Iterable, Iterator
from pathlib import Path

from git_retcon.code_commit.seal import sealed_folder
from git_retcon.files.atomic import save
from git_retcon.files.path_digest import digest_path
from git_retcon.git.repository import Repository
from git_retcon.model.known_secrets import secrets_in
from git_retcon.model.redaction import Redactor, contains_mask
from git_retcon.run.git_settings import Values, can_be_read, read_settings, remove_settings
from git_retcon.run.secret_settings import holds_secret, is_credential_helper

_NAMES = frozenset({"config", "config.worktree"})
# Where "git credential-store" keeps passwords, by what people name it in '.git'.
_CREDENTIALS = frozenset({"credentials", ".git-credentials"})
# To ask git for the settings of each of many submodules takes time.
_MAY_MATTER = (b"pass", b"extraheader", b"token", b"secret", b"apikey", b"api-key", b"api_key",
               b"helper", b"proxy", b"include")  # fmt: skip


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
        if shown != content or _find_secret_keys(place):
            copy = sealed_folder() / f"settings-{digest_path(place)}"
            copy.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            save(copy, shown, 0o600)
            _remove_secret_keys(copy)
            masked[place] = copy
    return masked


def find_credentials(repository: Repository) -> tuple[Path, ...]:
    """The files that a build would see in which git keeps passwords as they are."""
    tops = _list_tops(repository)
    named = (
        (repository.work_tree or repository.common_dir) / name
        for place in _list_settings(repository)
        for key, values in _read_relevant(place)
        if is_credential_helper(key)
        for value in filter(None, values)
        for name in _find_store(value)
    )
    inside = (place for place in named if any(place.is_relative_to(top) for top in tops))
    found = (*_list_files(repository, _CREDENTIALS), *inside)
    return tuple(dict.fromkeys(place for place in found if place.is_file()))


def _find_store(helper: str) -> Iterator[str]:
    """The file that a ``store --file=FILE`` names."""
    try:
        words = shlex.split(helper)
    except ValueError:
        words = helper.split()
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word.startswith("--file"):
            yield os.path.normpath(word.partition("=")[2] or following)


def _find_secret_keys(settings: Path) -> list[str]:
    """The keys that hold a secret that no mask covers."""
    found = _read_relevant(settings)
    return [key for key, values in found if any(_is_secret(key, each or "") for each in values)]


def _read_relevant(settings: Path) -> Iterable[tuple[str, Values]]:
    """The keys with their values, where a secret or an include may be among them."""
    try:
        content = settings.read_bytes().lower()
    except OSError:  # no build of this user's can read it either
        return ()
    if not any(word in content for word in _MAY_MATTER):
        return ()
    return read_settings(settings).values.items()


def _is_secret(key: str, value: str) -> bool:
    # A script that gives passwords may print another one than the mask has covered.
    is_covered = contains_mask(value) and not is_credential_helper(key)
    return not is_covered and holds_secret(key, value)


def _remove_secret_keys(copy: Path) -> None:
    """Remove what the masks have left, as a short password is like any word."""
    remove_settings(copy, _find_secret_keys(copy))
    # A mask can take the end of a quotation with it; without settings, git works too.
    if not can_be_read(copy) or _find_secret_keys(copy):
        save(copy, b"", 0o600)


def _list_settings(repository: Repository) -> Iterator[Path]:
    """Those of the repository, of its worktrees, of its submodules and of other repositories in
    the tree, and what they include.
    """
    tops = [top.resolve() for top in _list_tops(repository)]
    found: dict[Path, None] = {}
    waiting = list(_list_files(repository, _NAMES))
    while waiting:
        place = waiting.pop()
        if place not in found:
            found[place] = None
            included = (path for path in _list_included(place) if path.is_file())
            waiting += (p for p in included if any(p.is_relative_to(top) for top in tops))
    return iter(found)


def _list_included(settings: Path) -> Iterator[Path]:
    """The files that a file of settings includes, under any condition."""
    for key, values in _read_relevant(settings):
        if key.startswith(("include.", "includeif.")):
            for value in filter(None, values):
                yield Path(os.path.realpath(settings.parent / value))


def _list_files(repository: Repository, wanted: frozenset[str]) -> Iterator[Path]:
    """The files of these names in git's own folders."""
    for top in dict.fromkeys((repository.common_dir, repository.git_dir, *_find_inner(repository))):
        for folder, folders, names in os.walk(top):
            # Thousands of folders, and nothing that git reads settings from.
            folders[:] = [name for name in folders if name not in ("objects", "refs", "logs")]
            yield from (
                path
                for name in wanted.intersection(names)
                if (path := Path(folder, name)).is_file() and not path.is_symlink()
            )


def _find_inner(repository: Repository) -> Iterator[Path]:
    """The git directories of other repositories in the tree."""
    for folder, folders, _ in os.walk(repository.work_tree or repository.common_dir):
        if ".git" in folders:
            folders.remove(".git")
            if Path(folder) != repository.work_tree:
                yield Path(folder, ".git")


def _list_tops(repository: Repository) -> list[Path]:
    """What a build sees that git may read settings from: the rest of the disk is hidden from it, or
    none of the user's.
    """
    return [
        each for each in (repository.common_dir, repository.git_dir, repository.work_tree) if each
    ]
