"""Faults in the side conditions of the arguments that decide claims, and of what goes through their evidence.

Whoever moves one of these texts moves its entry along: what counts is the condition, in words.
"""

from __future__ import annotations

from .fault import Fault

ARGUMENTS = "solver"

_FACTS = (
    Fault(
        ARGUMENTS,
        "if isinstance(key.type, Optional) and term not in self.terms.some:",
        "if False:",
        "A store at a key that may be none takes nothing away.",
        methods=("flows",),
        dealt=True,
    ),
    Fault(
        ARGUMENTS,
        "isinstance(t := scalar_of(added.type), Int) and t.lo >= 0",
        "isinstance(t := scalar_of(added.type), Int)",
        "A counter never falls only where what is added to it is never negative.",
        methods=("lengths", "plies", "trap"),
    ),
    Fault(
        ARGUMENTS,
        "            return all(_reaches(x, var, named) for x in (e.then, e.otherwise))\n",
        "            return any(_reaches(x, var, named) for x in (e.then, e.otherwise))\n",
        "A counter never falls only if it falls in neither case.",
        methods=("lengths", "plies", "trap"),
    ),
    Fault(
        ARGUMENTS,
        "            return any(\n                _reaches(whole, var, named)",
        "            return any(\n                True",
        "A counter never falls by what is stored in it only if that is the counter and something more.",
        methods=("lengths", "plies", "trap"),
    ),
    Fault(
        ARGUMENTS,
        "    return text.removeprefix(NOT) if text.startswith(NOT) else NOT + text\n",
        "    return text\n",
        "A fact counts for nothing in a case only where its opposite is fixed. (That it counts all the same"
        " where that is so makes a bound weaker, and no less right: that fault cannot be caught.)",
        methods=("sums", "hunts"),
    ),
    Fault(
        ARGUMENTS,
        "    return base + sum(max(Fraction(0), weight) for weight in facts.values())\n",
        "    return base + sum(min(Fraction(0), weight) for weight in facts.values())\n",
        "A fact of positive weight may hold.",
        methods=("sums", "hunts"),
    ),
    Fault(
        ARGUMENTS,
        "    if len(times) != len(rows) or any(t < 0 for t in times):\n",
        "    if len(times) != len(rows):\n",
        "Invariants are added a number of times that is not negative.",
        ("tests/solver/claims/test_sums.py",),
    ),
    Fault(
        ARGUMENTS,
        "        low += min(f.weight * x for x in {least, most})\n",
        "        low += max(f.weight * x for x in {least, most})\n",
        "At the start each fact may be as bad as it can be there.",
        methods=("differences",),
        dealt=True,
    ),
    Fault(
        ARGUMENTS,
        "        if one.possible([one.holds(s.excuse, 0)]) or not never_rises(one, s.total.negative):\n",
        "        if not never_rises(one, s.total.negative):\n",
        "A sum that was excused before a ply is excused after it.",
        methods=("differences",),
    ),
    Fault(
        ARGUMENTS,
        "    if one.possible([back]):\n        return None\n",
        "",
        "The length of plays follows from facts only that no ply takes back.",
        methods=("lengths",),
    ),
    Fault(
        ARGUMENTS,
        "        if start.possible([start.rules.any([start.holds(fact, 0) for fact in facts])]):\n",
        "        if False:\n",
        "A goal needs all facts to be made only if none holds at the start.",
        methods=("lengths",),
    ),
    Fault(
        ARGUMENTS,
        "    most = next((m for m in range(MOST_AT_ONCE + 1) if not one.possible([counts[m + 1]])), None)\n",
        "    most = 1\n",
        "A ply may make several facts true at once.",
        methods=("lengths",),
    ),
    Fault(
        ARGUMENTS,
        "    facts = [fact for fact in filling if start.fails_at_first(fact)]\n",
        "    facts = list(filling)\n",
        "Of what can have no beginning nothing holds at the start.",
        methods=("trap",),
    ),
    Fault(
        ARGUMENTS,
        "        if own & _changed(shared):\n            return self._ply(group)\n",
        "",
        "What follows of itself may make a fact true, whatever is done.",
        methods=("trap",),
    ),
    Fault(
        ARGUMENTS,
        "        return not least or not one.possible([*fine, *(-levels[0] for levels in falling)])\n",
        "        return True\n",
        "A measure that nothing raises falls only if something lowers it.",
        methods=("formulas", "differences"),
    ),
    Fault(
        ARGUMENTS,
        "    if any(a.target in own for effect in shared for a in assignments(effect)):\n        return None\n",
        "",
        "What was dealt may be moved by what follows of itself.",
        methods=("kept",),
        dealt=True,
    ),
    Fault(
        ARGUMENTS,
        "                if not all(admits(param.type, value) for param, value in held.items()):\n",
        "                if False:\n",
        "A definition outside its parameters gives nothing.",
        methods=("flows",),
        dealt=True,
    ),
)

