import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.nodes import BadYaml, Mapping, Node, Scalar, Sequence
from git_retcon.heal.workflows.yaml import MAX_BYTES, read_yaml


def value_of(text: str) -> object:
    node = read_yaml(text.encode())
    assert isinstance(node, Scalar)
    return node.value


def to_plain(node: Node) -> object:
    if isinstance(node, Mapping):
        return {key.text: to_plain(value) for key, value in node.pairs}
    return [to_plain(item) for item in node.items] if isinstance(node, Sequence) else node.value


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("on", "on"), ("no", "no"), ("yes", "yes"), ("Off", "Off"), ("y", "y"),
        ("true", True), ("True", True), ("FALSE", False), ("tRue", "tRue"),
        ("null", None), ("~", None), ("", None), ("Null", None),
        ("12", 12.0), ("-3", -3.0), ("+3", 3.0), ("0o17", 15.0), ("0x1F", 31.0), ("017", 17.0),
        ("3.10", 3.1), ("1e3", 1000.0), (".5", 0.5), ("5.", 5.0), ("-.inf", -math.inf),
        ("1_000", "1_000"), ("12:30:45", "12:30:45"), ("2001-12-14", "2001-12-14"), ("=", "="),
        ("'12'", "12"), ('"true"', "true"), ("!!str 12", "12"), ("!!int '12'", 12.0),
        ("|\n  a\n  b\n", "a\nb\n"), (">-\n  a\n  b\n", "a b"), ("1.2.3", "1.2.3"), ("0x", "0x"),
    ],
)  # fmt: skip
def test_a_scalar_means_what_yaml_1_2_says(text: str, value: object) -> None:
    assert value_of(text) == value
    assert type(value_of(text)) is type(value)


def test_not_a_number_is_a_number() -> None:
    assert math.isnan(float(str(value_of(".NaN"))))


def test_on_is_a_key_and_every_value_has_its_place() -> None:
    root = read_yaml(b"on: push\njobs:\n  \xc3\xa9: {x: [1, 'b']}\n")
    assert isinstance(root, Mapping)
    assert [(key.text, key.line, key.column) for key, _ in root.pairs] == [
        ("on", 1, 1),
        ("jobs", 2, 1),
    ]
    assert root.get("on") == Scalar("push", "", 1, 5)
    assert to_plain(root) == {"on": "push", "jobs": {"é": {"x": [1.0, "b"]}}}
    jobs = root.get("jobs")
    assert isinstance(jobs, Mapping)
    inner = jobs.get("é")
    assert isinstance(inner, Mapping)
    assert (inner.line, inner.column) == (3, 6)
    assert inner.get("x") == Sequence((Scalar(1.0, "", 3, 11), Scalar("b", "'", 3, 14)), 3, 10)


def test_an_alias_is_what_its_anchor_names_even_where_the_name_is_given_twice() -> None:
    assert to_plain(read_yaml(b"a: &x [1]\nb: *x\nc: &x 2\nd: *x")) == {
        "a": [1.0], "b": [1.0], "c": 2.0, "d": 2.0,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("content", "place", "message"),
    [
        (b"a: [1\n\n", (1, 4), "did not find expected ',' or ']'"),
        (b"a: 1\n\tb: 2", (2, 1), "found a tab character that violates indentation"),
        (b"a: b: c", (1, 5), "mapping values are not allowed in this context"),
        (b"x: *a", (1, 4), "the alias '*a' has no anchor before it"),
        (b"x: &a [*a]", (1, 8), "the alias '*a' is inside its own anchor"),
        (b"a: 1\n---\nb: 2", (2, 1), "a second document in the file"),
        (b"? [a]\n: 1", (1, 3), "a key that is not a single value"),
        (b"a: !!binary x", (1, 4), "the tag 'tag:yaml.org,2002:binary' means nothing"),
        (b"a: !!int x", (1, 4), "'x' is no int"),
        (b"a: 1\nb: \xff", (2, 4), "the file is not UTF-8"),
        (b"a: 1\nbc: \x00", (2, 5), "a character that YAML forbids"),
        (b"[" * 51 + b"]" * 51, (1, 51), "nested deeper than 50 levels"),
        (b"x" * (MAX_BYTES + 1), (1, 1), "the file is larger than 1024 KiB"),
    ],
)
def test_what_is_no_yaml_is_refused_at_its_place(
    content: bytes, place: tuple[int, int], message: str
) -> None:
    with pytest.raises(BadYaml) as caught:
        read_yaml(content)
    assert str(caught.value).startswith(message)
    assert (caught.value.line, caught.value.column) == place


def test_aliases_that_expand_to_too_much_are_refused() -> None:
    """A billion laughs: each line is ten times the line before it."""
    lines = ["l0: &l0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]" for n in range(1, 10)]
    with pytest.raises(BadYaml, match="more than 100,000 values, aliases included"):
        read_yaml("\n".join(lines).encode())
    assert read_yaml("\n".join(lines[:3]).encode())


def test_as_deep_as_allowed_and_an_empty_file_are_read() -> None:
    assert read_yaml(b"[" * 50 + b"]" * 50)
    for empty in (b"", b"\n# only this\n", b"\xef\xbb\xbf"):
        assert to_plain(read_yaml(empty)) is None


@given(
    st.binary()
    | st.lists(st.sampled_from([*"a: -[]{}&*!|>'\"#\n\t,?%@\\1é~<=", "- ", ": "]))
    .map("".join)
    .map(str.encode)
)
def test_any_bytes_are_yaml_or_refused_at_a_place_in_them(content: bytes) -> None:
    try:
        read_yaml(content)
    except BadYaml as error:
        lines = content.decode("utf-8", "replace").splitlines()
        assert 1 <= error.line <= len(lines) + 2
        assert error.column >= 1
