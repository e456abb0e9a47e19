"""Faults in the translation of rules to formulas: operators, effects, legality, the cone, plies."""

from __future__ import annotations

from .direction import Direction
from .fault import Fault

FORMULAS = "solver/formulas"
OPERATORS = f"{FORMULAS}/operators"
ALWAYS = ("invariant", "invariant", "reachable", "full", "low", "never-faults")
"""Claims about each position."""
FAULTY = Direction(ALWAYS, uses=("a fault",), most=400)
LOW = Direction(("low",), most=400)
FAULTING = ("tests/solver/formulas/test_faults_in_effects.py",)
LAST = ("tests/solver/formulas/test_end_of_play.py",)
SHARED = ("tests/solver/formulas/test_shared_templates.py",)
RELATION = f"{FORMULAS}/unrolling/transition_relation.py"
AFTER = ("tests/solver/formulas/test_plies.py::test_conditions_after_an_action_hold_where_they_do",)
EACH_NODE = ("tests/solver/formulas/test_operators.py",)

_OPERATORS = (
    Fault(
        OPERATORS,
        "        there = m.gates.both(g, longer[p - 1])\n",
        "        there = g\n",
        "What stands past the end of a list is none.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "    first = _clip(m, firsts, 1, cap + 1, cap + 1)\n",
        "    first = _clip(m, firsts, 0, cap + 1, cap + 1)\n",
        "A part of a list begins at its bottom at the lowest.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "combine(m.gates, lambda s, c: max(0, s - c), row.size, count)",
        "combine(m.gates, lambda s, c: max(1, s - c), row.size, count)",
        "Without as much as there is nothing is left of a list.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "for value in sorted(reached, reverse=e.most):",
        "for value in sorted(reached, reverse=True):",
        "The least is asked for as well as the most.",
        tests=("tests/solver/formulas/test_operators.py::test_the_least_and_the_most_of_a_set",),
    ),
    Fault(
        OPERATORS,
        "            if value is not None:\n                reached.setdefault(value, []).append(m.gates.both(guard, lit))",
        "            if value is not None:\n                reached.setdefault(value, []).append(lit)",
        "Only what is in a set or list counts for the best of it.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "lambda v: v if v is not None and v in e.into else None",
        "lambda v: v",
        "A value outside a type is none in it.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "    return a // b if b else None\n",
        "    return int(a / b) if b else None\n",
        "A quotient is rounded down, also below 0.",
        tests=("tests/solver/formulas/test_operators.py::test_quotients_are_rounded_down_below_nought",),
    ),
    Fault(
        OPERATORS,
        "if v is not None and v > i)\n        go =",
        "if v is not None and v >= i)\n        go =",
        "A walk has no more steps than it may take.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "        go = m.gates.both(go, -is_none(step))\n",
        "",
        "A walk ends before a step that leads nowhere.",
        tests=("tests/solver/formulas/test_operators.py::test_a_walk_ends_before_a_step_that_leads_nowhere",),
    ),
    Fault(
        OPERATORS,
        "    reached = {v: gates.both(g, start.get(v, FALSE)) for v, g in source.items()}\n",
        "    reached = {v: start.get(v, FALSE) for v, g in source.items()}\n",
        "A closure stays within what it is taken of.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "    for _ in range(len(source) - 1):\n",
        "    for _ in range(1):\n",
        "A closure has walks of any length.",
        tests=("tests/solver/formulas/test_operators.py::test_a_closure_has_walks_of_any_length",),
    ),
    Fault(
        OPERATORS,
        "                fits = m.gates.both(fits, m.gates.any(inside.values()))\n",
        "",
        "A call outside a parameter gives nothing.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "    here = m.gates.both(guard, -item.get(None, FALSE))\n",
        "    here = guard\n",
        "What is none is put into no list.",
        EACH_NODE,
    ),
    Fault(
        OPERATORS,
        "        open_ = m.gates.both(open_, -hit)\n",
        "",
        "The first of several is the one before all others.",
        EACH_NODE,
    ),
    Fault(
        f"{FORMULAS}/values.py",
        "gates.either(-longer[i], same_union(gates, x, y))",
        "same_union(gates, x, y)",
        "Lists are compared up to their ends only.",
        tests=("tests/solver/formulas/test_operators.py::test_lists_are_equal_that_are_so_up_to_their_ends",),
    ),
    Fault(
        f"{FORMULAS}/values.py",
        "both(there, both(lit, item.get(v, FALSE))) for there, item",
        "both(lit, item.get(v, FALSE)) for there, item",
        "What lies past the end of a list is not in it.",
        tests=(
            "tests/solver/formulas/test_operators.py::test_what_lies_past_the_end_of_a_list_is_not_in_it",
        ),
    ),
)

