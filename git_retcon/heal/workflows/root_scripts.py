"""Scripts that install tools with root, where a job has folders of its own to install them to."""

from git_retcon.code.lazy_pattern import LazyPattern
from git_retcon.heal.workflows.scripts import read_commands

_SUDO = r"sudo(?:[ \t]+-[EHn]+)*[ \t]+"
_INSTALLERS = (
    r"(?:pip3?|python3?[ \t]+-m[ \t]+pip|npm|gem)[ \t]+(?:(?:--?[a-z][\w-]*)[ \t]+)*"
    r"(?:i|install|uninstall)\b"
)
_CALL = LazyPattern(rf"(?<![\w./$-]){_SUDO}(?={_INSTALLERS})")


def drop_needless_root(script: str) -> str:
    """The script, in which pip, npm and gem install without root."""
    # What a here-document writes stays as it is.
    if "sudo" not in script or "<<" in script:
        return script
    without = _CALL.compiled.sub("", script)
    # Nor may a word change that is only shown or handed on.
    meant = [_drop_root(words) for words in read_commands(script)]
    return without if list(read_commands(without)) == meant else script


def _drop_root(words: tuple[str, ...]) -> tuple[str, ...]:
    if not _CALL.match(" ".join(words)):
        return words
    return words[next(at for at, word in enumerate(words) if at and word[0] != "-") :]
