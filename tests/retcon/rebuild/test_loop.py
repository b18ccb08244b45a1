"""The fix loop: what it does with a failure, and how often."""

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from types import FrameType

import pytest

from git_retcon.code.diagnostics.read import read
from git_retcon.options import Output, SharedOptions
from git_retcon.retcon.rebuild.command import run
from git_retcon.retcon.rebuild.options import Request
from tests.repository import TestRepository
from tests.retcon.scene import BUILD, SPEC, Scene, messy_branch


@pytest.fixture
def scene(repo: TestRepository) -> Scene:
    return messy_branch(repo)


@contextmanager
def counted_parses() -> Iterator[Counter[bytes]]:
    """How often each output is parsed in this process, whoever asks."""
    outputs: Counter[bytes] = Counter()

    def watch(frame: FrameType, event: str, _: object) -> None:
        if event == "call" and frame.f_code is read.__code__:
            outputs[frame.f_locals["output"]] += 1

    sys.setprofile(watch)
    try:
        yield outputs
    finally:
        sys.setprofile(None)


def test_the_output_of_a_failed_build_is_parsed_once(scene: Scene) -> None:
    """The terminal's headline, the repair and the measure of headway read one value."""
    swapped = SPEC.replace('files = ["money.py"]', 'files = ["shop.py"]').replace(
        'files = ["price.py", "shop.py"]', 'files = ["money.py", "price.py"]'
    )
    swapped = swapped.replace(BUILD, f"echo $(ls); {BUILD}")  # no two trees print the same
    scene.write_spec(swapped)
    with chdir(scene.repo.path), counted_parses() as parses:
        assert run(Request(SharedOptions(Output(quiet=True), offline=True))).failure is None
    scene.promise()
    assert parses and set(parses.values()) == {1}
