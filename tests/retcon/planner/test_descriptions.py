"""A commit is described by its message, and by its hints less what they exclude."""

from git_retcon.retcon.planner.descriptions import read_descriptions
from git_retcon.retcon.spec.model import LogicalCommit


def test_hints_count_as_words_of_the_message_and_exclusions_do_not() -> None:
    hints = "parse_token in src/token.py. Does NOT include run_flow."
    first, second = read_descriptions(
        [LogicalCommit("Read input", hints=hints), LogicalCommit("B")]
    )
    assert {"read", "input", "parse_token"} <= first.message.words
    assert "run_flow" not in first.message.words
    assert "src/token.py" in first.hint.wanted.paths
    assert [item.text for item in first.hint.unwanted] == ["run_flow"]
    assert second.hint.is_empty
    assert second.message.words == {"b"}


def test_a_name_without_its_ending_is_the_one_such_file_of_a_folder() -> None:
    paths = [b"README.md", b"docs/README.rst", b"NEWS.md", b"NEWS.txt", b"cart.py", b"LICENSE"]
    (found,) = read_descriptions([LogicalCommit("A", hints="the Readme, NEWS and `cart`")], paths)
    assert found.hint.wanted.files == {"readme.md", "readme.rst"}
