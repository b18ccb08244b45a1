"""Operations on entities of other files, in every language that a grammar reads."""

import pytest

from git_retcon.allium.extract.languages import find_missing_extra
from git_retcon.allium.extract.typescript.reader import is_available, read_typescript
from tests.allium.extract.test_service_rules import PAY, declare_files


@pytest.mark.parametrize(
    "files",
    [
        {
            "src/order.entity.ts": """\
                export enum OrderStatus { New = 'new', Paid = 'paid' }
                @Entity()
                export class Order { @Column() id: number; @Column() status: OrderStatus; }
                """,
            "src/order.service.ts": """\
                import { Order, OrderStatus } from './order.entity';
                export class Orders {
                  async pay(id: number) {
                    const order = await this.orders.findOneOrFail({ where: { id } });
                    if (order.status !== OrderStatus.New) {
                      throw new Error('not payable');
                    }
                    order.status = OrderStatus.Paid;
                    await this.orders.save(order);
                  }
                }
                """,
        },
        {
            "src/order.ts": """\
                export interface Order { id: string; status: 'new' | 'paid'; }
                """,
            "src/pay.ts": """\
                import { Order } from './order';
                export const pay = (one: Order) => {
                  if (one.status !== 'new') throw new Error('not payable');
                  one.status = 'paid';
                };
                """,
        },
        {
            "src/order.ts": """\
                import { Cart } from './cart';
                export enum Status { New = 'new', Paid = 'paid' }
                @Entity()
                export class Order<T> { @Column() id: number; @Column() status: Status; }
                """,
            "src/cart.ts": "export class Cart { id: number; import: Import; total: number; }",
            "src/pay.ts": """\
                import { Order, Status } from './order';
                export default abstract class Payments<T> extends Base<T> {
                  async pay(id: number) {
                    await this.database.transaction(async (transaction) => {
                      const order = await Order.findByPk<Order<T>>(id, { transaction });
                      if (!order) {
                        return;
                      }
                      const { status } = order;
                      if (status !== Status.New) {
                        throw new Error('not payable');
                      }
                      order.status = Status.Paid;
                      await order.import.save();
                    });
                  }
                }
                """,
        },
        {
            "shop/Order.java": """\
                package shop;
                @Entity public class Order {
                  private Long id;
                  private Status status;
                  public Status getStatus() { return status; }
                  public void setStatus(Status status) { this.status = status; }
                }
                """,
            "shop/Status.java": "package shop;\npublic enum Status { NEW, PAID }\n",
            "shop/Orders.java": """\
                package shop;
                public class Orders {
                  public void pay(Long id) {
                    Order one = repository.findById(id).orElseThrow();
                    if (one.getStatus() != Status.NEW) {
                      throw new IllegalStateException();
                    }
                    one.setStatus(Status.PAID);
                  }
                }
                """,
        },
        {
            "Shop/Order.cs": """\
                namespace Shop;
                public enum Status { New, Paid }
                public class Order {
                  public int Id { get; set; }
                  public Status Status { get; set; }
                }
                """,
            "Shop/Orders.cs": """\
                namespace Shop;
                public class Orders {
                  public void Pay(Order one) {
                    if (one.Status != Status.New) {
                      throw new InvalidOperationException();
                    }
                    one.Status = Status.Paid;
                  }
                }
                """,
        },
        {
            "shop/order.go": """\
                package shop
                type Status string
                const (
                    StatusNew  Status = "new"
                    StatusPaid Status = "paid"
                )
                type Order struct {
                    ID     int64
                    Status Status
                }
                """,
            "shop/pay.go": """\
                package shop
                func (s *Service) Pay(id int64) error {
                    order, err := s.orders.Get(id)
                    if err != nil {
                        return err
                    }
                    if order.Status != StatusNew {
                        return ErrState
                    }
                    order.Status = StatusPaid
                    return s.orders.Save(order)
                }
                """,
        },
        {
            "src/order.rs": """\
                #[derive(PartialEq)]
                pub enum Status { New, Paid }
                pub struct Order { pub id: u64, pub status: Status }
                """,
            "src/pay.rs": """\
                use crate::order::{Order, Status};
                pub fn pay(one: &mut Order) -> Result<(), String> {
                    if one.status != Status::New {
                        return Err("not payable".into());
                    }
                    one.status = Status::Paid;
                    Ok(())
                }
                """,
        },
    ],
    ids=["typescript", "union", "transaction", "java", "csharp", "go", "rust"],
)
def test_services_of_every_language(files: dict[str, str]) -> None:
    for path in files:
        if find_missing_extra(path.encode()):
            pytest.skip(f"the extra for {path} is missing")
    assert PAY in declare_files(files)


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_what_a_function_returns_behind_which_more_follows_is_not_the_end() -> None:
    source = """
import { Order } from './order';
export async function settle(order: Order) {
  await withLock(order.id, async () => {
    if (order.status !== 'new') return;
    order.status = 'paid';
  });
  %s
}
"""
    order = "export interface Order { id: string; status: 'new' | 'paid' | 'lost'; }"
    alone = declare_files({"src/order.ts": order, "src/a.ts": source % ""})
    assert "requires: order.status = new" in alone
    more = declare_files({"src/order.ts": order, "src/a.ts": source % "order.status = 'lost';"})
    assert "requires" not in more
    assert "ensures: order.status = lost" in more


@pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")
def test_an_operation_keeps_the_places_of_its_parameters_and_what_they_are_by_default() -> None:
    source = b"""
import { Order } from './order';
export function settle(order: Order, { why }: Reason, isLate = false, note?: string) {
  order.status = 'paid';
}
"""
    found = read_typescript(b"src/a.ts", source)
    assert found is not None
    codes = [each.code.partition("\n")[0] for each in found.services]
    assert codes == ["def settle(self, order, _1, isLate=False, note=None):"]
