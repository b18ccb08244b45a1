"""Components of a screen are no part of the domain."""

import pytest

from git_retcon.allium.extract.typescript.reader import is_available
from tests.allium.extract.declared import declare

pytestmark = pytest.mark.skipif(not is_available(), reason="the extra 'typescript' is missing")


@pytest.mark.parametrize(
    "source",
    [
        "import { Component as Part } from './x';\n"
        "import { Component } from '@angular/core';\n"
        "@Component({ selector: 'a' }) export class Page { open = false; user: string;\n"
        "  show() { if (!this.open) throw new Error(); } }",
        "import { Pipe } from '@angular/core';\n@Pipe({}) class Money { currency: string }",
        "import React from 'react';\nclass Page extends React.Component<P, S> { title: string }",
        "import { PureComponent } from 'react';\n"
        "export default class Page extends PureComponent<P> { title: string }",
        "class Page extends HTMLElement { title: string }",
        "import { LitElement } from 'lit';\nclass Page extends LitElement { title: string }",
        "import { customElement } from 'lit/decorators.js';\n"
        "@customElement('x') class Page extends Base { title: string }",
    ],
)
def test_a_component_is_left_out(source: str) -> None:
    assert declare({"src/shop/page.ts": source}) == ""


def test_properties_of_components_are_left_out_beside_what_draws_them() -> None:
    source = "export interface ButtonProps { label: string }\ntype LinkProps = { to: string }"
    assert declare({"src/shop/button.tsx": source}) == ""
    assert "value ButtonProps" in declare({"src/shop/button.ts": source})


def test_a_part_of_a_machine_may_be_called_component() -> None:
    source = (
        "import { Component } from './component';\n"
        "@Component() export class Pump { power: number }\n"
        "export class Valve extends Component { size: number }"
    )
    declared = declare({"src/plant/pump.ts": source})
    assert "value Pump" in declared and "Valve" in declared


def test_an_element_of_a_page_may_be_a_machine() -> None:
    source = (
        "class Player extends HTMLElement {\n"
        "  private state: 'idle' | 'playing' = 'idle';\n"
        "  play() { if (this.state === 'idle') { this.state = 'playing'; } }\n"
        "}"
    )
    assert "idle -> playing" in declare({"src/shop/player.ts": source})
    assert declare({"src/shop/player.ts": source.replace("this.state = 'playing'", "")}) == ""
