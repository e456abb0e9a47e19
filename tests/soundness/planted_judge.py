"""Faults in the judge, which forged verdicts are to find: its checks of evidence, one at a time."""

from __future__ import annotations

from .fault import Fault

JUDGE = "solver/evidence/judge.py"
FORGERIES = ("forged",)

FAULTS = (
    Fault(
        JUDGE,
        "        for odd in self.kinds - may:\n",
        "        for odd in ():\n",
        "Evidence of each kind shows claims of some forms only.",
        methods=FORGERIES,
    ),
    Fault(
        JUDGE,
        'if problem or "bound" in evidence.data:',
        "if problem:",
        "A combination about a bound contradicts no goal.",
        ("tests/solver/claims/test_sums.py",),
    ),
    Fault(
        JUDGE,
        '            raise Refused(f"its play does not show it: {problem}")\n',
        "            pass\n",
        "A play shows a claim only if the claim says so of where it ends.",
        methods=FORGERIES,
    ),
    Fault(
        JUDGE,
        "            raise Refused(f\"{evidence.data['bound']} can be reached\")\n",
        "            return True, how\n",
        "A bound falls where something within it can be reached.",
        methods=FORGERIES,
    ),
    Fault(
        JUDGE,
        "        if weaker(found, self.verdict):\n",
        "        found = replace(found, outcome=self.verdict.outcome, numbers=self.verdict.numbers)\n"
        "        if weaker(found, self.verdict):\n",
        "The numbers of a best value are those that its evidence shows.",
        methods=FORGERIES,
    ),
    Fault(
        "solver/evidence/linear_combination.py",
        'return "" if most < 0 else "its claims do not contradict it"',
        'return ""',
        "Claims contradict a goal only where they add up to less than nothing.",
        ("tests/solver/claims/test_sums.py",),
    ),
    Fault(
        "solver/evidence/engine_rules.py",
        "        if asked.event is Event.CONDITION:\n            yield of_positions(split_induction.by_parts)\n",
        "        yield of_positions(split_induction.by_parts)\n",
        "An argument about a condition shows nothing of a claim without one.",
        ("tests/solver/claims/test_forged_evidence.py",),
    ),
    Fault(
        "solver/evidence/game_value.py",
        "    if verdict.outcome == BOUNDED:\n"
        "        (least, most), found = found.span, replace(found, bounds=[(low, high)])\n",
        "    found = replace(found, bounds=[(low, high)])\n"
        "    if verdict.outcome == BOUNDED:\n"
        "        least, most = low, high\n",
        "The result of best play is that of a search, not the one that evidence names.",
        methods=FORGERIES,
    ),
    Fault(
        "solver/evidence/replay.py",
        'return "" if passed[first] == passed[-1] else "the position at its end is not one that was left"',
        'return ""',
        "A play that goes on for ever comes back to a position that it left.",
        ("tests/solver/claims/test_damage.py",),
    ),
    Fault(
        "solver/evidence/replay.py",
        'return "" if fallen else "its last ply lowers nothing"',
        'return ""',
        "A number falls where a ply lowers it.",
        ("tests/solver/claims/test_forged_evidence.py",),
    ),
    Fault(
        "solver/pairs/belief_states.py",
        "    return KnowledgeCheck(game, viewer).objection(first, second)\n",
        '    return ""\n',
        "Two plays that look the same to a player differ in what must be known.",
        ("tests/solver/claims/test_pairs.py",),
    ),
)
