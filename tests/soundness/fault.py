"""One planted fault."""

from __future__ import annotations

from dataclasses import dataclass

from .direction import Direction


@dataclass(frozen=True)
class Fault:
    """A side condition that is taken away: `before` stands once below `where`, `after` in its place.

    `where` is a folder, or a file where the text alone does not say which. `condition` is what is taken away,
    in words. A campaign is to notice it, or the `tests` that are named. `survives` explains why nothing does.
    Of an argument that few claims come to, `methods` names those that use it: a campaign of these alone looks
    at more games in the same time. Without any it asks all methods, and compares the meanings. The method
    `meanings` compares code and formulas with the interpreter. All games follow the `direction`, if any.
    """

    where: str
    before: str
    after: str
    condition: str
    tests: tuple[str, ...] = ()
    survives: str = ""
    methods: tuple[str, ...] = ()
    direction: Direction | None = None
