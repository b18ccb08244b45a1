"""What is known of shells."""

from git_retcon.code.languages.shell import SHELL
from tests.code.languages.reading import attached, imported, opened


def test_lines() -> None:
    assert imported(b"a.sh", "source a.sh\n. b.sh\nsourced=1\n") == [0, 1]
    assert opened(b"a.bash", "cat <<-EOF\n'\n\tEOF\necho 'a\nb' # it's\necho ${#x}\n") == [
        *(True, True, False, True, False),
    ]
    assert attached(b"a.sh", "# why")


def test_a_command_is_beside_the_same_command() -> None:
    entries = SHELL.entries
    assert entries is not None
    one, two = entries.match(b"check one 1\n"), entries.match(b"check two\n")
    assert one is not None
    assert two is not None
    assert one[1] == two[1] == b"check"
    for line in (b"if check; then\n", b"check one &&\n", b"check one \\\n", b"check\n"):
        assert not entries.match(line)
