"""What is kept of the complaints of one output: the gravest, where there are too many."""

from collections.abc import Sequence
from enum import IntEnum

from git_retcon.code.diagnostics.diagnostic import Category, Diagnostic, Severity

# More than anybody answers in one session; a log of a crash loop has millions.
MOST_KEPT = 10_000

_Key = tuple[object, ...]


class _Grade(IntEnum):
    """How likely a run fails for it: a linter's warning may be why, a compiler's never is."""

    REMARK = 0
    LINT = 1
    ERROR = 2


class KeptComplaints:
    """Complaints in the order of the output, each once, at most ``MOST_KEPT``.

    Where there are more, a graver one takes the place of a lesser one, the latest of them first.
    """

    def __init__(self) -> None:
        self._kept: dict[_Key, Diagnostic] = {}
        self._keys: dict[_Grade, list[_Key]] = {grade: [] for grade in _Grade}
        self._cut = dict.fromkeys(_Grade, 0)
        # Which tests, or rules, complain of what another one does too.
        self.repeated: set[tuple[str, str]] = set()

    @property
    def is_settled(self) -> bool:
        """Whether nothing that follows can be kept."""
        return len(self._keys[_Grade.ERROR]) >= MOST_KEPT

    @property
    def cut(self) -> int:
        """How many were not kept that are as grave as the gravest that are."""
        return next((self._cut[grade] for grade in reversed(_Grade) if self._keys[grade]), 0)

    def list_kept(self) -> Sequence[Diagnostic]:
        return list(self._kept.values())

    def add(self, said: Diagnostic) -> None:
        """Keep it, unless the same is kept already or what is kept is as grave."""
        key = (said.path, said.line, said.column, said.message, said.base)
        if key in self._kept:
            if len(self.repeated) < MOST_KEPT:
                self.repeated.add((said.tool, said.rule))
            return
        grade = _grade(said)
        if len(self._kept) >= MOST_KEPT and not self._drop_lesser(grade):
            self._cut[grade] += 1
            return
        self._kept[key] = said
        self._keys[grade].append(key)

    def add_unread(self, number: int) -> None:
        """Count complaints that nobody read, as nothing that follows can be kept."""
        self._cut[_Grade.ERROR] += number

    def _drop_lesser(self, than: _Grade) -> bool:
        for grade in _Grade:
            if grade < than and self._keys[grade]:
                del self._kept[self._keys[grade].pop()]
                self._cut[grade] += 1
                return True
        return False


def _grade(said: Diagnostic) -> _Grade:
    if said.severity is Severity.ERROR:
        return _Grade.ERROR
    is_lint = said.category is Category.LINT and said.path is not None
    return _Grade.LINT if is_lint else _Grade.REMARK
