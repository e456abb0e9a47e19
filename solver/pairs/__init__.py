"""Two games, or one and an image of it, side by side; two plays of one game that look the same.

In: core games and what of one corresponds to what of the other (`likeness`). Out: whether they agree, from
any state (`beside`, in formulas) or in lock-step from the start (`lockstep`, by the interpreter), and where
they do not. It decides no claims and stores nothing.
"""

from .likeness import Incomparable, Likeness, by_notation

__all__ = ["Incomparable", "Likeness", "by_notation"]
