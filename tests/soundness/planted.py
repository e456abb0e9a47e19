"""The faults that are planted: a text of a file and what stands in its place without the side condition."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Fault:
    """A side condition that is taken away: `before` stands once in `file`, `after` in its place."""

    file: str
    before: str
    after: str
    condition: str


CLAIMS = "solver/claims"

FAULTS = (
    Fault(
        f"{CLAIMS}/facts/flows.py",
        "if isinstance(key.type, Optional) and term not in self.terms.some:",
        "if False:",
        "A store at a key that may be none takes nothing away.",
    ),
    Fault(
        f"{CLAIMS}/facts/monotone.py",
        "isinstance(t := scalar_of(added.type), Int) and t.lo >= 0",
        "isinstance(t := scalar_of(added.type), Int)",
        "A counter never falls only where what is added to it is never negative.",
    ),
    Fault(
        f"{CLAIMS}/facts/combining.py",
        "    return text.removeprefix(NOT) if text.startswith(NOT) else NOT + text\n",
        "    return text\n",
        "A fact counts for nothing in a case only where its opposite is fixed. (That it counts all the same"
        " where that is so makes a bound weaker, and no less right: that fault cannot be caught.)",
    ),
    Fault(
        f"{CLAIMS}/deciders/always.py",
        "    early = _bad_before(begin, bads, depth)\n",
        "    early = None\n",
        "A deeper induction asks each of the plies that it takes for granted.",
    ),
    Fault(
        f"{CLAIMS}/deciders/always.py",
        '    changed = {case.game.mover, case.game.state["over"]}\n',
        "    changed = set()\n",
        "Each ply changes whose turn it is, and may end the game.",
    ),
    Fault(
        f"{CLAIMS}/deciders/always.py",
        "    if _possible(begin, bads, 0):\n        return _shown(begin, 0, case)\n    depth = None\n",
        "    depth = None\n",
        "What an induction shows holds at the start.",
    ),
    Fault(
        f"{CLAIMS}/deciders/always.py",
        "            if not begin.possible():\n",
        "            if k > 1:\n",
        "Plays are as long as unrolling says only where no longer one exists.",
    ),
    Fault(
        f"{CLAIMS}/deciders/ending.py",
        "        if not falls(one, total):\n",
        "        if False:\n",
        "A measure falls with every ply.",
    ),
    Fault(
        f"{CLAIMS}/deciders/ending.py",
        "further = further or _may_be_last(one, measure, total)",
        "further = False",
        "A ply that faults, or makes a measure negative, is a ply, too.",
    ),
    Fault(
        f"{CLAIMS}/deciders/reach.py",
        "self.searched = max(self.searched, bounds.least - 1)",
        "self.searched = max(self.searched, bounds.least)",
        "A play may have the least length that is possible.",
    ),
    Fault(
        "solver/formulas/bmc.py",
        "return self.gates.choose(state[FAULT], before, now)",
        "return now",
        "A ply that faults leaves the state as it was before it.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_search.py",
        "if better and x != NONE and (when is None or when[i]):",
        "if better and (when is None or when[i]):",
        "A number that is none is no best value.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_search.py",
        "return [not x and (when is None or bool(when[i])) for i, x in enumerate(held)]",
        "return [not x for i, x in enumerate(held)]",
        "An invariant speaks of positions only in which its `when` holds.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_solving.py",
        "        yield bool(x) and not faulted\n",
        "        yield bool(x)\n",
        "A play that faults adds no position to a count.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_sums.py",
        "    most = math.floor(found.most)\n",
        "    most = math.floor(found.most) - 1\n",
        "The value that invariants leave may be reached.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_sums.py",
        "found.most >= 0):",
        "found.most > 0):",
        "Invariants that leave a number no room but nought contradict nothing.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_memory.py",
        "        if RowLayout.number(space.layout.fault, row):\n",
        "        if False:\n",
        "A play that faults has no result.",
    ),
    Fault(
        "rulespec/code/plies.py",
        "ended = 0 if action == {self.resume} else end(s, b)",
        "ended = end(s, b)",
        "A position that play has reached is not asked for its end again.",
    ),
    Fault(
        f"{CLAIMS}/deciders/commutes.py",
        "        trouble = begins(case, stated, lambda symmetry: _begins(case, symmetry, engine))\n",
        "        trouble = None\n",
        "Play begins in images as often.",
    ),
    Fault(
        f"{CLAIMS}/deciders/by_comparing.py",
        "        if apart_at_start(self.likeness, engine, self._seconds, self._watch):\n",
        "        if False:\n",
        "Two games that are the same begin alike.",
    ),
)
