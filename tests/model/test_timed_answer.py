"""Answers that come byte by byte, over a real socket: none is read past its deadline."""

import gzip

import pytest

from git_retcon.model.api_format import to_body
from git_retcon.model.credentials import required_credentials
from git_retcon.model.failures import Unavailable
from git_retcon.model.service import AnthropicService
from tests.model.loopback import LoopbackApi, Trickles
from tests.model.test_client import ask


@pytest.mark.parametrize(
    "trickle",
    [
        Trickles(content_type="text/event-stream", start=b"event: message_start\ndata: "),
        Trickles(),
        Trickles(status=500, start=b'{"type": "error", "error": '),
        # Empty blocks of gzip: bytes come, and nothing is in them.
        Trickles(encoding="gzip", start=gzip.compress(b"")[:10], piece=b"\0\0\0\xff\xff"),
    ],
    ids=["within one event", "answered at once", "an error", "packed"],
)
def test_an_answer_that_trickles_is_given_up(api: LoopbackApi, trickle: Trickles) -> None:
    api.script(trickle)
    service = AnthropicService(required_credentials(api.env), longest=0.05)
    with pytest.raises(Unavailable, match=r"the model's answer took longer than 0\.05 s") as caught:
        service.send(to_body(ask()), lambda usage: None)
    assert caught.value.__context__ is None
