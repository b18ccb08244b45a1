"""What is read from real output of C and C++: gcc, g++, ld."""

from git_retcon.code.diagnostics.build_failures import read_failures
from tests.code.diagnostics.sample import places, rendered, told


def test_gcc() -> None:
    assert told("gcc") == [
        "file a.c:2 <token.h>",
        "undefined b.c:4 opaque",
        "member b.c:8 y of point",
        "undefined b.c:10 MAX_TOKENS",
        "undefined b.c:11 token_t",
        "mismatch b.c:12 of g",
        "undefined b.c:13 gone",
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
    assert [rendered(each) for each in read_failures(output)] == [
        "file main.c:3 <token.h>",
        "undefined main.c:5 MAX",
        "undefined main.c:6 parse",
        "member main.c:7 y of point",
        "undefined main.c:8 token_t",
        "undefined helper",
        "undefined finish",
    ]


def test_clang() -> None:
    assert told("clang") == [
        "undefined main.c:8 gone",
        "undefined main.c:10 token_t",
        "member main.c:12 limit of store",
        "member main.c:13 other of store",
        "mismatch main.c:14 of one",
        "undefined main.c:16 COUNT",
        "member main.c:17 b of init",
        "undefined main.c:19 color",
        "undefined main.c:20 nowhere",
        "syntax main.c:21",
        "undefined main.c:23 missing_var",
        "duplicate main.c:25 one",
        "undefined main.c:19 RED",
        "undefined main2.c:11 parse",
        "file inc.c:2 <token.h>",
        "file inc2.c:1 <nothere/x.h>",
        "undefined two",
        "undefined ld.c V",
        "other",
        "duplicate d2.c dup",
        "file <-lnothing>",
        "file <nothere.c>",
        "other",
        "other m.cc:3",
        "undefined m.cc:6 Gone",
        "mismatch m.cc:7 of h",
        "mismatch m.cc:8 of nope",
        "member m.cc:10 k of ns",
        "mismatch m.cc:11 of ns.K",
        "member m.cc:13 q of ns.K",
        "mismatch m.cc:14 of priv",
        "mismatch m.cc:15 of g",
        "member m.cc:16 Blue of Color",
        "undefined m.cc:17 TokenStore",
        "undefined m.cc:18 parse",
        "undefined m.cc:19 strng",
        "member m.cc:20 frob of std.basic_string",
        "mismatch m.cc:21 of id",
        "undefined m.cc:22 ns2",
        "member m.cc:22 x of ns",
        "undefined m.cc:23 Widget",
        "member m.cc:24 vector of std",
        "undefined A of A",
        "undefined ld.cc m of A1",
        "undefined ld.cc g of n",
        "undefined ld.cc s of A1",
        "undefined ld.cc A1 of A1",
        "undefined A1",
    ]


def test_gcc_that_names_it_in_the_source_line() -> None:
    assert told("gcc_more") == [
        "undefined main.c:8 gone",
        "undefined main.c:10 token_t",
        "undefined main.c:19 RED",
        "undefined main.c:19 color",
        "undefined main.c:20 nowhere",
        "mismatch m.cc:3 of D.w",
        "undefined m.cc:6 Gone",
        "mismatch m.cc:7 of ns.h",
        "mismatch m.cc:8 of ns.K.nope",
        "mismatch m.cc:14 of ns.K.priv",
        "member m.cc:20 frob of std.string",
        "mismatch m.cc:21 of id",
        "undefined m.cc:23 Widget",
        "member m.cc:24 vector of std",
        "mismatch m.cc:26 of D",
    ]


def test_a_name_is_looked_for_below_its_own_message_only() -> None:
    error = b"a.c:%d:1: error: storage size of 'x' isn't known\n"
    output = error % 3 + error % 9 + b"    9 | struct node x;\n"
    assert [item.missing for item in read_failures(output)] == [(), ("node",)]


def test_every_record_of_gcc_warnings() -> None:
    assert places("gcc_warnings") == [
        "a.c:2:10 error compile cc: lost.h: No such file or directory",
        "b.c:5:5 warning compile cc/implicit-function-declaration: implicit declaration of func",
        "b.c:6:16 error compile cc: ‘c’ undeclared (first use in this functi",
        "b.c:6:17 error compile cc: expected ‘;’ before ‘}’ token",
        "b.c:7:1 warning compile cc/return-type: control reaches end of non-void function",
        "b.c:2:12 warning compile cc/unused-function: ‘unused_fn’ defined but not used [-Wunus",
    ]


def test_every_record_of_clang_tidy() -> None:
    assert places("clang_tidy") == [
        "/home/ada/demo/b.c:3:11 warning lint cc/readability-identifier-length: parameter name",
        "/home/ada/demo/b.c:4:9 warning lint cc/readability-identifier-length: variable name 'b",
        "/home/ada/demo/b.c:5:5 warning compile cc/clang-diagnostic-implicit-function-declarati",
        "/home/ada/demo/b.c:6:16 error compile cc/clang-diagnostic-error: use of undeclared ide",
        "/home/ada/demo/b.c:6:17 error compile cc/clang-diagnostic-error: expected ';' after re",
    ]
