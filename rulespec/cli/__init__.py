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
    """Run the command line, by default with the arguments of this process; the exit status."""
    from .running import run

    return run(sys.argv[1:] if argv is None else argv)
