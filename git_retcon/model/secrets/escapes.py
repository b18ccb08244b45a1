r"""What a text holds that nobody sees, and characters written as escapes.

Terminal escapes: ECMA-48 and the control sequences of xterm. Characters without a glyph: Unicode's
``Default_Ignorable_Code_Point`` and combining marks. A key with a colour amid it is still a key
for who reads it, and so is one in which each character is ``\x41``, ``\u0041`` or ``%41``.
"""

import re
from collections.abc import Iterator

from git_retcon.model.secrets.compiled_patterns import compile_pattern
from git_retcon.model.secrets.readings import Reading, replace_matches

_TERMINAL = (
    # CSI: parameters, intermediates, and one final byte; also as `cat -v` shows it
    rb"(?:\x1b\[|\xc2\x9b|\x9b(?<![\x80-\xff].)|\^\[\[)[0-?]{0,64}[ -/]{0,16}[@-~]",
    # OSC, DCS, SOS, PM and APC up to their end; titles, links and pictures are such
    rb"\x1b[\]PX^_][^\x07\x1b\n]{0,4096}+(?:\x07|\x1b\\)",
    rb"\xc2[\x90\x98\x9d\x9e\x9f][^\x07\x1b\n\xc2]{0,4096}+(?:\x07|\x1b\\|\xc2\x9c)",
    rb"\xc2[\x80-\x9f]",
    # character sets and the like, by a sign that is in no key
    rb"\x1b[ -*,]{1,3}[0-~]",
    rb"\x1b[\[\]]",  # unfinished
)
# To a terminal, these take the next bytes, or all up to an end, with them; to a program that reads
# the bytes, what follows is text.
_SHORT = rb"\x1b(?:[+./-]{1,3}[0-~]|[0-OQ-WYZ\\`-~])"
_INTRODUCER = rb"\x1b[\]PX^_]"
_INVISIBLE = (
    # U+00AD, U+034F with the combining marks around it, U+061C
    rb"\xc2\xad",
    rb"\xcc[\x80-\xbf]",
    rb"\xcd[\x80-\xaf]",
    rb"\xd8\x9c",
    # U+115F, U+1160, U+17B4, U+17B5, U+180B to U+180F
    rb"\xe1\x85[\x9f\xa0]",
    rb"\xe1\x9e[\xb4\xb5]",
    rb"\xe1\xa0[\x8b-\x8f]",
    # U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F: zero width, and directions
    rb"\xe2\x80[\x8b-\x8f\xaa-\xae]",
    rb"\xe2\x81[\xa0-\xaf]",
    # U+3164, U+FE00 to U+FE0F, U+FEFF, U+FFA0, U+FFF0 to U+FFFB
    rb"\xe3\x85\xa4",
    rb"\xef\xb8[\x80-\x8f]",
    rb"\xef\xbb\xbf",
    rb"\xef\xbe\xa0",
    rb"\xef\xbf[\xb0-\xbb]",
    # U+1D173 to U+1D17A, U+E0000 to U+E0FFF
    rb"\xf0\x9d\x85[\xb3-\xba]",
    rb"\xf3\xa0[\x80-\xbf][\x80-\xbf]",
)
_CONTROL = rb"[\x00-\x07\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f]+"
# As typewriters made bold and underlined text, and manual pages still do.
_OVERSTRUCK = rb"[^\n\x08]\x08"
_UNSEEN = (*_TERMINAL, *_INVISIBLE, _CONTROL, _OVERSTRUCK, rb"\x08|\x1b")
_HEX = rb"[0-9A-Fa-f]"
_WRITTEN = (
    rb"\\{1,8}x(" + _HEX + rb"{2})",
    rb"\\{1,8}u(" + _HEX + rb"{4})",
    rb"\\{1,8}u\{(" + _HEX + rb"{1,6})\}",
    rb"\\{1,8}U(" + _HEX + rb"{8})",
    rb"%(" + _HEX + rb"{2})",
    rb"&#[xX](" + _HEX + rb"{2,6});",
    rb"&#([0-9]{2,7});",
    rb"\\{1,8}([0-3][0-7]{2})",
    rb"\\{1,8}(e)(?=\[)",
    rb"\\(/)",
)
# What one of all these can begin with. An overstruck sign is any sign, which makes the search slow:
# few texts have one.
_FIRST = rb"[\x00-\x07\x0b\x0c\x0e-\x1f\x7f\x9b\xc2\xcc\xcd\xd8\xe1-\xe3\xef\xf0\xf3\\%&^]"
_FIRST_OF_ANY = _FIRST + rb"|[^\n]\x08"
_DECIMAL, _OCTAL, _ESCAPE, _SLASH = 7, 8, 9, 10


def read_clear(source: Reading) -> Iterator[Reading]:
    """The text with its escapes decoded, and without what nobody sees.

    Only the lines around these; nothing where it has none; several readings where it depends on
    who reads: a terminal, or a program.
    """
    reading = replace_matches(source, _find_both(source.data), _decode_one)
    if reading is source:
        return
    yield drop_invisible(reading)
    seen = {reading.data}
    for pattern in (_SHORT, _INTRODUCER, _SHORT + b"|" + _INTRODUCER):
        other = _drop_matches(reading, compile_pattern(pattern))
        if other.data not in seen:
            seen.add(other.data)
            yield drop_invisible(other)


def drop_invisible(source: Reading) -> Reading:
    """The text without terminal escapes, control characters and characters without a glyph."""
    return _drop_matches(source, compile_pattern(b"|".join(_UNSEEN)))


def _drop_matches(source: Reading, pattern: re.Pattern[bytes]) -> Reading:
    return replace_matches(source, pattern.finditer(source.data), lambda _: b"")


def _find_both(data: bytes) -> Iterator[re.Match[bytes]]:
    at = 0
    # Bytes that can begin one are searched first: most texts have few.
    begins = _FIRST_OF_ANY if b"\x08" in data else _FIRST
    for first in compile_pattern(begins).finditer(data):
        if first.start() >= at:
            pattern = compile_pattern(b"|".join((*_WRITTEN, *_UNSEEN)))
            found = pattern.match(data, first.start())
            if found:
                yield found
                at = found.end()


def _decode_one(found: re.Match[bytes]) -> bytes:
    kind = found.lastindex or 0
    if not kind:  # a terminal's escapes are left out later, when all are decoded
        return found[0] if found[0].startswith(b"\x1b") else b""
    digits = found[kind]
    if kind == _SLASH:
        return digits
    if kind == _ESCAPE:
        return b"\x1b"
    number = int(digits, 10 if kind == _DECIMAL else 8 if kind == _OCTAL else 16)
    if number > 0x10FFFF:
        return found[0]
    # Of two digits it is a byte, of more a character.
    if len(digits) == 2 or kind == _OCTAL:
        return bytes([number])
    return chr(number).encode("utf-8", "surrogatepass")
