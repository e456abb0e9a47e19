"""Terminals as they are: a person at one, closed pipes, Ctrl-C, no colours, few columns, old encodings."""

from __future__ import annotations

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from cli.conftest import Run
from texts import CARDS

from rulespec.budgets.processes import descendants
from rulespec.core.verdicts import Store
from rulespec.play.face import load
from rulespec.players.table import Table
from rulespec.players.worlds import Worlds

GAME = "sacred-alignment-small"
COMMAND = (sys.executable, "-m", "rulespec")


class Terminal:
    """A program in a terminal of its own, typed at and read."""

    def __init__(self, *argv: str, columns: int = 80, **env: str) -> None:
        self.main, side = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": str(columns), "LINES": "50", **env}
        self.process = subprocess.Popen(
            [*COMMAND, *argv], stdin=side, stdout=side, stderr=side, env=environment, start_new_session=True
        )
        os.close(side)
        self.text = ""
        self.read = 0

    def until(self, words: str, seconds: float = 20.0) -> str:
        """Read up to some words; the text since the last time."""
        end = time.monotonic() + seconds
        while words not in self.text[self.read :]:
            ready, _, _ = select.select([self.main], [], [], max(0.0, end - time.monotonic()))
            try:
                got = os.read(self.main, 65536) if ready else b""
            except OSError:
                got = b""
            assert got, f"{words!r} never came: {self.text[self.read :]!r}"
            self.text += got.decode("utf-8", "replace")
        start, self.read = self.read, self.text.index(words, self.read) + len(words)
        return self.text[start : self.read]

    def type(self, line: str) -> None:
        """Type a line."""
        os.write(self.main, (line + "\n").encode())

    def keys(self, keys: str) -> None:
        """Type keys without a line's end."""
        os.write(self.main, keys.encode())

    def interrupt(self) -> None:
        """Press Ctrl-C, once the program waits for a line: before that it only marks the signal for later."""
        still, before = 0, ""
        for _ in range(400):
            *_, asking = descendants(self.process.pid)
            fields = Path(f"/proc/{asking}/stat").read_text().rpartition(")")[2].split()
            now = " ".join((fields[0], *fields[11:13]))  # asleep or not, processor time
            still = still + 1 if now == before and now.startswith("S") else 0
            if still == 6:
                break
            before = now
            time.sleep(0.05)
        self.process.send_signal(signal.SIGINT)

    def ended(self) -> int:
        """Wait for the end; the exit status."""
        return self.process.wait(20)


@pytest.fixture
def terminal() -> Iterator[Any]:
    """Starts programs in terminals and ends them."""
    opened: list[Terminal] = []

    def start(*argv: str, **options: Any) -> Terminal:
        opened.append(Terminal(*argv, **options))
        return opened[-1]

    yield start
    for one in opened:
        if one.process.poll() is None:
            one.process.kill()
            one.process.wait()
        os.close(one.main)


def test_a_person_plays(terminal: Any, tmp_path: Path) -> None:
    at = terminal("play", GAME, "--seed", "4", NO_COLOR="1")
    drawn = at.until("> ")
    assert "1.1.1 1.1.2" in drawn, "free squares say which they are"
    assert "Hand: 0-1 1-1 2-3" in drawn
    assert "how many in pile: 7" in drawn, "of the pile only its size is seen"
    at.type("why place 0-0 2.2.2/2.2.3")
    exact = at.until("\n> ")
    at.type("place 0-0 2.2.2/2.2.3")
    for said, is_exact in ((exact, True), (at.until("\n> "), False)):
        assert "illegal by `supported`. Above" in said
        assert ("is false" in said) is is_exact, "only `why` tells the formal text"
    at.type("place 2-3 1.2.2/1.2.3")
    assert "Hand: 0-1 1-1" in at.until("\n> ")
    at.type("undo")
    assert "Hand: 0-1 1-1 2-3" in at.until("\n> ")
    at.type("place 2-3 1.9.9/1.2.3")
    assert "cannot be played" in at.until("\n> ")
    at.type("999")
    assert "there is no action 999 here: type a number from 1 to" in at.until("\n> ")
    at.type("2")
    at.until("\n> ")
    at.type(f"save {tmp_path / 'play.json'}")
    assert "the record of 1 action is" in at.until("\n> ")
    at.type("quit")
    at.until("Not over yet")
    assert at.ended() == 0
    again = terminal("play", "--resume", str(tmp_path / "play.json"), "--seed", "1")
    assert "2-3" in again.until("\n> ")


def test_tab_completes_an_action_word_by_word(terminal: Any) -> None:
    pytest.importorskip("readline")
    at = terminal("play", GAME, "--seed", "4")
    at.until("> ")
    at.keys("pl\t2\t")
    at.until("place 2-3 ")
    at.type("1.2.2/1.2.3")
    assert "Hand: 0-1 1-1" in at.until("\n> ")


