"""The effect of each ruling on a claim, from verdicts on the claim under several readings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from ..game import Game
from .verdict import Verdict


@dataclass(frozen=True)
class RulingEffect:
    """The effect of one ruling on one claim.

    `alone` holds the verdict for each reading, all other rulings at their defaults. `changes` is True if two
    settings that differ in this ruling alone have different answers (values included), None if some verdicts
    are not settled and the settled ones agree.
    """

    ruling: str
    alone: Mapping[str, Verdict]
    changes: bool | None

    @property
    def outcomes(self) -> dict[str, str]:
        """The outcome for each reading."""
        return {reading: verdict.outcome for reading, verdict in self.alone.items()}

    @property
    def values(self) -> dict[str, str]:
        """The value for each reading under which the verdict gives one, in words."""
        return {reading: text for reading, verdict in self.alone.items() if (text := verdict.value_text)}


def effects_of_rulings(game: Game, verdicts: Iterable[Verdict]) -> list[RulingEffect]:
    """The effect of each ruling with several readings on a claim.

    `verdicts` are about this claim under various readings, all else equal.
    """
    by_setting = {tuple(sorted(v.readings.items())): v for v in verdicts}
    effects = []
    for ruling in (r for r in game.rulings.values() if len(r.readings) > 1):
        default = ruling.readings[0].id
        groups: dict[Any, dict[str, Verdict]] = {}
        for setting, verdict in by_setting.items():
            rest = tuple(item for item in setting if item[0] != ruling.id)
            groups.setdefault(rest, {})[dict(setting).get(ruling.id, default)] = verdict
        answers = [{v.answer for v in group.values()} for group in groups.values() if len(group) > 1]
        changes = any(len(group - {None}) > 1 for group in answers)
        unsettled = not answers or any(None in group for group in answers)
        decided = True if changes else None if unsettled else False
        effects.append(RulingEffect(ruling.id, groups.get((), {}), decided))
    return effects
