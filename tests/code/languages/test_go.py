"""What is known of Go."""

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.languages.go import GO
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    assert defined(b"a.go", "func (s *Store) Save(x int) error {\ntype Store struct {\n") == [
        *("Save", "Store"),
    ]
    assert imported(b"a.go", 'import (\n\t"a"\n\tb "c/d"\n)\nvar e = "f"\n') == [0, 1, 2, 3]
    assert opened(b"a.go", "x := `\n\\`\ny := '`'\nz\n") == [True, False, False]
    assert attached(b"a.go", "// Save saves.")


def test_files() -> None:
    assert FileClass.GENERATED in file_classes(b"api/a.pb.go")
    assert FileClass.BUILD in file_classes(b"go.mod")
    assert FileClass.TEST in file_classes(b"a_test.go")
    assert GO.files.folder_scoped == (b".go",)
