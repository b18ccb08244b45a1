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