_EFFECTS = (
    Fault(
        FORMULAS,
        "make(), self.gates.both(guard, -state[FAULT]), odds)",
        "make(), guard, odds)",
        "After a fault chance gives nothing more.",
        tests=FAULTING,
    ),
    Fault(
        FORMULAS,
        "            there = gates.both(g, longer[p - 1])\n",
        "            there = g\n",
        "A store at a position past the end of a list does nothing.",
        tests=FAULTING,
    ),
    Fault(
        FORMULAS,
        "        fault = gates.any(g for v, g in value.items() if v not in fits)\n        return fits or",
        "        fault = FALSE\n        return fits or",
        "A number that does not fit its place is a fault.",
        EACH_NODE,
    ),
    Fault(
        FORMULAS,
        "    faults = [g for s, g in row.size.items() if s > t.cap]\n",
        "    faults = []\n",
        "A list that is longer than its place is a fault.",
        tests=FAULTING,
    ),
    Fault(
        FORMULAS,
        "            state = run.merge(guard, run(e.body, dict(inner), state, run.gates.both(path, guard)), state)\n",
        "            state = run(e.body, dict(inner), state, path)\n",
        "A loop goes through no element that is not there.",
        EACH_NODE,
    ),
    Fault(
        FORMULAS,
        "gates.any(g for w, g in weight.items() if w is not None and w > 0))\n",
        "gates.any(g for w, g in weight.items() if w is not None and w >= 0))\n",
        "What has the weight 0 never comes up.",
        EACH_NODE,
    ),
    Fault(
        FORMULAS,
        "            gates.require((-lit, possible[v]))\n",
        "            pass\n",
        "Chance gives only what is there.",
        EACH_NODE,
    ),
    Fault(
        FORMULAS,
        "        gates.at_most_one(places)\n        gates.require((-member, *places))\n",
        "        pass\n",
        "A shuffled thing lies at one place.",
        EACH_NODE,
    ),
    Fault(
        FORMULAS,
        "    return run.merge(some, run(e.body, {**env, e.var: symbol}, state, here), state)\n",
        "    return run(e.body, {**env, e.var: symbol}, state, here)\n",
        "Where nothing can be drawn nothing is done.",
        ("tests/solver/formulas/test_draws.py",),
    ),
)

