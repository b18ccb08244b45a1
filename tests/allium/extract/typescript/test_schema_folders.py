"""Rows of Prisma's models, wherever their schemas are."""

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
  total  Int
}
"""
SERVICE = """
{imports}
export class OrderService {
  constructor(private readonly prisma: PrismaService) {}
  async pay(id: number) {
    await this.prisma.order.update({
      where: { id, status: 'NEW' }, data: { status: 'PAID' },
    });
  }
}
"""
PAYS = """\
rule OrderPay {
    when: PayOrder(order)
    requires: order.status = new
    ensures: order.status = paid
}"""


@pytest.mark.parametrize(
    ("schema", "imports"),
    [
        ("prisma/schema.prisma", ""),
        ("apps/api/prisma/schema/order.prisma", ""),
        ("packages/database/prisma/schema.prisma", ""),
        ("packages/shop-db/schema.prisma", "import { db } from '@shop/shop-db';"),
    ],
)
def test_a_service_moves_the_rows_of_a_model(schema: str, imports: str) -> None:
    service = SERVICE.replace("{imports}", imports)
    assert PAYS in declare({schema: SCHEMA, "apps/api/src/order.service.ts": service})


def test_a_schema_of_another_application_is_not_meant() -> None:
    files = {"apps/web/prisma/schema.prisma": SCHEMA, "apps/api/src/order.service.ts": SERVICE}
    assert "rule" not in declare(files)


def test_a_row_has_the_states_of_its_model_where_a_helper_found_it() -> None:
    code = """
import { Status } from '@prisma/client';
import { findOrder } from './finding';
export const ship = async (id: number) => {
  const order = await findOrder(id);
  if (order.status !== Status.PAID) {
    throw new Error();
  }
  await send(order);
};
"""
    found = declare({"prisma/schema.prisma": SCHEMA, "src/ship.ts": code})
    assert (
        "rule OrderShip {\n    when: ShipOrder(order)\n    requires: order.status = paid\n}"
        in found
    )
