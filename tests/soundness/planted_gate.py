"""Faults in the gate, at which stored verdicts become lemmas: its conditions, one at a time."""

from __future__ import annotations

from .fault import Fault

GATE = "solver/claims/gate.py"
SURVEYS = "solver/surveys/run.py"
ATTEMPTS = "solver/claims/attempts.py"
TESTS = ("tests/solver/claims/test_gate.py",)

FAULTS = (
    Fault(
        GATE,
        "{name: Lemma(verdict) for name, verdict in helping.items() if self.standing(verdict)}",
        "{name: Lemma(verdict) for name, verdict in helping.items()}",
        "A verdict that does not stand is no lemma.",
        TESTS,
    ),
    Fault(
        GATE,
        '            return CHECKED if check.passed else ""\n',
        "            return CHECKED\n",
        "A verdict stands by its check only if it passed.",
        TESTS,
    ),
    Fault(
        GATE,
        "        if standing or verdict.outcome in (UNDECIDED, CONDITIONAL):\n",
        "        if True:\n",
        "A stored verdict that does not stand is not shown with its outcome.",
        TESTS,
    ),
    Fault(
        ATTEMPTS,
        "        return conditional(helped) if rests_on_unchecked else helped\n",
        "        return helped\n",
        "What rests on a claim that was assumed is conditional.",
        TESTS,
    ),
    Fault(
        ATTEMPTS,
        "        while more := {v.key for v in self.store if failed & _keys_under(v)} - failed:\n"
        "            failed |= more\n",
        "",
        "What rests on a verdict that was found wrong is removed with it.",
        TESTS,
    ),
    Fault(
        SURVEYS,
        " or (seed is not None and Deal(seed).outcomes(game) != answered.chance):\n",
        ":\n",
        "An answer under a seed is about the deal of that seed.",
        ("tests/solver/surveys/test_surveys.py",),
    ),
)
