"""The private steps of a TypeScript class begin in the states in which it runs them."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

DRIVER = """
enum State { Idle = 'idle', Opening = 'opening', Open = 'open', Closed = 'closed' }
export class Driver {
  private state: State = State.Idle;
  constructor(private bus: Bus) {
    this.bus.on('event', (event) => { this.handle(event); });
  }
  private handle(event: string): void {
    if (this.state === State.Idle) {
      this.state = State.Opening;
    } else if (this.state === State.Opening) {
      this.handleOpening(event);
    } else if (this.state === State.Open) {
      this.handleOpen(event);
    }
  }
  private handleOpening(event: string): void {
    if (event === 'up') this.state = State.Open;
    this.bus.log(event);
  }
  private handleOpen(event: string): void {
    if (event === 'down') this.state = State.Closed;
    this.bus.log(event);
  }
}
"""


def declare_driver(source: str) -> str:
    return declare({"net/driver.ts": source})


@pytest.mark.parametrize("name", ["private handleOpen", "#handleOpen", "_handleOpen"])
def test_a_step_of_one_state_follows_on_it_alone(name: str) -> None:
    source = DRIVER.replace("private handleOpen(", f"{name}(")
    source = source.replace("this.handleOpen(", f"this.{name.rpartition(' ')[2]}(")
    told = declare_driver(source)
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told
    assert "        opening -> closed\n" not in told


def test_a_step_of_a_step_follows_on_what_lets_both_run() -> None:
    source = DRIVER.replace("this.bus.log(event);\n  }\n}", "this.shut();\n  }\n  private shut() {"
        "\n    this.state = State.Idle;\n    this.bus.end();\n  }\n}")  # fmt: skip
    told = declare_driver(source)
    assert "        open -> idle\n" in told
    assert "        opening -> idle\n" not in told


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # It is handed on, and runs when something happens.
        ("this.handle(event); });", "this.handleOpen(event); this.handle(event); });"),
        ("this.bus.on(", "this.bus.on('down', this.handleOpen); this.bus.on("),
        ("this.handleOpen(event)", "this.bus.on('down', () => this.handleOpen(event))"),
        # While it waits, the state may become another one.
        ("private handleOpen(", "private async handleOpen("),
        # It is run later, if ever.
        ("private handleOpen(", "private *handleOpen("),
        # Heirs may run it, or others.
        ("private handleOpen(", "protected handleOpen("),
        ("private handleOpen(", "handleOpen("),
    ],
)
def test_it_follows_on_any_state_where_others_may_run_it(old: str, new: str) -> None:
    assert "        idle -> closed\n" in declare_driver(DRIVER.replace(old, new))


def test_heirs_of_an_abstract_class_run_what_is_not_marked_as_its_own() -> None:
    source = DRIVER.replace("export class", "export abstract class")
    assert "        idle -> closed\n" not in declare_driver(source)
    source = source.replace("private handleOpen(", "_handleOpen(")
    told = declare_driver(source.replace("this.handleOpen(", "this._handleOpen("))
    assert "        idle -> closed\n" in told


def test_a_function_that_waits_runs_a_step_in_the_states_that_it_asks_for() -> None:
    asked = "if (this.state === State.Open) this.handleOpen(event);"
    source = DRIVER.replace("this.handle(event); });", f"this.handle(event); {asked} }});")
    told = declare_driver(source)
    assert "        open -> closed\n" in told
    assert "        idle -> closed\n" not in told
