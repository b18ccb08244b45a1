"""Which commands would build and test a project, judged by the files at its top."""

from collections.abc import Collection
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Proposal:
    """Commands to suggest; nobody runs them unasked. "" where none is known."""

    build: str
    test: str


# The first file found decides: a project's own driver before its language's.
_BY_FILE = (
    (b"Makefile", Proposal("make", "make test")),
    (b"Cargo.toml", Proposal("cargo check --all-targets", "cargo test")),
    (b"go.mod", Proposal("go build ./...", "go test ./...")),
    (b"pom.xml", Proposal("mvn -q compile", "mvn -q test")),
    (b"gradlew", Proposal("./gradlew assemble", "./gradlew test")),
    (
        b"CMakeLists.txt",
        Proposal("cmake -B build && cmake --build build", "ctest --test-dir build"),
    ),
    (b"meson.build", Proposal("meson setup --reconfigure build && ninja -C build", "")),
    (b"tsconfig.json", Proposal("npx tsc --noEmit", "npm test")),
    (b"package.json", Proposal("npm run build --if-present", "npm test")),
    (b"tox.ini", Proposal("python3 -m compileall -q .", "tox")),
    (b"pyproject.toml", Proposal("python3 -m compileall -q .", "python3 -m pytest -q")),
    (b"setup.py", Proposal("python3 -m compileall -q .", "python3 -m pytest -q")),
    (b"Gemfile", Proposal("", "bundle exec rake")),
    (b"mix.exs", Proposal("mix compile", "mix test")),
)


def proposal(names: Collection[bytes]) -> Proposal | None:
    """What fits the files at the top of a project, or None."""
    for name, found in _BY_FILE:
        if name in names:
            return found
    if any(name.endswith(b".py") for name in names):
        return Proposal("python3 -m compileall -q .", "")
    return None
