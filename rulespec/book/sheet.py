"""The shapes that the drawings of a page use, given once at its beginning instead of in each drawing."""

from __future__ import annotations

import re

from .symbols import definitions

_OWN = re.compile(r'(<svg xmlns="http://www\.w3\.org/2000/svg" class="rs-diagram"[^>]*>)<defs>(.*?)</defs>')
_NAME = re.compile(r'<g id="rs-([a-z]+[0-9]?)" class="rs-diagram">')
_BODY = re.compile(r"<body[^>]*>")


def with_sheet(page: str) -> str:
    """HTML whose drawings leave their shapes to one sheet at its beginning, or that of its body.

    Drawings that carry their style sheet stay whole; HTML without others is as it was.
    """
    names = {name for _, shapes in _OWN.findall(page) for name in _NAME.findall(shapes)}
    if not names:
        return page
    light = _OWN.sub(r"\1", page)
    sheet = f'<svg class="rs-sheet" width="0" height="0" aria-hidden="true">{definitions(names)}</svg>'
    body = _BODY.search(light)
    at = body.end() if body else 0
    return light[:at] + sheet + light[at:]