_PLIES = (
    Fault(
        FORMULAS,
        "return self.gates.choose(state[FAULT], before, now)",
        "return now",
        "A ply that faults leaves the state as it was before it.",
        methods=("unrolling", "plies"),
        direction=FAULTY,
    ),
    Fault(
        FORMULAS,
        "        self.gates.require((-last[FAULT],))\n",
        "",
        "Nothing follows a fault.",
        methods=("unrolling", "plies"),
        direction=FAULTY,
    ),
    Fault(
        FORMULAS,
        "        self.gates.require((-state[over],))\n        acted",
        "        acted",
        "Nothing follows an end.",
        tests=LAST,
    ),
    Fault(
        FORMULAS,
        "        self.gates.one_of([c.literal for c in cases])\n",
        "        self.gates.require([c.literal for c in cases])\n",
        "In a ply just one action is taken.",
        methods=("meanings",),
    ),
    Fault(
        FORMULAS,
        "                self.gates.imply(taken, literal)\n",
        "                pass\n",
        "An action meets the requirements that no choice matters to.",
        methods=("meanings",),
    ),
    Fault(
        FORMULAS,
        "        for demand in demands:\n            self.gates.imply(literal, demand)\n",
        "",
        "An action meets the requirements on its choices.",
        methods=("meanings",),
    ),
    Fault(
        FORMULAS,
        "                    self.gates.require((-taken, self.legality.admits("
        "choice, symbol, choices[action.id], at)))\n",
        "                    pass\n",
        "A choice that is left open is one of what there is to choose from.",
        methods=("meanings",),
        direction=Direction(uses=("a choice from a set that changes",), open_choices=True),
    ),
    Fault(
        FORMULAS,
        "            passes = gates.both(goes_on, self.run.value(game.turn.over, {}, state))\n",
        "            passes = self.run.value(game.turn.over, {}, state)\n",
        "The turn does not pass on when play is over.",
        methods=("meanings",),
    ),
    Fault(
        FORMULAS,
        "        return self.run(self.game.turn.begin, {}, {**state, mover: value}, path)\n",
        "        return {**state, mover: value}\n",
        "A turn begins with what is done at its beginning.",
        methods=("meanings",),
    ),
    Fault(
        FORMULAS,
        "            stuck = gates.all((-state[over], -state[FAULT], -may))\n",
        "            stuck = gates.all((-state[over], -may))\n",
        "After a fault nobody passes.",
        tests=LAST,
    ),
    Fault(
        FORMULAS,
        "            inside = [g for v, g in after[var].items() if v is None or v <= most]\n",
        "            inside = [g for v, g in after[var].items() if v is None or v < most]\n",
        "On the way to a goal a counter may have the greatest value that the goal allows.",
        methods=("plies",),
        direction=LOW,
    ),
    Fault(
        FORMULAS,
        "        if not always:\n",
        "        if len(cases) > 2 and not always:\n",
        "What only some ways to act store stays as it was in the others.",
        methods=("meanings",),
    ),
    Fault(
        FORMULAS,
        "store, certain = event.node, not event.deciding",
        "store, certain = event.node, True",
        "An action surely lifts a counter only by a store that surely happens.",
        tests=(
            "tests/solver/claims/test_monotone.py::test_an_effect_that_may_not_happen_passes_no_bound_surely",
        ),
    ),
    Fault(
        FORMULAS,
        "        return min(lower_bound(e.then, bound), lower_bound(e.otherwise, bound))\n",
        "        return max(lower_bound(e.then, bound), lower_bound(e.otherwise, bound))\n",
        "The least that a case distinction can be is that of the lesser case.",
        tests=(
            "tests/solver/claims/test_monotone.py::test_a_number_that_may_be_small_passes_no_bound_surely",
        ),
    ),
    Fault(
        FORMULAS,
        "        self._legal = [*self._actions, *breaking]\n",
        "        self._legal = self._actions\n",
        "What is never taken on the way to a goal may be legal, and then nobody is stuck.",
        tests=(
            "tests/solver/claims/test_monotone.py::test_nobody_passes_who_could_do_what_is_never_done_on_the_way",
        ),
    ),
    Fault(
        FORMULAS,
        "changing = changed_by(effects_of_plies(game, live))",
        "changing = changed_by([a.effect for a in live])",
        "A variable stays as it is only if what follows of itself does not change it.",
        methods=("unrolling", "plies"),
        direction=Direction(ALWAYS, uses=("a reaction",), most=400),
    ),
    Fault(
        FORMULAS,
        "        woken = [a for a in idle if _possible(game, facts, a, fixed, watch)]\n",
        "        woken = [a for a in idle if len(idle) == len(actions) and _possible(game, facts, a, fixed, watch)]\n",
        "An action is never taken only if what the others change does not make it legal.",
        methods=("unrolling", "plies"),
        direction=Direction(ALWAYS, most=400),
    ),
    Fault(
        FORMULAS,
        "for a in possible_faults(facts, effects) if watch_all or values_at(a) <= MOST_WATCHED}",
        "for a in possible_faults(facts, effects) if watch_all}",
        "A place that may fault is watched though nobody asks what it holds.",
        methods=("unrolling", "plies"),
        direction=FAULTY,
        survives="Where fewer places are watched formulas have more plays, never fewer. One that is found is played by the interpreter, and where it faults all places are watched in a second attempt.",
    ),
    Fault(
        FORMULAS,
        "            if choice.where is not None and guard != FALSE:\n",
        "            if False:\n",
        "A choice that is asked for meets its condition.",
        methods=("meanings",),
        direction=Direction(uses=("can in a rule", "a choice with a condition")),
    ),
    Fault(
        FORMULAS,
        "allowed = gates.both(is_member(gates, list(item.items()), source), follows)",
        "allowed = is_member(gates, list(item.items()), source)",
        "Each step of a chain may follow those before it.",
        methods=("meanings",),
    ),
)

