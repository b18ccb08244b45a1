"""What is read from real output of javac, maven and kotlinc, and from gradle's documented form."""

from tests.code.diagnostics.sample import places, told


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


def test_javac_that_names_it_below() -> None:
    assert told("javac_more") == [
        "file Wrong.java:3 <Other.java>",
        "undefined Main.java:28 GREEN",
        "undefined Main.java:34 gone of Main",
    ]


def test_javac_behind_ant() -> None:
    assert told("ant_javac") == ["undefined Order.java:13 pirces of Order"]


def test_maven() -> None:
    assert told("maven") == [
        "undefined Main.java:7 Helper of app.Main",
        "duplicate Main.java:9 twice",
        "undefined Main.java:36 Base of app.Main",
        "undefined Main.java:10 Annot of app.Main",
        "mismatch Main.java:5 load of app.Main",
        "mismatch Main.java:6",
        "mismatch Main.java:12 of Store",
        "mismatch Main.java:13 of size",
        "member Main.java:14 limit of app.store.Store",
        "member Main.java:15 field of app.store.Store",
        "mismatch Main.java:16 of secret",
        "undefined Main.java:17 make of app.store.Store",
        "undefined Main.java:18 TokenStore of app.Main",
        "undefined Main.java:19 parse of app.Main",
        "undefined Main.java:20 COUNT of app.Main",
        "undefined Main.java:21 BLUE of app.store.Store.Color",
        "mismatch Main.java:22",
        "member ATest.java:8 nothing of app.A",
        "file ATest.java:7 <app.Gone>",
        "test ATest.java:9",
        "test ATest.java:6",
        "test ATest.java:5",
        "file <nolib>",
        "file </home/ada/demo/mm/core>",
    ]


def test_kotlinc() -> None:
    assert told("kotlinc") == [
        "undefined main.kt:2 gone",
        "undefined main.kt:3 missing",
        "undefined main.kt:4 BLUE",
        "mismatch main.kt:5 save of Impl",
        "mismatch main.kt:5 of extra",
        "undefined main.kt:6 Base",
        "undefined main.kt:7 Helper",
        "undefined main.kt:7 Widget",
        "mismatch main.kt:10 size",
        "mismatch main.kt:11 of Store",
        "undefined main.kt:12 limit",
        "undefined main.kt:13 field",
        "mismatch main.kt:14 secret of Store",
        "mismatch main.kt:15 name",
        "mismatch main.kt:16 time",
        "mismatch main.kt:17",
        "undefined main.kt:18 make",
        "undefined main.kt:19 TokenStore",
        "undefined main.kt:20 parse",
        "undefined main.kt:21 COUNT",
        "undefined main.kt:22 GREEN",
        "mismatch main.kt:23",
        "undefined main.kt:24 BLACK",
        "undefined main.kt:25 two",
        "undefined main.kt:26 frob",
        "undefined main.kt:27 nope",
        "undefined main.kt:29 Custom",
        "duplicate token.kt:9 twice",
        "syntax bad.kt:2",
        "syntax bad.kt:2",
    ]


def test_gradle() -> None:
    assert told("gradle") == [
        "undefined A.kt:3 parseToken",
        "undefined A.kt:3 TokenStore",
        "undefined A.java:3 Foo of A",
    ]


def test_every_record_of_javac_lint() -> None:
    assert places("javac_lint") == [
        "src/main/java/app/Main.java:4:16 error compile javac: package app.gone does not exist",
        "src/main/java/app/Main.java:8:17 error compile javac: incompatible types: String canno",
        "src/main/java/app/Main.java:9:9 error compile javac: cannot find symbol symbol:   meth",
        "src/main/java/app/Main.java:10:9 warning compile javac: [rawtypes] found raw type: Lis",
        "src/main/java/app/Main.java:10:33 warning compile javac: [rawtypes] found raw type: Ar",
        "src/main/java/app/Main.java:11:16 warning compile javac: [unchecked] unchecked call to",
    ]


def test_every_record_of_java_trace() -> None:
    assert places("java_trace") == [
        "Boom.java:4 error runtime java: java.lang.IllegalStateException: wrapped",
        "Boom.java:2 error runtime java: java.lang.NullPointerException: Cannot i",
    ]


def test_gradle_44() -> None:
    """It prints the name of a task and the first message of the compiler on one line."""
    assert places("gradle_44") == [
        "/home/ada/demo/src/main/java/demo/Store.java:3:16 error compile javac: package not.her",
        "/home/ada/demo/src/main/java/demo/Store.java:6:16 error compile javac: incompatible ty",
        "/home/ada/demo/src/main/java/demo/Store.java:7:28 error compile javac: cannot find sym",
        "/home/ada/demo/build.gradle:3 error config gradle: Could not compile build file '/home",
    ]
