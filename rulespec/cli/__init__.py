"""The command line: a thin interface to the other rooms.

In: arguments. Out: results on standard output, progress on standard error, an exit status. Each command's
module is imported on use, so that `--help` is quick.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status.

    Without `argv` it is the command line of this program, and a command with limits runs in a child that its
    parent ends (see `running`). With `argv` the command runs in this process.
    """
    from .running import run

    return run(sys.argv[1:], supervised=True) if argv is None else run(argv)
