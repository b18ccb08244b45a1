"""What is read from the go command, in the forms that its documentation and tests show."""

from tests.code.diagnostics.sample import told


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
        "mismatch main.go:30 Save",
        "file main.go:4 <demo/token>",
        "file main.go:5 <github.com/x/y>",
        "file main.go:6 <go.sum>",
        "file <go.mod>",
        "undefined main.go:5 vetted",
        "test token_test.go:12",
        "syntax x.go:7",
        "file main.go:9 <data/*.txt>",
    ]
