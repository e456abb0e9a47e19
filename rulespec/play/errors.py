"""Exceptions that a user of the library may have to catch, besides RulesetError and ChanceError."""

from __future__ import annotations

from collections.abc import Mapping

from .refusal import Refusal


class IllegalAction(ValueError):
    """Raised for an action that the rules refuse. `refusals` name the clauses and what made each false.

    `row` is the game of the batch in which it was to be played, from 0; None outside batches.
    """

    def __init__(self, action: str, refusals: tuple[Refusal, ...], row: int | None = None) -> None:
        self.action, self.refusals, self.row = action, refusals, row
        where = "" if row is None else f" in game {row} of the batch"
        said = "\n".join(f"  {refusal}" for refusal in refusals)
        super().__init__(f"`{action}` cannot be played{where}\n{said}")

    @property
    def clauses(self) -> tuple[str, ...]:
        """The ids of the rules that refuse it, each once."""
        return tuple(dict.fromkeys(r.clause for r in self.refusals if r.kind == "requirement"))


class UnknownAction(IllegalAction):
    """Raised for a text that means no action of the game, or several."""

    def __init__(self, action: str, advice: str, row: int | None = None) -> None:
        super().__init__(action, (Refusal("unknown", "", "", advice),), row)


class PositionError(ValueError):
    """Raised for data that describe no position. `problems` says what is wrong, by the name of the
    variable."""

    def __init__(self, problems: Mapping[str, str]) -> None:
        self.problems = dict(problems)
        super().__init__("this is not a position\n" + "\n".join(f"  {text}" for text in problems.values()))
