"""Noticing: what in a ruleset its author did not mean, seen in seconds.

In: a core game, a way to settle it otherwise, and what its examples showed. Out: doubts, as diagnostics, and
what was not reached. It imports no YAML, no solver and no terminal, and decides nothing: a doubt is what
random plays by the interpreter showed, or never showed; `rulespec.solver.dead_rules` decides the same parts.

`parts` lists the parts of a game that may never matter, `settings` the settings in which one thing is
otherwise, `plays` plays at random and looks at each position, `sights` tells what players see of what is
hidden, `setups` reads the order of the setup, and `doubts` puts it into words.
"""

from .doubts import Notices, notice

__all__ = ["Notices", "notice"]
