"""The shapes used by the drawings of a page, defined once on it instead of in each drawing."""

from __future__ import annotations

import re

from ..drawing.symbols import definitions

_OWN = re.compile(r'(<svg xmlns="http://www\.w3\.org/2000/svg" class="rs-diagram"[^>]*>)<defs>(.*?)</defs>')
_NAME = re.compile(r'<g id="rs-([a-z]+[0-9]?)" class="rs-diagram">')
_BODY = re.compile(r"<body[^>]*>")


def with_sheet(page: str) -> str:
    """HTML whose drawings share one sheet of shapes.

    It is at the beginning of the body, or at the end of a piece of HTML or Markdown. Drawings with their own
    style sheet stay whole; HTML without others is unchanged.
    """
    names = {name for _, shapes in _OWN.findall(page) for name in _NAME.findall(shapes)}
    if not names:
        return page
    light = _OWN.sub(r"\1", page)
    shapes = f'<svg width="0" height="0">{definitions(names)}</svg>'
    sheet = f'<div class="rs-sheet" aria-hidden="true">{shapes}</div>'
    body = _BODY.search(light)
    return f"{light}\n\n{sheet}\n" if body is None else light[: body.end()] + sheet + light[body.end() :]