_GATES = (
    Fault(
        f"{FORMULAS}/aig.py",
        "        self.require((-before, -literals[-1]))\n",
        "",
        "Of several literals of which one is true at most the last is one.",
        methods=("meanings",),
    ),
    Fault(
        f"{FORMULAS}/aig.py",
        "                del self._known[key]\n",
        "                pass\n",
        "A gate that is taken back is not found again.",
        methods=("meanings",),
    ),
    Fault(
        f"{FORMULAS}/aig.py",
        "            numbers += (-gate, a, 0, -gate, b, 0, gate, -a, -b, 0)\n",
        "            numbers += (-gate, a, 0, -gate, b, 0)\n",
        "A gate is true where all its inputs are.",
        methods=("meanings",),
    ),
)

_TEMPLATES = (
    Fault(
        f"{FORMULAS}/unrolling/transition_template.py",
        "        constants,\n",
        "",
        "Questions share a template only if the fixed values are equal.",
        SHARED,
    ),
    Fault(
        f"{FORMULAS}/unrolling/transition_template.py",
        "        tuple(action.id for action in actions),\n",
        "",
        "Questions share a template only if the same actions may be taken.",
        SHARED,
    ),
    Fault(
        f"{FORMULAS}/unrolling/transition_template.py",
        "        tuple(most.items()),\n",
        "",
        "Questions share a template only if the bounds are equal.",
        SHARED,
    ),
    Fault(
        f"{FORMULAS}/unrolling/transition_template.py",
        "        loose,\n    )\n",
        "    )\n",
        "A loose template serves no strict question.",
        SHARED,
    ),
)

_AFTER = (
    Fault(
        RELATION,
        "            and e.action == action.id\n",
        "",
        "The state after another action is not the one after the ply.",
        AFTER,
    ),
    Fault(
        RELATION,
        "            and [a.var if isinstance(a, n.Local) else None for a in e.args] == choices\n",
        "",
        "The state after other choices is not the one after the ply.",
        AFTER,
    ),
    Fault(
        RELATION,
        "self.facts.may_fault(a) or not self._stores(a)",
        "not self._stores(a)",
        "A value that does not fit is not stored when an action is tried, and a fault when it is taken.",
        AFTER,
    ),
    Fault(
        RELATION,
        "                    self.gates.imply(taken, self.evaluate(condition.body, {}, at))\n",
        "                    pass\n",
        "What must hold after an action is asked of the state after it.",
        AFTER,
    ),
)

FAULTS = (*_OPERATORS, *_EFFECTS, *_PLIES, *_GATES, *_TEMPLATES, *_AFTER)
