"""The command line as its user meets it: results, exit statuses, and no traceback for bad input."""

from __future__ import annotations

import io
import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from texts import HEAPS

from rulespec.cli.output import advise_compiler
from rulespec.core.diagnostics import Diagnostic
from rulespec.core.verdicts import Store, beside
from rulespec.language.documents.ruleset_files import home, shipped_rulesets

Run = Callable[..., tuple[int, str, str]]
PUZZLES = str(home() / "classics/eight-puzzle/eight-puzzle-puzzles.json")
GAME = "sacred-alignment-small"


def test_list_puts_variants_below_what_they_extend(run: Run) -> None:
    status, out, _ = run("list")
    lines = out.splitlines()
    assert status == 0
    base = next(i for i, line in enumerate(lines) if line.startswith("sacred-alignment "))
    assert lines[base + 1].startswith("  sacred-alignment-small ")


def test_check_runs_the_examples(run: Run) -> None:
    status, out, _ = run("check", "tic-tac-toe", "kuhn-poker", "--json")
    found = json.loads(out)
    assert (status, found["diagnostics"]) == (0, [])
    assert found["examples"] > 0


def test_check_names_a_failing_example(run: Run, tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```rulespec\nruleset: {GAME}\nseed: 1\nlegal: place 0-0 2.2.2/2.2.3\n```\n")
    status, out, _ = run("check", str(page))
    assert status == 1
    assert "page.md:" in out
    page.write_text("```rulespec\nruleset: none\n```\n")
    assert run("check", str(page))[0] == 2, "nobody knows whether it holds"


def test_check_names_the_faults_of_everything_in_one_run(run: Run, tmp_path: Path, own_game: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text("```rulspec\nruleset: nim\n```\n")
    bad = tmp_path / "bad.yaml"
    bad.write_text(own_game.read_text().replace("remove n from left", "remov n from left"))
    status, out, _ = run("check", str(bad), "missing.md", str(page), "missing.yaml", str(own_game))
    assert status == 2
    for said in ("bad.yaml:", "`missing.md`", "page.md:1:1: error[fence.name]", "`missing.yaml`"):
        assert said in out
    assert out.splitlines()[-1].startswith("2 rulesets, ")
    assert run("check", "missing.yaml")[1].splitlines()[-1] == "1 fault"


def test_nothing_to_check_is_not_success(run: Run, tmp_path: Path, own_game: Path) -> None:
    (tmp_path / "empty.md").write_text("# Nothing\n")
    assert run("check", str(tmp_path / "empty.md"))[0] == 3
    Store().write(beside(own_game))
    assert run("recheck", str(own_game))[0] == 3


def test_perft_prints_counts_by_depth(run: Run) -> None:
    status, out, _ = run("perft", GAME, "--depth", "1", "--seed", "0", "--json")
    assert status == 0
    assert json.loads(out) == {"counts": {"1": 240}}


def test_a_seed_is_told_only_where_something_depends_on_it(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(""))
    record = str(tmp_path / "play.json")
    assert "seed" in run("play", GAME, "--player", "random", "--plies", "2", "--record", record)[2]
    assert run("play", "--resume", record)[2] == "", "all its chance lies in the deal, which the record has"
    assert run("play", "tic-tac-toe")[2] == ""


def test_options_may_stand_anywhere(run: Run, own_game: Path) -> None:
    _, first, _ = run("prove", str(own_game), "ends", "--no-store", "--timeout", "5")
    status, second, _ = run("prove", "--timeout", "5", str(own_game), "--no-store", "ends")
    assert status == 0
    assert first.partition("[")[0] == second.partition("[")[0]


def test_why_names_the_clause_in_its_own_words(run: Run) -> None:
    status, out, _ = run("why", GAME, "place 0-0 2.2.2/2.2.3", "--seed", "1")
    assert status == 1
    prose = "Above the foundation each half must rest on a half that lies there."
    assert f"illegal by `supported`. {prose}" in out


def played(run: Run, folder: Path) -> Path:
    """A random play on file."""
    record = folder / "play.json"
    run("play", GAME, "--player", "random", "--seed", "4", "--plies", "12", "--record", str(record))
    return record


def test_a_random_play_is_recorded_and_replayed(run: Run, tmp_path: Path) -> None:
    record = played(run, tmp_path)
    plies = len(json.loads(record.read_text())["plays"])
    status, out, _ = run("replay", str(record), "--json")
    assert (status, json.loads(out)["plies"]) == (0, plies)
    assert run("replay", str(record), "--steps")[1].count("Hand:") == plies + 1


def test_a_record_with_an_illegal_action_fails_at_its_line(run: Run, tmp_path: Path) -> None:
    record = played(run, tmp_path)
    data = json.loads(record.read_text())
    data["plays"][1] = data["plays"][0]
    record.write_text(json.dumps(data, indent=1))
    line = next(i for i, text in enumerate(record.read_text().splitlines(), 1) if data["plays"][0] in text)
    status, out, _ = run("replay", str(record))
    assert status == 1
    assert f"play.json:{line + 1}:" in out


def test_a_record_of_an_unknown_ruleset_is_wrong_input(run: Run, tmp_path: Path) -> None:
    record = played(run, tmp_path)
    record.write_text(record.read_text().replace(GAME, "sacred-alignment-smal"))
    status, _, err = run("replay", str(record))
    assert status == 2
    assert f"did you mean {GAME}?" in err


def test_solve_settles_the_deal_of_a_record(run: Run, tmp_path: Path) -> None:
    best = tmp_path / "best.json"
    status, out, _ = run("solve", GAME, "--seed", "1", "--timeout", "30", "--record", str(best))
    assert status == 0
    assert "The least is 0. Shown for every game from the given deal." in " ".join(out.split())
    assert run("replay", str(best))[0] == 0
    assert "other rules or settings" in run("solve", "sacred-alignment", "--deal", str(best))[2]


def test_simulate_tells_what_it_found_and_goes_on(run: Run, tmp_path: Path) -> None:
    file, picture = tmp_path / "games.sqlite", tmp_path / "games.svg"
    asked = ("simulate", "tic-tac-toe", "--seed", "1", "--database", str(file))
    assert run(*asked, "--games", "20")[0] == 0
    status, out, _ = run(*asked, "--games", "50", "--plot", str(picture))
    assert status == 0
    for words in (
        "50 games, played at random, seed 1",
        "95% interval",
        "won by nobody",
        "ended by in-a-line",
    ):
        assert words in out
    assert picture.read_text().startswith("<svg")
    fresh = run("simulate", "tic-tac-toe", "--seed", "1", "--no-store", "--games", "50", "--jobs", "1")
    assert fresh[1] == out
    assert "its seed is" in run("simulate", "tic-tac-toe", "--seed", "2", "--database", str(file))[2]


@pytest.mark.parametrize(
    ("game", "sentences"),
    [
        ("tic-tac-toe", "complete a line of marks wins at once.\nCross wins.\n"),
        ("smith", "Scores: Player 1 has 14, Player 2 has 10.\nPlayer 1 wins.\n"),
    ],
)
def test_the_end_of_a_play_is_told_as_on_the_page(run: Run, game: str, sentences: str) -> None:
    """It was `won by 1`, whatever the players' names."""
    assert run("play", game, "--player", "random", "--seed", "1")[1].endswith(sentences)


@pytest.mark.parametrize("command", ["solve", "survey"])
def test_a_position_that_was_set_up_is_no_deal(command: str, run: Run, tmp_path: Path) -> None:
    """The answer was that of the ordinary start."""
    file, record = tmp_path / "heaps.yaml", tmp_path / "play.json"
    file.write_text(HEAPS)
    run("play", str(file), "--player", "random", "--seed", "3", "--record", str(record))
    record.write_text(json.dumps({**json.loads(record.read_text()), "given": {"left": 3}}))
    status, out, err = run(command, str(file), "--deal", str(record))
    assert (status, out) == (2, "")
    assert "play.json begins in a position that was set up" in err


def test_a_claim_about_one_deal_is_not_asked_of_all(run: Run, tmp_path: Path) -> None:
    """Named, it was asked of all deals together: the fewest in any of them was told as the answer."""
    file = tmp_path / "heaps.yaml"
    file.write_text(HEAPS)
    for names in (("fewest",), ()):
        status, out, _ = run("prove", str(file), *names)
        assert "fewest: not decided, because it is about one deal at a time: rulespec solve" in out
        assert "proved" not in out and status == 3
    assert not [*Store.read(beside(file))]


def test_a_survey_of_recorded_deals_is_told_and_rechecked(run: Run, tmp_path: Path) -> None:
    file, answers, record = tmp_path / "heaps.yaml", tmp_path / "a.sqlite", tmp_path / "play.json"
    file.write_text(HEAPS)
    run("play", str(file), "--player", "random", "--seed", "3", "--record", str(record))
    deals = ("--deal", str(record), "--jobs", "1", "--database", str(answers))
    status, out, _ = run("survey", str(file), *deals)
    assert status == 0
    for words in ("Heaps, three: Three times", "1 deal", "95% interval", str(answers)):
        assert words in out
    status, out, _ = run("recheck", str(answers), "--jobs", "1")
    assert (status, out.strip()) == (0, "1 passed")
    assert "other rules or settings" in run("survey", GAME, *deals)[2]


def test_what_shows_a_claim_is_a_record_that_replays(run: Run, own_game: Path, tmp_path: Path) -> None:
    own_game.write_text(own_game.read_text() + "- id: fast\n  prose: It can be over.\n  reachable: bare\n")
    witness = tmp_path / "witness.json"
    for kept in ((), ("--no-store",)):
        status, _, _ = run("prove", str(own_game), "fast", "--record", str(witness), *kept)
        assert status == 0
        status, out, _ = run("replay", str(witness))
        assert status == 0
        assert "Over after 3 actions: " in out
        witness.unlink()
    assert run("prove", str(own_game), "ends", "--record", str(witness))[0] == 2


@pytest.mark.parametrize(
    ("argv", "words"),
    [
        ((), "usage: rulespec"),
        (("check", "sacred-alignmnt"), "did you mean sacred-alignment?"),
        (("show", GAME, "--set", "tiers=9"), "`tiers` is one of 1..4"),
        (("show", GAME, "--set", "tiers"), "is not of the form NAME=VALUE"),
        (("show", GAME, "--set", "tiers=2", "--set", "tiers=3"), "gives `tiers` twice"),
        (("show", GAME, "--reading", "alignment=sideways"), "no reading `sideways`"),
        (("show", GAME, "--reading", "alinment=half"), "did you mean alignment?"),
        (("show", GAME, "--players", "3"), "3"),
        (("show", GAME, "--players", "x"), "`x` is not a whole number from 1 to 16"),
        (("show", GAME, "--rule", "stuckhand"), "did you mean stuck-hand?"),
        (("show", "."), "there is no `ruleset.yaml` in the folder `.`"),
        (("show", "/dev/null"), "`/dev/null` is not a regular file"),
        (("perft", GAME, "--depth", "0"), "from 1 to 64"),
        (("replay", "no-such-file.json"), "no-such-file.json"),
        (("replay", "."), "Is a directory"),
        (("why", GAME, "jump high", "--seed", "1"), "no such action"),
        (("why", GAME, "draw", "--ply", "1"), "give --record too"),
        (("play",), "which game?"),
        (("play", GAME, "--json"), "add --player random"),
        (("play", GAME, "--plies", "3"), "add --player random"),
        (("play", GAME, "--player", "2=greedy", "--seed", "1"), "there is no player `2`"),
        (("play", GAME, "--player", "serch"), "did you mean search?"),
        (("play", GAME, "--player", "search:0"), "`0` is not a number of seconds above 0"),
        (("play", GAME, "--player", "1=greedy", "--player", "1=person"), "is a second choice for 1"),
        (("simulate", GAME, "--policy", "serch"), "did you mean search?"),
        (("simulate", GAME, "--games", "0"), "`0` is not a whole number from 1"),
        (("simulate", GAME, "--no-store", "--database", "x.sqlite"), "use only one"),
        (("survey", "nim"), "no claim that is asked `from: deal`"),
        (("survey", GAME, "--on", "cluster:8786"), "--on is dask://HOST:PORT or dask+tls://HOST:PORT"),
        (("simulate", GAME, "--on", "dask://cluster:8786", "--jobs", "2"), "use only one"),
        (("survey", GAME, "--deal", "a.json", "--deals", "3"), "leave out --deals and --from"),
        (("recheck", "none.sqlite"), "there is no file `none.sqlite`"),
        (("prove", GAME, "nonsense"), "no claim `nonsense`"),
        (("prove", GAME, "risin"), "did you mean rising?"),
        (("prove", GAME, "--timeout", "-1"), "`-1` is not a number of seconds above 0"),
        (("solve", "nim"), "no claim that is asked `from: deal`"),
        (("replay", PUZZLES), f"one of them is `{PUZZLES}#1`"),
        (("replay", f"{PUZZLES}#99"), "it has 30 puzzles, counted from 1, and no 99"),
        (("recheck", "no-such-game"), "no ruleset is called"),
        (("schema", "pla"), "did you mean play?"),
        (("frobnicate",), "there is no command `frobnicate`"),
        (("chekc",), "did you mean check?"),
        (("show", GAME, "--formul"), "did you mean --formal?"),
        (("show", GAME, "nim"), "`nim` is not understood"),
        (("show", GAME, "--rule"), "expected one argument"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, tuple) else None,
)
def test_wrong_input_is_told_and_exits_2(run: Run, argv: tuple[str, ...], words: str) -> None:
    status, out, err = run(*argv)
    assert status == 2
    assert words in out + err
    assert "Traceback" not in out + err


def test_an_action_with_its_words_in_another_order_is_proposed(run: Run) -> None:
    status, out, _ = run("why", "smith", "pair JD 2D", "--players", "2", "--seed", "21")
    assert status == 1
    assert out.splitlines()[-1] == "  did you mean `pair 2D JD`?"


@pytest.mark.parametrize("text", ["", "[]", "{", '{"record": 1}', "\udcff", "null", "1e999999"], ids=repr)
def test_damaged_records_are_told_and_exit_2(run: Run, tmp_path: Path, text: str) -> None:
    file = tmp_path / "record.json"
    file.write_bytes(text.encode("utf-8", "surrogateescape"))
    for argv in (("replay", str(file)), ("play", "--resume", str(file)), ("why", "x", "--record", str(file))):
        status, _, err = run(*argv)
        assert status == 2, argv
        assert "record.json" in err


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys; from rulespec.cli import main; main(['--help']); "
        "print(sorted({'lark', 'yaml', 'z3', 'mkdocs'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.rstrip().endswith("[]")


def test_a_missing_extra_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    ours = [name for name in sys.modules if f"{name}.".startswith(("rulespec.solver.", "z3.", "pysat."))]
    for name in ours:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "z3", None)
    monkeypatch.setitem(sys.modules, "pysat", None)
    monkeypatch.setitem(sys.modules, "pysat.solvers", None)
    status, _, err = run("prove", GAME, "one-place", "--again", "--no-store", "--timeout", "60")
    assert status == 2
    assert "rulespec[prove]" in err


def test_show_says_what_parameters_may_be_and_what_holds_between_them(run: Run) -> None:
    assert "left-out = B (of Y, G, R, B)" in run("show", "stout")[1]
    assert "  The armies must not overlap.\n" in run("show", "breakthrough")[1]


@pytest.mark.parametrize(
    ("seconds", "terminal", "there", "told"),
    [
        (9.0, True, False, True),
        (1.0, True, False, False),
        (9.0, False, False, False),
        (9.0, True, True, False),
    ],
)
def test_long_work_by_the_interpreter_is_told_of(
    seconds: float,
    terminal: bool,
    there: bool,
    told: bool,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: terminal)
    monkeypatch.setattr("rulespec.code.can_run", lambda: there)
    advise_compiler(seconds)
    assert ("pip install wasmtime" in " ".join(capsys.readouterr().err.split())) is told


def test_what_passed_is_checked_again_only_when_something_changed(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    rulesets = tmp_path / "rulesets"
    shutil.copytree(home() / "classics" / "nim", rulesets / "nim", ignore=shutil.ignore_patterns("variants"))
    for module in ("rulespec.language.documents.ruleset_files", "rulespec.cli.checking"):
        monkeypatch.setattr(f"{module}.home", lambda: rulesets)
    shipped_rulesets.cache_clear()
    try:
        first, second = run("check"), run("check")
        assert first[1].splitlines()[-1] + ", 1 unchanged since they passed" == second[1].splitlines()[-1]
        assert run("check", "nim", "--again")[1] == first[1]
        file = rulesets / "nim" / "ruleset.yaml"
        file.write_text(file.read_text().replace("play: [take 1 from 3,", "play: [take 9 from 3,", 1))
        status, out, _ = run("check")
        assert status == 1 and "take 9 from 3" in out and "unchanged" not in out
        assert run("check")[0] == 1
    finally:
        shipped_rulesets.cache_clear()


def test_a_request_to_end_is_an_interrupt(run: Run, own_game: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from rulespec.cli import deep

    def asked_to_end(*_: object) -> Iterator[Diagnostic]:
        yield Diagnostic("deep.end", "the end `bare` never comes", severity="warning")
        os.kill(os.getpid(), signal.SIGTERM)

    monkeypatch.setattr(deep, "warnings", asked_to_end)
    status, out, err = run("check", "--deep", str(own_game))
    assert (status, err.strip()) == (143, "ended")
    assert "1 doubt" in out  # what was found by then is told
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_DFL


def test_show_names_the_secrets_of_an_action(run: Run) -> None:
    whispers = str(Path(__file__).parents[1] / "language" / "good" / "whispers.yaml")
    pledge, withdraw = (run("show", whispers, "--rule", rule)[1] for rule in ("pledge", "withdraw"))
    assert "The other players do not learn n; it is shown to those p" in " ".join(pledge.split())
    assert "The other players do not learn which action this is" in " ".join(withdraw.split())
