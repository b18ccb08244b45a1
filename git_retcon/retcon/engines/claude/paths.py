"""Paths as a model gives them: hostile until checked."""

import unicodedata

from git_retcon.model.toolloop import ToolFault

_LONGEST_PATH, _LONGEST_NAME = 4096, 255
# What file systems see in place of `.git`: the short name that NTFS gives it.
_SHORT_NAMES = ("git~1", "git~2", "gitmod~1", "gitatt~1", "gi7eba~1", "gi7d29~1")


def readable_path(text: str) -> bytes:
    """A path relative to the root, as git spells it.

    Raises ToolFault for anything absolute, outside, or in ``.git`` in any spelling.
    """
    path = text.removeprefix("./")
    names = path.split("/")
    if not text or text.startswith("/") or any(name in ("", ".", "..") for name in names):
        raise ToolFault(f"'{text}' is not a path relative to the root of the repository")
    if "\\" in text or any(unicodedata.category(char) == "Cc" for char in text):
        raise ToolFault(f"'{text}' holds characters that no path may have here")
    if any(_folded(name) in (".git", *_SHORT_NAMES) for name in names):
        raise ToolFault(f"'{text}' is in git's own directory, which is out of reach")
    raw = path.encode("utf-8", "surrogatepass")
    if len(raw) > _LONGEST_PATH or any(len(name) > _LONGEST_NAME for name in raw.split(b"/")):
        raise ToolFault("that path is too long")
    return raw


def writable_path(text: str) -> bytes:
    """As ``readable_path``, and nothing that git or a forge itself obeys.

    ``.gitattributes`` can start the user's own filters at a checkout, ``.gitmodules`` makes
    submodules, ``.github`` and ``.gitlab-ci.yml`` run elsewhere once they are pushed.
    """
    path = readable_path(text)
    if any(_folded(name).startswith(".git") for name in text.split("/")):
        raise ToolFault(f"'{text}' is a file that git or a forge obeys; it cannot be written")
    return path


def _folded(name: str) -> str:
    """How a file system that ignores case, trailing dots, or invisible characters reads a name."""
    composed = unicodedata.normalize("NFKC", name)
    seen = "".join(char for char in composed if unicodedata.category(char) != "Cf")
    return seen.partition(":")[0].rstrip(" .").casefold()
