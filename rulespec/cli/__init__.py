"""The command line: a thin interface to the other rooms.

In: arguments. Out: results on standard output, progress on standard error, an exit status. Each command's
module is imported on use, so that `--help` is quick.
"""

from __future__ import annotations

import signal
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line and return the exit status.

    Without `argv` it is the command line of this program, and a command with limits runs in a child that its
    parent ends (see `running`). With `argv` the command runs in this process.
    """
    interrupt = signal.getsignal(signal.SIGINT)
    is_program = argv is None and interrupt is signal.default_int_handler
    if is_program:  # an interrupt while modules are imported ends it without a traceback
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from .running import run

    if is_program:
        signal.signal(signal.SIGINT, interrupt)
    return run(sys.argv[1:], supervised=True) if argv is None else run(argv)