def test_a_hint_is_an_action_that_can_be_played(terminal: Any) -> None:
    at = terminal("play", "nim", "--seed", "4")
    at.until("> ")
    at.type("hint")
    advice = at.until("of a win on average").splitlines()[-1].rpartition("\x1b[K")[2]
    at.until("player 1> ")
    at.type(advice.partition("  (")[0])
    assert "player 2> " in at.until("player 2> ")


@pytest.mark.parametrize("keys", ["\x04", "quit\n"])
def test_whoever_is_given_the_screen_may_stop_there(terminal: Any, tmp_path: Path, keys: str) -> None:
    """The end of input was a defect there, and `quit` went on."""
    record = tmp_path / "play.json"
    at = terminal("play", "kuhn-poker", "--seed", "4", "--record", str(record))
    at.until("player 1> ")
    at.type("check")
    at.until("Hand the screen to player 2, then press Enter. ")
    at.keys(keys)
    at.until("Not over yet, after 1 action")
    assert at.ended() == 0
    assert record.is_file()


def test_others_may_be_played_by_chance(terminal: Any) -> None:
    at = terminal("play", "tic-tac-toe", "--seed", "4", "--player", "1=random")
    assert "Cross takes " in at.until("Nought> ")


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="nothing tells whether a program waits")
def test_ctrl_c_twice_stops_and_keeps_the_record(terminal: Any, tmp_path: Path) -> None:
    record = tmp_path / "play.json"
    at = terminal("play", GAME, "--seed", "4", "--record", str(record))
    at.until("> ")
    at.type("1")
    at.until("\n> ")
    at.interrupt()
    at.until("Ctrl-C once more stops")
    at.until("> ")
    at.interrupt()
    at.until("interrupted")
    assert at.ended() == 130
    assert record.is_file()


def test_colours_unless_they_are_not_wanted(terminal: Any, tmp_path: Path, run: Run) -> None:
    record = tmp_path / "play.json"
    assert run("play", "tic-tac-toe", "--player", "random", "--seed", "1", "--record", str(record))[0] == 0
    shown = terminal("replay", str(record), "--steps")
    shown.until(" wins.")
    assert "\x1b[94m" in shown.text, "each player has a colour"
    plain = terminal("replay", str(record), "--steps", NO_COLOR="1")
    plain.until(" wins.")
    assert "\x1b[" not in plain.text


@pytest.mark.parametrize("argv", [("list",), ("show", "sacred-alignment"), ("play", "--help")], ids=" ".join)
def test_few_columns_are_enough(argv: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "70")
    status, out, _ = run(*argv)
    assert status == 0
    words = {line for line in out.splitlines() if len(line) > 70}
    assert all(line.startswith("  rulespec ") for line in words), "only examples are wider"


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_old_encodings_show_everything_they_can(encoding: str) -> None:
    env = {**os.environ, "PYTHONIOENCODING": encoding}
    played = ("play", "nim", "--player", "random", "--seed", "4")
    argv = ("show", GAME, "--json") if encoding == "ascii" else played
    done = subprocess.run([*COMMAND, *argv], check=False, env=env, capture_output=True)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode(encoding)


def test_a_reader_that_goes_away_is_no_error() -> None:
    argv = ("show", "sacred-alignment", "--formal")
    with subprocess.Popen([*COMMAND, *argv], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as done:
        assert done.stdout is not None and done.stderr is not None
        done.stdout.close()
        assert done.stderr.read() == b""
    assert done.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no full device")
def test_a_full_disk_is_told() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*COMMAND, "list"], stdout=full, stderr=subprocess.PIPE, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr == "rulespec: standard output: No space left on device\n"


def test_a_name_that_is_no_text_is_told() -> None:
    done = subprocess.run([*COMMAND, "check", b"\xff.yaml"], capture_output=True, check=False)
    assert done.returncode == 2
    assert "there is no file `\ufffd.yaml`" in done.stdout.decode("utf-8")


def test_lines_may_come_from_a_pipe() -> None:
    lines = "1\n²\nwhy place 0-0 2.2.2/2.2.3\nundo\nactions zzz\nfoo\n#2\n\nrule ascending\nboard\n/help\n"
    done = subprocess.run(
        [*COMMAND, "play", GAME, "--seed", "2"], input=lines, capture_output=True, text=True, check=True
    )
    assert "illegal by" in done.stdout
    assert "no legal action contains `zzz`" in done.stdout
    assert "`²` cannot be played" in done.stdout
    assert "Each half must be higher than the half it covers." in done.stdout
    assert "Not over yet, after 1 action." in done.stdout


