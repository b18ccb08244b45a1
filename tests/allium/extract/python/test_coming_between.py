"""What others do while an operation waits is what it goes on from."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

REGISTRY = """
export class Registry {
  private phase: 'setup' | 'active' | 'running' = 'setup';
  async setup() {
    if (this.phase !== 'setup') return;
    for (const each of this.extensions) {
      await each.setup(this.context);
    }
    this.phase = 'active';
  }
  run() {
    if (this.phase !== 'active') return;
    this.phase = 'running';
  }
}
"""
EDGES = ["setup -> active", "active -> running"]
WATCHER = """
export class Watcher {
  private state: 'stopped' | 'starting' | 'running' = 'stopped';
  async start() {
    if (this.state !== 'stopped') return;
    this.state = 'starting';
    await watch(this.path);
    this.state = 'running';
  }
  async stop() {
    if (this.state !== 'running') return;
    this.state = 'stopped';
  }
}
"""


def list_edges(source: str) -> list[str]:
    told = declare({"lib/kept.ts": source})
    return [line.strip() for line in told.split("\n") if "->" in line]


def test_another_run_may_have_led_on() -> None:
    assert list_edges(REGISTRY) == [*EDGES, "running -> active"]


@pytest.mark.parametrize("step", ["each.setup(this.context)", "await this.log(each)"])
def test_what_waits_for_nothing_of_others_goes_on_at_once(step: str) -> None:
    source = REGISTRY.replace("await each.setup(this.context)", step)
    logging = "  async log(each) { print(each); }\n  run()"
    assert list_edges(source.replace("  run()", logging)) == EDGES


def test_a_guard_that_moves_before_it_waits_lets_nothing_between() -> None:
    edges = ["stopped -> starting", "starting -> running", "running -> stopped"]
    assert list_edges(WATCHER) == edges
    later = "this.onWait = () => { this.state = 'stopped'; };\n    await watch"
    assert list_edges(WATCHER.replace("await watch", later)) == edges
