"""Line ends and the final newline: as they were written, or as the file had them."""

from git_retcon.code_commit.grammar import Body


def content_of(body: Body, old: bytes | None) -> bytes:
    """A file's new bytes.

    An answer that is written with CRLF throughout says nothing about the file's own line ends.
    A file whose lines all ended in CRLF keeps that; a file that did not end in a newline keeps
    that too, so the newline before ``^^^end`` is then no part of it.
    """
    content = body.content
    if not old:
        return content
    if body.crlf and b"\n" in old and b"\r\n" not in old:
        content = content.replace(b"\r\n", b"\n")
    elif not body.crlf and _is_crlf(old) and b"\r\n" not in content:
        content = content.replace(b"\n", b"\r\n")
    if not old.endswith(b"\n"):
        end = b"\r\n" if content.endswith(b"\r\n") else b"\n"
        content = content.removesuffix(end)
    return content


def _is_crlf(content: bytes) -> bool:
    ends = content.count(b"\n")
    return ends > 0 and content.count(b"\r\n") == ends