def test_ctrl_c_in_a_long_proof_keeps_what_was_decided(tmp_path: Path) -> None:
    own = tmp_path / "mine.yaml"
    own.write_text("rulespec: 1\nid: mine\ntitle: Mine\nextends: sacred-alignment-small\n")
    process = subprocess.Popen(
        [*COMMAND, "prove", str(own), "covered-both", "zero-cheat", "--timeout", "600"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    decided = process.stdout.readline().partition(":")[0]
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=30)
    assert process.returncode == 130
    assert err.strip() == "interrupted"
    assert decided in [v.claim for v in Store.read(tmp_path / "verdicts.json.gz")]


def test_two_people_at_one_screen_see_their_own_hands(terminal: Any, tmp_path: Path) -> None:
    file = tmp_path / "cards.yaml"
    file.write_text(CARDS)
    start = load(str(file)).start(seed="1")
    mine, yours = (" ".join(map(str, sorted(start.values["hand"][p]))) for p in (0, 1))
    at = terminal("play", str(file), "--seed", "1")
    drawn = at.until("player 1> ")
    assert f"1: {mine}" in drawn and f"2: {yours}" not in drawn
    assert "2: ## ##" in drawn, "how many the other holds is seen"
    at.type("1")
    asked = at.until("press Enter")
    assert f"2: {yours}" not in asked
    at.type("")
    drawn = at.until("player 2> ")
    assert f"2: {yours}" in drawn and f"1: {mine.split()[1]}" not in drawn


def test_two_plays_that_look_the_same_to_a_player_look_the_same_on_the_screen(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("smith-small")
    states = [game.start(seed=6)]
    for _ in range(2):
        states.append(states[-1].play(states[-1].moves[0]))
    table = Table(states)
    screens = []
    for number, world in enumerate([None, *Worlds("x").of(table.view())[:2]]):
        state = game.start(chance=world.outcomes) if world else states[0]
        for action in states[-1].plays:
            state = state.play(action.move)
        file = tmp_path / f"{number}.json"
        file.write_text(state.record().to_json())
        lines = "board\nactions\nactions take\nmore\nwhy take KC\nwhy king KD\nwhy pair AC QC\nquit\n"
        monkeypatch.setattr("sys.stdin", StringIO(lines))
        screens.append(run("play", "--resume", str(file), "--seed", "1")[1])
    assert len(set(screens)) == 1, "nothing of what is hidden shows"
    assert "cannot be played" in screens[0]


def test_many_actions_come_in_pages_and_can_be_filtered(tmp_path: Path) -> None:
    lines = "actions\nmore\nactions 5-6 1.4.3\n600\nquit\n"
    done = subprocess.run(
        [*COMMAND, "play", "sacred-alignment", "--seed", "1"],
        input=lines, capture_output=True, text=True, check=True, env={**os.environ, "LINES": "24"},
    )  # fmt: skip
    listed = done.stdout.split("> ")
    assert "720 actions are legal" in listed[0]
    assert "`more` continues (" in listed[1] and len(listed[1].splitlines()) < 24
    assert listed[1].splitlines()[1] != listed[2].splitlines()[1]
    assert all(
        "5-6" in cell and "1.4.3" in cell for cell in listed[3].splitlines()[1].split("   ") if cell.strip()
    )
    assert "Not over yet, after 1 action." in done.stdout


def test_the_prompt_shows_no_secret_of_other_players(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pledges and passes of the second player are secret; pledges of the third are shown to the first."""
    whispers = Path(__file__).parents[1] / "language" / "good" / "whispers.yaml"
    players = ["--player", "2=random", "--player", "3=random"]
    shown = set()
    for seed in range(6):
        monkeypatch.setattr("sys.stdin", StringIO("whisper 3 to 2\nquit\n"))
        out = run("play", str(whispers), "--seed", str(seed), *players)[1]
        shown |= set(re.findall(r"Player (2: (?:pledge|whisper|pass|withdraw|acts) .*)\.", out))
    heard = {f"2: whisper {n} to 1" for n in "123"}
    assert shown <= {"2: pledge ?", "2: acts unseen", "2: whisper ? to 3", *heard}
    assert len(shown) > 1


def test_choices_made_at_once_are_told_in_sentences(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("rock\npaper\nquit\n"))
    out = run("play", "rock-paper-scissors", "--seed", "1")[1]
    assert "\nAt once: Player 1 shows rock. Player 2 shows paper.\n" in out


def test_without_a_diagram_what_the_author_declared_is_listed(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", StringIO("quit\n"))
    out = run("play", str(Path(__file__).parents[1] / "language" / "good" / "phases.yaml"), "--seed", "1")[1]
    assert "\nphase: passing\n" in out and "-over" not in out and "turn-to" not in out
