"""What is read from real output of C and C++: gcc, g++, ld."""

from git_retcon.code.diagnostics.read import read
from tests.code.diagnostics.sample import rendered, told


def test_gcc() -> None:
    assert told("gcc") == [
        "file a.c:2 <token.h>",
        "undefined b.c:4 opaque",
        "member b.c:8 y of point",
        "undefined b.c:10 MAX_TOKENS",
        "undefined b.c:11 token_t",
        "mismatch b.c:12 of g",
        "other b.c:13",
        "other b.c:14",
    ]


def test_gcc_werror() -> None:
    assert told("gcc_werror") == [
        "undefined b.c:4 opaque",
        "member b.c:8 y of point",
        "undefined b.c:9 parse_token",
        "undefined b.c:10 MAX_TOKENS",
    ]


def test_gpp() -> None:
    assert told("gpp") == [
        "member e.cc:5 Missing of ns",
        "member e.cc:6 y of ns.A",
        "member e.cc:6 run of ns.A",
        "member e.cc:7 strng of std",
        "undefined e.cc:8 undefined_thing",
        "undefined e.cc:9 Widget",
        "member e.cc:10 make of ns",
        "mismatch e.cc:12 of B.go",
    ]


def test_ld() -> None:
    assert told("ld") == [
        "undefined c.c counter",
        "undefined c.c helper",
        "undefined f.cc go of B",
        "undefined f.cc lookup of B",
        "undefined f.cc freefn",
        "duplicate d2.c helper",
        "file <-lnolib>",
    ]


def test_colours_and_typewriter_quotes_change_nothing() -> None:
    assert told("gcc_colour") == [line for line in told("gcc") if "b.c" in line]


def test_clang_lld_and_the_linker_of_macos() -> None:
    output = b"""main.c:3:10: fatal error: 'token.h' file not found
main.c:5:3: error: use of undeclared identifier 'MAX'
main.c:6:3: error: call to undeclared function 'parse'; ISO C99 does not support it
main.c:7:5: error: no member named 'y' in 'struct point'
main.c:8:3: error: unknown type name 'token_t'
ld.lld: error: undefined symbol: helper
>>> referenced by main.c
Undefined symbols for architecture arm64:
  "_finish", referenced from:
      _main in main-1a2b3c.o
"""
    assert [rendered(each) for each in read(output)] == [
        "file main.c:3 <token.h>",
        "undefined main.c:5 MAX",
        "undefined main.c:6 parse",
        "member main.c:7 y of point",
        "undefined main.c:8 token_t",
        "undefined helper",
        "undefined finish",
    ]
