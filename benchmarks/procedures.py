"""`python -m benchmarks procedures`: the claims that only one special procedure of the solver decides.

A procedure is special if it serves a few kinds of claims. For each, the claims whose stored evidence it may
have found, and those of `procedures_claims/` that nothing was tuned to, are decided with it and without it,
within the same time and with the same lemmas. Each result is appended to a state file, so that an interrupted
run resumes.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget
from rulespec.core.verdicts import STRENGTH, Evidence, Store, beside
from rulespec.core.verdicts.lemmas import able_to_help, assume, current_verdicts
from rulespec.language import load, locate, shipped_rulesets
from rulespec.solver.evidence.bmc import Reachability
from rulespec.solver.evidence.problem import Case, Proof
from rulespec.solver.methods import best_play, deals, method, play_search, scheduler
from rulespec.solver.methods.table import METHODS

from .calls import Journal, call
from .report import Table, machine

STATE = Path("build") / "procedures.jsonl"
OWN = Path(__file__).parent / "procedures_claims"
TITLE = "Special procedures of the solver"
LEAST, MOST = 20.0, 200.0
"""Seconds for each claim: four times what its verdict took, within these bounds."""
GRACE = 30.0
"""Seconds after which a process that does not end in time is killed."""


@dataclass(frozen=True)
class Trace:
    """One piece of the evidence for a claim: the kind of the claim, the engine, and the evidence."""

    claim: str
    engine: str
    kind: str
    data: Mapping[str, Any]


@dataclass(frozen=True)
class Procedure:
    """A special procedure: the files of `solver/` that only it needs, and how to do without it.

    `leaves` is true of evidence that it may have found; `leave_out` takes it away from this process.
    """

    name: str
    files: tuple[str, ...]
    leaves: Callable[[Trace], bool]
    leave_out: Callable[[], None]

    @property
    def lines(self) -> int:
        """The number of lines of its files."""
        root = Path(scheduler.__file__).parent.parent
        return sum(len((root / file).read_text("utf-8").splitlines()) for file in self.files)


@dataclass(frozen=True)
class Trial:
    """One claim decided once: the outcome, or `late`, and the seconds that it took.

    `left_out` is the procedure that it was decided without, if any; `by` are those that left evidence.
    `numbers` are those of the answer, such as bounds.
    """

    ruleset: str
    claim: str
    left_out: str
    outcome: str
    seconds: float
    by: Sequence[str] = ()
    numbers: Mapping[str, int] = field(default_factory=dict)

    @property
    def key(self) -> tuple[str, str, str]:
        """The trial without its result."""
        return self.ruleset, self.claim, self.left_out

    @property
    def settles(self) -> bool:
        """True if it settled the claim."""
        return STRENGTH.get(self.outcome, 0) == 2


def _never(*names: str) -> Callable[[], None]:
    """Let methods apply to no claim."""

    def leave_out() -> None:
        for name in names:
            object.__setattr__(METHODS[name], "applies", lambda stated: False)

    return leave_out


def _without_sums() -> None:
    _never("sums")()
    method.first_rank = lambda case, scale: (0, [])  # type: ignore[attr-defined]


def _kind(kind: str, by: str | None = None) -> Callable[[Trace], bool]:
    return lambda one: one.kind == kind and (by is None or one.data.get("by") == by)


def _claims_of(kind: str) -> Callable[[Trace], bool]:
    return lambda one: one.claim == kind and one.kind != "exploration"


def _patch(owner: object, name: str, instead: object) -> Callable[[], None]:
    assert hasattr(owner, name), name
    return lambda: setattr(owner, name, instead)


PROCEDURES = (
    Procedure(
        "flows",
        ("analyses/flows.py", "analyses/obligations.py", "analyses/terms.py", "analyses/weights.py",
         "evidence/conservation.py"),
        _kind("induction", "flows"),
        _never("flows"),
    ),
    Procedure(
        "linear combinations",
        ("evidence/linear_combination.py", "methods/farkas_multipliers.py", "formulas/linear/linear_cases.py",
         "evidence/inequalities.py"),
        _kind("combination"),
        _without_sums,
    ),
    Procedure("parts", ("evidence/split_induction.py",), _kind("induction", "parts"), _never("parts")),
    Procedure(
        "traps",
        ("evidence/one_ply_arguments.py",),
        _kind("refutation", "trap"),
        _patch(Reachability, "prove_goal_free_region", lambda self: None),
    ),
    Procedure(
        "exclusion",
        ("reductions/generalisation.py",),
        _kind("refutation", "excluded"),
        _patch(Reachability, "exclude_by_helpers", lambda self, goal, seconds=0.0: None),
    ),
    Procedure(
        "sequence form",
        ("explore/sequence_form.py", "evidence/equilibrium.py"),
        _kind("strategies"),
        _patch(best_play, "equilibria", lambda case, limits: None),
    ),
    Procedure(
        "deals, one by one and in batches",
        ("methods/deals.py", "methods/all_deals.py", "claims/deal_batches.py", "claims/asking_deals.py",
         "analyses/deal_numbers.py", "evidence/deal_counts.py"),
        _kind("deals"),
        _patch(deals, "decide", scheduler.strongest),
    ),
    Procedure(
        "search with memory",
        ("explore/mtdf.py", "explore/best_play.py", "explore/strategies.py", "explore/strategy_states.py",
         "evidence/game_value.py"),
        _kind("search"),
        _never("memory"),
    ),
    Procedure(
        "hill climbing over deals",
        ("search/hill_climbing.py",),
        lambda one: one.claim == "best" and one.kind == "play" and one.engine == "search",
        _patch(play_search.Pursuit, "_turn_climb", lambda self, stop: None),
    ),
    Procedure(
        "plays that break an invariant",
        (),
        lambda one: one.claim == "invariant" and one.kind == "play" and one.engine == "search",
        _never("breaking plays"),
    ),
    Procedure(
        "differences",
        (),
        lambda one: one.claim == "invariant" and one.kind == "induction" and one.data == {"depth": 1},
        _never("differences"),
    ),
    Procedure("images", (), _claims_of("symmetry"), _never("images")),
    Procedure("two games from any state", (), _claims_of("equivalent"), _never("both from any state")),
    Procedure(
        "states that look alike",
        (),
        lambda one: one.kind == "refutation" and one.claim == "knowable",
        _never("looking alike now"),
    ),
)  # fmt: skip
BY_NAME: Mapping[str, Procedure] = {one.name: one for one in PROCEDURES}


@dataclass(frozen=True)
class Question:
    """A claim of a ruleset under a setting, with the seconds that it has."""

    ruleset: str
    claim: str
    setting: Mapping[str, Any]
    seconds: float


def _leave(procedure: Procedure, kind: str, engine: str, evidence: Iterable[Evidence | Proof]) -> bool:
    return any(procedure.leaves(Trace(kind, engine, one.kind, one.data)) for one in evidence)


def shipped_questions(one: Procedure) -> Iterator[Question]:
    """The shipped claims that a procedure has left evidence for, of the variants of one game each once."""
    seen = set[tuple[str, str]]()
    for name in shipped_rulesets():
        path = beside(locate(name))
        verdicts = [v for v in Store.read(path) if v.ruleset == name] if path.is_file() else []
        usual = load(name).players if verdicts else 0
        for v in sorted(verdicts, key=lambda v: (len(v.readings) + len(v.parameters), v.players != usual)):
            key = name.partition("-")[0], v.claim
            if key not in seen and _leave(one, v.kind, v.engine, v.evidence):
                seen.add(key)
                setting = {"parameters": dict(v.parameters), "readings": dict(v.readings)}
                seconds = min(max(LEAST, 4 * v.seconds), MOST)
                yield Question(name, v.claim, {"players": v.players, **setting}, seconds)


def own_questions() -> Iterator[Question]:
    """The claims of `procedures_claims/`."""
    for file in sorted(OWN.glob("*.yaml")):
        for claim in load(str(file)).claims.values():
            if claim.span is not None and Path(claim.span.source.name).name == file.name:
                yield Question(str(file), claim.id, {}, LEAST)


def _child(ruleset: str, claim: str, setting: str, seconds: float, without: str) -> None:
    """Decide a claim by all means but one with the stored lemmas, and print what came of it."""
    if without:
        BY_NAME[without].leave_out()
    game, path = load(ruleset, **json.loads(setting)), beside(locate(ruleset))
    held = current_verdicts(Store.read(path), game) if path.is_file() else {}
    names = [name for name, verdict in held.items() if verdict.kind == "invariant"]
    case = Case(game, game.claims[claim], Budget(seconds), lemmas=assume(able_to_help(claim, held, names)))
    answer = scheduler.decide(case)
    by = [one.name for one in PROCEDURES if _leave(one, case.claim.kind, answer.engine, answer.proofs)]
    print(json.dumps([answer.outcome, round(case.budget.seconds_spent, 2), by, dict(answer.numbers)]))


def tried(one: Question, left_out: str) -> Trial:
    """Decide a claim in a process of its own, without a procedure if one is named."""
    command = [sys.executable, "-m", "benchmarks.procedures", "--decide", one.ruleset, one.claim]
    command += [json.dumps(one.setting), f"{one.seconds:g}", "--without", left_out]
    done = call(command, one.seconds + GRACE)
    try:
        outcome, took, by, numbers = json.loads(done.out.splitlines()[-1])
    except (ValueError, IndexError):
        outcome = "late" if done.hung else f"failed: {done.end[-120:]}"
        took, by, numbers = round(done.clock, 2), [], {}
    return Trial(Path(one.ruleset).stem, one.claim, left_out, outcome, took, by, numbers)


class Trials:
    """Trials that are kept in a journal; what an earlier run has tried is taken from it."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._done = {trial.key: trial for trial in (Trial(**row) for row in journal)}

    def trial(self, one: Question, left_out: str = "") -> Trial:
        """The trial of a claim, made now if there is none."""
        key = Path(one.ruleset).stem, one.claim, left_out
        if key not in self._done:
            done = self._done[key] = tried(one, left_out)
            self._journal.append(asdict(done))
            words = f"without {left_out}" if left_out else "with all"
            print(f"{done.ruleset} {done.claim} {words}: {done.outcome}, {done.seconds} s", file=sys.stderr)
        return self._done[key]

    def pairs(self, procedure: Procedure) -> Iterator[tuple[Trial, Trial]]:
        """Each claim of a procedure decided with all means, and without it."""
        for one in shipped_questions(procedure):
            yield self.trial(one), self.trial(one, procedure.name)
        for one in own_questions():
            if procedure.name in self.trial(one).by:
                yield self.trial(one), self.trial(one, procedure.name)


