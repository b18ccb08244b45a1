import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.heal.workflows.scripts import read_commands


@pytest.mark.parametrize(
    ("script", "commands"),
    [
        ("make all", ["make all"]),
        ("make a && make b || make c; make d | tee e &", ["make a", "make b", "make c", "make d",
                                                         "tee e"]),
        ("a\nb\r\n\nc", ["a", "b", "c"]),
        ("A=1 B='x y' make C=2", ["make C=2"]),
        ("A=1", []),
        ("make a \\\n  b", ["make a b"]),
        ("echo 'a; b' \"c && d\" e\\;f", ["echo a; b c && d e;f"]),
        ("# a\nb # c\nd#e", ["b", "d#e"]),
        ("if ! a; then b; else c; fi", ["a", "b", "c", "fi"]),
        ("for x in a b; do c $x; done", ["c $x", "done"]),
        ("while a; do b; done", ["a", "b", "done"]),
        ("case $x in\n  a) b ;;\nesac", ["a", "b", "esac"]),
        ("(cd a && b)", ["cd a", "b"]),
        ("{ a; }", ["a", "}"]),
        ("f() { a; }", ["f", "a", "}"]),
        ("a $(b c) d", ["b c", "a d"]),
        ('a "x $(b "c d") y" e', ["b c d", "a x  y e"]),
        ("a `b`", ["a", "b"]),
        ("cat <<EOF >x\nrm y\nEOF\nb", ["cat >x", "b"]),
        ("cat <<-'EOF'\n\trm y\n\tEOF\nb", ["cat", "b"]),
        ("cat <<A <<B\n1\nA\n2\nB\nc", ["cat", "c"]),
        ("a <<< b", ["a <<< b"]),
        ("cat <<EOF\nnever ended", ["cat"]),
        ("'never ended", ["never ended"]),
        ("a $(never ended", ["never ended", "a"]),
        ("a ) b", ["a", "b"]),
        ("", []),
    ],
)  # fmt: skip
def test_the_commands_of_a_script_are_seen(script: str, commands: list[str]) -> None:
    assert [" ".join(words) for words in read_commands(script)] == commands


@given(st.text(st.sampled_from("ab \n'\"\\$()`;&|<#=EOF-{}"), max_size=40) | st.text())
def test_any_text_has_commands(script: str) -> None:
    for words in read_commands(script):
        assert words


@given(
    st.lists(st.sampled_from(["a", "$(", ")", "'", '"', "\n", "<<E", "E", " ", "("])).map("".join)
)
def test_every_command_comes_from_the_script(script: str) -> None:
    total = sum(len(word) for words in read_commands(script) for word in words)
    assert total <= len(script)
