"""The files through which a step hands values to later ones: GITHUB_ENV, GITHUB_OUTPUT, …

``name=value`` lines, and values of several lines between a word that the step chose::

    name<<WORD
    …
    WORD
"""

from collections.abc import Iterator
from pathlib import Path

from git_retcon.files.beneath import Beneath
from git_retcon.files.untrusted_paths import ForbiddenPath
from git_retcon.lazy_named_tuple import NamedTuple

# Those that a step would use to speak for the runner, or that choose what node loads.
_FORBIDDEN_PREFIXES = ("GITHUB_", "RUNNER_")
_FORBIDDEN = frozenset({"NODE_OPTIONS"})
_MOST_BYTES = 16 << 20
_NAMES = ("ENV", "OUTPUT", "PATH", "STATE", "STEP_SUMMARY")


class BadCommandFile(Exception):
    """A file that GitHub would refuse; the message is GitHub's own."""


class CommandFiles(NamedTuple):
    """One empty file for each kind, made for one step."""

    folder: Path

    def make(self) -> dict[str, str]:
        """The variables that name the files, which are made."""
        self.folder.mkdir(parents=True, exist_ok=True)
        variables = {}
        for name in _NAMES:
            path = self.folder / name.lower()
            path.write_bytes(b"")
            variables[f"GITHUB_{name}"] = str(path)
        return variables

    def read_variables(self) -> dict[str, str]:
        """What the step sets for later steps. Raises BadCommandFile."""
        pairs = dict(read_pairs(self._read_file("env")))
        for name in pairs:
            if name.upper() in _FORBIDDEN:
                raise BadCommandFile(
                    f"Can't store {name} output parameter using '$GITHUB_ENV' command."
                )
        return {
            name: value
            for name, value in pairs.items()
            if not name.upper().startswith(_FORBIDDEN_PREFIXES)
        }

    def read_outputs(self) -> dict[str, str]:
        """The step's outputs. Raises BadCommandFile."""
        return dict(read_pairs(self._read_file("output")))

    def read_paths(self) -> list[str]:
        """Folders to be put before PATH, each before those above it."""
        return [line for line in self._read_file("path").splitlines() if line.strip()]

    def _read_file(self, name: str) -> str:
        if (self.folder / name).is_dir():  # GitHub asks for a file, and finds none
            return ""
        path = f"{self.folder.name}/{name}".encode()
        try:
            file = Beneath(self.folder.parent).read(path, _MOST_BYTES + 1)
        except (ForbiddenPath, OSError) as error:
            # A pipe that nobody writes to would never end, a link show any file of the user's.
            raise BadCommandFile(f"$GITHUB_{name.upper()} cannot be read: {error}") from error
        content = b"" if file is None else file.content
        if len(content) > _MOST_BYTES:
            raise BadCommandFile(f"the file of {name} is larger than {_MOST_BYTES >> 20} MiB")
        return content.decode("utf-8", "surrogateescape").removeprefix("\ufeff")


def read_pairs(text: str) -> Iterator[tuple[str, str]]:
    """The names and values in a file, as actions/runner reads them. Raises BadCommandFile."""
    lines = iter(text.replace("\r\n", "\n").split("\n"))
    for line in lines:
        if not line:
            continue
        equals, heredoc = line.find("="), line.find("<<")
        if equals >= 0 and (heredoc < 0 or equals < heredoc):
            name, _, value = line.partition("=")
        elif heredoc >= 0:
            name, _, word = line.partition("<<")
            if not word:
                raise BadCommandFile(f"Invalid format '{line}'. Delimiter must not be empty")
            value = _read_until(word, lines)
        else:
            raise BadCommandFile(f"Invalid format '{line}'")
        if not name:
            raise BadCommandFile(f"Invalid format '{line}'. Name must not be empty")
        yield name, value


def _read_until(word: str, lines: Iterator[str]) -> str:
    """The lines before the one that is the word alone."""
    value: list[str] = []
    for line in lines:
        if line == word:
            return "\n".join(value)
        value.append(line)
    raise BadCommandFile(f"Invalid value. Matching delimiter not found '{word}'")
