"""Single plies from Python at the speed of machine calls: states as bytes, actions by number."""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from threading import Lock
from typing import Any, NamedTuple

from ...budgets import watchdog
from ...core.types import Value
from ...kernels import kit
from ..plies import FAULT, FULL
from .numbers import numbering_names
from .runner import Answer, Runner, wider_buffer

Key = int | bytes
"""An action: its number, or its row as bytes if actions have no numbers."""
FEW_PICKS = 64
"""Initial room for given picks in a source of chance."""


class Snapshot(NamedTuple):
    """An immutable state in code."""

    cells: bytes
    words: bytes
    draws: int
    """The draws so far."""
    legal: Sequence[Key]
    """The legal actions: ascending numbers, or rows in no particular order."""
    ended: int
    """The number of the end that was reached, from 1; one past the last if nobody can act; 0 while play goes
    on."""
    mover: int
    """The code of the player who moves next, or moved last."""


class Stepper:
    """Plays one game ply by ply; safe for several threads. Raises TooLarge if its code does not fit."""

    def __init__(self, runner: Runner) -> None:
        written, instance, program = runner.written, runner.instance, runner.program
        self.runner = runner
        names = numbering_names(written)
        self.numbered = bool(names["NUMBERED"])
        """True if actions have numbers."""
        self._names = instance.beside(names, "stepping")
        self._lock = Lock()
        first = runner.first
        self._state = instance.numbers(first[0]), instance.words(first[1])
        self._size, self._key_size = 8 * program.state_cells, 8 * program.state_words
        self._cells, self._words = (held.view.cast("B") for held in self._state)
        self._cells = self._cells[: self._size]
        observed = int(names["OBSERVED"])  # type: ignore[arg-type]
        self.observes = observed > 0
        """True if the code can write observations."""
        self._seen = instance.room("small", max(1, observed))
        self._observe = self._names["observe"].on(self._state, self._seen)
        self._is_winner, self._points = (
            self._names[name].on(self._state) for name in ("is_winner", "points")
        )
        self._before = self._encode(first)
        self._setup, self._resume = (array("q", row).tobytes() for row in (runner.setup, runner.resume))
        self._make_room(instance.room("numbers", written.rows.first_size), (), kit.FIRST + FEW_PICKS)

    def _make_room(self, moves: Any, picks: Sequence[int], room: int) -> None:
        """Use a buffer for legal actions, and allocate `room` for chance, including earlier picks."""
        instance, width = self.runner.instance, self.runner.written.width
        self._moves, self._chance = moves, instance.room("words", room)
        self._chance[kit.FIRST : kit.FIRST + len(picks)] = picks
        self._legal = instance.room("small", len(moves) // width + 1 if self.numbered else 1)
        self._take = self._names["take"].on((*self._state, self._chance, moves), self._legal)
        self._rows, self._listed, self._picks = moves.view.cast("B"), self._legal.view, self._chance.view

    # ---- plies

    def _encode(self, state: tuple[Sequence[int], Sequence[int]]) -> tuple[bytes, bytes]:
        """The numbers and words of a state as bytes."""
        cells, words = state
        return array("q", cells[: self._size // 8]).tobytes(), array("Q", words).tobytes()

    def start(self, answer: Answer) -> Snapshot | None:
        """The state after the setup; None after a fault. Chance works as in `Runner.start`."""
        return self._run(*self._before, 0, self._setup, answer)

    def resume(self, values: Sequence[Value], draws: int) -> Snapshot:
        """A snapshot from which a play continues, with its legal actions."""
        cells, words = self._encode(self.runner.encode(values))
        found = self._run(cells, words, draws, self._resume, None)
        assert found is not None, "listing legal actions stores nothing"
        return found

    def play(
        self, before: Snapshot, key: Key, answer: Answer | None, ahead: Sequence[int] = ()
    ) -> Snapshot | None:
        """The state after a legal action; None after a fault. Chance works as in `Runner.play`.

        Picks known to come first may be given in `ahead`.
        """
        return self._run(before.cells, before.words, before.draws, key, answer, ahead)

    def _run(
        self,
        cells: bytes,
        words: bytes,
        draws: int,
        key: Key,
        answer: Answer | None,
        ahead: Sequence[int] = (),
    ) -> Snapshot | None:
        picks = [*ahead]
        drawing, picker = -1, None
        with self._lock:
            while True:
                watchdog.step()
                number = -1
                if isinstance(key, int):
                    number = key
                else:
                    self._rows[: len(key)] = key
                self._cells[:] = cells
                self._words[:] = words
                if picks:
                    self._put_picks(picks)
                n, ended, mover = self._take(number, draws, len(picks))
                chance = self._picks
                if n == FULL:
                    wider = wider_buffer(self.runner.instance, self._moves, self.runner.written)
                    self._make_room(wider, picks, len(chance))
                    continue
                asked = chance[kit.ASKED]
                if not asked:
                    break
                if answer is None:
                    raise LookupError("chance is asked, and there is no answer")
                if drawing != chance[kit.WHERE]:
                    drawing = chance[kit.WHERE]
                    picker = answer(drawing - 1)
                assert picker is not None
                picks.append(picker(asked))
            if n == FAULT:
                return None
            return Snapshot(
                self._cells.tobytes(), self._words.tobytes(), chance[kit.DRAWS],
                self._keys(n), 0 if n else ended, mover,
            )  # fmt: skip

    def _put_picks(self, picks: list[int]) -> None:
        """Make the source of chance replay picks."""
        last = kit.FIRST + len(picks) - 1
        if last >= len(self._picks):
            self._make_room(self._moves, picks, 2 * last)
        self._picks[last] = picks[-1]

    def _keys(self, n: int) -> Sequence[Key]:
        if self.numbered:
            listed: Sequence[Key] = self._listed[:n].tolist()
            return listed
        size = 8 * self.runner.written.width
        rows = self._rows[: n * size].tobytes()
        return [rows[at : at + size] for at in range(0, n * size, size)]

    # ---- questions about a state

    def values(self, of: Snapshot) -> tuple[Value, ...]:
        """The values of the variables of a state."""
        return self.runner.decode(memoryview(of.cells).cast("q"), memoryview(of.words).cast("Q"))

    def same(self, one: Snapshot, other: Snapshot) -> bool:
        """True if two states have the same values."""
        size = self._key_size
        return one.cells == other.cells and one.words[:size] == other.words[:size]

    def observation(self, of: Snapshot, viewer: Value) -> tuple[int, ...]:
        """The observation of a player as numbers."""
        code = self.runner.program.codes.code(self.runner.program.game.player, viewer)
        with self._lock:
            self._restore(of)
            self._observe(code)
            return tuple(self._seen.view.tolist())

    def winners(self, of: Snapshot) -> tuple[Value, ...]:
        """The winners of a finished play, ascending."""
        with self._lock:
            self._restore(of)
            return tuple(p for p in self.runner.program.game.player.values if self._is_winner(p)[0])

    def scores(self, of: Snapshot) -> dict[Value, int]:
        """Each player's score; empty for a game without scores."""
        game = self.runner.program.game
        if game.outcome.score is None:
            return {}
        with self._lock:
            self._restore(of)
            return {p: self._points(p)[0] for p in game.player.values}

    def _restore(self, of: Snapshot) -> None:
        self._cells[:] = of.cells
        self._words[:] = of.words

    # ---- actions

    def move(self, key: Key) -> tuple[str, tuple[Value, ...]]:
        """The action of a key that is a row, by name with its choices."""
        assert isinstance(key, bytes), "a number stands for an action of the action space"
        return self.runner.move(memoryview(key).cast("q"))

    def row(self, name: str, args: Sequence[Value]) -> bytes:
        """The key of an action, if actions have no numbers."""
        return array("q", self.runner.row_of(name, args)).tobytes()
