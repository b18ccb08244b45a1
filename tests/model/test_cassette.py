"""Whether a run is to be recorded or replayed."""

from pathlib import Path

import pytest

from git_retcon.errors import Fatal
from git_retcon.model.cassette import Cassette, cassette_in


def test_the_setting(tmp_path: Path) -> None:
    assert cassette_in({}) is None
    assert cassette_in({"GIT_RETCON_CASSETTE": "replay:/a:b"}) == Cassette("replay", Path("/a:b"))
    for bad in ("record", "play:x", "record:"):
        with pytest.raises(Fatal, match="GIT_RETCON_CASSETTE"):
            cassette_in({"GIT_RETCON_CASSETTE": bad})
