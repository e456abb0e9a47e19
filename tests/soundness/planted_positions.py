"""Faults in what goes through positions, puts games side by side, or checks certificates."""

from __future__ import annotations

from .fault import Fault

EXPLORE, PAIRS = "solver/explore", "solver/pairs"
LRAT = ("tests/solver/certificates/test_lrat.py",)
CERTIFY = ("tests/solver/claims/test_certify.py",)
HIDDEN = ("tests/solver/explore/test_sequence_form.py",)
ODDS = ("tests/solver/claims/test_odds.py",)

_EXPLORING = (
    Fault(
        f"{EXPLORE}/graph.py",
        "            if length[source] <= length[i]:\n",
        "            if length[source] == 0:\n",
        "The longest play from a position goes by the longest of those that follow.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        f"{EXPLORE}/graph.py",
        "                far[source] = far[i] + 1\n",
        "                far[source] = 1 if far[i] == 0 else 2\n",
        "How far a goal is is counted in all plies to it.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        f"{EXPLORE}/graph.py",
        "if left[source] == 0 or worth[i] == (1 if mover[source] == 1 else -1):",
        "if left[source] == 0 or worth[i] == 1:",
        "A player takes a way that wins for that player only.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        f"{EXPLORE}/graph.py",
        "            if (x > worth[i]) == (mover[i] == 1) and x != worth[i]:\n",
        "            if x > worth[i]:\n",
        "Player 2 wants the least.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        f"{EXPLORE}/graph.py",
        "        if left[i] == 0 and payoff[i] != 0:\n            worth[i] = payoff[i]",
        "        if payoff[i] != 0:\n            worth[i] = payoff[i]",
        "What a position is worth is that of the end of play only.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        EXPLORE,
        "        if self._can_stay(free, ways):\n",
        "        if False:\n",
        "Choices that keep play going for ever have no expectation.",
        ODDS,
    ),
    Fault(
        EXPLORE,
        "max(values) if wants else min(values), self.gain(i)\n",
        "max(values), self.gain(i)\n",
        "Who wants the least takes the least.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        EXPLORE,
        "            return sum(values, Fraction()) / len(values) + self.gain(i)\n",
        "            return sum(set(values), Fraction()) / len(set(values)) + self.gain(i)\n",
        "Each legal action is as likely, also where several come to the same.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        f"{EXPLORE}/states.py",
        "            due = self.paid + cost\n",
        "            due = self.paid + min(cost, 1)\n",
        "The cost of a position counts in full.",
        methods=("exploration",),
    ),
    Fault(
        f"{EXPLORE}/states.py",
        "        if self._sums and self._sums[0] == self.paid:\n",
        "        if self._sums:\n",
        "The cheapest positions are followed first.",
        methods=("exploration",),
    ),
    Fault(
        EXPLORE,
        " := _sweep(states, marks, limit)) and ",
        " := _sweep(states, marks, limit)) and left == -1 and ",
        "Positions are looked ahead of until no more have hope.",
        methods=("looking ahead",),
    ),
    Fault(
        EXPLORE,
        "if not marks[i] and not faulted[i]), None)",
        "if not marks[i]), None)",
        "A position in which play has faulted is not one that is out of hope.",
        methods=("looking ahead", "exploration"),
    ),
    Fault(
        f"{EXPLORE}/packing.py",
        "                    codes = high - low + 1 + none\n",
        "                    codes = high - low + 1\n",
        "A packed number that may be none has a code for it.",
        methods=("exploration", "hunts"),
    ),
    Fault(
        f"{EXPLORE}/packing.py",
        "            if taken + bits <= WORD:\n                self._room[word] += bits\n",
        "            if taken + bits <= WORD:\n                self._room[word] += max(0, bits - 1)\n",
        "No two packed numbers share a bit.",
        methods=("exploration", "hunts"),
    ),
    Fault(
        f"{EXPLORE}/interpreter_states.py",
        "                    outs += [to] * share\n                    likelihoods += [odds] * share\n",
        "                    outs += [to]\n                    likelihoods += [odds]\n",
        "An outcome counts as often as its share says.",
        methods=("exploration", "exploration by the interpreter"),
    ),
    Fault(
        f"{EXPLORE}/symmetry_reduction.py",
        "                if often.get(image, 0) != often[row]:\n",
        "                if False:\n",
        "Positions are folded only if play begins in images as often.",
        methods=("exploration with symmetries",),
    ),
    Fault(
        f"{EXPLORE}/symmetry_reduction.py",
        "                if space.tools.packed(space.scan_rows(question, images, 0, last - first)) != held:\n",
        "                if False:\n",
        "What is asked of folded positions is the same of all images.",
        methods=("exploration with symmetries",),
    ),
    Fault(
        f"{EXPLORE}/orbit_kernel.py",
        "        notes[number - first] = elements // stabiliser(rows, number, chunks, turned, image)\n",
        "        notes[number - first] = elements\n",
        "A position that a symmetry leaves as it is has fewer images.",
        methods=("exploration with symmetries",),
    ),
    Fault(
        f"{EXPLORE}/orbit_kernel.py",
        "                if j == n:\n                    return 1\n",
        "                if j == n:\n                    break\n",
        "What follows an image are the images of what follows.",
        methods=("exploration with symmetries",),
    ),
    Fault(
        f"{EXPLORE}/alphabeta_kernel.py",
        "    if frame[f + 9] == 1 and frame[f + 3] == 1:\n        high = UNKNOWN\n",
        "    if False:\n        high = UNKNOWN\n",
        "A search that stopped early leaves the other bound open.",
        methods=("memory",),
    ),
    Fault(
        f"{EXPLORE}/alphabeta_kernel.py",
        "    low, high = (-UNKNOWN, -UNKNOWN) if side == 1 else (UNKNOWN, UNKNOWN)\n",
        "    low, high = (-UNKNOWN, -UNKNOWN)\n",
        "The one who wants the least begins with the greatest.",
        methods=("memory",),
    ),
    Fault(
        f"{EXPLORE}/alphabeta_kernel.py",
        "    if passed(path, 0, ply, kids, k * ROW):\n        return -10\n",
        "",
        "A search says nothing where a position comes back.",
        ("tests/solver/explore/test_mtdf.py",),
    ),
    Fault(
        f"{EXPLORE}/sequence_form.py",
        "            and min(plan.values()) >= 0\n",
        "",
        "No weight of a strategy is below 0.",
        HIDDEN,
    ),
    Fault(
        f"{EXPLORE}/sequence_form.py",
        "[info.before] += min(",
        "[info.before] += max(",
        "Player 2 brings about the least against a strategy.",
        HIDDEN,
    ),
    Fault(
        f"{EXPLORE}/linear_programming.py",
        "if (x := row.get(entering, 0)) > 0",
        "if (x := row.get(entering, 0))",
        "An unknown is held back only by rows that it uses up.",
        HIDDEN,
    ),
    Fault(
        "rulespec/code/plies.py",
        "ended = 0 if action == {self.resume} else end(s, b)",
        "ended = end(s, b)",
        "A position that play has reached is not asked for its end again.",
        methods=("exploration", "hunts"),
    ),
)

