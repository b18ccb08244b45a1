"""The fields of a class in TypeScript."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def test_a_mapped_class_has_what_is_stored_and_another_all_but_static_and_functions() -> None:
    source = """
@Entity() export class Stored {
  @PrimaryColumn() id: string;
  @Column({ nullable: true }) note: string;
  @ManyToMany(() => Stored) friends: Stored[];
  cached = 0;
}
export class Sent {
  #secret = 'a';
  static made = 1;
  shout = () => 'no';
  ready = false;
  constructor(private readonly code: string, other: number) {}
  open(): void { if (this.ready) throw new Error(); this.ready = true; }
}
"""
    assert (
        declare({"src/a.ts": source}).partition("\n\nrule")[0]
        == """\
entity Stored {
    id: String
    note: String?
    friends: Set<Stored>
}

entity Sent {
    secret: String
    ready: Boolean
    code: String
}"""
    )


@pytest.mark.parametrize(
    "mark",
    [
        "@Column({ type: 'enum', enum: Status })",
        "@Prop({ type: String, enum: Status, default: Status.NEW })",
        "@Enum(() => Status)",
        "@Enum({ items: () => Status })",
    ],
)
def test_a_text_has_the_values_of_the_enum_that_its_column_names(mark: str) -> None:
    source = f"""
enum Status {{ NEW = 'new', PAID = 'paid' }}
@Entity() export class Order {{
  @PrimaryColumn() id: string;
  {mark} status: string;
}}
"""
    found = declare({"src/a.ts": source})
    assert "    status: Status\n" in found


def test_a_text_whose_column_lists_values_of_its_own_stays_one() -> None:
    source = """
@Entity() export class Order {
  @PrimaryColumn() id: string;
  @Column({ enum: STATUSES }) status: string;
  @Column({ enum: ['new', 'paid'] }) kind: string;
}
"""
    assert "    status: String\n    kind: String\n" in declare({"src/a.ts": source})


CONNECTED = """
export class Manager {
  private connection: Connection;
  KEPT
  abandon() {
    if (!this.connection) { return; }
    this.connection.close();
    this.emit('gone');
  }
}
"""


def test_what_a_class_sets_to_nothing_may_be_missing() -> None:
    cleared = CONNECTED.replace("KEPT", "reset() { this.connection = null; }")
    found = declare({"net/manager.ts": cleared})
    assert "rule ManagerAbandon {" in found
    assert "requires: manager.connection != null" in found
    kept = CONNECTED.replace("KEPT", "reset() { this.connection = make(); }")
    assert "rule" not in declare({"net/manager.ts": kept})


GATE = """
type Gate = 'shut' | 'open';
export class Fence {
  gate = BEGUN;
  lift() {
    if (this.gate !== 'shut') { throw new Error('open'); }
    this.gate = 'open';
  }
}
"""


@pytest.mark.parametrize("begun", ["'shut' as Gate", "<Gate>'shut'", "'shut' satisfies Gate"])
def test_a_value_may_say_the_type_of_its_field(begun: str) -> None:
    found = declare({"garden/fence.ts": GATE.replace("BEGUN", begun)})
    assert "gate: Gate" in found
    assert "shut -> open" in found


def test_a_cast_to_nothing_known_says_no_type() -> None:
    assert "gate: Any" in declare({"garden/fence.ts": GATE.replace("BEGUN", "make() as any")})
