"""What is installed beside the package: manual pages and completion scripts, of each command.

An installation keeps them below ``share``, a checkout in ``man`` and ``completions``.
"""

import sys
from collections.abc import Iterable
from pathlib import Path

PROGRAMS = ("git-retcon", "git-heal", "git-allium", "git-code-commit")
SHELLS = ("bash", "zsh", "fish")

# Where each shell looks, below a directory of shared data.
_SCRIPTS = {
    "bash": "bash-completion/completions/{}",
    "zsh": "zsh/site-functions/_{}",
    "fish": "fish/vendor_completions.d/{}.fish",
}
_CHECKOUT_SCRIPTS = {"bash": "{}.bash", "zsh": "_{}", "fish": "{}.fish"}


def share_folder() -> Path:
    """The directory of shared data of the Python that runs this."""
    return Path(sys.prefix) / "share"


def manual_folder() -> Path:
    """The directory that ``man`` must know to find the pages of this installation."""
    return share_folder() / "man"


def find_page(program: str) -> Path | None:
    """The manual page of a checkout, or of an installation."""
    return _first(
        folder / "man1" / f"{program}.1" for folder in (_checkout() / "man", manual_folder())
    )


def find_script(program: str, shell: str) -> Path | None:
    """The completion script of a checkout, or of an installation, for one of ``SHELLS``."""
    own = _checkout() / "completions" / _CHECKOUT_SCRIPTS[shell].format(program)
    return _first((own, share_folder() / _SCRIPTS[shell].format(program)))


def find_script_in(folder: Path, program: str) -> Path | None:
    """A completion script where any of ``SHELLS`` finds it, below a directory of shared data."""
    return _first(folder / script.format(program) for script in _SCRIPTS.values())


def _checkout() -> Path:
    return Path(__file__).parents[2]


def _first(places: Iterable[Path]) -> Path | None:
    return next((place for place in places if place.is_file()), None)
