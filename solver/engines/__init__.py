"""Engines that decide clauses, behind one small interface.

In: clauses over integers (negative is negated). Out: whether they are satisfiable, and a model. `choose`
gives the engine of a name, or the best one installed. They know nothing of games.
"""

from .selection import Engine, NoEngine, Session, choose, installed_engines

__all__ = ["Engine", "NoEngine", "Session", "choose", "installed_engines"]
