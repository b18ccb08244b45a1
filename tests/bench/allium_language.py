"""Our time for reading and checking specifications, beside the time for making their tokens.

    python -m tests.bench.allium_language [--repeat 5]

Both ratios are of processor time in this one process, medians of alternating rounds: parsing and
checking over making tokens, for a megabyte in fifty files and in one; then eight times the text
over the text, in one file, where anything that is not linear would show.
"""

import argparse
import gc
import statistics
import time
from collections.abc import Callable, Sequence

from git_retcon.allium.language import check, format_spec, parse
from git_retcon.allium.language.tokens import make_tokens

_MEGABYTE = 1_000_000
_FILES = 50

_PART = """
------------------------------------------------------------
-- Orders, part {n}
------------------------------------------------------------

enum Level{n} {{ low | medium | `very-high` }}

value Money{n} {{
    amount: Decimal
    currency: String
}}

-- An order is placed by a customer and paid once.
-- It may be cancelled until it is sent.
entity Order{n} {{
    customer: Customer{n}
    total: Money{n}
    level: Level{n}
    status: placed | paid | sent | cancelled
    sent_at: Timestamp when status = sent
    lines: Line{n} with order = this
    open_lines: lines where is_open = true

    transitions status {{
        placed -> paid
        paid -> sent
        placed -> cancelled
        terminal: sent, cancelled
    }}

    invariant HasLines {{ status = paid implies lines.count > 0 }}
}}

entity Line{n} {{
    order: Order{n}
    is_open: Boolean
    quantity: Integer
}}

entity Customer{n} {{
    email: String
    orders: Order{n} with customer = this
}}

config {{
    most_lines_{n}: Integer = 10 * 2
    patience_{n}: Duration = 24.hours
}}

rule PlaceOrder{n} {{
    when: PlaceOrder{n}(customer, total, items)
    let known = exists Customer{n}{{email: customer.email}}
    requires: known and items.count <= config.most_lines_{n}
    ensures:
        let order = Order{n}.created(
            customer: customer,
            total: total,
            level: if total.amount > 100: medium else: low,
            status: placed
        )
        for item in items where item.quantity > 0:
            Line{n}.created(order: order, is_open: true, quantity: item.quantity ?? 1)
}}

rule PayOrder{n} {{
    when: PayOrder{n}(order)
    requires: order.status = placed
    ensures: order.status = paid
}}

rule SendOrder{n} {{
    when: order: Order{n}.status becomes paid
    requires: order.lines.all(l => l.is_open) and not order.customer.email = null
    ensures:
        order.status = sent
        order.sent_at = now
    @guidance
        -- Parcels leave the house at noon.
}}

rule CancelOrder{n} {{
    when: order: Order{n}.placed_at + config.patience_{n} <= now
    requires: order.status in {{placed}}
    ensures: order.status = cancelled
}}

actor Buyer{n} {{
    identified_by: Customer{n} where email != ""
}}

surface OrderPage{n} {{
    facing buyer: Buyer{n}
    context order: Order{n} where customer = buyer

    exposes:
        order.status
        order.total.amount when order.status != cancelled

    provides:
        PayOrder{n}(order) when order.status = placed
}}
"""


def write_specs(count: int, size: int) -> list[bytes]:
    """So many files of about this many bytes altogether, every name in them different."""
    files = []
    part = 0
    for _ in range(count):
        text = "-- allium: 3\n"
        while len(text) < size // count:
            text += _PART.format(n=part)
            part += 1
        files.append(text.encode())
    return files


def read_all(files: Sequence[bytes]) -> None:
    """What every step of an evolution does with its specifications."""
    documents = [parse(data, b"%d.allium" % index) for index, data in enumerate(files)]
    errors = [found for found in check(documents) if found.severity == "error"]
    if errors:
        raise SystemExit(f"the text of this benchmark has mistakes: {errors[:3]}")


def lay_out_all(files: Sequence[bytes]) -> None:
    """Format every file."""
    for data in files:
        format_spec(data)


def cut_all(files: Sequence[bytes]) -> None:
    """Make every file's tokens, and nothing else."""
    for data in files:
        make_tokens(data)


def measure(work: Callable[[Sequence[bytes]], None], files: Sequence[bytes]) -> float:
    """Processor seconds of one round, garbage of the round before not counted."""
    gc.collect()
    start = time.process_time()
    work(files)
    return time.process_time() - start


def compare(
    repeat: int, *rounds: tuple[Callable[[Sequence[bytes]], None], Sequence[bytes]]
) -> list[float]:
    """Median seconds of each kind of round, in alternation, so that a busy machine hits all."""
    seconds: list[list[float]] = [[] for _ in rounds]
    for _ in range(repeat):
        for index, (work, files) in enumerate(rounds):
            seconds[index].append(measure(work, files))
    return [statistics.median(each) for each in seconds]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else "")
    parser.add_argument("--repeat", type=int, default=5)
    repeat = parser.parse_args().repeat
    for count in (_FILES, 1):
        files = write_specs(count, _MEGABYTE)
        rounds = [(work, files) for work in (cut_all, read_all, lay_out_all)]
        tokens, read, laid = compare(repeat, *rounds)
        size = sum(map(len, files))
        print(f"{size:,} bytes in {count} file{'s' if count > 1 else ''}")
        print(
            f"  tokens {tokens:.2f} s, parsed and checked {read:.2f} s: {read / tokens:.1f} times"
        )
        print(f"  laid out {laid:.2f} s: {laid / tokens:.1f} times")
    small, large = write_specs(1, _MEGABYTE // 8), write_specs(1, _MEGABYTE)
    once, eight = compare(repeat, (read_all, small), (read_all, large))
    print(f"eight times the text: {eight:.2f} s over {once:.3f} s, {eight / once:.1f} times")


if __name__ == "__main__":
    main()
