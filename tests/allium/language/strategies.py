"""What Hypothesis makes specifications of: a sample with changes, and tokens in any order."""

from hypothesis import strategies as st

SAMPLE = """-- allium: 3

use "./other.allium" as other  -- the other one

enum Level { low | `very-high` }

entity Order {
    status: open | paid
    level: Level
    sent_at: Timestamp? when status = paid
    lines: Line with order = this

    transitions status {
        open -> paid
        terminal: paid
    }

    invariant Small { lines.count <= config.most }
}

config { most: Integer = 10 * 2 }

rule Pay {
    when: Pay(order, by?)
    let total = order.lines.sum(l => l.price - -1)
    requires: order.status = open and not exists Refund{order: order}
    ensures:
        order.status = paid
        if total > 5 or other/Flag.set:
            Mail.created(to: by ?? null, data: { a: 1, b: {x, y} })
        else:
            for line in order.lines where line.open: line.open = false
    @guidance
        -- Prose that stays.
}

contract Codec {
    encode: (value: Any) -> Set<Bytes>
    @invariant Round
        -- Both ways.
}
"""

_WORDS = [
    "entity", "rule", "enum", "config", "given", "variant", "transitions", "invariant", "contract",
    "surface", "contracts", "demands", "facing", "when", "requires", "ensures", "for", "in", "if",
    "else", "let", "not", "exists", "where", "with", "and", "or", "implies", "becomes", "terminal",
    "open question", "use", "default", "deferred", "A", "B", "a", "b", "x", "true", "now", "this",
    "1", "2.5", "3.days", '"s {a}"', "`q-r`", '"open', "-- note", "@guidance", "@invariant", "É",
]  # fmt: skip
_MARKS = [*"(){}[]<>=|,.:?+-*/@!#", "->", "=>", "!=", "<=", "??", "?."]
_GAPS = ["", " ", "  ", "\n", "\n    ", "\n        ", "\n\n", "\r\n", "\t"]


def jumbles() -> st.SearchStrategy[bytes]:
    """Tokens of the language in any order."""
    token = st.tuples(st.sampled_from(_WORDS + _MARKS), st.sampled_from(_GAPS)).map("".join)
    return st.lists(token, max_size=60).map(lambda tokens: "".join(tokens).encode())


@st.composite
def mutations(draw: st.DrawFn) -> bytes:
    """The sample with a few places overwritten: most of it still makes sense."""
    text = SAMPLE
    for _ in range(draw(st.integers(0, 3))):
        start = draw(st.integers(0, len(text)))
        end = start + draw(st.integers(0, 8))
        new = draw(st.sampled_from(_WORDS + _MARKS + _GAPS))
        text = text[:start] + new + text[end:]
    return text.encode()


def specifications() -> st.SearchStrategy[bytes]:
    """Right ones, nearly right ones, and any bytes at all."""
    return st.one_of(mutations(), jumbles(), st.binary())
