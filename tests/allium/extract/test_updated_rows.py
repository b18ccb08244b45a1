"""What an operation demanded of an object, it demanded of the row that it updates."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

SCHEMA = """
enum Status {
  NEW
  PAID
  SHIPPED
}
model Order {
  id     Int    @id
  status Status @default(NEW)
}
model Parcel {
  id     Int    @id
  status Status @default(NEW)
}
"""
PAYS = """\
    requires: order.status = new
    ensures: order.status = paid
}"""


def declare_body(body: str) -> str:
    code = f"export async function work(prisma: Client, id: number, ids: number[]) {{\n{body}\n}}\n"
    return declare({"prisma/schema.prisma": SCHEMA, "src/work.ts": code})


@pytest.mark.parametrize(
    ("found", "where"),
    [
        ("prisma.order.findUnique({ where: { id } })", "{ id }"),
        ("prisma.order.findFirstOrThrow({ where: { id: Number(id) } })", "{ id: found.id }"),
        ("prisma.order.findUnique({ where: { id }, include: { lines: true } })", "{ id }"),
    ],
)
def test_a_row_that_was_found_and_refused_is_the_one_that_is_updated(
    found: str, where: str
) -> None:
    told = declare_body(f"""
  const found = await {found};
  if (!found) return;
  if (found.status !== 'NEW') throw new Error();
  await prisma.order.update({{ where: {where}, data: {{ status: 'PAID' }} }});
""")
    assert PAYS in told


def test_a_row_is_known_by_a_key_of_several_columns() -> None:
    told = declare_body("""
  const found = await prisma.order.findUnique({
    where: { buyer_number: { buyer: id, number: 1 } },
  });
  if (found.status !== 'NEW') throw new Error();
  await prisma.order.update({
    where: { buyer_number: { buyer: found.buyer, number: found.number } },
    data: { status: 'PAID' },
  });
""")
    assert PAYS in told


def test_a_row_that_is_called_as_its_model_is_of_it() -> None:
    told = declare_body("""
  const order = await load(id);
  if (order.status !== 'NEW') throw new Error();
  await prisma.order.update({ where: { id: order.id }, data: { status: 'PAID' } });
""")
    assert PAYS in told


def test_nobody_knows_the_state_of_a_row_that_another_object_was_refused_for() -> None:
    told = declare_body("""
  const parcel = await prisma.parcel.findUnique({ where: { id } });
  if (parcel.status !== 'NEW') throw new Error();
  await prisma.order.update({ where: { id: parcel.orderId }, data: { status: 'PAID' } });
""")
    assert "requires: parcel.status = new\n" in told
    assert "transitions" not in told


def test_what_one_query_did_is_not_done_to_the_rows_of_another() -> None:
    told = declare_body("""
  await prisma.order.updateMany({
    where: { id: { in: ids }, status: 'NEW' }, data: { status: 'PAID' } });
  await prisma.order.updateMany({
    where: { buyer: id, status: 'NEW' }, data: { status: 'SHIPPED' } });
""")
    assert "        new -> paid\n        new -> shipped\n" in told


@pytest.mark.parametrize(
    "found",
    [
        # It may let only some pass.
        "const order = await validateOrder(id);",
        # It is in the first state.
        "const order = await prisma.order.create({ data: { status: 'NEW' } });",
        "const { order } = await make(id);",
        # What is asked for is not the object itself.
        "const { record: order } = await prisma.order.findValid({ where: { id, status: 'NEW' } });",
    ],
)
def test_nobody_knows_the_states_of_a_row_that_may_be_chosen_by_them(found: str) -> None:
    told = declare_body(f"""
  {found}
  await prisma.order.update({{ where: {{ id: order.id }}, data: {{ status: 'PAID' }} }});
""")
    assert "    ensures: order.status = paid\n" in told
    assert "transitions" not in told


def test_rows_that_a_loop_goes_through_are_as_they_were_asked_for() -> None:
    told = declare_body("""
  const rows = await prisma.order.findMany({ where: { status: 'NEW', buyer: id } });
  for (const row of rows) {
    await prisma.order.update({ where: { id: row.id }, data: { status: 'PAID' } });
  }
""")
    assert "        new -> paid\n        terminal: " not in told
    assert "requires" not in told


@pytest.mark.parametrize(
    ("asked", "requires"),
    [
        ("{ not: 'SHIPPED' }", "    requires: order.status != shipped\n"),
        ("{ notIn: ['SHIPPED', 'PAID'] }", "    requires: order.status not in {shipped, paid}\n"),
        ("{ in: ['NEW'] }", "    requires: order.status = new\n"),
        # Nobody knows: from any of them, or from none.
        ("{ startsWith: 'N' }", "    when: WorkOrder(order)\n"),
    ],
)
def test_a_table_asks_for_states_in_its_own_words(asked: str, requires: str) -> None:
    told = declare_body(f"""
  await prisma.order.updateMany({{ where: {{ status: {asked} }}, data: {{ status: 'PAID' }} }});
""")
    assert requires in told
    assert "shipped -> paid" not in told


@pytest.mark.parametrize(
    "where",
    ["filter", "{ ...filter, id }", "{ OR: [{ status: 'NEW' }, { id }] }"],
)
def test_what_is_asked_somewhere_else_may_be_about_states(where: str) -> None:
    told = declare_body(f"""
  await prisma.order.updateMany({{ where: {where}, data: {{ status: 'PAID' }} }});
""")
    assert "    ensures: order.status = paid\n" in told
    assert "transitions" not in told


def test_a_loop_may_be_given_its_rows() -> None:
    told = declare_body("""
  for (const order of [ids]) {
    await prisma.order.update({ where: { id: order.id }, data: { status: 'PAID' } });
  }
""")
    assert "rule OrderWork {\n    when: WorkOrder(order)\n" in told


def test_a_row_under_another_name_may_be_the_same() -> None:
    told = declare_body("""
  const order = await prisma.order.findUnique({ where: { id } });
  if (order.status !== 'NEW') throw new Error();
  await prisma.order.update({ where: { id }, data: { status: 'PAID' } });
  const changed = await load(order);
  await prisma.order.update({ where: { id: changed.id }, data: { status: 'SHIPPED' } });
""")
    assert "    requires: order.status = new\n" in told
    assert "ensures: order.status = paid" not in told
