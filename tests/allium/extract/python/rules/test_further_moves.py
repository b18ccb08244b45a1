"""An operation that moves more than one field leads to the states of each."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

STREAM = """
type End = 'ready' | 'closing' | 'closed';
export class Stream {
  private reading: End = 'ready';
  private writing: End = 'ready';
  closeRead(): void {
    if (this.reading !== 'ready') return;
    this.reading = 'closing';
  }
  closeWrite(): void {
    if (this.writing !== 'ready') return;
    this.writing = 'closing';
  }
  abort(): void {
    if (this.writing === 'closed') throw new Error('closed');
    this.reading = 'closed';
    this.writing = 'closed';
  }
}
"""
WRITING = "    transitions writing {\n        ready -> closing\n"


def test_what_moves_two_fields_leads_to_states_of_both() -> None:
    told = declare({"net/stream.ts": STREAM})
    assert "    transitions reading {\n        ready -> closing\n        ready -> closed\n" in told
    assert f"{WRITING}        ready -> closed\n        closing -> closed\n" in told
    assert told.count("rule StreamAbort {") == 1


def test_a_private_step_does_so_where_its_class_runs_it() -> None:
    source = STREAM.replace("  abort()", """  fail(): void {
    if (this.writing !== 'closing') return;
    this.abort();
  }
  private abort()""")  # fmt: skip
    told = declare({"net/stream.ts": source})
    assert f"{WRITING}        closing -> closed\n" in told


def test_what_only_runs_another_operation_leaves_that_to_it() -> None:
    source = STREAM.replace(
        "  abort()", "  fail(): void { this.reading = 'closed'; this.abort(); }\n  abort()"
    )
    told = declare({"net/stream.ts": source})
    assert f"{WRITING}        ready -> closed\n        closing -> closed\n" in told


def test_what_only_gives_a_state_that_nobody_can_read_leaves_open_which_is_the_last() -> None:
    source = STREAM.replace("  abort()", "  restore(): void { this.reading = load(); }\n  abort()")
    told = declare({"net/stream.ts": source})
    question = "what lets an operation leave closed cannot be read. Does any?"
    assert f"Stream.reading: {question}" in told
    assert "    transitions reading {" not in told
    assert "        terminal: closed\n" in told  # of the other field
    assert "rule StreamRestore" not in told
