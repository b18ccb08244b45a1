"""Interfaces of TypeScript."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


def test_data_with_an_identity_is_an_entity_and_other_data_a_value() -> None:
    text = "interface Shop { id: string; city?: string } interface P { x: number; f: () => void }"
    found = declare({"a.ts": text})
    assert "entity Shop {\n    id: String\n    city: String?\n}" in found
    assert "value P {\n    x: Decimal\n}" in found


def test_methods_alone_are_a_contract() -> None:
    text = "interface Store { load(id: string, again?: boolean): Promise<void>; size(): number }"
    assert (
        "contract Store {\n    load: (id: String, again: Boolean?) -> Void\n"
        "    size: () -> Decimal\n}" in declare({"a.ts": text})
    )
