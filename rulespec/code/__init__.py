"""Generated code: the third executable meaning of the core, beside the interpreter and the formulas.

In comes a core game, out come functions in the form of the machine (`rulespec.machine.form`) in which no
interpretation is left: the state is a flat array of small integers, sets are words of bits, actions are
integers, static definitions are tables. This room reads the core and knows neither claims nor players; the
interpreter is the judge of what it writes.

Order of files: `codes` (values as numbers), `identifiers`, `bindings`, `program` (what all functions share),
`body` (writing one function), `lookup_tables`; the room `bitsets` (conditions for all values at once),
`loops`; the rooms `operators` and `move_generation` (legal actions); `common_subexpressions`, `effects`,
`outcome`, `sights`, `plies`, `listing` (the code as text), `extensions` and `writer` (the whole code); the
rooms `packed_rows` (states as few words) and `execution` (running it). Values that follow from the rules
alone are worked out by `core.columns`.
"""

from .codes import TooLarge as TooLarge
from .execution.instance import Instance as Instance
from .execution.instance import KernelInstance as KernelInstance
from .execution.instance import can_run as can_run
from .execution.runner import Node as Node
from .execution.runner import Runner as Runner
from .execution.runner import Tally as Tally
from .plies import FAULT as FAULT
from .writer import GameCode as GameCode
from .writer import write as write
