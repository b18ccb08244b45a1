"""The spec file keeps every byte that is not history, and says what is wrong with it, and where."""

import os
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.errors import Fatal, Reason
from git_retcon.retcon.spec.file import SpecFile
from git_retcon.retcon.spec.history import CommitCreated, Complete, Event, Resolved, Status, Stuck
from git_retcon.retcon.spec.model import BranchFault

SPEC = """\
# Branches
source = "feature-oauth" # Branch containing your changes
remote = "origin/main"   # Target branch
cleaned = "feature-oauth-clean"
reviewers = ["grace"]    # a key we do not know

[[commit]]
message = "refactor: extract user validation"
hints = \"\"\"
Move validate_user to validation.rs.
[[commit]] history = [ "this is prose" ]
\"\"\"
history = [
{ commit_created = "a1b2c3d" },
"complete",
]

# The second one is not started.
[[commit]]
message = "feat: add OAuth"
ticket = 17 # kept
# history absent - not yet started

[[commit]]
message = "docs: say so"
"""


def load(tmp_path: Path, text: str | bytes) -> SpecFile:
    path = tmp_path / "history.toml"
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return SpecFile.load(path)


def complaint(tmp_path: Path, text: str | bytes) -> str:
    with pytest.raises(Fatal) as caught:
        load(tmp_path, text)
    return f"{caught.value}".replace(str(tmp_path), "") + f"\nhint: {caught.value.hint}"


def test_fields_and_status_by_the_last_entry(tmp_path: Path) -> None:
    spec = load(tmp_path, SPEC).spec
    assert (spec.source, spec.remote, spec.cleaned) == (
        "feature-oauth",
        "origin/main",
        "feature-oauth-clean",
    )
    assert [commit.status for commit in spec.commits] == [
        Status.COMPLETE,
        Status.NOT_STARTED,
        Status.NOT_STARTED,
    ]
    assert spec.commits[0].commits == ("a1b2c3d",)


def test_an_event_is_written_below_the_last_key_and_nothing_else_changes(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC).append(1, CommitCreated("e4f5a6b")).append(1, Complete())
    before, after = SPEC.splitlines(), specfile.path.read_text().splitlines()
    assert [line for line in after if line not in before] == [
        '    { commit_created = "e4f5a6b" },',
        '    "complete",',
    ]
    at = after.index("ticket = 17 # kept")
    assert after[at + 1] == "history = ["
    assert after[at + 5] == "# history absent - not yet started"
    assert [line for line in before if line not in after] == []


def test_comments_inside_a_history_survive_an_append(tmp_path: Path) -> None:
    text = SPEC.replace('"complete",\n]', '{ stuck = "why" }, # read this\n]')
    specfile = load(tmp_path, text).append(0, Resolved('said "so"\nplainly'))
    assert "# read this" in specfile.path.read_text()
    assert specfile.spec.commits[0].history[-1] == Resolved('said "so"\nplainly')


def test_a_history_begun_in_this_run_can_be_rewritten_and_removed(tmp_path: Path) -> None:
    begun = load(tmp_path, SPEC).append(1, CommitCreated("b" * 40)).append(1, Complete())
    rewritten = begun.with_histories({1: (CommitCreated("c" * 40), Complete())})
    assert SpecFile.load(rewritten.path).spec == rewritten.spec
    assert b"b" * 40 not in rewritten.path.read_bytes()
    rewritten.with_histories({1: ()})
    assert rewritten.path.read_text() == SPEC


def test_history_tables_are_read_and_become_an_inline_array(tmp_path: Path) -> None:
    text = (
        SPEC
        + '\n[[commit.history]]\ncommit_created = "abcd123"\n\n[[commit.history]]\nstuck = "no"\n'
    )
    specfile = load(tmp_path, text)
    assert specfile.spec.commits[2].history == (CommitCreated("abcd123"), Stuck("no"))
    written = specfile.append(2, Resolved("yes")).path.read_text()
    assert "[[commit.history]]" not in written
    assert written.endswith(
        """\
message = "docs: say so"
history = [
    { commit_created = "abcd123" },
    { stuck = "no" },
    { resolved = "yes" },
]

"""
    )


