"""Generated code: the third executable meaning of the core, beside the interpreter and the formulas.

In comes a core game, out come functions in the form of the machine (`rulespec.machine.form`) in which no
interpretation is left: the state is a flat run of small integers, sets are words of bits, actions are
integers, static definitions are tables. This room reads the core; the interpreter is the judge of what it
writes.

From the inside out: `codes` (values as numbers), `program` (what all functions share), `vals`, `body` (one
function) -> `lookups`, `words`, `fillings`, `lanes` (conditions as words), `tables`, `loops` -> `operators`
-> `effects`, `rows` and `actions`, `outcome`, `sights`, `plies` -> `layout` (the code as text for readers),
`further` and `write` (the whole code). Values that follow from the rules are worked out by `core.columns`.
`instance` runs it in the machine with kernels beside it, for which `declared` and `row_code` write what they
need, and `row_images` the tables of symmetries; `runner` takes positions in and out, `counting` counts many
plays.
"""

from .codes import TooLarge as TooLarge
from .instance import Instance as Instance
from .instance import KernelInstance as KernelInstance
from .instance import can_run as can_run
from .plies import FAULT as FAULT
from .runner import Node as Node
from .runner import Runner as Runner
from .runner import Tally as Tally
from .write import Written as Written
from .write import write as write
