"""How much work reading one ruleset may be, its examples included, and which part of it is told."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ..core.diagnostics import Diagnostic, Label, Report, RulesetError
from ..core.meter import Exhausted, Meter

MOST_WORK = 40_000_000
"""The steps that may be taken to read a ruleset with all that it extends, or to check it with its examples.

A step is about what the interpreter does for one operator: some ten million are taken in a second or two.
"""

# What is done once costs as many steps as it takes time.
CHARACTER = 12
"""Of a file that is read."""
LETTER = 75
"""Of a formal text that is parsed."""
TREE = 125
"""A part of a formal text, parsed."""
EXPRESSION = 150
"""An expression or a statement, made of such a part."""
VALUE = 10
"""A value that a type lists, or a field of one."""
REQUIREMENT = 250
"""A law, where it binds an action."""
ENTRY = 500
"""A rule, a claim or an example, under settings of its own."""


TOO_MUCH = "size.work"
"""The code of the fault that there is too much work."""


def new_meter() -> Meter:
    """A meter for one ruleset."""
    return Meter(MOST_WORK)


@contextmanager
def bounded(report: Report, meter: Meter) -> Iterator[None]:
    """Within this context, too much work, or too deep a nesting, is a RulesetError after all other faults."""
    try:
        yield
    except Exhausted:
        told = [] if any(d.code == TOO_MUCH for d in report.diagnostics) else [exhausted(meter)]
        raise RulesetError([*report.diagnostics, *told]) from None
    except RecursionError:
        report.error("size.deep", "this is nested too deep, or leads too deep", meter.place)
        raise RulesetError(report.diagnostics) from None


def exhausted(meter: Meter) -> Diagnostic:
    """The fault that there is too much work, placed where most of it is."""
    name, span, steps = meter.costliest
    where = f"; {name} takes most, {steps:,}" if name else ""
    return Diagnostic(
        TOO_MUCH,
        f"reading and checking this takes more than {meter.most:,} steps{where}",
        (Label(span),) if span else (),
        help="let types, binders and examples run over less",
    )
