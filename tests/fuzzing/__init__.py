"""Hostile inputs by the hundred thousand: no traceback, no hang, no harm.

`make fuzz` runs a campaign; `tests/test_fuzzing.py` runs a short one, and plants faults to see that it bites.
"""
