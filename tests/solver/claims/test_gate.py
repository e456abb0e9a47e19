"""A stored verdict helps nobody before its evidence was checked here, whoever asks."""

from __future__ import annotations

import ast
import json
from dataclasses import replace
from pathlib import Path
from time import sleep

import pytest

from rulespec.budgets import Budget
from rulespec.cli import main
from rulespec.cli.loading import Loader
from rulespec.core.digest import of_claim
from rulespec.core.game import Game
from rulespec.core.verdicts import Evidence, Store, Verdict, beside, options_of
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.executors import Processes
from rulespec.language import load
from rulespec.solver.claims import prove, recheck, solve, turns
from rulespec.solver.claims.gate import CHECKED, STAMPED, Gate
from rulespec.solver.claims.worker import Questions, Reply, Request
from rulespec.solver.evidence.problem import no_answer
from rulespec.solver.methods.verdicts import blank
from rulespec.solver.mutation_testing import CLAIM, UNNOTICED, mutate
from rulespec.solver.surveys import survey

ROOT = Path(__file__).parents[3]

RULES = """\
rulespec: 1
id: climbs
title: Climbs
summary: Three counters climb.
players: 1
rules:
- id: counters
  prose: There are three counters{more}.
  formal: |
    state n: 0..5 = 0
    state m: 0..5 = 0
    state k: 0..5 = 0
{chance}
- id: more-n
  prose: The first climbs.
  action: ()
  require:
    room:
      prose: There is room.
      that: n < 5
  do: add 1 to n
- id: more-m
  prose: The second climbs.
  action: ()
  require:
    room:
      prose: There is room.
      that: m < 5
  do: add 1 to m
- id: more-k
  prose: The third climbs.
  action: ()
  require:
    room:
      prose: There is room.
      that: k < 5
  do: add 1 to k
- id: never
  prose: Nobody does it.
  action: ()
  require:
    high:
      prose: They are high.
      that: n + m + k > 3
  do: n := 0
- id: speed
  prose: It may go on in two ways.
  readings:
    one: It goes on.
    two: It goes on as well.
claims:
- id: lemma
  prose: They stay low.
  invariant: n + m + k < 3
- id: main
  prose: Six and three are reached.
  reachable: n + m = 6 and k > 2
  helped-by: [lemma]
- id: above
  prose: Six and three are not reached.
  invariant: not (n + m = 6 and k > 2)
  helped-by: [lemma]
- id: unnamed
  prose: Six and two are not reached.
  invariant: not (n + m = 6 and k > 1)
- id: wide
  prose: Six and one are reached.
  reachable: n + m = 6 and k > 0
  helped-by: [lemma]
  across: [speed]
- id: dealt
  prose: Nine are reached from this deal.
  reachable: n + m = 6 and k > 2
  from: deal
  helped-by: [lemma]
"""
TRUTH = {"main": "proved", "above": "refuted", "unnamed": "refuted", "wide": "proved", "lemma": "refuted"}
CHANCE = """\
- id: start
  prose: The first counter starts anywhere low.
  setup: roll n from 0..1
"""


def forged(ruleset: Path) -> Verdict:
    """A verdict that the lemma, which is false, was shown by induction, stored beside the ruleset."""
    game = load(str(ruleset))
    claim = game.claims["lemma"]
    evidence = (Evidence("induction", {"depth": 1}),)
    made = Verdict(
        game.id, "lemma", "invariant", "proved", evidence, "CaDiCaL", 0.1, game.digest, of_claim(claim), 1,
        options_of(claim), numbers={"depth": 1},
    )  # fmt: skip
    Store([made]).write(beside(ruleset))
    return made


