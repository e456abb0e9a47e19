"""A person at a terminal, or lines from a pipe: one game, action by action."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from ..play.chance import ChanceError
from ..play.errors import IllegalAction
from ..play.face import Action, State
from ..play.playouts import RandomPlayer
from . import board
from .completion import completing
from .output import filled
from .status import Usage

HELP = """\
Type an action as it is written (a beginning is enough where only one action begins so), or its number.
  actions [TEXT]   list the legal actions, or those that hold TEXT
  why ACTION       say which rules refuse an action, and why
  rule NAME        print a rule, say one that a refusal names
  hint             ask for advice (random plays after each action; about two seconds)
  undo             take the last action back
  board            draw the position again
  save FILE        write the record of the play; `rulespec play --resume FILE` goes on with it
  help, quit       this text; stop (so does the end of input, Ctrl-D)
An action that is itself called like one of these is played; `/help` always means the command."""

SECONDS_OF_ADVICE = 2.0


class Session:
    """One sitting. `seats` are the players who are asked; for the others `rest` chooses."""

    def __init__(self, state: State, seats: Collection[Any], rest: RandomPlayer) -> None:
        self.history = [state]
        self.seats = seats
        self.rest = rest
        self.hidden = board.has_hidden(state)
        self.interactive = sys.stdin.isatty()
        self._shown: State | None = None
        self._looking: Any = None
        self._commands: dict[str, Callable[[str], object]] = {
            "actions": self._actions, "why": self._why, "rule": self._rule, "hint": self._hint,
            "undo": self._undo, "board": self._board, "save": self._save, "help": lambda rest: print(HELP),
        }  # fmt: skip

    @property
    def state(self) -> State:
        """The position now."""
        return self.history[-1]

    def run(self) -> None:
        """Ask and play until the game is over, or whoever plays stops."""
        print(f"{self.state.game.title}. `help` says what can be typed.\n")
        with completing(lambda: [str(a) for a in self.state.actions()], [*self._commands, "quit"]):
            while not self.state.is_over:
                if self.state.to_move not in self.seats:
                    self._play_rest()
                    continue
                self._show()
                line = self._line()
                if line is None or line in ("quit", "/quit", "q"):
                    return
                self._obey(line)

    def _obey(self, line: str) -> None:
        if not line:
            return
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.removeprefix("/"))
        if command is not None and (word.startswith("/") or not self._is_action(word)):
            command(rest.strip())
        else:
            self._play(line)

    def _is_action(self, word: str) -> bool:
        return any(str(a).partition(" ")[0] == word for a in self.state.actions())

    def _line(self) -> str | None:
        """The next line that was typed; none at the end of input. Two Ctrl-C in a row interrupt."""
        prompt = f"player {self.state.to_move}> " if len(self.state.game.players) > 1 else "> "
        for again in (True, False):
            try:
                line = input(prompt if self.interactive else "").strip()
                if not self.interactive:
                    print(f"{prompt}{line}")
                return line
            except EOFError:
                if self.interactive:
                    print()
                return None
            except KeyboardInterrupt:
                if not (again and self.interactive):
                    raise
                print("\nCtrl-C once more stops; so do `quit` and Ctrl-D")
        return None

    def _show(self) -> None:
        state = self.state
        if state is self._shown:
            return
        self._hand_over(state.to_move)
        self._board("")
        print(board.choices(state))
        self._shown = state

    def _hand_over(self, player: Any) -> None:
        """Between two people at one screen, where something is hidden, let one look away."""
        several = self.hidden and self.interactive and len(self.seats) > 1
        if several and self._looking not in (None, player):
            input(f"Give the screen to player {player}, then press Enter. ")
            print("\033[2J\033[3J\033[H", end="")
        self._looking = player

    def _play(self, text: str) -> None:
        action = self._meant(text)
        if action is None:
            return
        try:
            self.history.append(self.state.play(action))
        except IllegalAction as error:
            print(board.refused(error.action, error.refusals))
        except ChanceError as error:
            raise Usage(f"{error}; the record gives no seed to go on with: add --seed") from None

    def _meant(self, text: str) -> str | Action | None:
        """The action a text means, legal or not; none, said so, where it is the beginning of several."""
        actions = self.state.actions()
        exact = [a for a in actions if str(a) == text]
        digits = text.removeprefix("#")
        if not exact and digits.isdigit() and 0 < int(digits) <= len(actions):
            return actions[int(digits) - 1]
        near = exact or [a for a in actions if str(a).startswith(text)]
        if len(near) > 1 and not exact:
            self._actions(text, begins=True)
            return None
        return near[0] if len(near) == 1 else text

    def _play_rest(self) -> None:
        mover, action = self.state.to_move, self.rest.choose(self.state)
        self.history.append(self.state.play(action))
        print(f"player {mover}: {self.history[-1].plays[-1]}")

    # ---- commands

    def _actions(self, text: str, begins: bool = False) -> None:
        numbered = [
            (i, a)
            for i, a in enumerate(self.state.actions(), 1)
            if (str(a).startswith(text) if begins else text in str(a))
        ]
        if not numbered:
            print(f"no legal action holds `{text}`")
        else:
            print(board.listed(numbered))

    def _why(self, text: str) -> None:
        if not text:
            print("say which action: why ACTION")
            return
        refusals = self.state.why_not(text)
        print(board.refused(text, refusals) if refusals else f"`{text}` is legal")

    def _rule(self, name: str) -> None:
        from ..core.diagnostics import nearest

        rule = next((r for r in self.state.game.core.rules if r.id == name), None)
        if rule is None:
            print(f"no rule is called `{name}`; " + nearest(name, (r.id for r in self.state.game.core.rules)))
            return
        print(filled(rule.prose, "  ", "  "))
        for requirement, prose in rule.requirements:
            print(filled(f"{requirement}: {prose}", "    "))

    def _hint(self, rest: str) -> None:
        from ..play.hints import advise

        if self.hidden:
            print("no advice: it would give away what is hidden")
            return
        found = advise(self.state, SECONDS_OF_ADVICE, seed=len(self.history))
        if found is None:
            print("no advice: random plays take too long here")
            return
        told = f"of {found.plays} random plays after it {found.wins:g} are won"
        if self.state.scores:
            told += f", with {found.points / found.plays:.1f} points on average"
        print(f"{found.action}  ({told})")

    def _undo(self, rest: str) -> None:
        if len(self.history) == 1:
            print("there is nothing to take back")
            return
        self.history.pop()
        while len(self.history) > 1 and self.state.to_move not in self.seats:
            self.history.pop()

    def _board(self, rest: str) -> None:
        viewer = self.state.to_move if self.hidden else None
        print(board.board(self.state, viewer, names=True))

    def _save(self, name: str) -> None:
        if not name:
            print("say where: save FILE")
            return
        try:
            Path(name).write_text(self.state.record().to_json(), "utf-8")
        except OSError as error:
            print(f"`{name}` was not written: {error.strerror}")
        else:
            print(f"the record of {len(self.state.plays)} actions is in {name}")
