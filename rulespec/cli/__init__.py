"""The command line: one thin face over what the other rooms offer.

In: arguments. Out: results on standard output, progress on standard error, an exit status. Each command's
module is imported when it is used, so that `--help` is quick.
"""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; the exit status.

    Without `argv` it is the command line of this program, and a command with limits runs in a child that is
    ended from outside (see `running`). With `argv` the command runs in this process.
    """
    from .running import run

    return run(sys.argv[1:], supervised=True) if argv is None else run(argv)
