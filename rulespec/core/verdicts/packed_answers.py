"""Long rows of letters as short texts, and back."""

from __future__ import annotations

import base64
import binascii
import zlib

MOST = 100_000_000
"""Maximum length of a row."""


def pack(letters: str) -> str:
    """A row of letters of ASCII as a short text."""
    return base64.b64encode(zlib.compress(letters.encode("ascii"), 9)).decode("ascii")


def unpack(text: object) -> str | None:
    """The row in a packed text; None if the text is damaged."""
    if not isinstance(text, str):
        return None
    try:
        reading = zlib.decompressobj()
        letters = reading.decompress(base64.b64decode(text, validate=True), MOST).decode("ascii")
    except (binascii.Error, zlib.error, UnicodeDecodeError):
        return None
    return letters if reading.eof and not reading.unused_data else None
