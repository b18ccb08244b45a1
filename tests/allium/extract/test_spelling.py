"""Names of the source as names of the language."""

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.extract.source_facts import (
    Declaration,
    Enumeration,
    Evidence,
    Field,
    Shape,
    Type,
)
from git_retcon.allium.extract.spelling import (
    is_value,
    name_values,
    spell_declaration,
    spell_field_name,
    spell_member,
    spell_type_name,
    spell_variable,
)
from git_retcon.allium.language import check, is_error, parse

PLACE: Final = (Evidence(b"a.py", "A"),)


@pytest.mark.parametrize(
    ("symbol", "name"),
    [("Order.Status", "OrderStatus"), ("user_status", "UserStatus"), ("_Own", "Own"), ("ID", "ID"),
     ("\u00c4", None), ("_", None)],
)  # fmt: skip
def test_types(symbol: str, name: str | None) -> None:
    assert spell_type_name(symbol) == name


@pytest.mark.parametrize(
    ("symbol", "value"),
    [("IN_TRANSIT", "in_transit"), ("InTransit", "in_transit"), ("Sent", "sent"),
     ("READY_v2", "ready_v2"), ("IPv4", "ipv4")],
)  # fmt: skip
def test_members_of_enums(symbol: str, value: str) -> None:
    assert spell_member(symbol) == value


@pytest.mark.parametrize(
    ("entity", "variable"),
    [
        ("OrderLine", "order_line"),
        ("HTTPServer", "http_server"),
        ("Rule", "rule_"),
        ("A", "a"),
        ("STATUS_1XX_SENT", "status_1xx_sent"),
    ],
)
def test_variables(entity: str, variable: str) -> None:
    assert spell_variable(entity) == variable


def test_values_are_words_where_all_of_them_can_be() -> None:
    assert name_values(["Awaiting Payment", "PAID"]) == ("awaiting_payment", "paid")
    assert name_values(["awaitingPayment", "toSSL"]) == ("awaiting_payment", "to_ssl")
    assert name_values(["de-CH", "de_ch"]) == ("de-CH", "de_ch")
    assert name_values(["1", "two"]) == ("1", "two")
    assert name_values(["1", "two words"]) == ("1", "two_words")
    assert name_values(["1", "a b", "a_b"]) == ("1", "a-b", "a_b")


@pytest.mark.slow
@given(st.lists(st.text().filter(is_value), min_size=2, max_size=4, unique=True), st.text())
def test_any_names_of_the_source_are_read_by_the_language(values: list[str], symbol: str) -> None:
    names = name_values(values)
    field = spell_field_name(symbol)
    fields = (Field(field, Type("", values=names), symbol),) if field else ()
    declared: list[Declaration] = [
        Enumeration("E", PLACE, names),
        Shape("entity", "A", PLACE, fields),
    ]
    texts = [spell_declaration(each, lambda module: module.decode()).text for each in declared]
    document = parse(b"\n\n".join([b"-- allium: 3", *texts, b""]))
    assert [each for each in check([document]) if is_error(each)] == []
