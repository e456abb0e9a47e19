"""Which parts of a ruleset are idle: what never happens, refuses nothing, presupposes what never is, changes
nothing.

In: a core game and a way to load it under other settings. Out: findings, each with how sure it is. `parts`
says what may be idle and makes games in which a part shows that is not; `wandering` plays at random until
most parts have shown; `deciding` looks at what is left, by all the means by which claims are decided;
`readings` plays under two readings side by side; `settings` are those under which a part may yet show.
Knows no YAML, no pages and no terminal.
"""

from .deciding import Finding, Help, idle
from .readings import idle_readings

__all__ = ["Finding", "Help", "idle", "idle_readings"]
