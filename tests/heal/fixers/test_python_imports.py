"""Imports that are removed, added and sorted, in files that parse before and after."""

from git_retcon.heal.fixers.python_imports import (
    add_import,
    choose_import,
    remove_unused,
    sort_imports,
)


def test_only_the_names_that_are_named_go_and_only_at_these_lines() -> None:
    content = b"import os\nimport sys\nfrom a import (\n    b,\n    c,\n)\nprint(c)\n"
    assert remove_unused(content, ["os", "b"], [1, 3]) == (
        b"import sys\nfrom a import (\n    c,\n)\nprint(c)\n"
    )
    assert remove_unused(content, ["sys"], [1]) is None


def test_a_block_that_would_be_empty_passes() -> None:
    content = b"def f():\n    import os\n"
    assert remove_unused(content, ["os"], [2]) == b"def f():\n    pass\n"


def test_what_shares_its_line_stays() -> None:
    assert remove_unused(b"import os; x = 1\n", ["os"], [1]) is None


def test_an_import_is_added_where_its_kind_is() -> None:
    content = (
        b'"""Doc."""\n\nfrom __future__ import annotations\n\nimport os\nimport sys\n\nx = re\n'
    )
    assert add_import(content, "import re") == (
        b'"""Doc."""\n\nfrom __future__ import annotations\n\nimport os\nimport re\nimport sys\n\n'
        b"x = re\n"
    )
    assert add_import(b'"""Doc."""\n\nx = re\n', "import re") == (
        b'"""Doc."""\n\nimport re\n\nx = re\n'
    )
    assert add_import(b"x = (\n", "import re") is None


def test_a_name_is_imported_as_other_files_import_it() -> None:
    files = [b"from a import Path\n", b"from pathlib import Path\n", b"from pathlib import Path\n"]
    assert choose_import("Path", files) == "from pathlib import Path"
    assert choose_import("re", []) == "import re"
    assert choose_import("nothing_has_this", files) == ""
    assert choose_import("x", [b"from .here import x\n"]) == ""


def test_each_run_of_imports_is_sorted_by_itself() -> None:
    content = b"import sys\nimport os\nfrom a import x\n\nimport zlib\nimport abc\n\nx\n"
    assert sort_imports(content) == (
        b"import os\nimport sys\nfrom a import x\n\nimport abc\nimport zlib\n\nx\n"
    )
    assert sort_imports(b"import os\nimport sys\n") is None


def test_line_ends_stay_those_of_the_file() -> None:
    source = b"import os\r\nimport sys\r\n\r\nsys.exit()\r\n"
    assert remove_unused(source, {"os"}, {1}) == b"import sys\r\n\r\nsys.exit()\r\n"
    added = b"import os\r\nimport re\r\nimport sys\r\n\r\nsys.exit()\r\n"
    assert add_import(source, "import re") == added
    assert sort_imports(b"import b\r\nimport a\r\n") == b"import a\r\nimport b\r\n"
    assert sort_imports(b"import b\r\nimport a\n") is None  # of both kinds: nobody's to choose


def test_comments_about_other_names_stay() -> None:
    source = b"from typing import (\n    List,  # keep me\n    Dict,  # and me\n)\n"
    kept = b"from typing import (\n    List,  # keep me\n)\n"
    assert remove_unused(source, {"Dict"}, {3}) == kept
    assert remove_unused(b"from a import b, c  # about both\n", {"c"}, {1}) is None
