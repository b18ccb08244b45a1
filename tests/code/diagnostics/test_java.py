"""What is read from javac's real output, and from maven and kotlinc in their documented forms."""

from tests.code.diagnostics.sample import told


def test_javac() -> None:
    assert told("javac") == [
        "undefined M.java:5 Anno of M",
        "mismatch M.java:3 run of K",
        "undefined M.java:7 TokenStore of M",
        "undefined M.java:8 parse of M",
        "mismatch M.java:9 of K",
        "mismatch M.java:10 of f",
        "member M.java:11 y of K",
        "member M.java:12 g of K",
        "undefined M.java:13 COUNT of M",
        "undefined M.java:14 stat of K",
        "import M.java:15 Zed of a.b",
        "other M.java:16",
        "mismatch M.java:18",
    ]


def test_maven_kotlin() -> None:
    assert told("maven_kotlin") == [
        "undefined M.java:5 TokenStore of a.b.M",
        "file M.java:3 <a.c>",
        "undefined A.kt:3 parseToken",
        "undefined A.kt:3 TokenStore",
        "undefined A.java:3 Foo of A",
    ]
