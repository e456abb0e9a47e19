"""Looking for plays: from a given start to a goal, by generated code, knowing nothing of the game.

In: a core game, a goal (`goal`), a start. Out: the moves of a play that reaches the goal with what chance
gave, or the word that none does as far as could be seen. Nothing of it is believed before the interpreter
has played it, or an exploration that keeps whole states has found the same. Knows no formulas' engine, no
claims and no verdicts.

`distance` makes of a condition how far a state is from it; `settled`, `hope` and `narrow` leave out states
and actions from which there is no way to the goal. `driver` is what runs in machine code, and so is
`changing`; `common` is what both share, `calls` what they call, `ground` puts them beside the code of a game.
A `hunt` spends the time, from one `start`; `fitting` tries what was found from other deals. A `climb` makes a
play and its deal (`deals`) better by small changes. `replay` makes moves of what was played in code. `stroll`
is random, and long.
"""

from .climb import Climb
from .goal import Goal
from .hunt import CLOSED, FOUND, OPEN, Hunt
from .narrow import hopes, narrowed

__all__ = ["CLOSED", "FOUND", "OPEN", "Climb", "Goal", "Hunt", "hopes", "narrowed"]
