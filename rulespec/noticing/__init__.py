"""Noticing: quick detection of things in a ruleset that its author probably did not mean.

In: a core game, a function that loads other settings, and the events of its examples. Out: doubts, as
diagnostics, and the parts not reached. It imports no YAML, no solver and no terminal, and decides nothing: a
doubt is something that random plays by the interpreter showed, or never showed; `rulespec.solver.dead_rules`
decides the same parts.

`parts` lists the parts of a game that may be idle, `settings` the settings with one difference, `plays` plays
at random and examines each position, `sights` finds what players see of hidden state, `setups` examines the
order of the setup, `slips` and `wrong_players` the formal text; `english` reads numbers in prose, `amounts`,
`bounds`, `prose` and `omissions` compare prose with the core, and `doubts` puts it all into words.
"""

from .doubts import Notices, notice

__all__ = ["Notices", "notice"]