def _is_wider(without: Trial, there: Trial) -> bool:
    """True if neither trial settles a best value, and a bound is wider or missing without a procedure."""
    if there.settles or without.settles:
        return False
    low, high = there.numbers.get("at_least"), there.numbers.get("at_most")
    lower, higher = without.numbers.get("at_least"), without.numbers.get("at_most")
    less = low is not None and (lower is None or lower < low)
    return less or (high is not None and (higher is None or higher > high))


def table(trials: Trials, only: Sequence[str]) -> Table:
    """For each procedure the claims that only it decides, and its lines."""
    words = (
        "The claims for which a procedure may have found the stored evidence, and those of "
        "`benchmarks/procedures_claims/` for which it does, decided by all means and without it within the "
        f"same time (four times what the stored verdict took, from {LEAST:g} to {MOST:g} s) and with the "
        "same lemmas. *Only it*: settled with it, not without. *Wider*: with a bound of a best value that is "
        "wider or missing without it. *Twice as long*: settled without it in at least twice the time. Lines "
        "are those of files that only it needs; 0 where it shares its files."
    )
    columns = ["procedure", "lines", "claims", "only it", "wider", "twice as long", "which only it decides"]
    result = Table(TITLE, words, columns)
    for one in PROCEDURES:
        if only and one.name not in only:
            continue
        pairs = [*trials.pairs(one)]
        alone = [there for there, without in pairs if there.settles and not without.settles]
        slower = [
            there
            for there, without in pairs
            if there.settles and without.settles and without.seconds > max(1.0, 2 * there.seconds)
        ]
        wider = [there for there, without in pairs if _is_wider(without, there)]
        named = ", ".join(f"{trial.ruleset} {trial.claim}" for trial in alone)
        counts = one.lines, len(pairs), len(alone), len(wider), len(slower)
        result.rows.append([one.name, *map(str, counts), named])
    return result


def measure(only: Sequence[str] = (), state: Path = STATE) -> Iterator[Table]:
    """The table of all procedures, or of those named."""
    yield table(Trials(Journal(state)), only)


def main(argv: Sequence[str] | None = None) -> int:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks procedures", description=__doc__)
    parser.add_argument("only", nargs="*", metavar="PROCEDURE", help="which (default: all)")
    parser.add_argument(
        "--decide", nargs=4, metavar=("RULESET", "CLAIM", "SETTING", "SECONDS"), help=argparse.SUPPRESS
    )
    parser.add_argument("--without", default="", help=argparse.SUPPRESS)
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    if arguments.decide:
        ruleset, claim, setting, seconds = arguments.decide
        _child(ruleset, claim, setting, float(seconds), arguments.without)
        return 0
    head = machine()
    for found in measure(arguments.only):
        print(f"{head}\n\n{found.text()}")
        if arguments.write:
            from .__main__ import write_tables

            write_tables(arguments.write, {found.title: found.markdown(head)})
    return 0


if __name__ == "__main__":
    sys.exit(main())