def test_what_is_written_has_the_line_ends_of_the_file(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC.replace("\n", "\r\n"))
    specfile = specfile.append(1, Complete()).with_commit("the rest")
    content = specfile.path.read_bytes()
    assert b"ticket = 17 # kept\r\n" in content
    assert content.count(b"\n") == content.count(b"\r\n")
    assert SpecFile.load(specfile.path).spec == specfile.spec
    mixed = load(tmp_path, SPEC.replace("\n", "\r\n", 3)).append(1, Complete())
    assert mixed.path.read_bytes().count(b"\r\n") == 3


ADDED = '\n\n[[commit]]\nmessage = "the rest"\n'


@pytest.mark.parametrize(
    ("end", "written"),
    [
        ("", ADDED),
        ("\n", ADDED),
        ("\n\n\n", f"\n{ADDED}"),
        ("\n# the end", f"\n# the end{ADDED}"),
        ('\nhistory = ["complete"]', f'\nhistory = ["complete"]{ADDED}'),
        ("\n[commit.extra]\na = 1", f"\n[commit.extra]\na = 1{ADDED}"),
        ("\n\n[other]\na = 1\n", f"{ADDED}\n[other]\na = 1\n"),
    ],
)
def test_a_commit_is_added_behind_a_blank_line(tmp_path: Path, end: str, written: str) -> None:
    begin = f'{TOP}\n[[commit]]\nmessage = "one"'
    added = load(tmp_path, begin + end).with_commit("the rest")
    assert added.path.read_text() == begin + written


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("source = ", "/history.toml:1: not TOML"),
        (SPEC.replace('remote = "origin/main"   # Target branch\n', ""), "'remote' is missing"),
        (SPEC.partition("[[commit]]")[0], "/history.toml:7: no [[commit]]"),
        (SPEC.replace('"complete"', '"done"'), "/history.toml:15: unknown history entry"),
        (SPEC.replace('"feature-oauth-clean"', '"feature-oauth"'), "/history.toml:4: 'cleaned' is"),
        (SPEC.replace('"feature-oauth-clean"', '"origin/main"'), "same branch as 'remote'"),
        (SPEC.replace('message = "docs: say so"', ""), "commit 3 has no message"),
        (SPEC.replace('"docs: say so"', "3"), "/history.toml:25: 'message' is not a string"),
        (SPEC + "files = 3\n", "/history.toml:26: 'files' is not a list of strings"),
        (SPEC.replace("a1b2c3d", "not hex!"), "/history.toml:14: unknown history entry"),
        (SPEC.encode() + b"# \xff\n", "/history.toml:26: not UTF-8"),
        ("commit = 3\n" + SPEC.partition("[[commit]]")[0], "/history.toml:1: 'commit' is not a"),
        (SPEC.partition("[[commit]]")[0] + "[commit]\n", "/history.toml:7: 'commit' is not a list"),
    ],
)
def test_every_complaint_names_the_line_and_a_remedy(
    tmp_path: Path, text: str | bytes, said: str
) -> None:
    message = complaint(tmp_path, text)
    assert said in message
    assert re.search(r"^/history.toml:\d+: ", message)
    assert "\nhint: " in message and not message.endswith("None")


TOP = 'source = "a"\nremote = "b"\ncleaned = "c"\n'


def written(tmp_path: Path, text: str, *events: Event) -> str:
    """What the file says once the first commit's history has grown."""
    path = tmp_path / "spec.toml"
    path.write_bytes(text.encode())
    SpecFile.load(path).append(0, *events)
    return path.read_bytes().decode()


def test_a_comment_below_history_tables_stays_above_what_it_is_about(tmp_path: Path) -> None:
    text = TOP + (
        '[[commit]]\nmessage = "a"\n[[commit.history]]\nstuck = "x"\n\n# about b\n[[commit]]\n'
        'message = "b"\n'
    )
    end = '\n]\n\n# about b\n[[commit]]\nmessage = "b"\n'
    assert written(tmp_path, text, Complete()).endswith(end)


def test_a_table_below_a_commit_gets_no_history(tmp_path: Path) -> None:
    text = TOP + '[[commit]]\nmessage = "a"\n[commit.extra]\nkey = 1\n'
    assert written(tmp_path, text, Complete()) == text.replace(
        "[commit.extra]", 'history = [\n    "complete",\n]\n[commit.extra]'
    )


