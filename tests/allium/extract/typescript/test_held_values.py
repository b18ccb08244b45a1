"""Fields of TypeScript that hold a state: subjects and signals."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

WORKER = """
type State = 'idle' | 'running' | 'stopped';
export class Worker {
  HELD
  run() {
    if (ASKED !== 'idle') { throw new Error('late'); }
    SET('running');
  }
  async stop() { await this.client.stop(); SET('stopped'); }
}
"""
MOVED = "idle -> running\n        idle -> stopped\n        running -> stopped\n"


@pytest.mark.parametrize(
    ("held", "asked", "given"),
    [
        (
            "private state$ = new BehaviorSubject<State>('idle');",
            "this.state$.value",
            "this.state$.next",
        ),
        (
            "readonly #state: BehaviorSubject<State> = new BehaviorSubject<State>('idle');",
            "this.#state.getValue()",
            "this.#state.next",
        ),
        ("readonly state = signal<State>('idle');", "this.state()", "this.state.set"),
    ],
)
def test_what_holds_a_state_is_the_state(held: str, asked: str, given: str) -> None:
    text = WORKER.replace("HELD", held).replace("ASKED", asked).replace("SET", given)
    found = declare({"src/worker.ts": text})
    assert MOVED in found
    assert "requires: worker.state = idle\n    ensures: worker.state = running" in found


def test_accessors_may_set_and_ask_what_is_held() -> None:
    held = """
  private readonly subject = new BehaviorSubject<State>('idle');
  get state(): State { return this.subject.value; }
  private set state(state: State) { this.subject.next(state); }
"""
    text = WORKER.replace("HELD", held).replace("ASKED", "this.state")
    found = declare({"src/worker.ts": text.replace("SET('", "this.state = ('")})
    assert MOVED in found
    assert "requires: worker.subject = idle" in found


def test_what_other_objects_hold_is_not_known() -> None:
    text = WORKER.replace("HELD", "constructor(private state: Subject<State>) {}")
    text = text.replace("ASKED", "this.state.value").replace("SET", "this.state.next")
    assert "->" not in declare({"src/worker.ts": text})
