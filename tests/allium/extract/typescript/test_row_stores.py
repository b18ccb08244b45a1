"""Rows that the repositories and services of a class keep."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ENTITY = """
import { Entity, PrimaryGeneratedColumn } from 'typeorm';
export enum Status { NEW = 'new', PAID = 'paid', SHIPPED = 'shipped' }
@Entity()
export class Order {
  @PrimaryGeneratedColumn() id: number;
  @StatusColumn({ enum: Status }) status: Status;
}
"""
REPOSITORIES = {
    "bound": """
import { Order } from './order.entity';
export class OrderRepository extends BaseRepository<OrderRow, Order> { }
""",
    "service": """
import { Order } from './order.entity';
export class TypeOrmOrderRepository extends Repository<Order> { }
export class OrderRepository {
  constructor(@InjectRepository(Order) private readonly rows: TypeOrmOrderRepository) {}
}
""",
    "delegate": """
import { Order } from './order.entity';
export class OrderRepository {
  constructor(private readonly inner: IOrderRepository) {}
  findOne(id: number): Promise<Order> { return this.inner.findOne(id); }
}
""",
}


def declare_service(service: str, repository: str = "bound") -> str:
    return declare({
        "src/shop/order.entity.ts": ENTITY,
        "src/shop/order.repository.ts": REPOSITORIES[repository],
        "src/shop/index.ts": "export * from './order.repository';\n",
        "src/pay/pay.service.ts": service,
    })  # fmt: skip


@pytest.mark.parametrize("repository", [*REPOSITORIES])
def test_a_repository_of_the_project_keeps_rows_of_what_its_file_says(repository: str) -> None:
    found = declare_service(
        """
import { OrderRepository } from '../shop';
import { Status } from '../shop/order.entity';
export class PayService {
  constructor(private readonly orders: OrderRepository) {}
  async pay(id: number) {
    const found = await this.orders.findOne({ id });
    if (found.status !== Status.NEW) throw new Error();
    await this.orders.update({ id }, { status: Status.PAID });
  }
}
""",
        repository,
    )
    assert "    requires: order.status = new\n    ensures: order.status = paid\n" in found
    assert "rule OrderPay {\n    when: PayOrder(order)\n" in found


def test_a_decorator_says_what_a_member_keeps() -> None:
    found = declare_service("""
import { Order, Status } from '../shop/order.entity';
export class PayService {
  constructor(@InjectModel(Order.name) private rows: Model<OrderDocument>) {}
  async pay(id: string) {
    await this.rows.findByIdAndUpdate(id, { $set: { status: Status.PAID } });
  }
  async ship(id: string) {
    await this.rows.updateOne({ _id: id, status: { $nin: [Status.NEW] } },
      { status: Status.SHIPPED });
  }
}
""")
    assert "        new -> paid\n        paid -> shipped\n        shipped -> paid\n" in found


@pytest.mark.parametrize("base", ["super", "this"])
def test_a_service_of_an_entity_updates_its_rows_itself(base: str) -> None:
    found = declare_service(f"""
import {{ Order, Status }} from '../shop/order.entity';
export class PayService extends CrudService<Order> {{
  async pay(id: string) {{
    return await {base}.update(id, {{ status: Status.PAID }});
  }}
}}
""")
    assert "rule OrderPay {\n    when: PayOrder(order)\n    ensures: order.status = paid\n" in found


def test_a_service_that_is_called_for_no_entity_keeps_none() -> None:
    found = declare_service("""
import { Order, Status } from '../shop/order.entity';
export class PayService {
  constructor(private readonly mailService: MailService) {}
  async pay(id: string) {
    await this.mailService.update(id, { status: Status.PAID });
  }
}
""")
    assert "rule" not in found


@pytest.mark.parametrize(
    "update",
    [
        "await manager.update(Order, { id }, { status: Status.PAID });",
        "await this.em.nativeUpdate(Order, { id }, { status: Status.PAID });",
        "const rows = source.getRepository(Order);\n"
        "    await rows.update({ id }, { status: Status.PAID });",
        "const order = await manager.findOne(Order, { where: { id } });\n"
        "    order.status = Status.PAID;\n    await manager.save(order);",
    ],
)
def test_a_manager_of_all_entities_is_told_the_class(update: str) -> None:
    found = declare_service(f"""
import {{ Order, Status }} from '../shop/order.entity';
export class PayService {{
  async pay(manager: EntityManager, id: string) {{
    {update}
  }}
}}
""")
    assert "rule OrderPay {\n    when: PayOrder(order)\n    ensures: order.status = paid\n" in found
