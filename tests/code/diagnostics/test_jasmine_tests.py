"""What is read from Jasmine and lab, two test runners for JavaScript."""

from tests.code.diagnostics.sample import places


def test_jasmine() -> None:
    assert places("jasmine") == [
        "/home/ada/demo/jasmine/fail.spec.mjs:5:21 error test jasmine/adds numbers: Expected 3",
        "/home/ada/demo/src/good.mjs:6:14 error test jasmine/does not explode: TypeError: Canno",
        "/home/ada/demo/jasmine/noname.spec.mjs error runtime node: Error: While loading /home/",
        "/home/ada/demo/src/noname.mjs:1 error compile node: SyntaxError: The requested module",
    ]


def test_lab() -> None:
    assert places("lab") == [
        "/home/ada/demo/lab/fail.mjs:6:24 error test lab/adds numbers: Expected 3 to equal spec",
        "/home/ada/demo/src/good.mjs:6:14 error test lab/does not explode: Cannot read properti",
    ]
