"""Which packages that a script imports by name are of the same repository."""

import json

import pytest

from git_retcon.heal.fixers.import_languages import Sources, Unused, choose_language
from git_retcon.heal.fixers.module_aliases import ProjectFiles
from git_retcon.heal.fixers.workspace_packages import is_workspace_package

NPM = {"package.json": '{"name": "shop", "workspaces": ["./packages/*", "!packages/old"]}'}
YARN = {"package.json": '{"workspaces": {"packages": ["packages/*/", "!packages/old"]}}'}
PNPM = {"pnpm-workspace.yaml": "packages:\n- packages/**  # all\n- '!packages/old'\n"}
PACKAGES = {
    "packages/core/package.json": '{"name": "@acme/core"}',
    "packages/plain/package.json": '{"name": "plain"}',
    "packages/old/package.json": '{"name": "old"}',
    "packages/broken/package.json": "{",
    "packages/core/x-package.json": '{"name": "other"}',
    "packages/core/node_modules/react/package.json": '{"name": "react"}',
    "docs/package.json": '{"name": "docs"}',
}


def open_files(files: dict[str, str]) -> ProjectFiles:
    encoded = {name.encode(): text.encode() for name, text in files.items()}
    return ProjectFiles(lambda: frozenset(encoded), encoded.get)


@pytest.mark.parametrize("folder", ["", "web/"])
@pytest.mark.parametrize("root", [NPM, YARN, PNPM], ids=["npm", "yarn", "pnpm"])
def test_packages_of_a_workspace_are_the_repositorys_own(root: dict[str, str], folder: str) -> None:
    files = open_files({folder + name: text for name, text in {**root, **PACKAGES}.items()})
    modules = ["@acme/core", "@acme/core/deep/x", "plain", "plain/x", "@acme/other", "@acme", "old",
               "docs", "other", "react", ""]  # fmt: skip
    path = f"{folder}packages/plain/src/x.ts".encode()
    own = [one for one in modules if is_workspace_package(one, path, files)]
    assert own == ["@acme/core", "@acme/core/deep/x", "plain", "plain/x"]


@pytest.mark.parametrize(
    ("pattern", "own"),
    [
        ("packages/{core,plain}", ["@acme/core", "plain"]),
        ("{packages,docs}/{core,}", ["@acme/core", "docs"]),
        ("{docs,packages/{old,plain}}", ["docs", "old", "plain"]),
        ("packages/{core", []),
        ("packages/{core}", []),
        ("{a,b}" * 21, []),
    ],
)
def test_braces_stand_for_each_of_their_words(pattern: str, own: list[str]) -> None:
    root = {"package.json": json.dumps({"workspaces": [pattern]})}
    files = open_files({**root, **PACKAGES})
    modules = ["@acme/core", "docs", "old", "plain"]
    assert [one for one in modules if is_workspace_package(one, b"x.ts", files)] == own


def test_braces_take_back_too() -> None:
    root = {"pnpm-workspace.yaml": "packages: ['packages/*', '!packages/{old,plain}']"}
    files = open_files({**root, **PACKAGES})
    own = [name for name in ("@acme/core", "old", "plain")
           if is_workspace_package(name, b"x.ts", files)]  # fmt: skip
    assert own == ["@acme/core"]


def test_a_workspace_is_for_the_files_in_it() -> None:
    files = open_files({f"web/{name}": text for name, text in {**NPM, **PACKAGES}.items()})
    assert is_workspace_package("shop", b"web/x.ts", files)
    assert not is_workspace_package("plain", b"api/x.ts", files)


@pytest.mark.parametrize(
    "root",
    [{}, {"package.json": '{"workspaces": 3}'}, {"package.json": '{"workspaces": [3, "["]}'},
     {"pnpm-workspace.yaml": "packages: {a: b}"}, {"pnpm-workspace.yaml": "packages: ["}],
)  # fmt: skip
def test_what_lists_no_packages_has_none(root: dict[str, str]) -> None:
    assert not is_workspace_package("plain", b"x.ts", open_files({**root, **PACKAGES}))


def test_the_load_of_such_a_package_stays() -> None:
    language = choose_language(b"app/a.ts")
    assert language is not None
    sources = Sources(b"app/a.ts", list, open_files({**NPM, **PACKAGES}))
    content = b"import { on } from '@acme/core';\nimport { of } from 'rxjs';\n"
    unused = [Unused(("on",), 1), Unused(("of",), 2)]
    assert language.remove(content, unused, sources) == b"import '@acme/core';\n"
