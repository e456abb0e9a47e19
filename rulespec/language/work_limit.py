"""The limit of work for reading and checking one ruleset, and the steps of each kind of work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..core.diagnostics import Diagnostic, Label, Report, RulesetError
from ..core.meter import Meter, StepLimitExceeded

MOST_WORK = 40_000_000
"""Maximum number of steps for reading a ruleset with all that it extends, or for checking it with its
examples.

A step is about the work of the interpreter for one operator; ten million take a second or two.
"""

# The steps of work that is not evaluation, in proportion to its time.
CHARACTER = 12
"""One character of a file."""
LETTER = 75
"""One character of a formal text that is parsed."""
TREE = 125
"""One subtree of a parsed text."""
EXPRESSION = 150
"""One expression or statement that is elaborated."""
VALUE = 10
"""One value that a type lists, or a field of it."""
REQUIREMENT = 250
"""One law that binds an action."""
ENTRY = 500
"""One rule, claim or example."""


TOO_MUCH = "size.work"
"""The code of the fault that the limit was exceeded."""


def new_meter() -> Meter:
    """A meter for one ruleset."""
    return Meter(MOST_WORK)


@contextmanager
def report_limits(report: Report, meter: Meter) -> Iterator[None]:
    """Turn StepLimitExceeded or RecursionError in the block into a RulesetError with the faults so far."""
    try:
        yield
    except StepLimitExceeded:
        more = [] if any(d.code == TOO_MUCH for d in report.diagnostics) else [limit_fault(meter)]
        raise RulesetError([*report.diagnostics, *more]) from None
    except RecursionError:
        report.error("size.deep", "this, or a declaration that it uses, is nested too deep", meter.place)
        raise RulesetError(report.diagnostics) from None


def limit_fault(meter: Meter) -> Diagnostic:
    """The fault that the step limit was exceeded, placed at the part that took the most steps."""
    name, span, steps = meter.costliest
    where = f"; {name} takes most, {steps:,}" if name else ""
    words = f"reading and checking this takes more than {meter.most:,} steps{where}"
    help = "use smaller types, fewer binders, or fewer examples"
    return Diagnostic(TOO_MUCH, words, (Label(span),) if span else (), help=help)
