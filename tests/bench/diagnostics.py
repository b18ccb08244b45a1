"""What it costs to read a log: our time beside that of iterating its lines in Python.

    python -m tests.bench.diagnostics [LOG]... [--megabytes 100] [--errors 0.005]

The logs are repeated until there are so many megabytes; without any, lines that builds and tests
print when nothing is wrong are mixed with the samples of the tests, so that the share ``--errors``
of the lines is a tool's complaint. Half of the size tells whether the cost is linear. Memory is
the peak of a process that only reads; CPU is that process's, start-up left out, and the least of
five, since other work of the machine only adds to it.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from git_retcon.code.diagnostics.complaints import extract_stream

_SAMPLES = Path(__file__).parents[1] / "code" / "diagnostics" / "samples"
_QUIET = (
    "[{n:>4}/9000] Building CXX object src/lib/CMakeFiles/demo.dir/module_{m}/part_{n}.cc.o",
    "/usr/bin/c++ -O2 -g -Wall -Wextra -Iinclude -std=c++20 -o part_{n}.o -c src/part_{n}.cc",
    "   Compiling serde_derive_internals v0.{m}.{n} (/home/ada/.cargo/registry/src/serde-{m})",
    "tests/unit/test_module_{m}.py::TestThing::test_case_{n} PASSED                  [ {m:>2}%]",
    "=== RUN   TestThing{n}/case_{m}",
    "--- PASS: TestThing{n}/case_{m} (0.0{m}s)",
    "ok  \tgithub.com/example/demo/pkg/part{n}\t0.{m}s\tcoverage: {m}.1% of statements",
    "npm http fetch GET 200 https://registry.example.org/package-{n} {m}ms (cache hit)",
    "  ✓ renders the list of items number {n} ({m} ms)",
    "[INFO] Downloaded from central: https://repo.example.org/org/demo/{n}/demo-{n}.jar ({m} kB)",
    "Collecting package-{n}=={m}.1 (from -r requirements.txt (line {n}))",
    "#{m} {n}.217 Selecting previously unselected package libdemo{n}:amd64.",
)


def write_log(path: Path, megabytes: int, share: float, logs: Sequence[Path]) -> None:
    """A log of that size: the given ones repeated, or quiet lines and samples."""
    parts = _repeat(logs) if logs else _mix(share)
    size = 0
    with path.open("wb") as file:
        while size < megabytes * 1_000_000:
            size += file.write(next(parts))


def _repeat(logs: Sequence[Path]) -> Iterator[bytes]:
    while True:
        for log in logs:
            yield log.read_bytes() + b"\n"


def _mix(share: float) -> Iterator[bytes]:
    choose = random.Random(7)
    samples = [path.read_bytes() for path in sorted(_SAMPLES.glob("*.txt"))]
    while True:
        sample = choose.choice(samples)
        quiet = int((sample.count(b"\n") + 1) * (1 - share) / share)
        lines = []
        for n in range(quiet):
            lines.append(choose.choice(_QUIET).format(n=n, m=choose.randrange(100)))
        yield "\n".join(lines).encode() + b"\n" + sample + b"\n"


def measure(path: Path) -> dict[str, float]:
    """Seconds of CPU for iterating the lines and for reading them, in a process of its own."""
    command = [sys.executable, "-P", "-m", "tests.bench.diagnostics", "--read", str(path)]
    root = Path(__file__).parents[2]
    out = subprocess.run(command, check=True, capture_output=True, cwd=root, env=None).stdout
    found: dict[str, float] = json.loads(out)
    return found


def read(path: Path) -> None:
    """In the process that is measured."""
    began = time.process_time()
    with path.open("rb") as file:
        for _ in file:
            pass
    iterated = time.process_time() - began
    with path.open("rb") as file:
        extract_stream((b"main.go:1:1: undefined: x\n",))  # imports and patterns are no part of it
        began = time.process_time()
        found = extract_stream(iter(lambda: file.read(1 << 20), b""))
        spent = time.process_time() - began
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(
        json.dumps({"iterate": iterated, "read": spent, "peak": peak, "records": len(found.kept)})
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("logs", nargs="*", type=Path)
    parser.add_argument("--megabytes", type=int, default=100)
    parser.add_argument("--errors", type=float, default=0.005)
    parser.add_argument("--read", type=Path)
    options = parser.parse_args()
    if options.read:
        read(options.read)
        return
    print("| MB | iterating s | reading s | ratio | peak MB | records |")
    print("|--:|--:|--:|--:|--:|--:|")
    with tempfile.TemporaryDirectory() as folder:
        for megabytes in (options.megabytes // 2, options.megabytes):
            path = Path(folder) / "log"
            write_log(path, megabytes, options.errors, options.logs)
            runs = [measure(path) for _ in range(5)]
            cost = {name: min(run[name] for run in runs) for name in runs[0]}
            ratio = cost["read"] / cost["iterate"]
            print(
                f"| {megabytes} | {cost['iterate']:.2f} | {cost['read']:.2f} | {ratio:.0f} "
                f"| {cost['peak']:.0f} | {cost['records']:.0f} |"
            )


if __name__ == "__main__":
    main()
