"""Which module speaks of a source file."""

import pytest

from git_retcon.allium.store.source_map import (
    SourceRoot,
    detect_root,
    move_root,
    read_root,
    write_root,
)


@pytest.mark.parametrize(
    ("modules", "nearest"),
    [
        ([b"entities/user.allium", b"entities.allium"], b"entities/user.allium"),
        ([b"entities/user/profile.allium", b"entities/user.allium"],
         b"entities/user/profile.allium"),
        ([b"entities.allium"], b"entities.allium"),
        ([b"src/entities.allium"], None),
        ([], None),
    ],
)  # fmt: skip
def test_a_file_belongs_to_its_nearest_ancestor_that_has_a_module(
    modules: list[bytes], nearest: bytes | None
) -> None:
    assert SourceRoot().find_module(b"src/entities/user/profile.ts", modules) == nearest


@pytest.mark.parametrize(
    ("path", "module"),
    [
        (b"src/entities/user/profile.ts", b"entities/user.allium"),
        (b"lib/billing/tax.rb", b"billing.allium"),
        (b"shop/orders/models.py", b"orders.allium"),
        (b"src/models.ts", b"models.allium"),
        (b"shop/models.py", b"models.allium"),
        (b"src/shop/orders/models.py", b"orders.allium"),
        (b"a b/x.py", b"a b.allium"),
        (b"_master/x.py", b"_master/x.allium"),
        (b"a/\xff\xfe/x.py", b"a.allium"),
        (b"\xff.py", None),
    ],
)
def test_a_new_module_is_named_after_the_folder_below_the_root(
    path: bytes, module: bytes | None
) -> None:
    assert SourceRoot(b"shop/").name_module(path) == module


def test_the_package_s_own_folder_is_the_root_where_there_is_one() -> None:
    one = [b"setup.py", b"shop/__init__.py", b"shop/orders/__init__.py", b"tests/x.py"]
    assert detect_root(one) == SourceRoot(b"shop/")
    assert detect_root([b"src/shop/__init__.py"]) == SourceRoot(b"src/shop/")
    assert detect_root([*one, b"other/__init__.py"]) == SourceRoot()
    assert detect_root([b"src/a.ts"]) == SourceRoot()


@pytest.mark.parametrize(
    ("paths", "root", "modules"),
    [
        (
            ["packages/orders/src/entities/user.ts", "packages/shop/src/a.ts",
             "packages/shop/index.ts"],
            b"packages/*/src/",
            [b"orders/entities.allium", b"shop.allium", b"packages/shop.allium"],
        ),
        (
            ["apps/web/src/user.ts", "packages/web/src/user.ts",
             "packages/orders/src/entities/a.ts"],
            b"*/*/src/", [b"apps/web.allium", b"packages/web.allium",
                          b"packages/orders/entities.allium"],
        ),
        (
            ["packages/a/lib/x.ts", "packages/b/lib/x.ts", "packages/b/src/x.ts"],
            b"packages/*/lib/", [b"a.allium", b"b.allium", b"packages/b/src.allium"],
        ),
        (["packages/a/src/x.ts"], b"", [b"packages/a/src.allium"]),
    ],
)  # fmt: skip
def test_packages_side_by_side_lose_what_holds_their_source_and_keep_their_names(
    paths: list[str], root: bytes, modules: list[bytes]
) -> None:
    found = detect_root(path.encode() for path in paths)
    assert found == SourceRoot(root)
    assert [found.name_module(path.encode()) for path in paths] == modules


@pytest.mark.parametrize(
    ("paths", "root", "modules"),
    [
        (
            ["src/main/java/org/shop/orders/Order.java", "src/main/java/org/shop/Shop.java",
             "src/main/resources/a.sql", "src/test/java/org/shop/OrderTest.java"],
            b"src/main/java/",
            [b"org/shop/orders.allium", b"org/shop.allium", b"main/resources.allium",
             b"test/java/org/shop.allium"],
        ),
        (
            ["core/src/main/kotlin/shop/Order.kt", "web/src/main/kotlin/shop/Order.kt",
             "web/gradle/Wrapper.java"],
            b"*/src/main/kotlin/",
            [b"core/shop.allium", b"web/shop.allium", b"web/gradle.allium"],
        ),
    ],
)  # fmt: skip
def test_the_usual_layout_of_java_loses_what_all_its_sources_have_before_them(
    paths: list[str], root: bytes, modules: list[bytes]
) -> None:
    found = detect_root(path.encode() for path in paths)
    assert found == SourceRoot(root)
    assert [found.name_module(path.encode()) for path in paths] == modules


def test_a_master_remembers_the_root() -> None:
    master = b"-- allium: 3\n-- About.\n\nentity X {\n    a: Integer\n}\n"
    written = write_root(master, SourceRoot(b"src/shop/"))
    assert written.startswith(b"-- allium: 3\n-- Source root: src/shop/\n-- About.\n")
    assert read_root(written) == SourceRoot(b"src/shop/")
    assert read_root(master) == SourceRoot()
    assert write_root(written, SourceRoot(b"src/shop/")) == written
    assert write_root(master, SourceRoot()) == master
    moved = write_root(written, SourceRoot(b"lib2/"))
    assert moved == written.replace(b"src/shop/", b"lib2/")
    assert write_root(moved, SourceRoot()) == master


@pytest.mark.parametrize(
    ("root", "renames", "left", "now"),
    [
        (b"", {b"lib2/a/x.py": b"src/a/x.py", b"lib2/b.py": b"src/b.py"}, b"", b"lib2/"),
        (b"app/", {b"src/a/x.py": b"app/a/x.py"}, b"", b""),
        (b"", {b"lib2/a/x.py": b"src/a/x.py"}, b"src", b""),
        (b"", {b"lib2/a/x.py": b"src/a/x.py", b"c/b.py": b"src/b.py"}, b"", b""),
        (b"", {b"lib2/a/y.py": b"src/a/x.py"}, b"", b""),
        (b"", {b"b/x.py": b"a/x.py"}, b"", b""),
    ],
)
def test_the_root_moves_where_all_that_was_in_it_does(
    root: bytes, renames: dict[bytes, bytes], left: bytes, now: bytes
) -> None:
    assert move_root(SourceRoot(root), renames, lambda folder: folder == left) == SourceRoot(now)


def test_a_file_with_more_than_one_suffix_has_the_module_of_its_stem() -> None:
    assert SourceRoot().find_module(b"src/a/user.model.ts", [b"a/user.allium"]) == b"a/user.allium"
    assert SourceRoot().find_module(b"src/a/.env", [b"a/.env.allium"]) == b"a/.env.allium"


def test_a_root_is_named_in_the_head_alone() -> None:
    head = b"-- allium: 3\n-- All of it.\n" + b"\n" * 10
    assert read_root(head + b"-- Source root: shop/\nentity A {\n}\n") == SourceRoot()
