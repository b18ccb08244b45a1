"""A method is followed statement by statement, with the states that are possible."""

from tests.allium.extract.declared import ORDER, declare_python


def test_a_method_is_followed_through_branches_errors_and_early_returns() -> None:
    source = (
        ORDER.partition("    def pay")[0]
        + """
    def run(self):
        if self.status == Status.SHIPPED:
            return
        if self.status == Status.NEW:
            try:
                self.status = Status.PAID
                work()
            except Exception:
                self.status = Status.NEW
                raise
        else:
            self.status = Status.SHIPPED
"""
    )
    told = declare_python(source)
    edges = [line.strip() for line in told.split("\n") if "->" in line]
    assert edges == ["new -> paid", "paid -> new", "paid -> shipped"]
    assert told.endswith("""
    ensures:
        if order.status = new: order.status = paid
        else if order.status = paid: order.status = shipped
}""")
