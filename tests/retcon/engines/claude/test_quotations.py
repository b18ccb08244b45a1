"""Lines of withheld files are hidden in what commands print."""

from git_retcon.git.difference import compare_trees
from git_retcon.model.never_send import NeverSend
from git_retcon.retcon.engines.claude.quotations import Quotations
from tests.repository import TestRepository


def test_lines_of_withheld_files_are_hidden_in_output(repo: TestRepository) -> None:
    repo.commit("one", {"private/a": "unchanged content\n", "b": "public line\n"})
    repo.git("tag", "one")
    repo.commit("two", {"private/c": "    brand new content\n"})
    opened = repo.open()
    found = compare_trees(opened, repo.tree("one"), repo.tree("HEAD"))
    quotations = Quotations(NeverSend(("private/",)), opened, found)
    said = "x: unchanged content!\nbrand new content\npublic line\n"
    hidden = "[a line of a withheld file]"
    assert quotations.hide(said, repo.tree("one")) == f"x: {hidden}!\n{hidden}\npublic line\n"
