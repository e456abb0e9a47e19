"""The code of every operator: one handler for each kind of expression."""

from __future__ import annotations

from ...core import nodes as n
from ..body import Handler
from . import calls, collections, plain, repetition

HANDLERS: dict[type[n.Expr], Handler] = {
    **plain.HANDLERS,
    **collections.HANDLERS,
    **repetition.HANDLERS,
    **calls.HANDLERS,
}
