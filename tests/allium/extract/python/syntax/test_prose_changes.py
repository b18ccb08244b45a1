"""What differs in prose alone is found without parsing, and nothing else is taken for it."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from git_retcon.allium.extract.python.file_versions import strip_prose
from git_retcon.allium.extract.python.syntax.newer_syntax import parse_python
from git_retcon.allium.extract.python.syntax.prose_changes import Code, differs_in_prose

LONG = "It is told here at such length that no word of it is a state, and then it is told again."
SOURCE = f'''import os
import re

class Order:
    """{LONG}

    {LONG}
    And more of it.

    {LONG}
    """

    def pay(self):
        # it is paid
        self.state = "paid"

        self.at = now()
'''


def _strip(text: str) -> Code:
    return strip_prose(parse_python(text.encode()))


def _is_prose(old: str, new: str) -> bool:
    return differs_in_prose(old.encode(), _strip(old), new.encode())


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("# it is paid", "# It is paid\n        # by card."),
        ("And more of it.", "Nothing more."),
        ("    And more of it.\n", ""),
        ("And more of it.", "And more of it,\n    as all know."),
        ('"paid"\n\n', '"paid"\n\n\n'),
        ('"paid"\n\n', '"paid"\n        # later\n'),
    ],
)
def test_comments_and_docstrings_are_prose(one: str, other: str) -> None:
    new = SOURCE.replace(one, other)
    assert _is_prose(SOURCE, new)
    assert _strip(new).text == _strip(SOURCE).text


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("now()", "then()"),
        ("        # it is paid\n", ""),  # code comes to follow code
        ("import os\n", "# coding: latin-1\nimport os\n"),
        ("import re\n", "# coding: latin-1\nimport re\n"),
        ("And more of it.", 'And more."""\n    x = """'),
        ("And more of it.", "And more\\"),
        ("# it is paid", "# it is paid \\"),
        ("# it is paid", '# """'),
        ("# it is paid", "# \x00"),
        ("# it is paid", "# caf\u00e9"),
        ('"paid"\n\n', '"paid"\n'),  # what follows at once may be of one group
        ('"paid"\n', '"paid"\n\n        self.due = 0\n'),
        (f"{LONG}\n\n    {LONG}\n    And more of it.\n\n    {LONG}", "Short."),
        (f'"""{LONG}\n', '"""Short.\n'),
        ("now()\n", "now()\n# the end"),
    ],
)
def test_what_may_be_more_than_prose_is_parsed(one: str, other: str) -> None:
    assert one in SOURCE
    assert not _is_prose(SOURCE, SOURCE.replace(one, other))


def test_a_line_that_ends_a_text_is_no_prose() -> None:
    joined = (
        f"import os\nimport re\n'''{LONG}\n{LONG}\n{LONG}''' \"\"\"more\nwords\n\"\"\"\nA = 1\n"
    )
    line = f"{LONG}''' \"\"\"more\n"
    assert line in joined
    assert not _is_prose(joined, joined.replace(line, ""))


def test_comments_of_a_text_are_parts_of_it() -> None:
    text = f"{SOURCE}TABLE = '''\n# one\n'''\n"
    assert not _is_prose(text, text.replace("# one", "# two"))


_PROSE = ["", "    ", "# a comment", "        # one more", "    told at length", f"    {LONG}"]
_CODE = ["A = 1", "B = (1,", ")", "def f():", "    return 2", f'    """{LONG}', f'    {LONG}"""',
         "C = '''", "'''", "# coding: latin-1", "    x = \\"]  # fmt: skip
_LINES = st.lists(st.sampled_from([*_PROSE, *_CODE]), max_size=14)


@given(_LINES, _LINES, st.lists(st.sampled_from(_PROSE), max_size=4), _LINES)
def test_what_is_taken_for_prose_has_the_same_code(
    before: Sequence[str], taken: Sequence[str], put: Sequence[str], after: Sequence[str]
) -> None:
    old = "\n".join(["import os", "import re", *before, *taken, *after, ""])
    new = "\n".join(["import os", "import re", *before, *put, *after, ""])
    try:
        code = _strip(old)
    except (SyntaxError, ValueError):
        return
    if differs_in_prose(old.encode(), code, new.encode()):
        assert _strip(new).text == code.text
