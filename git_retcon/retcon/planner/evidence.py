"""What the source's own commits say: lines that came together most often belong together.

Source commits follow the logical ones roughly in order, so which logical commit each one worked on
is found by the forward-backward algorithm over the chain (Rabiner 1989), with the words' verdict
on its atoms, and its own subject, as evidence.
"""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from git_retcon.retcon.hints.message import read_message
from git_retcon.retcon.planner.facts import Facts
from git_retcon.retcon.planner.features import Wish

FEATURES = (
    "ln words", "source posterior", "ln source posterior", "source mean", "ln source mean",
    "distance", "distance squared", "like subject", "same subject", "source mixture",
    "ln source mixture", "ln source and file",
)  # fmt: skip
_LEAST = 0.01
_STAY, _NEXT, _SKIP, _BACK = 0.42, 0.4, 0.06, 0.12
_SAME_SUBJECT, _LIKE_SUBJECT = 9.0, 4.0
_NEARLY = 0.8

_FIXUP = re.compile(r"(?:(?:fixup|squash|amend)! )+")

_STEPS, _PRIOR = 5, 0.5

Origin = Mapping[int, int]
Shares = Sequence[tuple[int, float]]


def rows(
    facts: Sequence[Facts],
    wishes: Sequence[Wish],
    origins: Sequence[Origin],
    subjects: Sequence[str],
    probabilities: Sequence[Sequence[float]],
) -> Iterator[list[list[float]]]:
    """For every atom in turn, and every commit, the features of ``FEATURES``."""
    shares = [_shares(origin) for origin in origins]
    same = _subjects(wishes, subjects)
    evidence, mass = _evidence(facts, shares, probabilities, len(subjects), len(wishes))
    posterior = _forward_backward(
        [[1.5 * e / math.sqrt(max(m, 1.0)) + s for e, s in zip(line, bonus, strict=True)]
         for line, bonus, m in zip(evidence, same, mass, strict=True)]
    )  # fmt: skip
    means = [
        _normal([e / max(m, 1e-9) + s for e, s in zip(line, bonus, strict=True)])
        for line, bonus, m in zip(evidence, same, mass, strict=True)
    ]
    mixtures = _mixtures(facts, shares, probabilities, posterior, means)
    for w, line in enumerate(same):
        if sum(value >= _SAME_SUBJECT for value in line) == 1:  # it says itself which it is
            sure = [float(value >= _SAME_SUBJECT) for value in line]
            posterior[w] = means[w] = mixtures[w] = sure
    files = _by_file(facts, shares, probabilities)
    chain = _Chain(posterior, means, mixtures, same)
    for share, words, near in zip(shares, probabilities, files, strict=True):
        yield _features(share, words, chain, near)


@dataclass(frozen=True, slots=True)
class _Chain:
    """For every source commit and logical commit: four views of whether one is the other."""

    posterior: Sequence[Sequence[float]]
    means: Sequence[Sequence[float]]
    mixtures: Sequence[Sequence[float]]
    same: Sequence[Sequence[float]]


def _mixtures(
    facts: Sequence[Facts],
    shares: Sequence[Shares],
    probabilities: Sequence[Sequence[float]],
    posterior: Sequence[Sequence[float]],
    means: Sequence[Sequence[float]],
) -> list[list[float]]:
    """What share of each source commit belongs to each logical one, by a few steps of EM."""
    mixed = [
        _scaled([a + b for a, b in zip(one, two, strict=True)])
        for one, two in zip(posterior, means, strict=True)
    ]
    for _ in range(_STEPS):
        held = [[_PRIOR * value for value in line] for line in mixed]
        for one, share, line in zip(facts, shares, probabilities, strict=True):
            for w, part in share:
                own = [p * m for p, m in zip(line, mixed[w], strict=True)]
                weight = one.weight * part / (sum(own) or 1.0)
                row = held[w]
                for k, value in enumerate(own):
                    row[k] += weight * value
        mixed = [_scaled(line) for line in held]
    return mixed


