"""The command line: one thin face over what the other rooms offer.

In: arguments. Out: results on standard output, progress on standard error, an exit status. Each
command's module is imported when it is used, so that `--help` is quick; nothing at all is imported for a
command that a server runs.
"""

from __future__ import annotations

import sys

ALONE = "--no-serve"
"""Before a command: no server is used."""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; the exit status.

    Without `argv` the arguments and streams are those of this process, and a server that runs may be used.
    """
    words = [*(sys.argv[1:] if argv is None else argv)]
    alone = words[:1] == [ALONE]
    if alone:
        del words[0]
    if argv is None and not alone:
        from ..serve.client import served

        status = served(words)
        if status is not None:
            return status
    from .running import run

    return run(words)
