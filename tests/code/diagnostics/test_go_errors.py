"""What is read from go 1.19, and from later ones in the forms that their documentation shows."""

from tests.code.diagnostics.sample import places, told


def test_go() -> None:
    assert told("go") == [
        "undefined main.go:5 parseToken",
        "undefined main.go:8 Store of token",
        "member main.go:9 foo of P",
        "member main.go:10 y of P",
        "mismatch main.go:11 of two",
        "unused main.go:3 os",
        "unused main.go:4 log of example.com.demo",
        "unused main.go:12 x",
        "unused main.go:12 y",
        "duplicate util.go:3 helper",
        "mismatch main.go:30 Save of Store",
        "file main.go:4 <demo/token>",
        "file main.go:5 <github.com/x/y>",
        "file main.go:6 <go.sum>",
        "file <go.mod>",
        "undefined main.go:5 vetted",
        "test token_test.go:12",
        "syntax x.go:7",
        "file main.go:9 <data/*.txt>",
    ]


def test_go_119() -> None:
    assert told("go_119") == [
        "duplicate more.go:7 helper",
        "duplicate more.go:9 run of local",
        "mismatch more.go:11 Save of S",
        "unused more.go:17 unused",
        "unused more.go:18 q",
        "member more.go:19 nope of local",
        "member more.go:21 w of local",
        "undefined more.go:22 undefinedConst",
        "unused more.go:23 m",
        "undefined more.go:23 Undef",
        "mismatch more.go:24 of one",
        "mismatch more.go:25 of local",
        "mismatch more.go:26 of two",
        "unused main.go:4 os",
        "undefined main.go:21 parseToken",
        "undefined main.go:22 Store of token",
        "member main.go:24 Foo of token.P",
        "member main.go:25 y of token.P",
        "member main.go:26 b of local",
        "member main.go:27 stop of local",
        "mismatch main.go:28 of two",
        "mismatch main.go:29 of one",
        "undefined main.go:31 hidden of token",
        "undefined main.go:32 Missing of token",
        "file main.go:6 <demo/thing>",
        "file main.go:4 <example.com/demo/token>",
        "file main.go:5 <github.com/x/y>",
        "file main.go:7 <strngs>",
        "file main.go:3 <go.sum>",
        "syntax y.go:3",
        "file x.go:5 <data/*.txt>",
        "file </home/ada/demo>",
        "file </home/ada/demo/nothing>",
        "file <missing.go>",
        "file <go.mod>",
        "file </home/ada/demo/cmd/tool>",
        "file main.go:2 <../nothere>",
        "file </home/ada/demo/internal/x>",
        "mismatch main.go:20 A of s",
        "member main.go:26 M of x.G",
        "mismatch main.go:27 of x.Two",
        "mismatch main.go:28 of x.T",
        "undefined main.go:29 K of x",
        "mismatch main.go:31 of A",
        "member main.go:31 m of s",
        "mismatch main.go:32 of s",
        "undefined main.go:33 List of x",
        "undefined main.go:36 Kind of x",
        "import main.go:9 Gone",
        "unused main.go:5 pprof of net.http",
    ]


def test_go_test() -> None:
    assert told("go_test") == [
        "test token_test.go:7",
        "test token_test.go:9",
        "test token_test.go:11",
        "undefined x_test.go:5 Missing",
        "undefined x_test.go:8 Missing of token",
    ]


def test_every_record_of_go_build() -> None:
    assert places("go_build") == [
        "bad/bad.go:6:2 error compile go: cannot find module providing package exa",
        'bad/bad.go:4:2 error compile go: imported and not used: "fmt"',
        'bad/bad.go:5:2 error compile go: imported and not used: "os"',
        "bad/bad.go:9:2 error compile go: x declared but not used",
        "bad/bad.go:10:2 error compile go: undefined: parse",
        'bad/bad.go:11:9 error compile go: cannot use "a" (untyped string constant)',
    ]


def test_every_record_of_go_vet() -> None:
    assert places("go_vet") == [
        "bad/bad.go:10:1 error compile go: missing return",
        "bad/syn.go:1:1 error compile go: expected 'package', found 'func'",
    ]


def test_every_record_of_go_panic() -> None:
    assert places("go_panic") == [
        "/home/ada/demo/main/main.go:3 error runtime go: panic: assignment to entry in nil map",
    ]


def test_go_127_measuring_coverage() -> None:
    """The same complaint in two forms is two records: paths are compared where a tree is known."""
    assert places("go_cover") == [
        "/home/ada/demo/add.go:7:14 error compile go: expected ')', found '{'",
        "add.go:7:14 error compile go: expected ')', found '{'",
    ]
