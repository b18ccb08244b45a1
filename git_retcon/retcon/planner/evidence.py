"""What the source's own commits say: lines that came together most often belong together.

Source commits follow the logical ones roughly in order. Which logical commit each one worked on is
found by the forward-backward algorithm over the chain (Rabiner 1989); the evidence is what the
words say of its atoms, and its own subject. A source commit may also be several logical ones
mixed: their shares are found by expectation maximization (Dempster, Laird & Rubin 1977).
"""

import math
import re
from collections.abc import Iterator, Sequence

from git_retcon.lazy_dataclass import dataclass
from git_retcon.retcon.hints.message import read_message
from git_retcon.retcon.planner.descriptions import Description
from git_retcon.retcon.planner.facts import Facts, Origin

FEATURES = (
    "ln words", "source posterior", "ln source posterior", "source mean", "ln source mean",
    "distance", "distance squared", "like subject", "same subject", "source mixture",
    "ln source mixture", "ln source and file",
)  # fmt: skip
_LEAST = 0.01  # added to a probability before its logarithm: words never rule a commit out
# From one source commit to the next: the same logical commit, the next one, any later one together,
# any earlier one together (a fix of earlier work).
_STAY, _NEXT, _SKIP, _BACK = 0.42, 0.4, 0.06, 0.12
# In log odds: an equal subject outweighs any words, an alike one a few of them.
_SAME_SUBJECT, _LIKE_SUBJECT = 9.0, 4.0
_NEARLY = 0.8  # shared stems from which on a subject was only reworded
# Atoms of one commit are no independent witnesses: their sum is divided by the root of their
# weight, and multiplied by this.
_SHARPNESS = 1.5
_STEPS, _PRIOR = 5, 0.5  # of expectation maximization: rounds, and the weight of the first guess

# What ``git commit --fixup`` puts before a subject says which commit it belongs to.
_FIXUP = re.compile(r"(?:(?:fixup|squash|amend)! )+")

Table = list[list[float]]  # a line for each source commit or atom, a value for each logical commit
Shares = Sequence[tuple[int, float]]  # of an atom's lines: source commit, share


def evidence_features(
    facts: Sequence[Facts],
    descriptions: Sequence[Description],
    origins: Sequence[Origin],
    subjects: Sequence[str],
    probabilities: Sequence[Sequence[float]],
) -> Iterator[Table]:
    """For every atom in turn, and every commit, the features of ``FEATURES``.

    ``origins`` and ``probabilities`` (by words alone) are by atom; ``subjects`` are the source
    commits' messages. Origins may name more commits than there are messages.
    """
    sources = max((w for origin in origins for w in origin), default=-1) + 1
    subjects = [*subjects, *[""] * (sources - len(subjects))]  # "" is like no subject
    shares = [_read_shares(origin) for origin in origins]
    chain = _read_chain(facts, descriptions, shares, subjects, probabilities)
    files = _score_files(facts, shares, probabilities)
    for share, words, near in zip(shares, probabilities, files, strict=True):
        yield _make_features(share, words, chain, near)


@dataclass(frozen=True, slots=True)
class _Chain:
    """For every source commit and logical commit: four views of whether one is the other."""

    posterior: Sequence[Sequence[float]]
    means: Sequence[Sequence[float]]
    mixtures: Sequence[Sequence[float]]
    subjects: Sequence[Sequence[float]]


def _read_chain(
    facts: Sequence[Facts],
    descriptions: Sequence[Description],
    shares: Sequence[Shares],
    subjects: Sequence[str],
    probabilities: Sequence[Sequence[float]],
) -> _Chain:
    same = _compare_subjects(descriptions, subjects)
    evidence, mass = _sum_evidence(facts, shares, probabilities, len(subjects), len(descriptions))
    posterior = _forward_backward(
        [[_SHARPNESS * e / math.sqrt(max(m, 1.0)) + s for e, s in zip(line, bonus, strict=True)]
         for line, bonus, m in zip(evidence, same, mass, strict=True)]
    )  # fmt: skip
    means = [
        _normalize_line([e / max(m, 1e-9) + s for e, s in zip(line, bonus, strict=True)])
        for line, bonus, m in zip(evidence, same, mass, strict=True)
    ]
    mixtures = _fit_mixtures(facts, shares, probabilities, posterior, means)
    for w, line in enumerate(same):
        # With two logical commits of that subject the words have to decide between them.
        if sum(value >= _SAME_SUBJECT for value in line) == 1:  # it says itself which it is
            sure = [float(value >= _SAME_SUBJECT) for value in line]
            posterior[w] = means[w] = mixtures[w] = sure
    return _Chain(posterior, means, mixtures, same)


