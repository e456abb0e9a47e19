"""The command line: one thin face over what the other rooms offer.

In: arguments. Out: results on standard output, progress on standard error, an exit status. Each
command's module is imported when it is used, so that `--help` is quick.
"""

from .main import main

__all__ = ["main"]
