"""Names are found in single lines of many languages, with no grammar."""

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.languages.known import language_of
from git_retcon.code.symbols import (
    Names,
    find_block,
    find_enclosing,
    find_names,
    find_outermost,
    indentation_of,
)
from tests.timing import cpu_ratio


def names(lines: list[bytes]) -> Names:
    """The names in lines of no language in particular."""
    return find_names(lines, language_of(b"any"))


@pytest.mark.parametrize(
    ("line", "defined"),
    [
        ("def parse_token(text, *, limit=1):", "parse_token"),
        ("    async def run(self):", "run"),
        ("class TokenStore(Base):", "TokenStore"),
        ("LIMIT: int = 3", "LIMIT"),
        ("a, b = 1, 2", "a b"),
        ("pub fn new(x: i32) -> Self {", "new"),
        ("pub(crate) struct Store<T> {", "Store"),
        ("pub const MAX: u32 = 3;", "MAX"),
        ("macro_rules! check {", "check"),
        ("mod token;", "token"),
        ("func (s *Store) Save(x int) error {", "Save"),
        ("type Store struct {", "Store"),
        ("type Handler func(*Context)", "Handler"),
        ("type Rows map[string]Row", "Rows"),
        ("struct node head;", "head"),
        ("export async function load(a: number) {", "load"),
        ("export const keep = 1;", "keep"),
        ("const { one, two } = require2;", "one two"),
        ("interface Options {", "Options"),
        ("#define MAX_TOKENS 3", "MAX_TOKENS"),
        ("int parse(const char *s);", "parse"),
        ("static struct node *make_node(int a) {", "make_node"),
        ("std::vector<int> Foo::bar(int x) const {", "bar"),
        ("typedef struct node node_t;", "node_t"),
        ("} point_t;", "point_t"),
        ("static int counter;", "counter"),
        ("template <typename T> class Queue {", "Queue"),
        ("public static void main(String[] a) {", "main"),
        ("    return foo(bar)", ""),
        ("if (x) foo(1);", ""),
        ("    foo(x);", ""),
        ("# class Comment:", ""),
        ("x == 3", ""),
    ],
)
def test_what_a_line_defines(line: str, defined: str) -> None:
    assert names([line.encode()]).defined == set(defined.split())


@pytest.mark.parametrize(
    ("line", "members"),
    [
        ("        self.limit = 3", "limit"),
        ("    size: u32,", "size"),
        ("    int count = 3;", "count"),
        ("\tName string", "Name"),
        ("    Third,", "Third"),
        ("  'key': 1,", "key"),
        ("  age?: number;", "age"),
        ("call(a, retries=2)", "retries"),
        ("def call(url, retries=0):", "call url retries"),
    ],
)
def test_what_only_means_something_with_its_owner(line: str, members: str) -> None:
    assert names([line.encode()]).members == set(members.split())


@pytest.mark.parametrize(
    ("line", "imports", "modules"),
    [
        ("from pkg.mod import a, b as c", "a b c", "pkg mod"),
        ("import {a, b as c} from './x'", "a b c", "x"),
        ("export { zed } from './util';", "zed", "util"),
        ("import a.b.C;", "C", "a b C"),
        ('#include "net/token.h"', "", "net token h"),
        ('\t"example.com/demo/log"', "log", "example com demo log"),
        ("const t = require('./token')", "t token", "token"),
        ("const express = require('../..')", "express", ""),
        ("import '.'", "", ""),
        ("import pkg.mod as m", "pkg mod m", "pkg mod m"),
        ("use a::b as c;", "a b c", "a b c"),
    ],
)
def test_what_an_import_binds_and_where_it_looks(line: str, imports: str, modules: str) -> None:
    found = names([line.encode()])
    assert found.imports == set(imports.split())
    assert found.modules == set(modules.split())
    assert found.defined == set()


def test_an_import_over_several_lines_is_one() -> None:
    python = names(
        [b"from pkg.mod import (\n", b"    first,\n", b"    second,\n", b")\n", b"X = 1\n"]
    )
    assert python.imports == {"first", "second"}
    assert python.defined == {"X"}
    script = names([b"import {\n", b"  first,\n", b"} from './util';\n"])
    assert script.imports == {"first"}
    assert script.modules == {"util"}
    rust = names([b"use crate::util::{\n", b"    first,\n", b"};\n"])
    assert rust.imports == {"crate", "util", "first"}


def test_strings_and_comments_use_nothing_but_templates_do() -> None:
    assert "word" not in names([b'x = "a word"  # word']).used
    assert "word" not in names([b"int x; // word /* word */"]).used
    assert "word" in names([b"print(f'{word}')"]).used


def test_a_definition_runs_from_its_decorators_to_its_closing_line() -> None:
    lines = (
        b"@cache\ndef f(\n    a,\n) -> int:\n    x = 1\n\n    return x\n\n\ndef g():\n    pass\n"
    )
    assert find_block(lines.splitlines(keepends=True), 1) == (0, 7)
    braces = b"#[test]\nfn f() {\n    if a {\n    }\n}\n\nfn g() {\n}\n".splitlines(keepends=True)
    assert find_block(braces, 1) == (0, 5)


def test_the_heads_around_a_line() -> None:
    lines = b"class A:\n    x = 1\n\n    def f(self):\n        return 2\n".splitlines(keepends=True)
    assert find_enclosing(lines, 4) == (3, 0)
    assert find_enclosing(lines, 1) == (0,)
    assert find_enclosing(lines, 0) == ()
    assert find_outermost(lines, language_of(b"any")) == {"A"}


@settings(max_examples=100, deadline=None)
@given(st.lists(st.binary(max_size=60), min_size=1, max_size=8), st.data())
def test_any_lines_have_names_and_blocks(lines: list[bytes], data: st.DataObject) -> None:
    found = names(lines)
    assert found.defined <= found.members
    at = data.draw(st.integers(0, len(lines) - 1))
    first, stop = find_block(lines, at)
    assert 0 <= first <= at < stop <= len(lines)
    assert all(head < at for head in find_enclosing(lines, at))
    assert indentation_of(lines[at]) >= 0


_HOSTILE = [
    b"a ",
    b"* ",
    b"a*",
    b"(",
    b"a,",
    b"<a",
    b"'",
    b"pub ",
    b"a: ",
    b"{a:",
    b" a ",
    b"import ",
]


# No two lines are alike, since what was read before is remembered.
_NUMBERS = itertools.count()


@pytest.mark.parametrize("text", _HOSTILE)
@pytest.mark.parametrize("around", [(b"", b""), (b"", b"x"), (b"   ", b"(")])
def test_a_longer_line_costs_at_most_the_square_of_its_length(
    text: bytes, around: tuple[bytes, bytes]
) -> None:
    def read(size: int) -> None:
        for _ in range(20):
            number = b"%d" % next(_NUMBERS)
            names([around[0] + (text * size)[: size - len(number)] + number + around[1]])

    assert cpu_ratio(lambda: read(60), lambda: read(960)) < 1.6 * 16**2


def test_what_is_far_to_the_right_is_data() -> None:
    used = names([b"x = [" + b"1, " * 400 + b"far]\n"]).used
    assert "x" in used
    assert "far" not in used
