"""What is known of Python."""

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.filenames import find_import_name
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    assert defined(b"a.pyi", "class A(B):\n    async def run(self): ...\nLIMIT: int = 3\n") == [
        *("A", "run", "LIMIT"),
    ]
    assert imported(b"a.py", "import a\nfrom b import (\n    c,\n)\nimportant()\n") == [0, 1, 2, 3]
    assert opened(b"a.py", 'x = """\n"\n"""\n\'\n#"""\ny\n') == [True, True, False, False, False]
    assert attached(b"a.py", "@cache")
    assert attached(b"a.py", "  # why")


def test_files() -> None:
    assert FileClass.TEST in file_classes(b"a/conftest.py")
    assert FileClass.BUILD in file_classes(b"requirements-dev.txt")
    assert FileClass.BUILD in file_classes(b"setup.cfg")
    assert FileClass.DECLARATION in file_classes(b"a.pxd")
    assert find_import_name(b"pkg/__init__.pyi") == b"pkg"
