"""One table says which files name what a project needs installed."""

import pytest

from git_retcon.files.lockfiles import is_lock_file, is_manifest, manifests_of

LOCK_FILES = (
    ".terraform.lock.hcl", "Brewfile.lock.json", "buildscript-gradle.lockfile", "bun.lock",
    "bun.lockb", "cabal.project.freeze", "Cargo.lock", "Cartfile.resolved", "Chart.lock",
    "composer.lock", "conan.lock", "conda-lock.yml", "cpanfile.snapshot", "deno.lock",
    "devbox.lock", "dub.selections.json", "flake.lock", "Gemfile.lock", "gems.locked", "go.sum",
    "go.work.sum", "gradle.lockfile", "mix.lock", "MODULE.bazel.lock", "nimble.lock",
    "npm-shrinkwrap.json", "package-lock.json", "Package.resolved", "packages.lock.json",
    "paket.lock", "pdm.lock", "Pipfile.lock", "pixi.lock", "pnpm-lock.yaml", "Podfile.lock",
    "poetry.lock", "pubspec.lock", "pylock.toml", "pylock.dev.toml", "rebar.lock", "renv.lock",
    "shard.lock", "stack.yaml.lock", "uv.lock", "yarn.lock",
)  # fmt: skip
MANIFESTS = (
    "pyproject.toml", "setup.py", "setup.cfg", "requirements.txt", "requirements-dev.txt",
    "dev-requirements.in", "requirements/test.txt", "requirements/base.in", "constraints.txt",
    "Pipfile", "environment.yml", "tox.ini", "pixi.toml",
    "package.json", "pnpm-workspace.yaml", "deno.json", "Cargo.toml", "rust-toolchain",
    "rust-toolchain.toml", "go.mod", "go.work", "pom.xml", "build.gradle", "build.gradle.kts",
    "settings.gradle", "settings.gradle.kts", "gradle.properties", "gradle/libs.versions.toml",
    "build.sbt", "Gemfile", "x.gemspec", "gems.rb", "composer.json", "mix.exs", "pubspec.yaml",
    "Package.swift", "Podfile", "Cartfile", "conanfile.txt", "conanfile.py", "vcpkg.json",
    "CMakeLists.txt", "meson.build", "MODULE.bazel", "stack.yaml", "cabal.project", "x.cabal",
    "rebar.config", "flake.nix", "shard.yml", "cpanfile", "DESCRIPTION", "paket.dependencies",
    "App.csproj", "Lib.fsproj", "Directory.Packages.props", "global.json", "Chart.yaml",
    ".tool-versions", ".python-version", ".nvmrc", ".node-version", ".ruby-version",
)  # fmt: skip


@pytest.mark.parametrize("name", LOCK_FILES)
def test_a_lock_file_is_known_wherever_it_is_and_makes_setup_run_again(name: str) -> None:
    for path in (name, f"deep/er/{name}", name.upper(), name.lower()):
        assert is_lock_file(path.encode())
        assert is_manifest(path.encode())


@pytest.mark.parametrize("name", MANIFESTS)
def test_a_manifest_makes_setup_run_again_and_is_no_lock_file(name: str) -> None:
    for path in (name, f"deep/er/{name}", name.upper()):
        assert is_manifest(path.encode())
        assert not is_lock_file(path.encode())


@pytest.mark.parametrize(
    "name",
    ["lock.rs", "a.lock", "src/cargo.py", "README.txt", "requirements", "notes.in", "docs/dev.txt",
     "pylock..toml", "pylock.a.b.toml", "my-poetry.lock.py", "package.json/x", "constraint.py"],
)  # fmt: skip
def test_what_only_looks_alike_is_neither(name: str) -> None:
    assert not is_lock_file(name.encode())
    assert not is_manifest(name.encode())


def test_a_lock_file_hides_behind_no_spelling() -> None:
    for name in (
        "Cargo.lock.",
        "cargo.lock ",
        "Cargo.lock::$DATA",
        "Cargo\u200d.lock",
        "Ｃargo.lock",
    ):
        assert is_lock_file(name.encode())
    assert is_lock_file(b"Cargo.lock\xff")  # bytes that no file system of these could store


def test_a_lock_file_follows_the_manifests_beside_it() -> None:
    assert manifests_of(b"Cargo.lock") == (b"Cargo.toml",)
    assert manifests_of(b"a/b/yarn.lock") == (b"a/b/package.json",)
    assert manifests_of(b"gradle.lockfile") == (b"build.gradle", b"build.gradle.kts")
    assert manifests_of(b".terraform.lock.hcl") == ()
    assert manifests_of(b"Cargo.toml") == ()


def test_every_manifest_of_a_lock_file_is_one() -> None:
    for name in LOCK_FILES:
        for manifest in manifests_of(name.encode()):
            assert is_manifest(manifest) and not is_lock_file(manifest)
