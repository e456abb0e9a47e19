"""Commands without a limit of their own: one step of a play ends in time, whatever the rules."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli.conftest import Run

from rulespec.cli import loading
from rulespec.core.meter import PerQuestion
from rulespec.play.face import load
from rulespec.play.perft import ByRules, perft

LONG = "for a1 in 1..10000, b1 in 1..10000, c1 in 1..900: n := (a1 * b1 + c1) mod 3"
COUNT = "count(a in 1..10000, b in 1..10000 where (a * b + n) mod 7 = 3) > 1"


def game(do: str = "add 1 to n", action: str = "x in 1..3", more: str = "") -> str:
    """A game of three plies that passes `check`."""
    done = "".join(f"    {line}\n" for line in do.split("\n"))
    return (
        "rulespec: 1\nid: h\ntitle: H\nplayers: 1\nrules:\n- id: base\n  prose: Base.\n  formal: |\n"
        f"    state n: 0..9 = 0\n{more}- id: go\n  prose: Go.\n  action: {action}\n  do: |\n{done}"
        "- id: fin\n  prose: End.\n  end: n >= 3\n"
    )


GAMES = {
    "one ply": game(f"{LONG}\nadd 1 to n"),
    "a later ply": game(f"if n = 2:\n  {LONG}\nadd 1 to n"),
    "the setup": game(more=f"- id: su\n  prose: S.\n  setup: |\n    {LONG}\n"),
    "actions": game(action="x in 1..200000, y in 1..200000"),
    "a law": game(more=f"- id: law\n  prose: L.\n  binds: [go]\n  that: {COUNT}\n"),
    "an end": game(more=f"- id: never\n  prose: E.\n  end: not ({COUNT})\n"),
}


@pytest.fixture
def ruleset(tmp_path: Path) -> Path:
    return tmp_path / "game.yaml"


@pytest.mark.parametrize("what", GAMES)
def test_a_question_to_the_interpreter_takes_so_many_steps_at_most(
    what: str, ruleset: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A ruleset that passed `check` hung `play`, or took all memory."""
    monkeypatch.setattr(loading, "MOST_WORK", 300_000)
    ruleset.write_text(GAMES[what])
    status, _, err = run("play", str(ruleset), "--player", "random", "--seed", "1")
    assert status == 2
    assert "takes more than 300,000 steps" in err
    record = ruleset.with_name("play.json")
    assert run("play", str(ruleset), "--player", "random", "--seed", "1", "--record", str(record))[0] == 2
    if what in ("the setup", "a law", "an end"):
        assert run("why", str(ruleset), "go(1)", "--seed", "1")[0] == 2


def test_a_record_of_a_long_ply_is_refused(ruleset: Path, run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    record = ruleset.with_name("play.json")
    ruleset.write_text(game())
    assert run("play", str(ruleset), "--player", "random", "--seed", "1", "--record", str(record))[0] == 0
    ruleset.write_text(GAMES["a later ply"])
    held = json.loads(record.read_text())
    record.write_text(json.dumps({**held, "digest": load(str(ruleset)).core.digest}))
    monkeypatch.setattr(loading, "MOST_WORK", 300_000)
    status, _, err = run("replay", str(record))
    assert (status, "one ply, by `go`, takes more than 300,000 steps" in err) == (2, True)


def test_play_goes_on_for_as_long_as_it_is_asked_to() -> None:
    """Steps are counted for each question anew."""
    played = load("tic-tac-toe")
    played.machine.meter = PerQuestion(3_000)
    assert perft(played, 4, by=ByRules)[4] == 3_024
    total = PerQuestion(3_000 * 20)
    total.ask = lambda question: None  # type: ignore[method-assign]
    played.machine.meter = total
    with pytest.raises(Exception, match="takes more than 60,000 steps"):
        perft(played, 4, by=ByRules)


def with_limit(seconds: float, *argv: str) -> subprocess.CompletedProcess[str]:
    """A command line under a watchdog that waits no longer than so many seconds."""
    text = (
        "import sys; from rulespec.budgets import watchdog; from rulespec.simulation import batches; "
        f"watchdog.LIMIT = {seconds}; batches.PLY = 0.0; "
        "from rulespec.cli import main; sys.exit(main())"
    )
    return subprocess.run([sys.executable, "-c", text, *argv], capture_output=True, text=True, check=False)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(
    ("what", "command"),
    [
        ("one ply", "perft {} --depth 2"),
        ("an end", "perft {} --depth 2"),
        ("a later ply", "simulate {} --games 3 --seed 1 --no-store --jobs 1"),
        ("a later ply", "simulate {} --games 3 --seed 1 --no-store --jobs 2"),
    ],
)
def test_generated_code_ends_in_time(what: str, command: str, ruleset: Path) -> None:
    ruleset.write_text(GAMES[what])
    done = with_limit(1.0, *command.format(ruleset).split())
    assert done.returncode == 2, done.stderr
    assert "takes more than 1 s" in done.stderr or "the limit of 1 s for one step" in done.stderr


def test_a_watchdog_lets_steps_be_that_end_and_waits_for_nobody() -> None:
    """It counts time of the processor from step to step, so no person need hurry."""
    text = """if True:
        import time
        from rulespec.budgets import watchdog
        watchdog.LIMIT, watchdog.OFTEN = 0.2, 0.1
        start = time.process_time()
        with watchdog.watch():
            while time.process_time() < start + 0.6:
                watchdog.step()
            time.sleep(0.5)
        while time.process_time() < start + 1.1:
            pass
    """
    assert subprocess.run([sys.executable, "-c", text], check=False).returncode == 0


def test_perft_keeps_to_its_limits(run: Run) -> None:
    for limits in (("--timeout", "0.01"), ("--memory", "50")):
        status, out, err = run("perft", "othello", "--depth", "30", *limits)
        assert (status, out) == (3, "")
        assert "not all depths were counted within the limit of" in err
