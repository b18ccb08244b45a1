"""Hunks as a model reads them: bounded, secrets masked."""

import pytest

from git_retcon.git.difference import compare_trees
from git_retcon.model.never_send import NeverSend
from git_retcon.model.redaction import Redactor
from git_retcon.retcon.engine import Reason, Situation
from git_retcon.retcon.engines.claude.display import Display
from git_retcon.retcon.planner.plan import Placement
from git_retcon.retcon.spec.model import LogicalCommit, Spec
from tests.repository import TestRepository


def test_a_secret_in_several_hunks_is_masked_in_each(repo: TestRepository) -> None:
    """Every second line of a key changes: no hunk by itself looks like one."""
    old = [f"OLDx{n:02}q7Rk3Zt9XwLm5Vb8Yc1Nd4Gf6Hj2Kp0Sa" for n in range(8)]
    new = [line.replace("OLDx", "NEWx") if n % 2 else line for n, line in enumerate(old)]
    frame = ("-----BEGIN RSA PRIVATE KEY-----", "-----END RSA PRIVATE KEY-----")
    versions = ["\n".join((frame[0], *lines, frame[1], "")) for lines in (old, new)]
    repo.commit("one", {"key.txt": versions[0]})
    repo.git("tag", "one")
    repo.commit("two", {"key.txt": versions[1]})
    found = compare_trees(repo.open(), repo.tree("one"), repo.tree("HEAD"))
    assert len(found.atoms) == 4
    spec = Spec("messy", "main", "clean", (LogicalCommit("all"),))
    display = Display(Situation(spec, 0, found, {}), Redactor(), NeverSend())
    shown = "\n".join(display.show_hunks(found.atoms))
    assert shown.count("+[masked secret ..Sa]") == 4
    assert "NEWx" not in shown and "OLDx" not in shown


@pytest.mark.parametrize(("confidence", "said"), [(0.79, ""), (0.8, " (proposed: commit 2, 80%)")])
def test_a_proposal_is_shown_where_the_planner_is_sure(
    repo: TestRepository, confidence: float, said: str
) -> None:
    repo.commit("one", {"a.py": "one = 1\n"})
    repo.git("tag", "one")
    repo.commit("two", {"a.py": "one = 1\ntwo = 2\n"})
    found = compare_trees(repo.open(), repo.tree("one"), repo.tree("HEAD"))
    (atom,) = found.atoms
    spec = Spec("messy", "main", "clean", (LogicalCommit("all"), LogicalCommit("more")))
    placed = {atom.id: Placement(1, Reason.in_words("a guess", confidence))}
    display = Display(Situation(spec, 0, found, {}), Redactor(), NeverSend(), placed)
    assert display.describe_hunk(atom) == f"[{atom.id[:5]}] at 2{said}"
