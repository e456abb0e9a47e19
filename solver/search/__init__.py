"""Looking for plays: from a given start to a goal, by generated code, knowing nothing of the game.

In: a core game, a goal (`goal`), a start. Out: the moves of a play that reaches the goal with what chance
gave, or the word that none does as far as could be seen. Nothing of it is believed before the interpreter
has played it, or an exploration that keeps whole states has found the same. `driver` is what runs in
machine code, and so is `changing`, for a `climb`, which makes a play and its deal better by small changes;
`distance` makes of a condition how far a state is from it; `narrow` leaves out actions that lead away for
good; `hunt` spends the time; `fitting` tries what was found from other deals. Knows no formulas' engine, no
claims and no verdicts.
"""

from .climb import Climb
from .goal import Goal
from .hunt import CLOSED, FOUND, OPEN, Hunt
from .narrow import hopes, narrowed

__all__ = ["CLOSED", "FOUND", "OPEN", "Climb", "Goal", "Hunt", "hopes", "narrowed"]
