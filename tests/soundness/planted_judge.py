"""Faults in the judge, which forged verdicts are to find: its checks of evidence, one at a time."""

from __future__ import annotations

from .fault import Fault

JUDGE, CHECKS = "solver/evidence/judge.py", "solver/evidence/checks.py"
FORGERIES = ("forged",)
SPOT = ("tests/solver/explore/test_spot_check.py",)
PROOFS = ("tests/solver/certificates/test_proof_checker.py",)

REACHED = ("tests/solver/claims/test_never_reached.py",)
RULES = "solver/evidence/engine_rules.py"
COVERS = ("tests/solver/claims/test_all_readings.py",)
COVERING = "solver/evidence/covering.py"

FAULTS = (
    Fault(
        "solver/explore/spot_check.py",
        "if _count_each(found) != _count_each(by_code):",
        "if len(found) != len(by_code):",
        "What follows each action is compared, not how many actions there are.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "if any(states.number_of(row) is None for way in folded for row in way):",
        "if False:",
        "Whatever follows a position that was followed is among those explored.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "if states.keeps and _count_each(_rows(states, number)) != _count_each(folded):",
        "if False:",
        "The graph of plays has the actions that the interpreter finds.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "if self._interpreter.answer(question, position) != by_code(question):",
        "if False:",
        "Results, and what the claim asks, are compared.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "if {states.number_of(row) for row in found} != {*begins}:",
        "if not {states.number_of(row) for row in found} <= {*begins}:",
        "Every explored beginning is one by the interpreter.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "sample = _samples.get(states)",
        "sample = next(iter(_samples.values()), None)",
        "The rows of one exploration show nothing of another, even one of as many states.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "explored = count, last, self.most, self.seconds, self.leaves_small",
        "explored = last, self.most, self.seconds, self.leaves_small",
        "States that were found after a spot check are drawn from anew.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "explored = count, last, self.most, self.seconds, self.leaves_small",
        "explored = count, self.most, self.seconds, self.leaves_small",
        "States whose followers were not known at a spot check are followed by the next.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "            sample.questions |= further",
        "            pass\n        sample.questions |= further",
        "A claim that was compared in a part of the rows is compared again.",
        SPOT,
    ),
    Fault(
        "solver/explore/spot_check.py",
        "further = {*questions} - sample.questions",
        "further = set[Question]()",
        "Each further claim on the same states is compared, too.",
        SPOT,
    ),
    Fault(
        "solver/explore/code_states.py",
        "return number if number >= 0 and self.row(number) == row else None",
        "return number if number >= 0 else None",
        "A row is known only if the state of its number is the same in all words.",
        SPOT,
    ),
    Fault(
        "rulespec/kernels/lrat.py",
        "if shown == HOLDS or hint < 0:",
        "if hint < 0:",
        "No hint follows the one that settles a step.",
        PROOFS,
    ),
    Fault(
        "rulespec/kernels/lrat.py",
        "        if open_ == 2:\n            return FAILS\n",
        "",
        "Each clause that a hint names leaves one literal open.",
        PROOFS,
    ),
    Fault(
        "rulespec/kernels/lrat.py",
        "or begins[size + low] < 0:",
        "or False:",
        "A clause that was deleted shows nothing any more.",
        PROOFS,
    ),
    Fault(
        "rulespec/core/storage/authentication.py",
        'head = name.encode("utf-8", "surrogatepass")',
        'head = b""',
        "A cached file counts only under its name and what it was made from.",
        ("tests/core/test_cache.py",),
    ),
    Fault(
        JUDGE,
        "        for odd in {evidence.kind for evidence in self.listed} - may:\n",
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
        '            raise BadEvidence(f"its play does not show it: {problem}")\n',
        "            pass\n",
        "A play shows a claim only if the claim says so of where it ends.",
        methods=FORGERIES,
    ),
    Fault(
        JUDGE,
        '            raise BadEvidence(f"its play does not show what a search finds: {problem}")\n',
        "            pass\n",
        "Another play than a search finds shows its answer only if it comes to the same.",
        ("tests/solver/claims/test_recheck.py",),
    ),
    Fault(
        JUDGE,
        "            raise BadEvidence(f\"{evidence.data['bound']} can be reached\")\n",
        "            return True, how\n",
        "A bound falls where something within it can be reached.",
        methods=FORGERIES,
    ),
    Fault(
        CHECKS,
        "    if (verdict.outcome, dict(verdict.numbers)) != (answer.outcome, dict(answer.numbers)):\n",
        "    if verdict.outcome != answer.outcome:\n",
        "The numbers of a verdict are those that its evidence shows.",
        methods=FORGERIES,
    ),
    Fault(
        CHECKS,
        "    if _pieces(verdict.evidence) != _pieces(_as_stored(answer)):\n",
        "    if not verdict.evidence:\n",
        "Every entry of the evidence is found again.",
        ("tests/solver/claims/test_damage.py",),
    ),
    Fault(
        JUDGE,
        "        if play.chance[: len(deal)] != deal:\n",
        "        if len(play.chance) < len(deal):\n",
        "A play that shows something of a deal is a play of that deal.",
        ("tests/solver/claims/test_recheck_by_method.py",),
    ),
    Fault(
        JUDGE,
        "        if deal is not None and not _can_be_dealt(self.game, deal):\n",
        "        if deal is not None and not deal:\n",
        "A deal of which something is shown can be dealt.",
        ("tests/solver/claims/test_recheck_by_method.py",),
    ),
    Fault(
        "rulespec/kernels/transpositions.py",
        "            differ |= table[at + i] ^ rows[first + i]\n        if differ == ZERO:\n            return at\n"
        "        at += SEAT\n    return -1\n",
        "            differ = table[at] ^ rows[first]\n        if differ == ZERO:\n            return at\n"
        "        at += SEAT\n    return -1\n",
        "States of several words are the same if all their words are.",
        ("tests/solver/explore/test_mtdf.py",),
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
        "    if low <= least and most <= high:\n",
        "    if low <= high:\n",
        "Bounds on the result of best play hold where a search shows as much.",
        methods=FORGERIES,
    ),
    Fault(
        "solver/evidence/game_value.py",
        "        if not question.within[0] <= low <= high <= question.within[1]:\n",
        "        if not low <= high:\n",
        "Bounds on the result of best play are values that a game can have.",
        ("tests/solver/claims/test_recheck_by_method.py",),
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
    Fault(
        "solver/evidence/ranking.py",
        '{"plies": most + further}',
        '{"plies": most}',
        "A ply can be taken where the measure is 0, if it faults or makes that negative.",
        ("tests/solver/claims/test_last_plies.py",),
    ),
    Fault(
        COVERING,
        "not kinds or not kinds <= ARGUMENTS",
        "not kinds",
        "Positions are counted for all readings together, and other claims hold under one setting.",
        COVERS,
    ),
    Fault(
        COVERING,
        "shown.outcome != property_of(claim).without_play or ",
        "",
        "A play under one reading says nothing of the others.",
        COVERS,
    ),
    Fault(
        COVERING,
        ' and "from" not in claim.options',
        "",
        "A claim about one deal is not asked of the setup.",
        COVERS,
    ),
    Fault(
        "rulespec/language/lowering.py",
        "if not readings.isdisjoint(variables_read(var.initial)):",
        "if False:",
        "A first value is there before the setup draws a reading.",
        COVERS,
    ),
    Fault(
        "rulespec/language/lowering.py",
        "for name in reversed(names):",
        "for name in names[:1]:",
        "Each ruling left open has a reading drawn.",
        COVERS,
    ),
    Fault(
        COVERING,
        "stated.over in OVER and stated.form in FORMS",
        "True",
        "Numbers and results of best play differ between readings.",
        COVERS,
    ),
    Fault(
        RULES,
        "return n.AtMost(BOOL, b, a)",
        "return n.AtMost(BOOL, a, b)",
        "The opposite of less is at least.",
        REACHED,
    ),
    Fault(
        RULES,
        "if answer is None or answer.outcome != PROVED:",
        "if answer is None:",
        "Only an invariant that is proved keeps play from a goal.",
        REACHED,
    ),
    Fault(
        "solver/evidence/k_induction.py",
        "if not case.named_helpers or question.possible(one_of=bads(question, 0)):",
        "if not case.named_helpers:",
        "What is known to hold has to exclude a breach.",
        REACHED,
    ),
)
