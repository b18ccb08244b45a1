"""Which imports of a script are files of its own project, though they do not begin with a dot."""

import pytest

from git_retcon.heal.fixers.module_aliases import ProjectFiles, is_own_module

TSCONFIG = """\
// as TypeScript reads it
{
  "compilerOptions": {
    /* "paths": {"*": ["no"]}, */
    "paths": {
      "@shop/*": ["./src/shop/*"], // https://example.org
      "config": ["src/settings.ts"],
      "vendor/*": ["node_modules/vendor/*"],
      "*/types": [3, "./types/*.d.ts"],
    },
  },
}
"""


def ask(module: str, path: str, files: dict[str, str]) -> bool:
    encoded = {name.encode(): text.encode() for name, text in files.items()}
    return is_own_module(
        module, path.encode(), ProjectFiles(lambda: frozenset(encoded), encoded.get)
    )


@pytest.mark.parametrize("module", ["./a", "../a", "@/a", "~/a", "#a", "#lib/a", "$lib/a"])
def test_what_no_package_can_be_called_is_the_projects_own(module: str) -> None:
    assert ask(module, "src/x.ts", {})


@pytest.mark.parametrize(
    ("module", "is_own"),
    [
        ("@shop/cart", True),
        ("@shop/cart.js", True),
        ("@shop/orders", True),
        ("@shop/nothing", False),
        ("@shop", False),
        ("config", True),
        ("configs", False),
        ("vendor/x", False),
        ("react", False),
        ("src/shop/cart", False),
    ],
)
def test_paths_of_a_configuration_are_names_of_files(module: str, *, is_own: bool) -> None:
    files = {
        "tsconfig.json": TSCONFIG,
        "src/shop/cart.ts": "",
        "src/shop/orders/index.tsx": "",
        "src/settings.ts": "",
    }
    assert ask(module, "src/deep/x.ts", files) == is_own


def test_the_nearest_configuration_counts_with_those_that_it_extends_or_refers_to() -> None:
    files = {
        "tsconfig.json": '{"compilerOptions": {"baseUrl": "src"}}',
        "src/cart.ts": "",
        "app/tsconfig.json": '{"extends": "../base"}',
        "base.json": '{"compilerOptions": {"paths": {"@a/*": ["app/*"]}}}',
        "app/cart.ts": "",
        "web/tsconfig.json": '{"files": [], "references": [{"path": "./tsconfig.app.json"}, 3]}',
        "web/tsconfig.app.json": '{"compilerOptions": {"paths": {"@w/*": ["./src/*"]}}}',
        "web/src/cart.vue": "",
    }
    assert ask("cart", "src/x.ts", files)
    assert ask("@a/cart", "app/x.ts", files)
    assert not ask("cart", "app/x.ts", files)
    assert ask("@w/cart.vue", "web/src/x.ts", files)
    assert not ask("@w/cart.vue", "x.ts", files)


def test_of_several_parents_all_count_and_the_last_that_says_it_most() -> None:
    files = {
        "tsconfig.json": '{"extends": ["./paths", "@tsconfig/node20", "./base.json", "./strict"]}',
        "paths.json": '{"compilerOptions": {"paths": {"@a/*": ["app/*"]}, "baseUrl": "lost"}}',
        "base.json": '{"extends": ["./tsconfig.json", "./old"]}',
        "old.json": '{"compilerOptions": {"baseUrl": "src"}}',
        "strict.json": '{"compilerOptions": {"strict": true}}',
        "src/app/cart.ts": "",
        "lost/cart.ts": "",
    }
    assert ask("@a/cart", "src/x.ts", files)
    assert ask("app/cart", "src/x.ts", files)
    assert not ask("cart", "src/x.ts", files)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{", '{"extends": "./tsconfig.json"}',
     '{"extends": [3, [], "./tsconfig"]}', '{"compilerOptions": {"paths": []}}',
     '{"compilerOptions": [], "references": {}}', "[" * 100_000,
     r'{"extends": "./\ud800", "compilerOptions": {"baseUrl": "\ud800"}}'],
)  # fmt: skip
def test_a_configuration_that_says_nothing_makes_no_module_the_projects_own(text: str) -> None:
    assert not ask("a", "x.ts", {"tsconfig.json": text, "a.ts": ""})
