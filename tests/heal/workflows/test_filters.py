import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.filters import BadPattern, matches_last, read_pattern


def matches(pattern: str, name: str) -> bool:
    return matches_last([pattern], name)


@pytest.mark.parametrize(
    ("patterns", "matching", "others"),
    [
        # Branches and tags, as in GitHub's documentation.
        ("feature/*", "feature/my-branch feature/your-branch", "feature/beta/a feature"),
        ("feature/**", "feature/beta-a/my-branch feature/your-branch feature/mona/the/octocat",
         "feature"),
        ("main", "main", "domain maintenance x/main"),
        ("releases/mona-the-octocat", "releases/mona-the-octocat", "mona-the-octocat"),
        ("*", "main releases", "all/the"),
        ("**", "all/the/branches every/tag main", ""),
        ("*feature", "mona-feature feature ver-10-feature", "feature-1 x/feature"),
        ("v2*", "v2 v2.0 v2.9", "v1 v3 av2"),
        ("v[12].[0-9]+.[0-9]+", "v1.10.1 v2.0.0", "v3.0.0 v1.0 v1.x.0 v1.0.0-rc"),
        # Paths.
        ("*", "README.md server.rb", "docs/README.md"),
        ("*.jsx?", "page.js page.jsx", "page.jsxx page.ts js/page.js"),
        ("**", "all/the/files.md", ""),
        ("*.js", "app.js index.js", "js/app.js app.jsx"),
        ("**.js", "index.js js/index.js src/js/app.js", "index.jsx"),
        ("docs/*", "docs/README.md docs/file.txt", "docs/mona/octocat.txt README.md"),
        ("docs/**", "docs/README.md docs/mona/octocat.txt", "docs src/docs/x"),
        ("docs/**/*.md", "docs/README.md docs/mona/hello-world.md docs/a/markdown/file.md",
         "docs/a.txt README.md"),
        ("**/docs/**", "docs/hello.md dir/docs/my-file.txt space/docs/plan/space.doc",
         "mydocs/a docs"),
        ("**/README.md", "README.md js/README.md", "myREADME.md js/myREADME.md README.mdx"),
        ("**/*src/**", "a/src/app.js my-src/code/js/app.js", "src-a/app.js"),
        ("**/*-post.md", "my-post.md path/their-post.md", "post.md"),
        ("**/migrate-*.sql", "migrate-10909.sql db/migrate-v1.0.sql db/sept/migrate-v1.sql",
         "db/migrate.sql"),
        ("*.md !README.md", "hello.md", "README.md docs/hello.md"),
        ("*.md !README.md README*", "hello.md README.md README.doc", "docs/hello.md"),
        # What is not documented by an example.
        ("a?b", "ab b", "aab"),
        ("a+b", "ab aab", "b"),
        ("[a-cX]+", "abcX", "d ab-"),
        ("[ab]?c", "ac bc c", "abc"),
        ("?a", "?a", "a"),
        ("+a", "+a", "aa"),
        (r"\*a", "*a", "xa"),
        (r"a\?", "a?", "a"),
        ("a!b", "a!b", "ab"),
        ("!a", "", "a b"),
        ("a.c", "a.c", "abc"),
        ("**/**/a", "a x/a x/y/a", "xa"),
        ("a/**/**", "a/b a/b/c", "a"),
    ],
)  # fmt: skip
def test_a_pattern_matches_as_github_documents(patterns: str, matching: str, others: str) -> None:
    for name in matching.split():
        assert matches_last(patterns.split(), name), name
    for name in others.split():
        assert not matches_last(patterns.split(), name), name


@pytest.mark.parametrize("pattern", ["[", "a[b", "[]", "[b-a]", "[a-]", "[é]", "[.]", "a\\"])
def test_a_pattern_without_a_meaning_is_refused(pattern: str) -> None:
    with pytest.raises(BadPattern):
        read_pattern(pattern)


NAMES = st.text(st.sampled_from("ab/.-"), max_size=8)


@given(st.text(st.sampled_from("ab/*?+[].-!\\"), max_size=10), NAMES)
def test_any_pattern_has_an_answer_or_is_refused(pattern: str, name: str) -> None:
    try:
        answer = matches(pattern, name)
    except BadPattern:
        return
    if not answer and not pattern.startswith("!"):
        assert not matches_last([pattern, "!**"], name)


@given(NAMES, NAMES)
def test_a_folder_s_pattern_takes_what_is_beneath_it(folder: str, name: str) -> None:
    assert matches(f"{folder}/**", f"{folder}/{name}")
    assert matches(f"**/{name}", name)
    assert matches(name, folder) == (name == folder)
    assert matches("*", name) == ("/" not in name)


def test_a_hostile_pattern_takes_no_time() -> None:
    """A regular expression of it would try more ways than there are atoms."""
    assert not matches("**a" * 40 + "b", "a" * 2_000)
    assert not matches("[a-z]+" * 40 + "X", "a" * 2_000)
