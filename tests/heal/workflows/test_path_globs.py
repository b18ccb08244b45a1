"""Patterns of paths as micromatch reads them."""

import pytest

from git_retcon.heal.workflows.path_globs import ObscurePattern, read_glob, select_paths


@pytest.mark.parametrize(
    ("pattern", "matching", "others"),
    [
        ("docs/**", ["docs/a.md", "docs/a/b.md", "docs/.hidden", "docs"], ["docs2/a", "a/docs/b"]),
        ("**.md", ["README.md", "docs/a/b.md"], ["README.mdx"]),
        ("**/*.py", ["a.py", "src/a.py", "src/.x/a.py"], ["a.pyc", "src/a.py/b"]),
        ("src/**/*.py", ["src/a.py", "src/b/c/a.py"], ["a.py", "lib/src/a.py"]),
        ("*", ["a", ".a"], ["a/b"]),
        ("*.js", ["a.js", ".eslintrc.js"], ["a/b.js"]),
        ("**", ["a", "a/.b/c"], []),
        ("packages/x/template**", ["packages/x/template-vue"], ["packages/x/template-vue/a.js"]),
        ("a?c", ["abc"], ["ac", "a/c", "abbc"]),
        ("{src,lib}/*.{ts,tsx}", ["src/a.ts", "lib/b.tsx"], ["test/a.ts", "src/a.js"]),
        ("./a.txt", ["a.txt"], ["b/a.txt"]),
        (".github/ci+1.yml", [".github/ci+1.yml"], [".github/cii1.yml"]),
        ("packages/*/**", ["packages/x/a"], ["packages/x"]),
        ("!docs/**", ["src/a"], ["docs/a"]),
    ],
)  # fmt: skip
def test_what_a_pattern_matches(pattern: str, matching: list[str], others: list[str]) -> None:
    glob = read_glob(pattern)
    assert [path for path in [*matching, *others] if glob.matches(path)] == matching


@pytest.mark.parametrize(
    "pattern",
    ["", "!", "!!a", "/a", "a(b|c)", "[ab]", "a\\*", "{a}", "{1..3}", "{a,{b,c}}", "a***", "a/**/",
     "**/**", "!**.md", "docs/**.md",
     "*.+(js|ts)", "'a b'", "{a,b"],
)  # fmt: skip
def test_what_has_several_meanings_is_refused(pattern: str) -> None:
    with pytest.raises(ObscurePattern):
        read_glob(pattern)


@pytest.mark.parametrize(
    ("patterns", "selected"),
    [
        (["docs/**", "!docs/ci.yml", "**.md"], ["docs/a", "docs/b.md", "x.md"]),
        (["!docs/**", "docs/a"], ["docs/a"]),
        (["!docs/**"], ["src/c", "x.md"]),
    ],
)
def test_the_last_pattern_with_a_say_decides(patterns: list[str], selected: list[str]) -> None:
    paths = ["docs/a", "docs/b.md", "docs/ci.yml", "src/c", "x.md"]
    assert select_paths(map(read_glob, patterns), paths) == selected
