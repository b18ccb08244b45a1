"""Answers that come byte by byte, or not at all, over real sockets: none is waited for past its
deadline.
"""

import contextlib
import gzip
import socket
import threading
from collections.abc import Iterator

import pytest

from git_retcon.interrupts import forget_halt, halt_threads
from git_retcon.model.api_format import to_body
from git_retcon.model.credentials import required_credentials
from git_retcon.model.failures import Unavailable
from git_retcon.model.service import AnthropicService
from tests.model.loopback import LOOPBACK_KEY, LoopbackApi, Trickles
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


def test_neither_silence_nor_headers_without_an_end_outlast_a_deadline() -> None:
    headers = b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-slow: "
    with _serve_bytes(b"", b"") as silent, _serve_bytes(headers, b"a") as trickling:
        for url in (silent, trickling):
            env = {"ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": LOOPBACK_KEY}
            service = AnthropicService(required_credentials(env), longest=0.2)
            with pytest.raises(Unavailable, match=r"took longer than 0\.2 s") as caught:
                service.send(to_body(ask()), lambda usage: None)
            assert caught.value.__context__ is None


def test_a_thread_that_is_halted_waits_no_longer() -> None:
    ended: list[type] = []

    def ask_silence() -> None:
        try:
            service.send(to_body(ask()), lambda usage: None)
        except KeyboardInterrupt as interrupt:
            ended.append(type(interrupt))
        finally:
            forget_halt()

    with _serve_bytes(b"", b"") as silent:
        env = {"ANTHROPIC_BASE_URL": silent, "ANTHROPIC_API_KEY": LOOPBACK_KEY}
        service = AnthropicService(required_credentials(env), longest=60)
        thread = threading.Thread(target=ask_silence)
        thread.start()
        halt_threads([thread])
        thread.join()
    assert ended == [KeyboardInterrupt]


@contextlib.contextmanager
def _serve_bytes(start: bytes, piece: bytes) -> Iterator[str]:
    """The address of a server that accepts, reads what is asked, and answers with a start and
    pieces without an end.
    """
    over = threading.Event()

    def serve() -> None:
        with contextlib.suppress(OSError):
            connection, _ = listener.accept()
            with connection:
                connection.recv(65536)
                connection.sendall(start)
                while not over.wait(0.01):
                    connection.sendall(piece)

    with socket.create_server(("127.0.0.1", 0)) as listener:
        thread = threading.Thread(target=serve)
        thread.start()
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
        over.set()
        thread.join()