_PAIRS = (
    Fault(
        f"{PAIRS}/lockstep.py",
        "        alone = next((move for move in b.moves if move not in images), None)\n",
        "        alone = None\n",
        "What is legal in one of two games only is a difference, in either.",
        methods=("exploration",),
    ),
    Fault(
        f"{PAIRS}/lockstep.py",
        "        if mine != other:\n",
        "        if False:\n",
        "Two games that are the same have the same winners.",
        methods=("exploration",),
    ),
    Fault(
        f"{PAIRS}/belief_states.py",
        ".setdefault((observed, self.watching.seen(after)), {})",
        ".setdefault((None, self.watching.seen(after)), {})",
        "Plays look alike only if the actions observed in them do.",
        methods=("exploration",),
    ),
    Fault(
        f"{PAIRS}/belief_states.py",
        ".setdefault((observed, self.watching.seen(after)), {})",
        ".setdefault((observed, after), {})",
        "Positions that look alike belong to one belief.",
        methods=("exploration",),
    ),
    Fault(
        f"{PAIRS}/self_composition.py",
        "            gates.require((-differ(gates, observed[0][part], observed[1][part]),))\n",
        "",
        "In two plays that look alike the same parts of actions are observed.",
        methods=("pairs of plays",),
    ),
    Fault(
        f"{PAIRS}/self_composition.py",
        "            if not var.hidden:\n",
        "            if False:\n",
        "In two plays that look alike all that is open is the same.",
        methods=("pairs of plays",),
    ),
    Fault(
        f"{PAIRS}/miter.py",
        '            differences.append(Difference("legal", action.id, here))\n',
        "",
        "Two games that are the same have the same legal actions.",
        methods=("both unrolled",),
    ),
    Fault(
        f"{PAIRS}/miter.py",
        "                self.gates.imply(literal, legal)\n                ways",
        "                ways",
        "What only the other game lets somebody choose is legal there.",
        survives="Random games are compared with rewordings of requirements, which leave the choices as they are.",
        methods=("both unrolled",),
    ),
    Fault(
        f"{PAIRS}/miter.py",
        "        sound = -self.mine[FAULT]\n",
        "        sound = FALSE\n",
        "Two games that are the same lead to the same states.",
        methods=("both unrolled",),
    ),
)

_CERTIFICATES = (
    Fault(
        "solver/certificates/lrat.py",
        "                if unit:\n                    raise ProofError("
        'f"step {number}: clause {hint} leaves more than one literal open")\n',
        "",
        "A hint leaves just one literal open.",
        LRAT,
    ),
    Fault(
        "solver/certificates/lrat.py",
        '    raise ProofError(f"step {number}: its hints lead to no contradiction")\n',
        "    return\n",
        "The hints of a step lead to a contradiction.",
        LRAT,
    ),
    Fault(
        "solver/certificates/lrat.py",
        "formula[hint - 1] if hint > 0 else None",
        "formula[hint - 1]",
        "Steps by another principle, whose hints are negative, are refused.",
        LRAT,
    ),
    Fault(
        "solver/certificates/lrat.py",
        "        if not literals:\n            return added\n",
        "        if len(literals) < 2:\n            return added\n",
        "A proof ends with the empty clause.",
        LRAT,
    ),
    Fault(
        "solver/certificates/lrat.py",
        "        true = {-literal for literal in literals}\n",
        "        true = set(literals)\n",
        "The literals of a step are supposed to be false.",
        LRAT,
    ),
    Fault(
        "solver/certify/replaying_engine.py",
        "        if digest != answer.digest:\n",
        "        if False:\n",
        "A certificate is of the clauses that the rules give.",
        CERTIFY,
    ),
    Fault(
        "solver/certify/replaying_engine.py",
        "            self._replay.accept(clauses, answer.proof)\n",
        "            pass\n",
        "Each proof of a certificate is checked.",
        CERTIFY,
    ),
)

FAULTS = (*_EXPLORING, *_PAIRS, *_CERTIFICATES)
