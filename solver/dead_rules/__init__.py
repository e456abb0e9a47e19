"""Dead rules (vacuity): parts of a ruleset that never matter in any play.

In: a core game and a function that loads it under other settings. Out: findings, each with its certainty.
Examples are a requirement that refuses nothing, an action that is never legal, a condition of a claim that
never holds. `rulespec.noticing.parts` lists the candidates; `instrumented_games` makes games in which a live
part shows itself; `random_playouts` plays at random until most have; `deciding` looks at other settings, too,
and decides the rest by the methods of claims; `readings` compares games under two readings. It imports no
YAML, no pages and no terminal.
"""

from .deciding import Finding, PriorResults, dead_parts
from .readings import redundant_readings

__all__ = ["Finding", "PriorResults", "dead_parts", "redundant_readings"]
