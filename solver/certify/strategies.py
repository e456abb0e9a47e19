"""Certificates of values: strategies of the players as data."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

from .certificate import Refused

HEAD = "rulespec strategies 1"
SIDES = {"at-least": 1, "at-most": -1}


@dataclass(frozen=True)
class Strategy:
    """Player 1 (`side` 1) makes sure of at least, or player 2 (-1) of at most, the bound by these choices."""

    side: int
    bound: int
    choices: tuple[int, ...]


@dataclass(frozen=True)
class Strategies:
    """The strategies that show between what a value lies."""

    listed: tuple[Strategy, ...]

    def text(self) -> str:
        """The strategies as text, each in two lines."""
        words = {side: word for word, side in SIDES.items()}
        lines = [HEAD]
        for one in self.listed:
            lines += [f"{words[one.side]} {one.bound}", " ".join(map(str, one.choices))]
        return "".join(f"{line}\n" for line in lines)

    @classmethod
    def parse(cls, text: str) -> Strategies:
        """The strategies that a text holds. Refused if it holds none."""
        head, *lines = text.split("\n")
        if head != HEAD or lines[-1:] != [""] or len(lines) % 2 == 0:
            raise Refused("its certificate is cut off, or of a form that is not known here")
        try:
            return cls(tuple(_strategy(*pair) for pair in list(pairwise(lines[:-1]))[::2]))
        except (KeyError, ValueError):
            raise Refused("its certificate is damaged") from None


def _strategy(head: str, choices: str) -> Strategy:
    word, bound = head.split(" ")
    return Strategy(SIDES[word], int(bound), tuple(map(int, choices.split())))