_DECIDERS = (
    Fault(
        ARGUMENTS,
        "    early = _bad_before(begin, bads, depth)\n",
        "    early = None\n",
        "A deeper induction asks each of the plies that it takes for granted.",
        methods=("induction",),
    ),
    Fault(
        ARGUMENTS,
        '    changed = {case.game.mover, case.game.state["over"]}\n',
        "    changed = set()\n",
        "Each ply changes whose turn it is, and may end the game.",
        methods=("induction",),
    ),
    Fault(
        ARGUMENTS,
        "    if _possible(begin, bads, 0):\n        return _shown(begin, 0)\n    depth = None\n",
        "    depth = None\n",
        "What an induction shows holds at the start.",
        methods=("induction",),
    ),
    Fault(
        ARGUMENTS,
        "    if not held and begin.possible(one_of=[-begin.holds(e, 0) for e in about]):\n        return None\n",
        "",
        "Sides that do not come nearer are as they should be at the start.",
        methods=("differences",),
    ),
    Fault(
        ARGUMENTS,
        "            if not begin.possible():\n",
        "            if k > 1:\n",
        "Plays are as long as unrolling says only where no longer one exists.",
        methods=("unrolling",),
    ),
    Fault(
        ARGUMENTS,
        "        if not falls(one, total):\n            return None\n",
        "",
        "A measure falls with every ply.",
        methods=("formulas",),
    ),
    Fault(
        ARGUMENTS,
        "further = further or _may_be_last(one, measure, total)",
        "further = False",
        "A ply that faults, or makes a measure negative, is a ply, too.",
        methods=("formulas",),
    ),
    Fault(
        ARGUMENTS,
        "        if total.least < 0 and one.possible([-one.holds(at_least(measure, 0), 0)]):\n"
        "            return None\n",
        "",
        "A measure is not negative where a ply can be taken.",
        methods=("formulas",),
    ),
    Fault(
        ARGUMENTS,
        "self.searched = max(self.searched, bounds.least - 1)",
        "self.searched = max(self.searched, bounds.least)",
        "A play may have the least length that is possible.",
        methods=("lengths",),
    ),
    Fault(
        ARGUMENTS,
        "            if k != bounds.most and not self.question.possible():\n",
        "            if k != bounds.most:\n",
        "No longer play leads to a goal only if there is none.",
        methods=("lengths", "plies"),
    ),
    Fault(
        ARGUMENTS,
        "if better and x != NONE and (when is None or when[i]):",
        "if better and (when is None or when[i]):",
        "A number that is none is no best value.",
        methods=("exploration",),
    ),
    Fault(
        ARGUMENTS,
        "return [not x and (when is None or bool(when[i])) for i, x in enumerate(held)]",
        "return [not x for i, x in enumerate(held)]",
        "An invariant speaks of positions only in which its `when` holds.",
        methods=("exploration",),
    ),
    Fault(
        ARGUMENTS,
        "        yield bool(x) and not faulted\n",
        "        yield bool(x)\n",
        "A play that faults adds no position to a count.",
        methods=("exploration",),
    ),
    Fault(
        ARGUMENTS,
        "    return len(found - {NONE})\n",
        "    return len(found)\n",
        "That a number is none is no value of it.",
        methods=("exploration",),
    ),
    Fault(
        ARGUMENTS,
        "    most = math.floor(found.most)\n",
        "    most = math.floor(found.most) - 1\n",
        "The value that invariants leave may be reached.",
        methods=("hunts", "formulas"),
    ),
    Fault(
        ARGUMENTS,
        "found.most >= 0):",
        "found.most > 0):",
        "Invariants that leave a number no room but nought contradict nothing.",
        methods=("sums",),
    ),
    Fault(
        ARGUMENTS,
        "        if RowLayout.number(space.layout.fault, row):\n",
        "        if False:\n",
        "A play that faults has no result.",
        methods=("memory",),
    ),
    Fault(
        ARGUMENTS,
        "        trouble = begins(case, stated, alike)\n",
        "        trouble = None\n",
        "Play begins in images as often.",
        methods=("formulas",),
    ),
    Fault(
        ARGUMENTS,
        "        if apart_at_start(self.likeness, engine, self._seconds, self._watch):\n",
        "        if False:\n",
        "Two games that are the same begin alike.",
        methods=("both unrolled",),
    ),
    Fault(
        ARGUMENTS,
        "if not parts.begins() or not parts.kept():",
        "if not parts.kept():",
        "What each part of a ply keeps holds at the start.",
        methods=("parts",),
    ),
    Fault(
        ARGUMENTS,
        "        if self._brought_about(midst):\n            return True\n",
        "        if self._acts_keep(self.claim, False):\n            return True\n",
        "What follows an action keeps a claim, too.",
        methods=("parts",),
    ),
    Fault(
        ARGUMENTS,
        "    if case.chance is not None:\n        return None\n    kind, share",
        "    kind, share",
        "Random plays begin with any deal, so that they say nothing of one.",
        methods=("random plays",),
    ),
    Fault(
        "solver/evidence/problem.py",
        'if v.kind == "invariant" and v.holds]',
        'if v.kind == "invariant"]',
        "Only invariants that hold may help.",
        methods=("induction", "excluded"),
    ),
)

FAULTS = (*_FACTS, *_DECIDERS)
