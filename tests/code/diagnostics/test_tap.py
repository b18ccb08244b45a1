"""What is read from the protocol that ``node --test`` prints where there is no terminal."""

from tests.code.diagnostics.sample import told


def test_node_test_tap() -> None:
    assert told("node_test_tap") == [
        "test t.test.mjs:2",
        "member t.test.mjs:3 save",
        "test t.test.mjs:4",
        "other t.test.mjs:5",
    ]
