"""Functions that a class has as methods, or that its fields hold."""

import textwrap

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")

ORDER = """\
    enum State { Creating = 'creating', Complete = 'complete', Expired = 'expired' }

    @Table({ tableName: "orders" })
    class Order extends Model {
      @Column(DataType.ENUM(...Object.values(State))) state: State;
      @BelongsTo(() => Customer, "customerId") customer: Customer;
      notStored: string;
    """


@pytest.mark.parametrize(
    "head", ["expire = async () => {", "expire = () => {", "async expire() {", "expire() {"]
)
def test_an_arrow_function_is_an_operation_like_a_method(head: str) -> None:
    code = (
        f"  {head}\n"
        "    if (this.state !== State.Complete) {\n"
        "      throw new Error();\n"
        "    }\n"
        "    this.state = State.Expired;\n"
        "  }\n}\n"
    )
    found = declare({"src/order.ts": textwrap.dedent(ORDER) + code})
    assert "entity Order {\n    state: State\n    customer: Customer\n" in found
    assert (
        "rule OrderExpire {\n"
        "    when: ExpireOrder(order)\n"
        "    requires: order.state = complete\n"
        "    ensures: order.state = expired\n}"
    ) in found
