"""A file is known by what tools call it."""

import pytest

from git_retcon.code.filenames import (
    BUILD_FILES,
    find_import_name,
    find_same_file,
    find_subject,
    score_fit,
    select_likely,
)


@pytest.mark.parametrize(
    ("wanted", "importer", "path"),
    [
        (b"token.h", b"src/main.c", b"src/token.h"),
        (b"net/token.h", b"src/main.c", b"include/net/token.h"),
        (b"pkg.absent", b"tests/test_z.py", b"pkg/absent.py"),
        (b"pkg.absent", None, b"src/pkg/absent/__init__.py"),
        (b"./util", b"src/a.ts", b"src/util.ts"),
        (b"./util.js", b"src/a.ts", b"src/util.ts"),
        (b"../lib/util", b"src/app/a.ts", b"src/lib/util/index.ts"),
        (b"@/lib/util", b"src/app/a.ts", b"src/lib/util.ts"),
        (b"/home/ada/demo/js/nope.mjs", b"js/main.mjs", b"js/nope.mjs"),
        (b"token", b"src/main.rs", b"src/token.rs"),
        (b"token", b"src/main.rs", b"src/token/mod.rs"),
        (b"demo/token", b"main.go", b"token/token.go"),
        (b"a.c", b"src/a/b/M.java", b"src/a/c/Missing.java"),
        (b"a/b/X", None, b"src/main/java/a/b/X.java"),
        (b"go.sum", None, b"go.sum"),
    ],
)
def test_a_wanted_file_is_recognised(wanted: bytes, importer: bytes | None, path: bytes) -> None:
    assert score_fit(wanted, importer, path) > 0
    assert select_likely(wanted, [path]) == [path]


@pytest.mark.parametrize(
    ("wanted", "importer", "path"),
    [
        (b"token.h", b"src/main.c", b"src/token.c"),
        (b"pkg.absent", None, b"pkg/present.py"),
        (b"./util", b"src/a.ts", b"lib/util.ts"),
        (b"requests", None, b"shop/cart.py"),
        (b"", None, b"a.py"),
    ],
)
def test_another_file_is_not(wanted: bytes, importer: bytes | None, path: bytes) -> None:
    assert score_fit(wanted, importer, path) == 0


def test_exact_names_beat_those_that_end_alike() -> None:
    near, far = b"src/util.ts", b"test/util.ts"
    assert score_fit(b"./util", b"src/a.ts", near) > score_fit(b"./util", b"src/a.ts", far)
    assert score_fit(b"net/token.h", None, b"net/token.h") >= score_fit(
        b"net/token.h", None, b"x/net/token.h"
    )


def test_a_tool_in_another_folder_means_the_same_file() -> None:
    paths = [b"src/a.c", b"lib/src/a.c", b"b.c"]
    assert find_same_file(b"/home/ada/demo/lib/src/a.c", paths) == b"lib/src/a.c"
    assert find_same_file(b"src/a.c", paths) == b"src/a.c"
    assert find_same_file(b"a.c", [b"src/a.c"]) == b"src/a.c"
    assert find_same_file(b"z.c", paths) is None


@pytest.mark.parametrize(
    "path",
    [
        b"shop/cart.py",
        b"tests/test_cart.py",
        b"cart_test.go",
        b"src/cart.test.ts",
        b"test/CartTest.java",
        b"test/CartTests.cs",
        b"test/CartIT.java",
        b"spec/cart_spec.rb",
        b"cart.h",
    ],
)
def test_tests_and_headers_have_the_subject_of_their_source(path: bytes) -> None:
    assert find_subject(path) == b"cart"


def test_the_name_others_import_by() -> None:
    assert find_import_name(b"pkg/mod.py") == b"mod"
    assert find_import_name(b"pkg/__init__.py") == b"pkg"
    assert find_import_name(b"src/util/index.ts") == b"util"
    assert find_import_name(b"src/token/mod.rs") == b"token"
    assert find_import_name(b"index.ts") == b"index"


def test_files_that_list_the_sources_of_a_build() -> None:
    for path in (b"Makefile", b"a/GNUmakefile.am", b"tsconfig.base.json", b"BUILD.bazel", b"x.mk"):
        assert BUILD_FILES.search(path)
    assert not BUILD_FILES.search(b"makefile_parser.py")
