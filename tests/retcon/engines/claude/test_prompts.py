"""The task that a model gets, with the note of a person after it was stuck."""

import pytest

from tests.model.loopback import LoopbackApi
from tests.retcon.engines.claude.scene import (
    Diligent,
    Scene,
    plays,
    stuck,
)


@pytest.mark.slow
def test_a_persons_note_goes_along_when_it_tries_again(api: LoopbackApi, scene: Scene) -> None:
    plays(api, lambda seen: stuck("which colour comes first?"))
    done = scene.run()
    assert done.status == 1
    assert "which colour comes first?" in done.err
    note = '{ stuck = "which colour comes first?" }, { resolved = "red does" }'
    text = scene.spec.read_text().replace('{ stuck = "which colour comes first?" }', note)
    assert "red does" in text
    scene.spec.write_text(text)
    plays(api, Diligent())
    asked = len(api.requests)
    assert scene.run().status == 0
    assert "The user says: red does" in str(api.requests[asked].body)
    assert len(api.requests[asked].body["messages"]) == 1
    assert scene.is_rebuilt()
