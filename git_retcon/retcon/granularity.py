"""Hunks cut as languages allow: what stands between ``code.splitting`` and ``git.atoms``."""

from collections.abc import Callable, Sequence

from git_retcon.code.splitting import Run, cuts
from git_retcon.code.versions import Version, read_version
from git_retcon.git.atoms import FileText, Hunk, Span

# For a text: the old lines, and the new lines, that come from another source commit than the
# line before them.
Borders = Callable[[FileText], tuple[frozenset[int], frozenset[int]]]

_NO_BORDERS: tuple[frozenset[int], frozenset[int]] = (frozenset(), frozenset())


class StatementGranularity:
    """Cuts hunks by statements and definitions, and by origin where ``borders`` is given."""

    def __init__(self, borders: Borders | None = None) -> None:
        self._borders = borders
        self._text: FileText | None = None
        self._read: tuple[Version, Version] | None = None
        self._foreign = _NO_BORDERS

    def split(self, text: FileText, hunk: Hunk) -> Sequence[Hunk]:
        """The hunk as pieces that tile it, in order."""
        before, after = self._versions(text)
        old = Run(before, hunk.old.start, hunk.old.stop, self._foreign[0])
        new = Run(after, hunk.new.start, hunk.new.stop, self._foreign[1])
        pieces: list[Hunk] = []
        a, b = hunk.old.start, hunk.new.start
        for old_stop, new_stop in cuts(old, new):
            pieces.append(Hunk(Span(a, old_stop), Span(b, new_stop)))
            a, b = old_stop, new_stop
        return pieces

    def scope(self, text: FileText, hunk: Hunk) -> str:
        """The definitions around the hunk's first written line, outermost first."""
        before, after = self._versions(text)
        version, span = (after, hunk.new) if len(hunk.new) else (before, hunk.old)
        written = (at for at in range(span.start, span.stop) if version.lines[at].strip())
        return ".".join(version.outline.scope(next(written, span.start)))

    def _versions(self, text: FileText) -> tuple[Version, Version]:
        # A difference asks about one file after the other: one is remembered.
        if self._read is None or self._text is not text:
            self._text = text
            self._read = read_version(text.old_path, text.old), read_version(text.path, text.new)
            self._foreign = self._borders(text) if self._borders is not None else _NO_BORDERS
        return self._read
