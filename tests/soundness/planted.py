"""The faults that are planted: a text of the project, and what takes its place without a side condition."""

from __future__ import annotations

from . import (
    planted_after,
    planted_arguments,
    planted_flows,
    planted_gate,
    planted_judge,
    planted_machine,
    planted_positions,
    planted_reductions,
    planted_refusals,
    planted_translation,
)
from .fault import Fault

FAULTS: tuple[Fault, ...] = (
    *planted_translation.FAULTS,
    *planted_positions.FAULTS,
    *planted_arguments.FAULTS,
    *planted_reductions.FAULTS,
    *planted_judge.FAULTS,
    *planted_flows.FAULTS,
    *planted_gate.FAULTS,
    *planted_machine.FAULTS,
    *planted_refusals.FAULTS,
    *planted_after.FAULTS,
)

__all__ = ["FAULTS", "Fault"]
