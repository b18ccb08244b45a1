"""What is installed beside the package: manual pages and completion scripts, of each command.

An installation keeps them below ``share``. A checkout keeps pages in ``man``; scripts are made from
the options as a wheel is built, or printed by the subcommand ``completion``.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

PROGRAMS = ("git-retcon", "git-heal", "git-allium", "git-code-commit")
SHELLS = ("bash", "zsh", "fish")

# Where each shell looks, below a directory of shared data. fish before 3.7 reads no completion of
# `git retcon` but from its start-up folder.
SCRIPT_PLACES = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
    "fish-start": "fish/vendor_conf.d/{}.fish",
}


def share_folder() -> Path:
    """The directory of shared data of the Python that runs this."""
    return Path(sys.prefix) / "share"


def manual_folder() -> Path:
    """The directory that ``man`` must know to find the pages of this installation."""
    return share_folder() / "man"


def find_page(program: str) -> Path | None:
    """The manual page of a checkout, or of an installation."""
    checkout = Path(__file__).parents[2] / "man"
    return _find_first(folder / "man1" / f"{program}.1" for folder in (checkout, manual_folder()))


def find_script_in(folder: Path, program: str) -> Path | None:
    """A completion script where any of ``SHELLS`` finds it, below a directory of shared data."""
    return _find_first(folder / SCRIPT_PLACES[shell].format(program) for shell in SHELLS)


def _find_first(places: Iterable[Path]) -> Path | None:
    return next((place for place in places if place.is_file()), None)
