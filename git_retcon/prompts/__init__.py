"""Every prompt, one Markdown file each."""

from importlib.resources import files


def read_prompt(name: str) -> str:
    """The text of one prompt, by its file's name without ``.md``."""
    return files(__package__).joinpath(f"{name}.md").read_text(encoding="utf-8")
