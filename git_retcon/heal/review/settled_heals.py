"""What was done with heals, for people and for programs."""

from git_retcon.git.short_ids import shorten_id
from git_retcon.heal.records.heals import Decision
from git_retcon.lazy_named_tuple import NamedTuple
from git_retcon.show.style import printable, show_path


class Settled(NamedTuple):
    """What was done with one heal; ``text`` says it in words, ``deed`` without the doubt. ``doubt``
    is why it is unverified where it was applied, empty where its proof is of the files there;
    ``reason`` is why it was kept on a branch, empty where it was not to be applied.
    """

    number: int
    decision: Decision
    files: tuple[bytes, ...]
    branch: str = ""
    commit: str = ""
    doubt: str = ""
    reason: str = ""

    @property
    def text(self) -> str:
        doubt = f", unverified ({printable(self.doubt)})" if self.doubt else ""
        return f"{self.deed}{doubt}"

    @property
    def deed(self) -> str:
        match self.decision:
            case Decision.KEPT:
                why = f" ({printable(self.reason)})" if self.reason else ""
                return f"kept on branch '{self.branch}'{why}"
            case Decision.APPLIED if self.commit:
                return f"committed as {shorten_id(self.commit)}"
        word: str = self.decision.value
        return word

    def as_json(self) -> dict[str, object]:
        files = [show_path(path) for path in self.files]
        return {
            "heal": self.number, "decision": self.decision.value, "files": files,
            "branch": self.branch or None, "commit": self.commit or None,
            "unverified": self.doubt or None, "reason": self.reason or None,
        }  # fmt: skip
