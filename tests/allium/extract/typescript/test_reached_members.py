"""What only has the name of a private step does not run it; what reaches the member does."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.typescript.test_class_methods import DRIVER, declare_driver

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("export class", "// handleOpen() runs when it is open\nexport class"),
        ("export class", "/* see handleOpen */\nexport class"),
        ("this.bus.log(event)", "this.bus.log('handleOpen')"),
        ("this.bus.log(event)", "this.bus.handleOpen(event)"),
        ("this.bus.log(event)", "this.bus.off('down', this.handleOpen)"),
        (
            "private bus: Bus) {",
            "private bus: Bus) { this.handleOpen = this.handleOpen.bind(this);",
        ),
        ("this.bus.log(event)", "const handleOpen = event; this.bus.log(handleOpen)"),
        (
            "export class",
            "export function handleOpen(bus: Bus) { bus.handleOpen(); }\nexport class",
        ),
    ],
)
def test_what_only_has_its_name_does_not_run_a_step(old: str, new: str) -> None:
    assert "        idle -> closed\n" not in declare_driver(DRIVER.replace(old, new))


@pytest.mark.parametrize(
    "others",
    [
        "  later() { this.bus.ask(this['handleOpen']); }\n",
        "  later() { const { handleOpen } = this; handleOpen('down'); }\n",
        "  private next: Driver; later() { this.next.handleOpen('down'); }\n",
        "  static later(driver: Driver) { driver.handleOpen('down'); }\n",
    ],
)
def test_what_reaches_a_step_may_run_it_in_any_state(others: str) -> None:
    source = DRIVER.replace("  private handle(", f"{others}  private handle(")
    assert "        idle -> closed\n" in declare_driver(source)


def test_the_file_runs_a_step_that_is_private_by_its_name_alone() -> None:
    source = DRIVER.replace("private handleOpen(", "_handleOpen(").replace(
        "this.handleOpen(", "this._handleOpen("
    )
    told = declare_driver(f"{source}\nexport const shut = (it: Driver) => it._handleOpen('down');")
    assert "        idle -> closed\n" in told
