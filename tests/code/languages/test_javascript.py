"""What is known of JavaScript and TypeScript."""

from git_retcon.code.file_classes import FileClass, file_classes
from git_retcon.code.filenames import find_import_name, score_fit
from tests.code.languages.reading import attached, defined, imported, opened


def test_lines() -> None:
    text = "export default function main() {\n  render(props) {\napp.use = function (x) {\n"
    assert defined(b"a.tsx", text) == ["main", "render", "use"]
    assert defined(b"a.js", "const limit = 3\n      const local = 4\n") == ["limit"]
    assert imported(b"a.mjs", "import {\n  a,\n} from 'b'\nconst c = require('c')\nf()\n") == [
        *(0, 1, 2, 3),
    ]
    assert opened(b"a.js", "`a\n${b}`\n'it\nx\n") == [True, False, False]
    assert attached(b"a.ts", "@Component")


def test_files() -> None:
    assert FileClass.DECLARATION in file_classes(b"types/a.d.ts")
    assert FileClass.GENERATED in file_classes(b"a.min.js")
    assert find_import_name(b"util/index.tsx") == b"util"
    assert score_fit(b"@/lib/util", b"src/a.ts", b"src/lib/util.ts") > 0
