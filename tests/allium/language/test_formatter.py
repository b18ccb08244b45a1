"""The one layout of a specification."""

import pytest

from git_retcon.allium.language import format_spec


def laid(text: str) -> str:
    return format_spec(text.encode()).decode()


def test_a_file_is_laid_out() -> None:
    untidy = """

-- allium: 3
-- Title
entity   Order{

  status:open|paid


  lines :  Line with order=this   -- all
  total: Decimal    -- sum
\ttransitions status {open->paid
    terminal:paid }

}
rule  Pay {
  when: Pay( order,by? )
  requires:  order.status=open
         and not exists Refund {order : order}
  ensures:
     if total>-5 :
        Mail.created( to:by??null,data:{ a:{x,y} } )
     else :
        for line in order.lines where line.open : line.open=false
  @guidance
      -- Prose
      --   that stays.
}
"""
    assert (
        laid(untidy)
        == """-- allium: 3
-- Title
entity Order {
    status: open | paid

    lines: Line with order = this  -- all
    total: Decimal                 -- sum
    transitions status { open -> paid
        terminal: paid }
}

rule Pay {
    when: Pay(order, by?)
    requires: order.status = open
        and not exists Refund { order: order }
    ensures:
        if total > -5:
            Mail.created(to: by ?? null, data: { a: { x, y } })
        else:
            for line in order.lines where line.open: line.open = false
    @guidance
        -- Prose
        --   that stays.
}
"""
    )


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("a:b", "a: b"),
        ("a: Set< T >", "a: Set<T>"),
        ("a: Map<K,List<V ?>>", "a: Map<K, List<V?>>"),
        ("a: Codec<*>", "a: Codec<*>"),
        ("a: b < c", "a: b < c"),
        ("a: b>c", "a: b > c"),
        ("a: b-c", "a: b - c"),
        ("a: b- -c", "a: b - -c"),
        ("a: f( -b )", "a: f(-b)"),
        ("a: b*-c", "a: b * -c"),
        ("a: m/T", "a: m/T"),
        ("a: b/c", "a: b/c"),
        ("a: b /c", "a: b / c"),
        ("a: b/ c", "a: b / c"),
        ("a: not(b)", "a: not(b)"),
        ("a: not (b or c)", "a: not (b or c)"),
        ("a: b  and( c )", "a: b and(c)"),
        ("a: f (b) . c", "a: f(b).c"),
        ("a: User{b:c}", "a: User{b: c}"),
        ("a: User {b}", "a: User { b }"),
        ("a: { }", "a: {}"),
        ("a: {b:{c}}", "a: { b: { c } }"),
        ("a: [ b,c ]", "a: [b, c]"),
        ("a: b ?. c", "a: b?.c"),
        ("a: b=>c", "a: b => c"),
        ("a: (b:T)->R", "a: (b: T) -> R"),
        ("can( f ) :f in g", "can(f): f in g"),
        ("transitions s{a->b}", "transitions s { a -> b }"),
        ("a: b,c: d", "a: b, c: d"),
    ],
)
def test_spacing(line: str, expected: str) -> None:
    assert laid(f"entity E {{\n{line}\n}}\n") == f"entity E {{\n    {expected}\n}}\n"


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("variant A:B{}", "variant A : B {}"),
        ("variant A :m/B{ c:D }", "variant A : m/B { c: D }"),
        ("m/config{a:1}", "m/config { a: 1 }"),
        ("enum A{b|`c`}", "enum A { b | `c` }"),
        ("default T a={b:1}", "default T a = { b: 1 }"),
        ('use   "a"  as b', 'use "a" as b'),
        ("external entity A{}", "external entity A {}"),
        ('deferred A.b   "c"   -- d', 'deferred A.b "c"  -- d'),
    ],
)
def test_declarations_on_one_line(line: str, expected: str) -> None:
    assert laid(line) == f"{expected}\n"


def test_comments_behind_neighbouring_lines_share_a_column() -> None:
    text = (
        "entity A {\n  b: C -- one\n  defg: H -- two\n\n  i: J -- three\n  k: L\n  m: N --four\n}\n"
    )
    assert laid(text).splitlines()[1:-1] == [
        "    b: C     -- one",
        "    defg: H  -- two",
        "",
        "    i: J  -- three",
        "    k: L",
        "    m: N  --four",
    ]


def test_comments_keep_their_place_among_blocks() -> None:
    text = (
        "-- top\nrule R {\n-- left\n  when: A()\n  ensures:\n      -- inside\n      b\n  -- after\n"
        "  @guidance\n     -- prose\n}\n-- end\n"
    )
    assert laid(text) == (
        "-- top\nrule R {\n    -- left\n    when: A()\n    ensures:\n        -- inside\n        b\n"
        "    -- after\n    @guidance\n        -- prose\n}\n\n-- end\n"
    )


def test_empty_lines() -> None:
    assert laid('\n\nuse "a"\n\n\n\nuse "b"\nentity A {\n\n  b: C\n\n}\nentity D {}\n\n\n') == (
        'use "a"\n\nuse "b"\nentity A {\n    b: C\n}\n\nentity D {}\n'
    )
    assert laid("") == ""


def test_line_ends_and_tabs() -> None:
    assert format_spec(b"entity A {\r\n\tb: C \r\n}") == b"entity A {\n    b: C\n}\n"


def test_what_cannot_be_parsed_comes_back_as_it_is() -> None:
    broken = "entity  A {\n  b:\n    c  d )\n"
    assert laid(broken) == broken


def test_a_layout_that_would_change_the_meaning_is_not_used() -> None:
    # The "else" is further in than its "if": level with the branch's body it would end it.
    text = "rule R {\n    ensures:\n      if a:\n            b  \n        else:\n            c\n}\n"
    assert laid(text) == text.replace("b  \n", "b\n")
