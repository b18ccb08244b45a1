"""A schema of Prisma declares entities and enums."""

import textwrap

import pytest

from git_retcon.allium.extract.languages import name_language, read_facts
from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

SCHEMA = """\
    datasource db {
      provider = "postgresql"
      url      = env("DATABASE_URL") // "http://localhost"
    }

    /// Where an order is.
    enum Status {
      NEW
      InReview @map("in_review") // by a person
      PAID

      @@map("statuses")
    }

    model Order {
      id         String   @id @default(cuid())
      status     Status   @default(NEW)
      total      Decimal  @db.Decimal(10, 2)
      paidAt     DateTime?
      labels     String[]
      meta       Json     @default("{}")
      buyer      Customer @relation("buyer", fields: [buyerId], references: [id])
      buyerId    Int
      payer      Customer? @relation(name: "payer", fields: [payerId], references: [id])
      payerId    Int?
      tags       Tag[]

      @@index([status, total])
    }

    model Customer {
      id     Int     @id
      orders Order[] @relation("buyer")
      paid   Order[] @relation("payer")
    }

    model Tag {
      id     Int     @id
      orders Order[]
    }
"""


def test_models_are_entities_and_enums_are_enums() -> None:
    found = declare({"prisma/schema.prisma": textwrap.dedent(SCHEMA)})
    assert "enum Status { new | in_review | paid }" in found
    assert (
        "entity Order {\n    id: String\n    status: Status\n    total: Decimal\n"
        "    paidAt: Timestamp?\n    labels: List<String>\n    meta: Any -- Json\n"
        "    buyer: Customer\n    buyerId: Integer\n    payer: Customer?\n    payerId: Integer?\n"
        "    tags: Set<Tag>\n}"
    ) in found


def test_a_relation_knows_the_field_that_leads_back_by_its_name() -> None:
    found = declare({"prisma/schema.prisma": textwrap.dedent(SCHEMA)})
    assert "    orders: Order with buyer = this\n    paid: Order with payer = this\n" in found


def test_what_is_in_a_comment_declares_nothing() -> None:
    text = (
        "/*\nmodel Old {\n  id Int @id\n}\n*/\nmodel New {\n  // was: String @id\n  id Int @id\n}\n"
    )
    found = declare({"schema.prisma": text})
    assert "Old" not in found
    assert "entity New {\n    id: Integer\n}" in found


def test_schemas_of_one_folder_are_one() -> None:
    files = {
        "db/order.prisma": "model Order {\n  id Int @id\n  state State\n}\n",
        "db/states.prisma": "enum State {\n  OPEN\n  SHUT\n}\n",
    }
    assert "entity Order {\n    id: Integer\n    state: State\n}" in declare(files)


def test_a_type_is_a_part_of_a_document_and_has_no_row() -> None:
    found = declare({"a.prisma": "type Address {\n  street String\n  id String\n}\n"})
    assert "value Address {" in found


def test_a_block_without_an_end_is_a_broken_file() -> None:
    assert read_facts(b"schema.prisma", b"model Order {\n  id Int @id\n") is None


def test_a_run_says_that_it_read_prisma() -> None:
    assert name_language(b"prisma/schema.prisma") == "prisma"


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_code_that_imports_from_the_client_knows_the_enums_of_the_schema() -> None:
    code = """\
import { Status } from '@prisma/client';
export class Note { id: number; status: Status; }
"""
    found = declare({"prisma/schema.prisma": textwrap.dedent(SCHEMA), "src/note.ts": code})
    assert "entity Note {\n    id: Decimal\n    status: prisma/Status\n}" in found