def _fit_mixtures(
    facts: Sequence[Facts],
    shares: Sequence[Shares],
    probabilities: Sequence[Sequence[float]],
    posterior: Sequence[Sequence[float]],
    means: Sequence[Sequence[float]],
) -> Table:
    """What share of each source commit belongs to each logical one, by a few steps of EM."""
    mixed = [
        _scale_line([a + b for a, b in zip(one, two, strict=True)])
        for one, two in zip(posterior, means, strict=True)
    ]
    # A fixed number of steps, not until it converges: the last digits change no placement, and a
    # plan's time stays linear.
    for _ in range(_STEPS):
        held = [[_PRIOR * value for value in line] for line in mixed]
        for one, share, line in zip(facts, shares, probabilities, strict=True):
            for w, part in share:
                own = [p * m for p, m in zip(line, mixed[w], strict=True)]
                weight = one.weight * part / (sum(own) or 1.0)
                row = held[w]
                for k, value in enumerate(own):
                    row[k] += weight * value
        mixed = [_scale_line(line) for line in held]
    return mixed


def _score_files(
    facts: Sequence[Facts], shares: Sequence[Shares], probabilities: Sequence[Sequence[float]]
) -> Table:
    """What the words say of all that one source commit did in one file, for each atom of it."""
    keys = [
        # An atom of several source commits counts for the one that most of its lines came from.
        (max(share, key=lambda pair: (pair[1], -pair[0]))[0] if share else -1, one.atom.path)
        for one, share in zip(facts, shares, strict=True)
    ]
    sums: dict[tuple[int, bytes], list[float]] = {}
    for one, key, line in zip(facts, keys, probabilities, strict=True):
        held = sums.setdefault(key, [0.0] * len(line))
        root = math.sqrt(one.weight)
        for k, value in enumerate(line):
            held[k] += root * math.log(value + _LEAST)
    weights: dict[tuple[int, bytes], float] = {}
    for one, key in zip(facts, keys, strict=True):
        weights[key] = weights.get(key, 0.0) + math.sqrt(one.weight)
    found = {
        key: [
            math.log(p + _LEAST)
            for p in _normalize_line([_SHARPNESS * v / math.sqrt(weights[key]) for v in held])
        ]
        for key, held in sums.items()
    }
    return [found[key] for key in keys]


def _make_features(
    share: Shares, line: Sequence[float], chain: _Chain, near: Sequence[float]
) -> Table:
    count = len(line)
    last = max(len(chain.posterior) - 1, 1)
    place = sum(part * w for w, part in share) / last
    vectors: Table = []
    for k in range(count):
        words = math.log(line[k] + 1e-9)
        if not share:
            # No line of it came from the source's commits (a removal, a mode): words alone decide.
            vectors.append([words] + [0.0] * (len(FEATURES) - 1))
            continue
        after = sum(part * chain.posterior[w][k] for w, part in share)
        mean = sum(part * chain.means[w][k] for w, part in share)
        alike = sum(part * chain.subjects[w][k] for w, part in share) / _SAME_SUBJECT
        same = sum(part * (chain.subjects[w][k] >= _SAME_SUBJECT) for w, part in share)
        mixed = sum(part * chain.mixtures[w][k] for w, part in share)
        distance = abs(place - k / max(count - 1, 1))
        vectors.append([
            words, after, math.log(after + _LEAST), mean, math.log(mean + _LEAST),
            distance, distance * distance, alike, same, mixed, math.log(mixed + _LEAST), near[k],
        ])  # fmt: skip
    return vectors


def _read_shares(origin: Origin) -> Shares:
    total = sum(origin.values())
    return [(w, lines / total) for w, lines in sorted(origin.items())] if total else []


