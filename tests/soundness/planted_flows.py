"""Faults in what is read off effects about lists: flows, terms, weights, and what is asked for by them."""

from __future__ import annotations

from .fault import Fault

_READ = ("tests/solver/claims/test_obligations.py", "tests/solver/claims/test_flows.py")
_AMOUNTS = ("tests/solver/claims/test_amounts.py",)
_PLACES = ("tests/solver/claims/test_places.py",)
_SETS = ("tests/solver/claims/test_sets.py",)
_FOLLOWING = ("tests/solver/claims/test_induction_conditions.py",)
CONSERVATION, RULES = "solver/evidence/conservation.py", "solver/evidence/engine_rules.py"
OBLIGATIONS, WEIGHTS = "solver/analyses/obligations.py", "solver/analyses/weights.py"
FLOWS, TERMS = "solver/analyses/flows.py", "solver/analyses/terms.py"

FAULTS = (
    Fault(
        OBLIGATIONS,
        "if bag or (all_along and flow.swells):",
        "if all_along and flow.swells:",
        "What lies in all lists together stays only if what goes in came out.",
        _READ,
    ),
    Fault(
        OBLIGATIONS,
        "if bag or (all_along and flow.swells):",
        "if bag:",
        "In the midst of a ply a list has room for all, too.",
        _READ,
        survives="Parts that cancel at the end never stand in one list twice on the way, for what a store overwrites"
        " is taken off as it was before the ply or not at all; the condition spares that argument.",
    ),
    Fault(
        OBLIGATIONS,
        "yield Obligation(unit, tuple(flow.needs), granted=_of_sets(holders))",
        "yield Obligation(unit, (), granted=_of_sets(holders))",
        "A store at a place that is none, or is not in a list, does nothing.",
        _READ,
    ),
    Fault(
        OBLIGATIONS,
        "SAME: (1, -1)}",
        "SAME: (1,)}",
        "A sum stays as it is only if nothing lowers it, either.",
        _READ,
    ),
    Fault(
        OBLIGATIONS,
        "for into, values in ((True, weights.values_of_sign(sign)), (False, weights.values_of_sign(-sign))):",
        "for into, values in ((True, weights.values_of_sign(sign)),):",
        "A sum rises where something of negative weight goes out.",
        _READ,
    ),
    Fault(
        OBLIGATIONS,
        "elif weights.is_uniform() and (demand == SAME or self._is_conserved(_holders(weights))):",
        "elif demand == SAME or self._is_conserved(_holders(weights)):",
        "That as much goes in as out keeps a sum only if all weighs the same everywhere.",
        _READ,
    ),
    Fault(
        OBLIGATIONS,
        "e.target if alike else None",
        "e.target",
        "That a list is not too long says nothing of the values in it.",
        _READ,
        survives="The language refuses to store a list where its values may not fit; only the length is left open.",
    ),
    Fault(
        OBLIGATIONS,
        "        self.units += [Unit(reaction.effect) for reaction in game.reactions]\n",
        "",
        "Reactions change lists, too.",
        _FOLLOWING,
    ),
    Fault(
        OBLIGATIONS,
        "        self.units.append(Unit(game.turn.begin))\n",
        "",
        "The beginning of a turn changes lists, too.",
        _FOLLOWING,
    ),
    Fault(
        WEIGHTS,
        "self.number(e.b, -factor, known)",
        "self.number(e.b, factor, known)",
        "What is subtracted weighs less than nothing.",
        _READ,
    ),
    Fault(
        FLOWS,
        "elif different not in ({}, inside):",
        "elif False:",
        "Both branches of a condition put as much into lists.",
        _READ,
    ),
    Fault(
        FLOWS,
        'return sum_of_bags(self.bag(e.list), {self._end("top", e, e.list, e.count): -1})',
        "return self.bag(e.list)",
        "What is left of a list is without what was on top.",
        _READ,
    ),
    Fault(
        FLOWS,
        "if of == through or (isinstance(source, n.Domain) and self._covers(source.of, of)):",
        "if True:",
        "A loop that adds each element adds a list only if it goes through that list.",
        _READ,
    ),
    Fault(
        TERMS,
        'return below if below == value else ("item", of, position)',
        "return below",
        "A store at a position may be at the very one that is read.",
        _READ,
    ),
    Fault(
        TERMS,
        "return self.facts.reads(e).isdisjoint(self.versions) and",
        "return",
        "What a ply has stored before is no longer as it was before the ply.",
        _READ,
    ),
    Fault(
        FLOWS,
        "                self.needs.append(exists(wraps, n.And(BOOL, tuple(same))))\n",
        "                pass\n",
        "Another store may be at the very place of a number that is read.",
        _AMOUNTS,
    ),
    Fault(
        FLOWS,
        "        if self.terms.early(cond):\n            return cond\n",
        "        return cond\n",
        "A condition after a store says nothing of the state before the ply.",
        _AMOUNTS,
    ),
    Fault(
        FLOWS,
        "first - 1 <= last.lo and",
        "",
        "A loop from 2 to 0 does nothing, and not less than nothing.",
        _AMOUNTS,
    ),
    Fault(
        FLOWS,
        "and last.hi <= of.hi:",
        ":",
        "A loop goes only through what its set has.",
        _AMOUNTS,
    ),
    Fault(
        FLOWS,
        "scaled_bag(change, self.weights.get(target, 1))",
        "change",
        "Amounts count as often as their variables weigh.",
        _AMOUNTS,
    ),
    Fault(
        WEIGHTS,
        "            if len(held) > 1:",
        "            if False:",
        "What moves from key to key keeps a sum only if all keys weigh the same.",
        _AMOUNTS,
    ),
    Fault(
        FLOWS,
        "for branch in (then, otherwise):",
        "for branch in (then,):",
        "What only the other branch of a condition puts down counts, too.",
        _PLACES,
    ),
    Fault(
        FLOWS,
        " and yes is isinstance(cond, n.And)",
        "",
        "That one of two conditions fails does not tell that the other does.",
        _SETS,
    ),
    Fault(
        FLOWS,
        "if isinstance(cond, n.IsNone) and yes else set()",
        "if isinstance(cond, n.IsNone) else set()",
        "A value is none only where the condition says so.",
        _SETS,
    ),
    Fault(
        FLOWS,
        "            self._note_strays(once)\n",
        "",
        "What a loop puts down is put down.",
        _PLACES,
    ),
    Fault(
        OBLIGATIONS,
        "weights.values_of_sign(sign if count > 0 else -sign)",
        "weights.values_of_sign(sign)",
        "What is taken away changes a sum the other way.",
        _PLACES,
    ),
    Fault(
        OBLIGATIONS,
        "if self.never_stored & {var for var, _ in (*weights.of, *weights.numbers)}:",
        "if False:",
        "No effect stores the player to move or that play is over, which change all the same.",
        _PLACES,
    ),
    Fault(
        WEIGHTS,
        "                self.found.of[place] = {v: before - weight for v, before in self.found.of[place].items()}\n",
        "",
        "An empty place may weigh something.",
        _PLACES,
    ),
    Fault(
        FLOWS,
        "        if self.weights and isinstance(t, Int)",
        "        if isinstance(t, Int)",
        "A number beside lists changes a sum, too, and not by what it is.",
        _PLACES,
    ),
    Fault(
        FLOWS,
        "        self.needs.append(exists(wraps, n.Any(BOOL, x, moved, there if adds else n.Not(BOOL, there))))\n",
        "",
        "What is added to a set must be new, and what is removed must have been there.",
        _SETS,
    ),
    Fault(
        FLOWS,
        "                self.needs.append(exists(wraps, n.Less(BOOL, *sizes)))\n",
        "",
        "A list that goes into a set must not repeat anything.",
        _SETS,
    ),
    Fault(
        FLOWS,
        "return n.If(below.type, n.And(BOOL, tuple(same)), stored, below)",
        "return below",
        "A set may be one that the ply itself stored under another name.",
        _SETS,
    ),
    Fault(
        OBLIGATIONS,
        "(*bad, *(flow.needs if _of_sets(moved) else ()))",
        "(*bad,)",
        "What goes into a set and out of it again cancels only if it was new.",
        _SETS,
    ),
    Fault(
        WEIGHTS,
        "Set if conditions else Set | List",
        "Set | List",
        "Those in a list that meet a condition are a set, in which nothing is twice.",
        _SETS,
    ),
    Fault(
        CONSERVATION,
        "return begins_with(case, begin, conditions) and all(",
        "return all(",
        "A sum that nothing changes is still wrong if it was wrong at the start.",
        _SETS,
    ),
    Fault(
        RULES,
        "if conserved and not conservation.conserve(case, [*conserved.values()]):",
        "if False:",
        "That a sum is conserved is shown anew.",
        _SETS,
    ),
)