def test_a_byte_order_mark_and_bytes_that_are_no_text_are_written(tmp_path: Path) -> None:
    text = "\ufeff" + TOP + '[[commit]]\nmessage = "a"\n'
    after = written(tmp_path, text, Stuck("caf\udce9.py fits nowhere"))
    assert after.startswith(text)
    assert SpecFile.load(tmp_path / "spec.toml").spec.commits[0].history == (
        Stuck("caf\\udce9.py fits nowhere"),
    )


def test_line_ends_of_the_editor_are_no_part_of_a_message(tmp_path: Path) -> None:
    path = tmp_path / "spec.toml"
    path.write_bytes((TOP + '[[commit]]\nmessage = """a\n\nb"""\n').replace("\n", "\r\n").encode())
    assert SpecFile.load(path).spec.commits[0].message == "a\n\nb"


def test_a_table_between_commits_stays_where_it_is(tmp_path: Path) -> None:
    text = TOP + '[[commit]]\nmessage = "a"\n[other]\nx = 1\n[[commit]]\nmessage = "b"\n'
    assert written(tmp_path, text, Complete()) == text.replace(
        'message = "a"\n', 'message = "a"\nhistory = [\n    "complete",\n]\n'
    )


def test_a_table_of_a_commit_below_another_table_is_refused(tmp_path: Path) -> None:
    text = TOP + '[[commit]]\nmessage = "a"\n[other]\nx = 1\n[[commit.history]]\nstuck = "x"\n'
    with pytest.raises(Fatal, match=r"history\.toml:8: another table is between a \[\[commit"):
        load(tmp_path, text)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("history = [ ]  # mine\n", 'history = [\n    "complete",\n]  # mine\n'),
        ("history = [] # mine\nx = 1\n", 'history = [\n    "complete",\n] # mine\nx = 1\n'),
        (
            'history = [ { stuck = "x" } ] # mine\n',
            'history = [ { stuck = "x" },\n    "complete",\n ] # mine\n',
        ),
    ],
)
def test_the_comment_behind_a_history_stays(tmp_path: Path, before: str, after: str) -> None:
    text = TOP + '[[commit]]\nmessage = "a"\n'
    assert written(tmp_path, text + before, Complete()) == text + after


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('{ message = "a" }', '{ message = "a", history = ["complete"] }'),
        ('{message = "a"}', '{message = "a", history = ["complete"]}'),
        ('{ message = "a", history = [ ] }', '{ message = "a", history = ["complete"] }'),
    ],
)
def test_an_inline_commit_keeps_its_spaces(tmp_path: Path, before: str, after: str) -> None:
    text = f'{TOP}commit = [ {before}, {{ message = "b" }} ]  # all\n'
    assert written(tmp_path, text, Complete()) == text.replace(before, after)


def test_an_inline_commit_is_added_to_its_list(tmp_path: Path) -> None:
    specfile = load(tmp_path, TOP + 'commit = [ { message = "a" } ]\n').with_commit("the rest")
    assert SpecFile.load(specfile.path).spec == specfile.spec
    assert [commit.message for commit in specfile.spec.commits] == ["a", "the rest"]


def test_each_header_keeps_its_own_spelling(tmp_path: Path) -> None:
    text = TOP + '[[ commit ]]\nmessage = "a"\n\n[["commit"]] # b\nmessage = "b"\n'
    assert written(tmp_path, text, Complete()) == text.replace(
        'message = "a"\n', 'message = "a"\nhistory = [\n    "complete",\n]\n'
    )


def test_a_missing_file_says_how_to_write_one(tmp_path: Path) -> None:
    with pytest.raises(Fatal, match="no such spec file") as caught:
        SpecFile.load(tmp_path / "none.toml")
    assert caught.value.hint == "'git retcon prompt' says how to write one"
    load(tmp_path, SPEC)
    (beside,) = tmp_path.glob("*.toml")
    with pytest.raises(Fatal, match="no such spec file") as caught:
        SpecFile.load(tmp_path / "histroy.toml")
    assert caught.value.hint == f"did you mean '{beside}'?"


def test_an_edit_made_meanwhile_is_never_overwritten(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC)
    specfile.path.write_text(SPEC + "# mine\n")
    with pytest.raises(Fatal, match="was edited during this run"):
        specfile.append(1, Complete())
    assert specfile.path.read_text() == SPEC + "# mine\n"


