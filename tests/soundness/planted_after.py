"""Faults in conditions about the position after an action."""

from __future__ import annotations

from .fault import Fault

_LAWS = "tests/test_after.py"

FAULTS = (
    Fault(
        "rulespec/play/effects.py",
        "self._other(dict(self.values))",
        "self._other(self.values)",
        "What an action would do is done to a copy of the state.",
        (_LAWS,),
    ),
    Fault(
        "rulespec/core/traversal.py",
        "if var in free and reads_state(value)}",
        "if False}",
        "A name in the condition keeps the value that it has before the action.",
        (_LAWS,),
    ),
    Fault(
        "rulespec/language/elaborate/after.py",
        "while wanted is not None and len(wanted) != size:",
        "while False:",
        "What is stored on the way to what the condition reads is stored, too.",
        (_LAWS,),
    ),
    Fault(
        "rulespec/code/undo_log.py",
        "for undo in reversed(self._undo):",
        "for undo in self._undo:",
        "Of two stores at one place the last is undone first.",
        (_LAWS,),
    ),
    Fault(
        "rulespec/code/undo_log.py",
        "with w.when(negation(w.has_bit(changed, key))):",
        "with w.when(differ(key, -1)):",
        "Of two stores at one place in a loop the first saves the value.",
        (_LAWS,),
    ),
    Fault(
        "rulespec/code/operators/calls.py",
        "if asks_after(function.body):",
        "if False:",
        "A definition that changes the state and puts it back has no results that are kept for a state.",
        (_LAWS,),
    ),
    Fault(
        "rulespec/code/lookup_tables.py",
        "isinstance(node, n.Can | n.After)",
        "isinstance(node, n.Can)",
        "No table has conditions about another state.",
        (_LAWS,),
    ),
    Fault(
        "solver/formulas/effects.py",
        "[(-fault, stored), (fault, old)]) if fault != FALSE else stored",
        "[(-fault, stored), (fault, stored)]) if fault != FALSE else stored",
        "What its place does not hold is not stored.",
        (_LAWS,),
    ),
    Fault(
        "solver/reductions/generalisation.py",
        "if any(isinstance(node, n.After) for node in nodes_within(e)):",
        "if False:",
        "A number after an action is not the number before it.",
        ("tests/solver/claims/test_parts.py",),
    ),
    Fault(
        "solver/analyses/shuffles.py",
        "case n.Can() | n.After():",
        "case n.Can():",
        "What an action would do may look at what was shuffled.",
        ("tests/solver/claims/test_blind.py",),
    ),
    Fault(
        "solver/evidence/k_induction.py",
        "return case.prop.event is Event.STUCK or bool(",
        "return bool(",
        "Whether somebody is stuck at first depends on the cards.",
        ("tests/solver/claims/test_blind.py",),
    ),
    Fault(
        "solver/analyses/shuffles.py",
        "        if len(kinds) > 1:\n",
        "        if not kinds:\n",
        "A set of what was shuffled and of something else depends on the shuffle.",
        ("tests/solver/claims/test_blind.py",),
    ),
    Fault(
        "solver/analyses/shuffles.py",
        "                if e.var in self._drawn:\n",
        "                if False:\n",
        "What is drawn besides a shuffle is not common to all deals.",
        ("tests/solver/claims/test_blind.py",),
    ),
    Fault(
        "solver/analyses/shuffles.py",
        "if not fits(effect.value.type, _entry_type(effect)):",
        "if False:",
        "What is drawn may not fit its place, in some deals only.",
        ("tests/solver/claims/test_blind.py",),
    ),
    Fault(
        "solver/analyses/shuffles.py",
        "and not self._drawn and not self._left_out else None",
        "else None",
        "Starts are numbered by one shuffle of a whole type.",
        ("tests/solver/claims/test_blind.py",),
    ),
)
