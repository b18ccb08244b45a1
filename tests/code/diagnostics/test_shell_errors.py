"""What is read from shellcheck, as people read it."""

from tests.code.diagnostics.sample import places


def test_shellcheck() -> None:
    assert places("shellcheck") == [
        "a.sh:2:10 error lint shellcheck/SC2045: Iterating over ls output is fragile. Use",
        "a.sh:2:15 note lint shellcheck/SC2035: Use ./*glob* or -- *glob* so names with",
        "a.sh:3:8 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
        "a.sh:5:6 warning lint shellcheck/SC2154: x is referenced but not assigned.",
        "a.sh:5:6 note lint shellcheck/SC2086: Double quote to prevent globbing and wor",
        "a.sh:5:26 note lint shellcheck/SC2005: Useless echo? Instead of 'echo $(cmd)',",
    ]
