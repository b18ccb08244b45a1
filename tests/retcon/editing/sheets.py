"""An editor that leaves what a test wants, and changes of the text that it gets."""

from collections.abc import Callable

from tests.program import Ran, retcon_here
from tests.retcon.scene import Scene

Change = Callable[[str], str]


def editor(scene: Scene, left: str) -> dict[str, str]:
    """An editor that shows its file to us, and leaves a text."""
    (scene.repo.path / ".git/left").write_text(left)
    git = scene.repo.path / ".git"
    return {"GIT_EDITOR": f'sh -c \'cp "$0" {git}/shown; cp {git}/left "$0"\'', "NO_COLOR": "1"}


def shown(scene: Scene, *words: str) -> str:
    """The text that the editor gets."""
    keep = {"GIT_EDITOR": f"sh -c 'cp \"$0\" {scene.repo.path}/.git/shown'"}
    retcon_here(scene.repo.path, "edit", *words, "history.toml", env=keep).ok()
    return (scene.repo.path / ".git/shown").read_text()


def edit(scene: Scene, change: Change, *words: str) -> Ran:
    left = change(shown(scene))
    return retcon_here(scene.repo.path, "edit", *words, "history.toml", env=editor(scene, left))


def move(path: str, commit: int) -> Change:
    """Put the hunks of a file below a commit's heading."""

    def change(text: str) -> str:
        moved = [line for line in text.splitlines() if f"  {path}:" in line]
        assert moved
        rest = [line for line in text.splitlines() if line not in moved]
        at = next(at for at, line in enumerate(rest) if line.startswith(f"commit {commit} "))
        return "\n".join([*rest[: at + 1], *moved, *rest[at + 1 :]])

    return change
