"""What is known of style sheets."""

from git_retcon.code.file_classes import FileClass, file_classes
from tests.code.languages.reading import imported, opened


def test_lines_and_files() -> None:
    assert imported(b"a.scss", '@import "b";\n.important { }\n') == [0]
    assert opened(b"a.css", "/* a '\n*/ b { c: '/*' }\nd\n") == [True, False]
    assert FileClass.GENERATED in file_classes(b"a.min.css")