@pytest.fixture
def climbs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A ruleset with a forged verdict beside it."""
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    path = tmp_path / "climbs.yaml"
    path.write_text(RULES.format(more="", chance=""))
    forged(path)
    return path


@pytest.mark.parametrize("name", ["main", "above", "unnamed", "wide"])
def test_a_forged_lemma_helps_no_claim(climbs: Path, name: str) -> None:
    """`prove` said *refuted* of what a play of 9 plies shows, because a stored verdict said so of a lemma."""
    found = prove(Loader(str(climbs)), [name], store=beside(climbs), reuse=True)
    assert {v.outcome for v in found} == {TRUTH[name]}
    assert all(v.standing == "decided" for v in found)
    assert {v.outcome for v in Store.read(beside(climbs)).of_claim("climbs", name)} == {TRUTH[name]}


def test_a_forged_lemma_is_decided_anew_with_all_others(climbs: Path) -> None:
    found = prove(Loader(str(climbs)), [*TRUTH], store=beside(climbs), reuse=True)
    assert {v.claim: v.outcome for v in found} == TRUTH
    assert {v.claim: v.outcome for v in Store.read(beside(climbs))} == TRUTH


def test_a_forged_lemma_in_a_store_in_memory_helps_nobody(climbs: Path) -> None:
    (found,) = prove(Loader(str(climbs)), ["main"], store=Store([forged(climbs)]), reuse=True)
    assert found.outcome == "proved"


def test_a_forged_lemma_helps_no_worker(climbs: Path) -> None:
    found = prove(
        Loader(str(climbs)), ["wide"], store=beside(climbs), reuse=True,
        executor=Processes(2), ruleset=str(climbs),
    )  # fmt: skip
    assert {v.outcome for v in found} == {"proved"}


def test_a_forged_lemma_helps_with_no_deal(climbs: Path) -> None:
    climbs.write_text(RULES.format(more="", chance=CHANCE))
    forged(climbs)
    found = survey(str(climbs), 2, "dealt", jobs=1, database=climbs.parent / "answers.sqlite")
    assert found.outcomes == {"proved": 2}


def test_a_forged_lemma_makes_no_part_idle(climbs: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["check", str(climbs), "--deep"])
    deep = [line for line in capsys.readouterr().out.splitlines() if "[deep." in line]
    assert deep and not any("`never`" in line for line in deep)


@pytest.mark.parametrize(
    "arguments",
    [("prove", "main"), ("solve", "--goal", "main"), ("prove", "main", "--why"), ("prove", "above")],
)
def test_commands_give_the_true_answer(
    climbs: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    command, *rest = arguments
    main([command, str(climbs), *rest, "--json"])
    out = json.loads(capsys.readouterr().out)
    verdict = out["verdict"] if "verdict" in out else out["verdicts"][0]
    assert (verdict["outcome"], verdict["rests_on"]) == (TRUTH["above" if "above" in rest else "main"], {})


def test_the_same_game_is_not_shown_from_a_forged_lemma(
    climbs: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    other = climbs.with_name("other.yaml")
    other.write_text(climbs.read_text().replace("that: k < 5", "that: k < 4"))
    assert main(["diff", str(climbs), str(other), "--prove"]) == 1
    assert "refuted" in capsys.readouterr().out


def test_a_break_is_compared_with_verdicts_that_stand(climbs: Path) -> None:
    found = mutate(str(climbs), ["more-k"], each=5)
    assert [one.by for one in found if one.noticed == CLAIM] == []
    assert any(one.noticed == UNNOTICED for one in found), "each break refutes the forged lemma"


# ---- verdicts that stand, and those that wait for a check

LADDER = """\
rulespec: 1
id: ladder
title: Ladder
summary: Two counters climb together.
players: 1
rules:
- id: counters
  prose: There are two counters.
  formal: |
    state n: 0..999 = 0
    state m: 0..999 = 0
    state late: Bool = false
- id: climb
  prose: Both climb.
  action: ()
  require:
    room:
      prose: There is room.
      that: n < 999
  do: |
    late := n > 500 and n != m
    add 1 to n
    add 1 to m
claims:
- id: level
  prose: They are level.
  invariant: n = m
- id: apart
  prose: They are level when they are high.
  invariant: not late
  helped-by: [level]
