"""Which removed line became which added line: a monotone alignment on the words they share."""

from collections.abc import Mapping, Sequence, Set

from git_retcon.code.lazy_pattern import LazyPattern

# Beyond this many pairs of lines the alignment is not worth its time (200 lines against 200).
LARGEST_ALIGNMENT = 40_000
_LEAST = 0.4
_SAME_MARKS = 0.6  # equal lines of brackets and the like: such a pair says less than one of words
_WORD = LazyPattern(rb"[A-Za-z_]\w*|\d+")


def find_words(line: bytes) -> frozenset[bytes]:
    """The distinct words and numbers of a line."""
    return frozenset(_WORD.findall(line))


def align_lines(removed: Sequence[bytes], added: Sequence[bytes]) -> list[tuple[int, int]]:
    """Pairs (removed line, added line), rising on both sides, of the greatest total similarity."""
    scores = _score_similar(removed, added)
    if not scores:
        return []
    width = len(added) + 1
    best = [[0.0] * width]
    for row in range(len(removed)):
        above = best[-1]
        near = scores.get(row)
        # A line that is like none has the row above as its own: rows are shared, not copied.
        if near is None:
            best.append(above)
            continue
        here = [0.0] * width
        left = 0.0
        for column in range(1, width):
            score = above[column] if above[column] > left else left
            pair = near.get(column - 1)
            if pair is not None and above[column - 1] + pair > score:
                score = above[column - 1] + pair
            here[column] = left = score
        best.append(here)
    return _trace_back(best, scores)


def _trace_back(
    best: Sequence[Sequence[float]], scores: dict[int, dict[int, float]]
) -> list[tuple[int, int]]:
    pairs: list[tuple[int, int]] = []
    row, column = len(best) - 1, len(best[0]) - 1
    while row and column:
        here = best[row][column]
        # Up first: of equal alignments, the one that pairs the earliest lines, so that the same
        # text is always cut the same way.
        if here == best[row - 1][column]:
            row -= 1
        elif here == best[row][column - 1]:
            column -= 1
        else:
            row, column = row - 1, column - 1
            pairs.append((row, column))
    pairs.reverse()
    return pairs


def _score_similar(removed: Sequence[bytes], added: Sequence[bytes]) -> dict[int, dict[int, float]]:
    """Similarities of at least .4: Jaccard of words; lines without words only by equality."""
    sets = [find_words(line) for line in added]
    holders: dict[bytes, list[int]] = {}
    wordless: dict[bytes, list[int]] = {}
    for at, found in enumerate(sets):
        for word in found:
            holders.setdefault(word, []).append(at)
        # Blank lines pair with nothing: they are everywhere, and would tie unrelated parts
        # together.
        if not found and (bare := added[at].strip()):
            wordless.setdefault(bare, []).append(at)
    scores: dict[int, dict[int, float]] = {}
    for row, line in enumerate(removed):
        own = find_words(line)
        alike = (
            _score_words(own, sets, holders) | _find_renamed(line, own, added, sets)
            if own
            else dict.fromkeys(wordless.get(line.strip(), ()), _SAME_MARKS)
        )
        if alike:
            scores[row] = alike
    return scores


def _find_renamed(
    line: bytes, own: Set[bytes], added: Sequence[bytes], sets: Sequence[Set[bytes]]
) -> dict[int, float]:
    """The lines that a line of two words may have become by a rename: too few words to be alike by
    these, and yet ``return Line(`` became ``return Item(``.

    Only where a bracket is left open: its rest stays below, so some line has to open it again.
    """
    marks = _WORD.sub(b"w", line.strip())
    if len(own) != 2 or not marks.endswith((b"(", b"[", b"{")):
        return {}
    near = (at for at, words in enumerate(sets) if len(words) == 2 and len(words & own) == 1)
    return {at: _LEAST for at in near if _WORD.sub(b"w", added[at].strip()) == marks}


def _score_words(
    own: Set[bytes], sets: Sequence[Set[bytes]], holders: Mapping[bytes, Sequence[int]]
) -> dict[int, float]:
    """The similarity of a line with these words to each of the others that is like it."""
    shared: dict[int, int] = {}
    for word in own:
        for at in holders.get(word, ()):
            shared[at] = shared.get(at, 0) + 1
    scores = {at: count / (len(own) + len(sets[at]) - count) for at, count in shared.items()}
    return {at: score for at, score in scores.items() if score >= _LEAST}