def _sum_evidence(
    facts: Sequence[Facts],
    shares: Sequence[Shares],
    probabilities: Sequence[Sequence[float]],
    sources: int,
    count: int,
) -> tuple[Table, list[float]]:
    """For every source commit, the logs of its atoms' probabilities, and their weight in all."""
    evidence = [[0.0] * count for _ in range(sources)]
    mass = [0.0] * sources
    for one, share, line in zip(facts, shares, probabilities, strict=True):
        if not share:
            continue
        logs = [math.log(value + _LEAST) for value in line]
        root = math.sqrt(one.weight)
        for w, part in share:
            weight = root * part
            mass[w] += weight
            held = evidence[w]
            for k, value in enumerate(logs):
                held[k] += weight * value
    return evidence, mass


def _compare_subjects(descriptions: Sequence[Description], subjects: Sequence[str]) -> Table:
    """How much each source commit's subject is a logical commit's subject."""
    wanted = [(each.message.subject_words, each.message.subject) for each in descriptions]
    found: Table = []
    for subject in subjects:
        read = read_message(_FIXUP.sub("", subject))
        line: list[float] = []
        for words, stems in wanted:
            shared = len(stems.keys() & read.subject.keys())
            alike = shared / max(len(stems.keys() | read.subject.keys()), 1)
            if words and words == read.subject_words:
                line.append(_SAME_SUBJECT)
            else:
                # Sharing a few words is common ("add tests for …"), so it counts less until nearly
                # all agree.
                line.append(_LIKE_SUBJECT * alike if alike < _NEARLY else _SAME_SUBJECT * alike)
        found.append(line)
    return found


def _forward_backward(evidence: Sequence[Sequence[float]]) -> Table:
    """Posterior of the logical commit behind each source commit, from log evidence."""
    if not evidence:
        return []
    count = len(evidence[0])
    chances = [_exponentiate_line(line) for line in evidence]
    # Work nearly always begins with the first of the wished commits.
    start = [0.9 if k == 0 else 0.1 / count for k in range(count)]
    forward = [_scale_line([a * b for a, b in zip(start, chances[0], strict=True)])]
    for chance in chances[1:]:
        # Scaled at each step: the products of a long chain would underflow to 0.
        forward.append(
            _scale_line([a * b for a, b in zip(_step_chain(forward[-1]), chance, strict=True)])
        )
    backward = [1.0] * count
    found = [forward[-1]]
    for w in range(len(evidence) - 2, -1, -1):
        ahead = [a * b for a, b in zip(backward, chances[w + 1], strict=True)]
        backward = _scale_line(_step_back(ahead))
        found.append(_scale_line([a * b for a, b in zip(forward[w], backward, strict=True)]))
    found.reverse()
    return found


def _step_chain(held: Sequence[float]) -> list[float]:
    """One step of the chain: stay, the next, further on, or (seldom) back; linear in commits."""
    count = len(held)
    ahead, back = _SKIP / count, _BACK / count
    total, before = sum(held), 0.0
    found: list[float] = []
    for k, value in enumerate(held):
        after = total - before - value
        step = held[k - 1] if k else 0.0
        found.append(value * _STAY + step * _NEXT + before * ahead + after * back)
        before += value
    return found


def _step_back(held: Sequence[float]) -> list[float]:
    """The same against time."""
    count = len(held)
    ahead, back = _SKIP / count, _BACK / count
    total, before = sum(held), 0.0
    found: list[float] = []
    for k, value in enumerate(held):
        after = total - before - value
        step = held[k + 1] if k + 1 < count else 0.0
        found.append(value * _STAY + step * _NEXT + after * ahead + before * back)
        before += value
    return found


def _exponentiate_line(line: Sequence[float]) -> list[float]:
    """Likelihoods up to a factor, none of them 0: e^-60 keeps every path through the chain open."""
    highest = max(line)
    return [math.exp(max(value - highest, -60.0)) for value in line]


def _normalize_line(line: Sequence[float]) -> list[float]:
    return _scale_line(_exponentiate_line(line))


def _scale_line(line: Sequence[float]) -> list[float]:
    total = sum(line)
    return [value / total for value in line] if total else [1 / len(line)] * len(line)