"""


@pytest.fixture
def ladder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    for name in ("EASY_SECONDS", "EASY_POSITIONS"):
        monkeypatch.setattr(f"rulespec.solver.explore.state_space.{name}", 0)
    path = tmp_path / "ladder.yaml"
    path.write_text(LADDER)
    return path


def test_a_lemma_is_checked_once_and_bears_a_stamp_from_then_on(ladder: Path) -> None:
    prove(Loader(str(ladder)), ["level"], store=beside(ladder))
    (first,) = prove(Loader(str(ladder)), ["apart"], store=beside(ladder))
    (second,) = prove(Loader(str(ladder)), ["apart"], store=beside(ladder))
    assert [v.outcome for v in (first, second)] == ["proved"] * 2
    assert [dict(v.rests_on) for v in (first, second)] == [{"level": CHECKED}, {"level": STAMPED}]


def unable(monkeypatch: pytest.MonkeyPatch) -> None:
    """No check comes to an end."""
    monkeypatch.setattr(Gate, "check", lambda self, verdicts, budget: None)


def test_an_answer_under_an_unchecked_lemma_is_conditional(
    ladder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    prove(Loader(str(ladder)), ["level"], store=beside(ladder))
    unable(monkeypatch)
    monkeypatch.setattr("rulespec.solver.claims.attempts.UNAIDED", 0.0)
    assert main(["prove", str(ladder), "apart", "--timeout", "60"]) == 3
    out = capsys.readouterr().out
    assert "apart: conditional" in out
    assert "This is proved if `level` holds, which was not checked here." in " ".join(out.split())
    kept = Store.read(beside(ladder)).of_claim("ladder", "apart")
    assert [(v.outcome, v.holds, dict(v.numbers)) for v in kept] == [("conditional", None, {})]
    assert [check.passed for check in recheck(beside(ladder), Loader(str(ladder)), ["apart"])] == [None]


def test_a_conditional_answer_is_decided_once_its_lemma_is_checked(
    ladder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prove(Loader(str(ladder)), ["level"], store=beside(ladder))
    with monkeypatch.context() as here:
        unable(here)
        here.setattr("rulespec.solver.claims.attempts.UNAIDED", 0.0)
        (found,) = prove(Loader(str(ladder)), ["apart"], store=beside(ladder), reuse=True, timeout=60)
        assert (found.outcome, dict(found.rests_on)) == ("conditional", {"level": ""})
    (found,) = prove(Loader(str(ladder)), ["apart"], store=beside(ladder), reuse=True)
    assert (found.outcome, dict(found.rests_on)) == ("proved", {"level": CHECKED})


def test_an_attempt_that_ends_where_the_one_without_lemmas_was_cut_short_is_made_again(
    ladder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ladder.write_text(LADDER.replace("999", "99").replace("500", "50"))
    prove(Loader(str(ladder)), ["level"], store=beside(ladder))
    unable(monkeypatch)
    whole, lemmas_of_attempts = Questions.ask, list[bool]()

    def briefly(self: Questions, game: Game, request: Request) -> Reply:
        lemmas_of_attempts.append(bool(request.lemmas))
        if len(lemmas_of_attempts) > 2:
            return whole(self, game, request)
        while not request.lemmas and not request.budget.exceeded_limit:
            sleep(0.01)
        return Reply(blank(game, game.claims[request.claim], no_answer(), 0.0), {})

    monkeypatch.setattr(Questions, "ask", briefly)
    monkeypatch.setattr(turns, "FIRST", 0.5)
    found = prove(Loader(str(ladder)), ["level", "apart"], store=beside(ladder), reuse=True, timeout=200)
    assert lemmas_of_attempts[:3] == [False, True, False]
    assert next(v for v in found if v.claim == "apart").outcome == "proved"


def test_a_taken_verdict_whose_lemma_was_not_checked_is_conditional(ladder: Path) -> None:
    prove(Loader(str(ladder)), ["level", "apart"], store=beside(ladder))
    store = StoreFile(beside(ladder))
    gate = Gate(Loader(str(ladder)), store)
    (apart,) = store.store.of_claim("ladder", "apart")
    gate.check([apart], Budget(60))
    check = gate.checks[apart.subject]
    gate.checks = {apart.subject: replace(check, passed=None)}  # that of the lemma came to no end
    gate.stamps._stamps.clear()
    assert gate.result(apart).outcome == "conditional"


def test_what_rests_on_a_verdict_that_fails_is_gone(ladder: Path) -> None:
    prove(Loader(str(ladder)), ["level", "apart"], store=beside(ladder))
    file = StoreFile(beside(ladder))
    with file.lock() as store:
        (level,) = store.of_claim("ladder", "level")
        explored = Evidence("exploration", {"counts": [1], "closed": True, "digest": "0" * 64})
        store.put(replace(level, evidence=(explored,), numbers={"states": 1}))
        file.write()
    found = prove(Loader(str(ladder)), ["apart"], store=beside(ladder), reuse=True)
    assert [v.outcome for v in found] == ["proved"]
    assert found[0].rests_on.get("level") == "decided"
    (level,) = Store.read(beside(ladder)).of_claim("ladder", "level")
    assert level.evidence[0].kind == "induction"


def test_claims_that_name_each_other_are_decided(ladder: Path) -> None:
    """It ended in a RecursionError. The reader of rulesets refuses such claims; a game may have them."""
    game = load(str(ladder))
    level = replace(game.claims["level"], options={"helped-by": "apart"})
    found = prove(lambda **settings: replace(game, claims={**game.claims, "level": level}), store=Store())
    assert {v.claim: v.outcome for v in found} == {"level": "proved", "apart": "proved"}


# ---- nothing else makes lemmas


def constructions(path: Path, wanted: str) -> int:
    """How often a file calls the name `wanted`."""
    text = path.read_text()
    tree = ast.parse(text if f"{wanted}(" in text else "")
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return sum(isinstance(func, ast.Name) and func.id == wanted for func in calls)


@pytest.mark.parametrize(
    ("name", "files"),
    [
        ("Lemma", {"rulespec/core/verdicts/lemmas.py", "solver/claims/gate.py"}),
        (
            "assume",
            {"solver/claims/attempts.py", "solver/claims/recheck.py", "solver/evidence/engine_rules.py"},
        ),
    ],
)
def test_lemmas_are_made_where_they_are_checked_or_named(name: str, files: set[str]) -> None:
    sources = [path for top in ("rulespec", "solver") for path in (ROOT / top).rglob("*.py")]
    assert {str(path.relative_to(ROOT)) for path in sources if constructions(path, name)} == files


def test_solve_takes_lemmas_of_a_gate(climbs: Path) -> None:
    game = load(str(climbs))
    gate = Gate.beside(climbs, Loader(str(climbs)))
    lemmas = gate.lemmas(game, game.claims["main"], Budget(20))
    assert lemmas == {}
    assert solve(game, "main", chance=(), lemmas=lemmas)[0].outcome == "proved"
