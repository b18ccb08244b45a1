"""Cut hunks where their language allows: joins ``code.cuts`` and ``git.atoms``."""

from collections.abc import Callable, Mapping, Sequence

from git_retcon.code.cuts import Run, find_cuts
from git_retcon.code.versions import Version, read_version
from git_retcon.git.atoms import FileText, Hunk, Span

# For a text: which source commit added each new line (a negative number: none of them; nothing at
# all where that is not known), and which removed an old one.
Origins = Callable[[FileText], tuple[Sequence[int], Mapping[int, int]]]


class StatementGranularity:
    """Cuts hunks by statements and definitions, and by ``origins`` where they are given."""

    def __init__(self, origins: Origins | None = None) -> None:
        self._origins_of = origins
        self._text: FileText | None = None
        self._read: tuple[Version, Version] | None = None
        self._origins: tuple[Sequence[int], Mapping[int, int]] = (), {}

    def split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        """Split a hunk into smaller ones that cover it, in order."""
        before, after = self._make_versions(text)
        added, removed = self._origins
        lost = [removed.get(at, -1) for at in range(hunk.old.start, hunk.old.stop)]
        old = Run(before, hunk.old.start, hunk.old.stop, lost)
        # Any negative number says "older than the branch"; as one origin such lines have no border.
        came = [max(by, -1) for by in added[hunk.new.start : hunk.new.stop]]
        new = Run(after, hunk.new.start, hunk.new.stop, came)
        parts: list[Hunk] = []
        a, b = hunk.old.start, hunk.new.start
        for old_stop, new_stop in find_cuts(old, new):
            parts.append(Hunk(Span(a, old_stop), Span(b, new_stop)))
            a, b = old_stop, new_stop
        return parts

    def scope(self, text: FileText, hunk: Hunk) -> str:
        """The definitions around the hunk's first written line, outermost first."""
        before, after = self._make_versions(text)
        version, span = (after, hunk.new) if len(hunk.new) else (before, hunk.old)
        written = (at for at in range(span.start, span.stop) if version.lines[at].strip())
        return ".".join(version.outline.scope(next(written, span.start)))

    def _make_versions(self, text: FileText) -> tuple[Version, Version]:
        # A difference splits one file after the other, so remembering one is enough.
        if self._read is None or self._text is not text:
            self._text = text
            self._read = read_version(text.old_path, text.old), read_version(text.path, text.new)
            if self._origins_of is not None:
                self._origins = self._origins_of(text)
        return self._read
