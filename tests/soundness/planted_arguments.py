"""Faults in the side conditions of the arguments that decide claims, and of what goes through their evidence.

Whoever moves one of these texts moves its entry along: what counts is the condition, in words.
"""

from __future__ import annotations

from .direction import CARDS, Direction
from .fault import Fault

ARGUMENTS = "solver"
LOW = Direction(("low",), most=400)
FULL = Direction(("full",), most=400)
SUMS = Direction(("invariant", "beyond bounds", "beyond bounds"), most=400)
ONE_PLY = ("tests/solver/claims/test_one_ply_arguments.py",)
INDUCTIONS = ("tests/solver/claims/test_induction_conditions.py",)
MTDF = ("tests/solver/explore/test_mtdf.py",)

FOUND = ("tests/solver/claims/test_found_invariants.py",)

_FACTS = (
    Fault(
        "solver/evidence/engine_rules.py",
        "        if shown is None or shown.outcome != PROVED:\n            return None\n        return rule(",
        "        return rule(",
        "Invariants that were found are granted only if they are inductive together.",
        tests=FOUND,
    ),
    Fault(
        "solver/evidence/engine_rules.py",
        "        if not stated or len(stated) < len(known):\n",
        "        if not stated:\n",
        "Evidence names no invariant that the rules do not have.",
        tests=FOUND,
    ),
    Fault(
        ARGUMENTS,
        "if isinstance(key.type, Optional) and term not in self.terms.some:",
        "if False:",
        "A store at a key that may be none takes nothing away.",
        ("tests/solver/claims/test_side_conditions.py",),
    ),
    Fault(
        "solver/formulas/monotone.py",
        "    return {var: bound for var, bound in found.items() if _is_monotone(game, var)}\n",
        "    return found\n",
        "A goal bounds a counter all along only if nothing lowers it.",
        tests=("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        "solver/formulas/monotone.py",
        "    for effect in effects_of_plies(game, game.actions.values()):\n",
        "    for effect in effects_of_plies(game, [*game.actions.values()][:1]):\n",
        "A counter is monotone only if no action lowers it.",
        tests=("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        "solver/formulas/dependencies.py",
        "    return [*(a.effect for a in actions), *(r.effect for r in game.reactions), game.turn.begin]\n",
        "    return [a.effect for a in actions]\n",
        "What follows of itself may lower a counter, too.",
        ("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        "solver/formulas/monotone.py",
        "    for value in reversed(var.type.values):\n",
        "    for value in [var.type.lo]:\n",
        "A store may lower a counter from any of its values.",
        tests=("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        "solver/formulas/monotone.py",
        "        bound = next(_where_possible(game, facts, e, var), t.lo)\n",
        "        bound = next(_where_possible(game, facts, e, var), t.lo) - 1\n",
        "A counter may have the greatest value that the goal allows.",
        tests=("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        "solver/reductions/restriction.py",
        "fewer if all(node.action in kept for node in asked) else game",
        "fewer",
        "An action that is never taken on the way to a goal may be asked about by `can`.",
        ("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        "solver/reductions/restriction.py",
        'passes or game.state["over"] in Dependencies(game).reads(goal)',
        "passes",
        "A goal may ask whether play is over, which it is where nobody can act.",
        ("tests/solver/search/test_policy_search.py",),
    ),
    Fault(
        "solver/reductions/restriction.py",
        "[v for v in game.state.values() if v not in touched]",
        "list(game.state.values())",
        "A variable has its declared value at the start only if nothing changes it before.",
        ("tests/solver/claims/test_monotone.py",),
    ),
    Fault(
        ARGUMENTS,
        "    return key, not holds\n",
        "    return key, holds\n",
        "A fact counts for nothing in a case only where its opposite is fixed. (That it counts all the same"
        " where that is so makes a bound weaker, and no less right: that fault cannot be caught.)",
        methods=("sums", "hunts"),
        direction=SUMS,
    ),
    Fault(
        ARGUMENTS,
        "    return base + sum(max(Fraction(0), weight) for weight in facts.values())\n",
        "    return base + sum(min(Fraction(0), weight) for weight in facts.values())\n",
        "A fact of positive weight may hold.",
        methods=("sums", "hunts"),
        direction=SUMS,
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
        direction=CARDS,
    ),
    Fault(
        ARGUMENTS,
        "        if one.possible([one.holds(s.excuse, 0)]) or not never_rises(one, s.total.negative):\n",
        "        if not never_rises(one, s.total.negative):\n",
        "A sum that was excused before a ply is excused after it.",
        INDUCTIONS,
    ),
    Fault(
        ARGUMENTS,
        "    if one.possible([back]):\n        return None\n",
        "",
        "The length of plays follows from facts only that no ply takes back.",
        ONE_PLY,
    ),
    Fault(
        ARGUMENTS,
        "        if start.possible([start.gates.any([start.holds(fact, 0) for fact in facts])]):\n",
        "        if False:\n",
        "A goal needs all facts to be made only if none holds at the start.",
        ONE_PLY,
    ),
    Fault(
        ARGUMENTS,
        "    most = next((m for m in range(MOST_AT_ONCE + 1) if not one.possible([counts[m + 1]])), None)\n",
        "    most = 1\n",
        "A ply may make several facts true at once.",
        ONE_PLY,
    ),
    Fault(
        ARGUMENTS,
        "    facts = [fact for fact in filling if start.fails_at_first(fact)]\n",
        "    facts = list(filling)\n",
        "Of what can have no beginning nothing holds at the start.",
        methods=("trap",),
        direction=FULL,
    ),
    Fault(
        "solver/formulas/dependencies.py",
        "    if asked & changed_by(effects_of_plies(game, [])):\n        return None\n",
        "",
        "What follows of itself may make a fact true, whatever is done.",
        (f"{ONE_PLY[0]}::test_a_reaction_may_be_the_first_to_make_a_fact_true",),
    ),
    Fault(
        ARGUMENTS,
        "        return not least or not one.possible([*fine, *(-levels[0] for levels in falling)])\n",
        "        return True\n",
        "A measure that nothing raises falls only if something lowers it.",
        methods=("formulas", "differences"),
        direction=Direction(("terminates", "never-falls"), most=400),
    ),
    Fault(
        ARGUMENTS,
        "                if not all(admits(param.type, value) for param, value in held.items()):\n",
        "                if False:\n",
        "A definition outside its parameters gives nothing.",
        INDUCTIONS,
    ),
)

_DECIDERS = (
    Fault(
        ARGUMENTS,
        "    for k in range(1, depth):  # the step assumes",
        "    for k in range(0):  # the step assumes",
        "A deeper induction asks each of the plies that it takes for granted.",
        methods=("induction",),
        direction=Direction(("invariant",), most=400),
    ),
    Fault(
        ARGUMENTS,
        '    return changed_by(effects_of_plies(game, [action])) | {game.mover, game.state["over"]}\n',
        "    return changed_by(effects_of_plies(game, [action]))\n",
        "Each ply changes whose turn it is, and may end the game.",
        INDUCTIONS,
    ),
    Fault(
        ARGUMENTS,
        "    if _possible(begin, bads, 0):\n        return _answer_shown(begin, 0)\n    if depth == 1:\n",
        "    if depth == 1:\n",
        "What an induction shows holds at the start.",
        methods=("induction",),
        direction=Direction(("invariant",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "    if not held and begin.possible(one_of=[-begin.holds(e, 0) for e in about]):\n        return None\n",
        "",
        "Sides that do not come nearer are as they should be at the start.",
        methods=("differences",),
        direction=Direction(("never-falls", "invariant"), most=400),
    ),
    Fault(
        ARGUMENTS,
        "            if not begin.possible():\n",
        "            if k > 1:\n",
        "Plays are as long as unrolling says only where no longer one exists.",
        methods=("unrolling",),
        direction=Direction(("invariant", "never-stuck"), lacks=("a position that comes back",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "        if not falls(one, total):\n            return None\n",
        "",
        "A measure falls with every ply.",
        methods=("formulas",),
        direction=Direction(("terminates",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "further = further or _may_be_last(one, measure, total)",
        "further = False",
        "A ply that faults, or makes a measure negative, is a ply, too.",
        INDUCTIONS,
    ),
    Fault(
        ARGUMENTS,
        "        if total.least < 0 and one.possible([-one.holds(at_least(measure, 0), 0)]):\n"
        "            return None\n",
        "",
        "A measure is not negative where a ply can be taken.",
        INDUCTIONS,
    ),
    Fault(
        ARGUMENTS,
        "self.searched = max(self.searched, bounds.least - 1)",
        "self.searched = max(self.searched, bounds.least)",
        "A play may have the least length that is possible.",
        methods=("lengths",),
        direction=FULL,
    ),
    Fault(
        ARGUMENTS,
        "            if k != bounds.most and not self.question.possible():\n",
        "            if k != bounds.most:\n",
        "No longer play leads to a goal only if there is none.",
        methods=("lengths", "plies"),
        direction=FULL,
    ),
    Fault(
        ARGUMENTS,
        "if better and x != NONE and (when is None or when[i]):",
        "if better and (when is None or when[i]):",
        "A number that is none is no best value.",
        methods=("exploration",),
        direction=Direction(("best",), uses=("none",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "return [not x and bool(asked) for x, asked in",
        "return [not x for x, asked in",
        "An invariant speaks of positions only in which its `when` holds.",
        methods=("exploration",),
        direction=Direction(("invariant",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "        met = (bool(x) and not bad for x, bad in zip(held, faulted, strict=False))\n",
        "        met = (bool(x) for x, bad in zip(held, faulted, strict=False))\n",
        "A play that faults adds no position to a count.",
        methods=("exploration",),
        direction=Direction(("count",), uses=("a fault",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "        outside = claimed is not None and not low <= claimed <= high\n",
        "        outside = claimed is not None and not low <= 0 <= high\n",
        "Bounds refute a claimed value only where it lies outside.",
        ("tests/solver/explore/test_mtdf.py",),
    ),
    Fault(
        ARGUMENTS,
        "    return len(values - {NONE}) if different",
        "    return len(values) if different",
        "That a number is none is no value of it.",
        methods=("exploration",),
        direction=Direction(("count",), uses=("none",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "    most = math.floor(bound)\n",
        "    most = math.floor(bound) - 1\n",
        "The value that invariants leave may be reached.",
        methods=("hunts", "formulas"),
        direction=SUMS,
    ),
    Fault(
        ARGUMENTS,
        "if bound is None or bound < 0 else None",
        "if bound is None or bound <= 0 else None",
        "Invariants that leave a number no room but nought contradict nothing.",
        methods=("sums",),
        direction=SUMS,
    ),
    Fault(
        ARGUMENTS,
        "            if RowLayout.number(states.layout.fault, row):\n",
        "            if False:\n",
        "A play that faults has no result.",
        MTDF,
    ),
    Fault(
        ARGUMENTS,
        "        trouble = _begins(case, stated, alike)\n",
        "        trouble = None\n",
        "Play begins in images as often.",
        methods=("formulas",),
        direction=Direction(("symmetry",), most=400),
    ),
    Fault(
        ARGUMENTS,
        "        if apart_at_start(both, engine, seconds, lambda: _watch(case)):\n",
        "        if False:\n",
        "Two games that are the same begin alike.",
        ("tests/solver/pairs/test_miter.py",),
    ),
    Fault(
        ARGUMENTS,
        "if not parts.begins() or not parts.is_preserved():",
        "if not parts.is_preserved():",
        "What each part of a ply keeps holds at the start.",
        methods=("parts",),
        direction=Direction(("invariant", "never-falls"), most=400),
    ),
    Fault(
        ARGUMENTS,
        "        if self._brought_about(midst):\n            return True\n",
        "        if self._acts_keep(self.claim, False):\n            return True\n",
        "What follows an action keeps a claim, too.",
        ("tests/solver/claims/test_parts.py",),
    ),
    Fault(
        "solver/evidence/problem.py",
        'return verdict.kind == "invariant" and verdict.holds is True',
        'return verdict.kind == "invariant"',
        "Only invariants that hold may help.",
        methods=("induction", "excluded"),
        direction=Direction(("invariant", "reachable"), most=400),
    ),
    Fault(
        "solver/evidence/engine_rules.py",
        'elif data.get("depth") == 0 and asked.event is Event.STUCK:',
        'elif data.get("depth") == 0:',
        "That nobody is stuck anywhere shows no other claim.",
        ("tests/solver/claims/test_forged_evidence.py",),
    ),
)

FAULTS = (*_FACTS, *_DECIDERS)
