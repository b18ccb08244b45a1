"""Why an atom was placed where it was, in plain words."""

from collections.abc import Mapping, Sequence

from git_retcon.retcon.hints.hint import names_path
from git_retcon.retcon.hints.words import WORD, stems
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.features import Wish

_MOST_WORDS = 4


class Explainer:
    """Says the strongest kind of evidence first: hints, source commits, names, words."""

    def __init__(
        self,
        facts: Sequence[Facts],
        wishes: Sequence[Wish],
        origins: Sequence[Mapping[int, int]],
        subjects: Sequence[str],
    ) -> None:
        self._facts, self._wishes = facts, wishes
        self._origins, self._subjects = origins, subjects
        self._words: dict[int, dict[str, str]] = {}

    def why(self, at: int, commit: int, *, moved: bool, lent: bool, joined: bool) -> str:
        """One line for one atom; ``moved`` by the order, ``lent`` to a commit that would have had
        nothing, ``joined`` with pieces it belongs to."""
        if lent:
            return "moved here so that the commit is not empty"
        if moved:
            return "moved here so that definitions come before their uses"
        found = [
            part
            for part in (self._hints(at, commit), self._source(at), self._shared(at, commit))
            if part
        ]
        if joined:
            found.append("kept with the rest of its definition")
        return "; ".join(found[:2]) or "nothing names it; it resembles this kind of commit most"

    def _hints(self, at: int, commit: int) -> str:
        one, wanted = self._facts[at], self._wishes[commit].hint.wanted
        for name in (*one.names, *sorted(one.defines), *sorted(one.undefines)):
            if name in wanted.words:
                return f"hints name {name}"
        path = one.atom.path.decode("utf-8", "replace")
        return f"hints name {path}" if names_path(path.lower(), wanted) else ""

    def _source(self, at: int) -> str:
        origin = self._origins[at]
        if not origin:
            return ""
        most = max(origin, key=lambda w: (origin[w], -w))
        subject = self._subjects[most] if most < len(self._subjects) else ""
        return f'came with source commit {most + 1} "{subject}"' if subject else ""

    def _said(self, commit: int) -> dict[str, str]:
        """Stem → a word of the message or the hints that has it, as it stands there."""
        found = self._words.get(commit)
        if found is None:
            message = self._wishes[commit].message
            words = (*sorted(message.words), *sorted(message.names))
            found = self._words[commit] = {stem: word for word in words for stem in stems(word)}
        return found

    def _shared(self, at: int, commit: int) -> str:
        one, message = self._facts[at], self._wishes[commit].message
        text = f"{one.added}\n{one.removed}"
        path = one.atom.path.decode("utf-8", "replace")
        said = self._said(commit)
        shared: dict[str, None] = {}
        for word in WORD.findall(text) + WORD.findall(path):
            if word in message.names:
                shared[word] = None
            else:
                shared |= {said[stem]: None for stem in stems(word) if stem in said}
            if len(shared) >= _MOST_WORDS:
                break
        return f"the message says {', '.join(list(shared)[:_MOST_WORDS])}" if shared else ""
