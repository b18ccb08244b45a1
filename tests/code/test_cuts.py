"""Where runs of changed lines are cut, and where they never are."""

from hypothesis import given, settings
from hypothesis import strategies as st

from git_retcon.code.cuts import Run, find_cuts
from git_retcon.code.versions import Version, read_version

NONE: frozenset[int] = frozenset()


def parts(path: bytes, old: bytes, new: bytes) -> list[tuple[bytes, bytes]]:
    """The parts when all of ``old`` becomes all of ``new``, as (removed, added)."""
    before = read_version(path, old.splitlines(keepends=True))
    after = read_version(path, new.splitlines(keepends=True))
    found: list[tuple[bytes, bytes]] = []
    a = b = 0
    for old_stop, new_stop in find_cuts(
        Run(before, 0, len(before.lines)), Run(after, 0, len(after.lines))
    ):
        found.append((b"".join(before.lines[a:old_stop]), b"".join(after.lines[b:new_stop])))
        a, b = old_stop, new_stop
    return found


def added(path: bytes, text: bytes) -> list[bytes]:
    """The parts of a wholly new file."""
    return [part for _, part in parts(path, b"", text)]


def test_new_functions_are_pieces_of_their_own() -> None:
    one, two = b"def f():\n    return 1\n\n\n", b"def g():\n    return 2\n"
    assert added(b"a.py", one + two) == [one, two]


def test_a_decorator_and_a_comment_stay_with_what_follows() -> None:
    one, two = b"x = 1\n\n", b"# why\n@cached\ndef g():\n    return 2\n"
    assert added(b"a.py", one + two) == [one, two]


def test_a_decorator_of_many_lines_stays_with_its_function() -> None:
    one = b"def f():\n    return 1\n\n\n"
    decorators = b'@mark.skip(\n    reason="slow",\n)\n@mark.each(\n    "a",\n    [1],\n)\n'
    two = decorators + b"def g(a):\n    return 2\n"
    assert added(b"a.py", one + two) == [one, two]


def test_a_long_function_is_cut_in_its_body_and_keeps_its_header() -> None:
    body = [b"    step_%d()\n" % at for at in range(12)]
    found = added(b"a.py", b"def f():\n" + b"".join(body))
    assert len(found) > 1
    assert found[0].startswith(b"def f():\n    step_0()\n")


def test_a_declaration_is_never_cut_from_its_braces() -> None:
    body = b"".join(b"    step_%d();\n\n" % at for at in range(12))
    text = b"void f(void)\n{\n" + body + b"}\n"
    assert added(b"a.c", text) == [text]


def test_a_new_header_is_cut_within_its_guard() -> None:
    functions = [b"int f%d(\n    int a\n);\n" % at for at in range(4)]
    guard = b"/* A header. */\n#ifndef A_H\n#define A_H\n\n"
    found = added(b"a.h", guard + b"\n".join(functions) + b"\n#endif\n")
    assert found == [guard, *(each + b"\n" for each in functions), b"#endif\n"]


def test_a_list_literal_is_cut_by_items_when_the_run_is_inside_it() -> None:
    lines = [b"xs = [\n", *(b"    %d,\n" % at for at in range(20)), b"]\n"]
    version = read_version(b"a.py", lines)
    nothing = read_version(b"a.py", lines[:1] + lines[-1:])
    found = find_cuts(Run(nothing, 1, 1), Run(version, 1, 21))
    assert found == [(1, at) for at in range(2, 22)]


def test_clauses_of_one_statement_stay_together() -> None:
    text = b"try:\n" + b"    a()\n\n" * 5 + b"except E:\n" + b"    b()\n\n" * 5
    assert len(added(b"a.py", text)) == 1 or not any(
        part.startswith(b"except") for part in added(b"a.py", text)
    )
    before_except = next(part for part in added(b"a.py", text) if b"except" in part)
    assert before_except.startswith(b"try:")


def test_a_changed_line_is_paired_with_what_it_was() -> None:
    old = b"alpha(one, two)\nbeta(three, four)\n"
    new = b"alpha(one, two, extra)\nfresh_line()\nbeta(three, four, extra)\n"
    assert parts(b"a.txt", old, new) == [
        (b"alpha(one, two)\n", b"alpha(one, two, extra)\n"),
        (b"", b"fresh_line()\n"),
        (b"beta(three, four)\n", b"beta(three, four, extra)\n"),
    ]


def test_a_block_that_moves_inwards_moves_whole() -> None:
    old = b"a(1)\nb(2)\n" * 12
    new = b"if x:\n" + b"    a(1)\n    b(2)\n" * 12
    assert parts(b"a.py", old, new) == [(old, new)]


def test_a_run_is_cut_where_another_source_commit_begins() -> None:
    version = read_version(b"a.py", [b"a = 1\n", b"b = 2\n", b"c = 3\n"])
    empty = read_version(b"a.py", [])
    found = find_cuts(Run(empty, 0, 0), Run(version, 0, 3, origins=[0, 1, 1]))
    assert found == [(0, 1), (0, 3)]


