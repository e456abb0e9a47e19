"""The readings under which a claim is asked, without those that cannot matter to it."""

from __future__ import annotations

import itertools
import math
from collections.abc import Container, Iterator

from rulespec.core.game import Claim, Game

MOST_SETTINGS = 5_000
"""Maximum number of combinations of readings for one claim."""


EVERY_RULING = "every-ruling"
"""The value of `across` for all combinations of readings."""


Readings = dict[str, str]


def settings(game: Game, claim: Claim, all_readings: bool, fixed: Container[str] = ()) -> Iterator[Readings]:
    """The settings under which a claim is decided, as readings that differ from the defaults.

    The defaults come first. A claim that names rulings (`across`) is asked under every combination of their
    readings. With `all_readings`, also under each modelled reading of every other ruling alone. Rulings that
    are `fixed` do not vary. Raises ValueError if there would be too many.
    """
    rulings = [ruling for ruling in game.rulings if ruling not in fixed]
    named = claim.options.get("across", ())
    across = [named] if isinstance(named, str) else list(named)
    if across == [EVERY_RULING]:
        across = rulings
    choices = [_readings(game, ruling) for ruling in across if ruling not in fixed]
    total = math.prod(map(len, choices))
    if all_readings and total > MOST_SETTINGS:
        words = f"`{claim.id}` has {total} combinations of readings; at most {MOST_SETTINGS} are asked"
        raise ValueError(words)
    seen: list[Readings] = [{}]
    singly = [((r, x),) for r in rulings for _, x in _readings(game, r)] if all_readings else []
    for setting in itertools.chain(itertools.product(*choices), singly):
        changed = {r: x for r, x in setting if x != game.rulings[r].readings[0].id}
        if changed not in seen:
            seen.append(changed)
    yield from sorted(seen, key=len)


def _readings(game: Game, ruling: str) -> list[tuple[str, str]]:
    return [(ruling, reading.id) for reading in game.rulings[ruling].readings if reading.modelled]
