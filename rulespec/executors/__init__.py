"""Work that is split into parts, done by processes of this machine or by a Dask cluster.

A `Task` performs any of its parts and judges results that come from elsewhere; an `Executor` distributes the
parts and yields the results as they come. Between machines everything travels as JSON: parts, results, and
the name or path of a ruleset with the digest of its rules. Knows no kind of task; those are in the rooms
whose work they do, and the command line lists them for helpers (`rulespec.cli.helping`).

Modules, each on top of those before it: `tasks` (the two interfaces, rules by name) -> `processes` (this
machine), `helpers` (a process beside a cluster's worker in which parts are done) -> `cluster` (Dask).
"""

from .processes import Processes as Processes
from .tasks import Executor as Executor
from .tasks import NoCluster as NoCluster
from .tasks import OtherProgram as OtherProgram
from .tasks import OtherRules as OtherRules
from .tasks import PartFailed as PartFailed
from .tasks import RejectedResult as RejectedResult
from .tasks import Rules as Rules
from .tasks import Task as Task