def _by_file(
    facts: Sequence[Facts], shares: Sequence[Shares], probabilities: Sequence[Sequence[float]]
) -> list[list[float]]:
    """The words' verdict on all that one source commit did in one file, for each atom of it."""
    keys = [
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
            math.log(p + _LEAST) for p in _normal([1.5 * v / math.sqrt(weights[key]) for v in held])
        ]
        for key, held in sums.items()
    }
    return [found[key] for key in keys]


def _features(
    share: Shares, line: Sequence[float], chain: _Chain, near: Sequence[float]
) -> list[list[float]]:
    count = len(line)
    last = max(len(chain.posterior) - 1, 1)
    place = sum(part * w for w, part in share) / last
    vectors: list[list[float]] = []
    for k in range(count):
        words = math.log(line[k] + 1e-9)
        if not share:
            vectors.append([words] + [0.0] * (len(FEATURES) - 1))
            continue
        after = sum(part * chain.posterior[w][k] for w, part in share)
        mean = sum(part * chain.means[w][k] for w, part in share)
        alike = sum(part * chain.same[w][k] for w, part in share) / _SAME_SUBJECT
        same = sum(part * (chain.same[w][k] >= _SAME_SUBJECT) for w, part in share)
        mixed = sum(part * chain.mixtures[w][k] for w, part in share)
        distance = abs(place - k / max(count - 1, 1))
        vectors.append([
            words, after, math.log(after + _LEAST), mean, math.log(mean + _LEAST),
            distance, distance * distance, alike, same, mixed, math.log(mixed + _LEAST), near[k],
        ])  # fmt: skip
    return vectors


def _shares(origin: Origin) -> list[tuple[int, float]]:
    total = sum(origin.values())
    return [(w, lines / total) for w, lines in sorted(origin.items())] if total else []


def _evidence(
    facts: Sequence[Facts],
    shares: Sequence[Sequence[tuple[int, float]]],
    probabilities: Sequence[Sequence[float]],
    sources: int,
    count: int,
) -> tuple[list[list[float]], list[float]]:
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


def _subjects(wishes: Sequence[Wish], subjects: Sequence[str]) -> list[list[float]]:
    """How much each source commit's subject is a logical commit's subject."""
    wanted = [(wish.message.subject_words, wish.message.subject) for wish in wishes]
    found: list[list[float]] = []
    for subject in subjects:
        read = read_message(_FIXUP.sub("", subject))
        line: list[float] = []
        for words, stems in wanted:
            shared = len(stems.keys() & read.subject.keys())
            alike = shared / max(len(stems.keys() | read.subject.keys()), 1)
            if words and words == read.subject_words:
                line.append(_SAME_SUBJECT)
            else:
                line.append(_LIKE_SUBJECT * alike if alike < _NEARLY else _SAME_SUBJECT * alike)
        found.append(line)
    return found


def _forward_backward(evidence: Sequence[Sequence[float]]) -> list[list[float]]:
    """Posterior of the logical commit behind each source commit, from log evidence."""
    if not evidence:
        return []
    count = len(evidence[0])
    chances = [_likelihood(line) for line in evidence]
    start = [0.9 if k == 0 else 0.1 / count for k in range(count)]
    forward = [_scaled([a * b for a, b in zip(start, chances[0], strict=True)])]
    for chance in chances[1:]:
        forward.append(_scaled([a * b for a, b in zip(_moved(forward[-1]), chance, strict=True)]))
    backward = [1.0] * count
    found = [forward[-1]]
    for w in range(len(evidence) - 2, -1, -1):
        ahead = [a * b for a, b in zip(backward, chances[w + 1], strict=True)]
        backward = _scaled(_moved_back(ahead))
        found.append(_scaled([a * b for a, b in zip(forward[w], backward, strict=True)]))
    found.reverse()
    return found


def _moved(held: Sequence[float]) -> list[float]:
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


def _moved_back(held: Sequence[float]) -> list[float]:
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


def _likelihood(line: Sequence[float]) -> list[float]:
    highest = max(line)
    return [math.exp(max(value - highest, -60.0)) for value in line]


def _normal(line: Sequence[float]) -> list[float]:
    return _scaled(_likelihood(line))


def _scaled(line: Sequence[float]) -> list[float]:
    total = sum(line)
    return [value / total for value in line] if total else [1 / len(line)] * len(line)