def test_a_replaced_run_is_cut_where_the_same_two_commits_meet_on_both_sides() -> None:
    before = read_version(b"a.py", [b"one(1)\n", b"two(2)\n", b"three(3)\n"])
    after = read_version(b"a.py", [b"uno(10)\n", b"due(20)\n", b"tre(30)\n"])
    whole = (Run(before, 0, 3), Run(after, 0, 3))
    assert find_cuts(*whole) == [(3, 3)]
    found = find_cuts(Run(before, 0, 3, [0, 1, 1]), Run(after, 0, 3, [0, 1, 1]))
    assert found == [(1, 1), (3, 3)]
    # The line that the second commit wrote again is what the first one made of the old.
    assert find_cuts(Run(before, 0, 3, [0, 0, 0]), Run(after, 0, 3, [0, 1, 1])) == [(3, 3)]


def test_a_header_is_not_cut_from_its_body_even_between_source_commits() -> None:
    version = read_version(b"a.py", [b"if x:\n", b"    a()\n", b"b()\n"])
    found = find_cuts(Run(read_version(b"a.py", []), 0, 0), Run(version, 0, 3, origins=[0, 1, 2]))
    assert found == [(0, 2), (0, 3)]


FRAGMENTS = [
    b"\n", b"x = 1\n", b"def f():\n", b"    return (\n", b"    a,\n", b"    )\n", b'"""\n',
    b"it's\n", b"@d\n", b"# note\n", b"try:\n", b"except E:\n", b"else:\n", b"}\n", b"{\n",
    b"f(x, [y\n", b"])\n", b"/* c\n", b"*/\n", b"'quoted ('\n", b"\xff\xfe\n", b"\t\tdeep\n",
    b"x = \\\n", b"cat <<EOF\n", b"EOF\n", b"`tick\n", b"\r\n", b"`\r\n",
]  # fmt: skip
TEXTS = st.lists(st.sampled_from(FRAGMENTS), max_size=40)
PATHS = st.sampled_from([b"a.py", b"a.c", b"a.js", b"a.rs", b"a.sh", b"a.md", b"a", b"a.json"])


def balanced(version: Version, start: int, at: int) -> bool:
    states = version.states
    return not states.is_open[at] and states.depth[at] == states.depth[start]


@given(PATHS, TEXTS, TEXTS, st.data())
@settings(max_examples=300, deadline=None)
def test_pieces_tile_the_run_and_never_cut_what_is_open(
    path: bytes, old: list[bytes], new: list[bytes], data: st.DataObject
) -> None:
    before, after = read_version(path, old), read_version(path, new)
    a = data.draw(st.integers(0, len(old)))
    b = data.draw(st.integers(0, len(new)))
    c = data.draw(st.integers(a, len(old)))
    d = data.draw(st.integers(b, len(new)))
    if a == c and b == d:
        return
    commits = st.integers(-1, 2)
    lost = data.draw(st.lists(commits, min_size=c - a, max_size=c - a))
    come = data.draw(st.lists(commits, min_size=d - b, max_size=d - b))
    found = find_cuts(Run(before, a, c, lost), Run(after, b, d, come))
    last = (a, b)
    for cut in found:
        assert cut != last
        assert cut[0] >= last[0]
        assert cut[1] >= last[1]
        last = cut
    assert last == (c, d)
    for old_at, new_at in found[:-1]:
        assert old_at == a or balanced(before, a, old_at)
        assert new_at == b or balanced(after, b, new_at)


def test_lines_of_unknown_commits_say_nothing_of_where_to_cut() -> None:
    before = read_version(b"a.py", [b"one(1)\n", b"two(2)\n", b"three(3)\n"])
    after = read_version(b"a.py", [b"uno(10)\n", b"due(20)\n", b"tre(30)\n"])
    assert find_cuts(Run(before, 0, 3, [-1, 1, 1]), Run(after, 0, 3, [-1, 1, 1])) == [(3, 3)]


def test_of_many_changed_lines_a_few_are_a_piece() -> None:
    old = b"".join(b"word%d also%d same%d\n" % (at, at, at) for at in range(30))
    found = [gone.count(b"\n") for gone, _ in parts(b"a.txt", old, old.replace(b"same", b"other"))]
    assert found == [6, 6, 6, 6, 6]  # with what they became, twelve


def test_lines_of_text_that_move_inwards_move_together() -> None:
    old = b"".join(b"word%d same%d\n" % (at, at) for at in range(30))
    new = old.replace(b"word", b"  word")
    assert parts(b"a.txt", old, new) == [(old, new)]


def test_what_is_too_long_to_align_is_whole_where_it_is_alike() -> None:
    old = [b"f(%d, %d)\n" % (at % 50, at % 7) for at in range(201)]
    alike, new = (b"".join(each) for each in (old[::-1], [b"g(a%d)\n\n" % at for at in range(201)]))
    whole = b"".join(old)
    assert parts(b"a.py", whole, alike) == [(whole, alike)]
    assert len(parts(b"a.py", whole, new)) > 1


def test_one_line_that_becomes_many_goes_with_the_first_of_them() -> None:
    new = b"".join(b"def f%d():\n    pass\n\n\n" % at for at in range(4))
    first, *rest = parts(b"a.py", b"gone = 1\n", new)
    assert first == (b"gone = 1\n", b"def f0():\n    pass\n\n\n")
    assert all(not gone for gone, _ in rest)