def test_a_full_disk_leaves_the_file_as_it_was(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    specfile = load(tmp_path, SPEC)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(Fatal, match="No space left on device"):
        specfile.append(1, Complete())
    assert specfile.path.read_text() == SPEC
    assert sorted(path.name for path in tmp_path.iterdir()) == ["history.toml", "home"]


events = st.one_of(
    st.builds(CommitCreated, st.text("0123456789abcdef", min_size=7, max_size=40)),
    st.builds(Stuck, st.text(st.characters(codec="utf-8"))),
    st.builds(Resolved, st.text(st.characters(codec="utf-8"))),
    st.just(Complete()),
)
comments = st.text(st.characters(codec="utf-8", categories=["L", "N", "P", "Zs"]), max_size=20)


@st.composite
def layouts(draw: st.DrawFn) -> str:
    """Specs laid out as people do, each commit with or without a history."""
    text = f'source = "s" # {draw(comments)}\nremote = "r"\n\ncleaned   =   \'c\'\n'
    for number in range(draw(st.integers(1, 4))):
        text += draw(st.sampled_from(["", "\n", f"\n# {draw(comments)}\n", "   \n\n"]))
        header = draw(st.sampled_from(["[[commit]]", "[[ commit ]]", "  [[commit]]"]))
        text += f'{header}   # {draw(comments)}\nmessage = """\nno {number}\n[[commit]]\n"""\n'
        text += draw(st.sampled_from(["", "hints = 'h' # c\n", "extra.key = [1,\n  2]\n", "\n"]))
        history = ["[]", "[ ]", '["complete"]', '[ {stuck="]"} ]', "[\n  # none\n  ]"]
        line = draw(st.sampled_from(history)) + draw(st.sampled_from(["", "  # mine"]))
        text += draw(st.sampled_from(["", f"history = {line}\n"]))
        text += draw(st.sampled_from(["", f"# {draw(comments)}\n", "\n\n"]))
        more = ["", "[commit.more]\nhistory = 1\n", f"[other{number}]\na = '[[commit]]'\n"]
        text += draw(st.sampled_from(more))
    return text


def without_entries(text: str) -> str:
    """The text with every history array emptied, in any layout."""
    out, at = "", 0
    for found in re.finditer(r"^history = \[", text, re.MULTILINE):
        if found.start() < at:
            continue  # inside a string of another history
        out += text[at : found.end()] + "]"
        at = found.end()
        depth = 1
        while depth:
            token = re.compile(r'"(?:\\.|[^"\\])*"|#[^\n]*|[\[\]]|.', re.DOTALL).match(text, at)
            assert token is not None
            depth += {"[": 1, "]": -1}.get(token[0], 0)
            at = token.end()
    return out + text[at:]


@given(text=layouts(), appended=st.lists(st.tuples(st.integers(0, 3), events), max_size=6))
def test_in_any_layout_only_history_changes(
    text: str, appended: list[tuple[int, Event]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    specfile = load(tmp_path_factory.mktemp("spec"), text)
    before = [commit.history for commit in specfile.spec.commits]
    for index, event in appended:
        index %= len(before)
        specfile = specfile.append(index, event)
        before[index] = (*before[index], event)
    assert [commit.history for commit in specfile.spec.commits] == before
    assert SpecFile.load(specfile.path).spec == specfile.spec
    after = without_entries(specfile.path.read_text())
    for section in re.split(r"^(?= *\[\[ *commit)", without_entries(text), flags=re.MULTILINE):
        begun = re.escape(section)
        if "history = []" not in section:  # then one line may be added anywhere in it
            begun = "(?:history = \\[\\]\n)?".join(map(re.escape, section.splitlines(True)))
            begun += "(?:history = \\[\\]\n)?"
        found = re.match(begun, after)
        assert found is not None, (section, after)
        after = after[found.end() :]
    assert after == ""


@given(text=layouts())
def test_in_any_layout_an_emptied_history_takes_nothing_else_along(
    text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    specfile = load(tmp_path_factory.mktemp("spec"), text)
    emptied = specfile.with_histories(dict.fromkeys(range(len(specfile.spec.commits)), ()))

    def list_lines(text: str) -> list[str]:
        """All but a history without a comment, which may go."""
        lines = without_entries(text).splitlines()
        return [line for line in lines if line != "history = []"]

    assert list_lines(emptied.path.read_text()) == list_lines(text)
    assert all(commit.history == () for commit in SpecFile.load(specfile.path).spec.commits)


def test_a_save_that_changes_nothing_leaves_the_file_alone(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC)
    before = specfile.path.stat()
    same = specfile.with_histories({0: specfile.spec.commits[0].history, 1: ()})
    after = same.path.stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns)
    assert same.append(1, Complete()).path.stat().st_ino != before.st_ino


EDITED = "was edited during this run"


def test_nothing_is_written_over_what_somebody_else_wrote(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC)
    specfile.path.write_text(SPEC + "# mine\n")
    writes: list[Callable[[], SpecFile]] = [
        lambda: specfile.append(1, Complete()),
        lambda: specfile.with_commit("the rest"),
        lambda: specfile.restore(b"x"),
    ]
    for write in writes:
        with pytest.raises(Fatal, match=EDITED) as caught:
            write()
        assert caught.value.reason is Reason.STALE_PLAN
    assert specfile.path.read_text() == SPEC + "# mine\n"


def test_a_spec_that_is_gone_is_not_made_again(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC)
    specfile.path.unlink()
    with pytest.raises(Fatal, match="cannot be read any more: No such file") as caught:
        specfile.append(1, Complete())
    assert caught.value.again == ()
    assert not specfile.path.exists()


def test_an_earlier_content_is_put_back_to_the_byte(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC)
    later = specfile.append(1, Complete()).with_commit("the rest")
    assert later.differs_in_history_alone(specfile)
    restored = later.restore(specfile.content)
    assert restored.path.read_text() == SPEC
    assert restored.spec == specfile.spec


@pytest.mark.parametrize(
    "edit",
    [
        ("# Branches", "# branches"),
        ("ticket = 17", "ticket = 18"),
        ('"docs: say so"', '"docs: say it"'),
        ('[[commit]]\nmessage = "docs: say so"\n', ""),
    ],
)
def test_an_edit_of_anything_else_is_seen(tmp_path: Path, edit: tuple[str, str]) -> None:
    specfile = load(tmp_path, SPEC)
    edited = load(tmp_path, specfile.append(1, Complete()).content.decode().replace(*edit))
    assert not edited.differs_in_history_alone(specfile)


def test_a_history_that_cannot_be_written_alone_names_its_commit(tmp_path: Path) -> None:
    text = TOP + (
        '[[commit]]\nmessage = "a"\n[[commit]]\nmessage = "m"\n[[commit.history]]\nstuck = "a"\n'
        '[commit.notes]\nx = 1\n[[commit.history]]\nstuck = "b"\n'
    )
    specfile = load(tmp_path, text)
    with pytest.raises(Fatal, match=r":6: the history of commit 2 cannot be written") as caught:
        specfile.append(1, Complete())
    assert caught.value.reason is Reason.INVALID
    assert specfile.path.read_text() == text


def test_a_fault_of_a_branch_gets_the_line_that_names_it(tmp_path: Path) -> None:
    specfile = load(tmp_path, SPEC)
    fault = BranchFault("remote", "there is none", hint="fetch", commands=[["git", "fetch"]])
    said = r"history\.toml:3: there is none"
    with pytest.raises(Fatal, match=said) as caught, specfile.naming_lines():
        raise fault
    assert (caught.value.hint, caught.value.commands) == ("fetch", [["git", "fetch"]])
    with pytest.raises(Fatal, match=r"^another$"), specfile.naming_lines():
        raise Fatal("another")


def test_unknown_keys_are_named_with_line_and_remedy(tmp_path: Path) -> None:
    text = SPEC.replace("reviewers =", "sourc =").replace("ticket =", "fils =") + "ticket = 3\n"
    specfile = load(tmp_path, text)
    assert [warning.removeprefix(str(specfile.path)) for warning in specfile.unknown_keys()] == [
        ":5: unknown key 'sourc' is kept but not read; did you mean 'source'?",
        ":21: unknown key 'fils' is kept but not read; did you mean 'files'?",
        ":26: unknown key 'ticket' is kept but not read",
    ]
