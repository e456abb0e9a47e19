"""A person at a terminal, or lines from a pipe: one game, action by action."""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice, takewhile
from pathlib import Path
from typing import Any

from ..budgets.supervisor import person_waited_for
from ..core.diagnostics import printable
from ..core.numbers import whole_number
from ..core.storage.atomic_files import write_text
from ..play.actions import Action
from ..play.chance import ChanceError
from ..play.errors import IllegalAction
from ..play.face import State
from ..play.wording import counters
from ..players.search import SearchPlayer
from ..players.table import Player, Table
from . import board
from .output import Progress, fill, print_styled
from .status import Usage

HELP = """\
Type an action as it is written, or its number. The beginning is enough if only
one action begins with it; Tab completes it.
  actions [WORDS]  list the legal actions, or only those with all these words
  more             show the next page of that list
  why ACTION       say which rules refuse an action, and why
  rule NAME        print a rule, such as one that a refusal names
  hint             ask for advice: a search of two seconds that knows what you know
  undo             undo your last action and what others have done since
  board            draw the position again
  save FILE        write the record; `rulespec play --resume FILE` continues it
  help, quit       show this text; stop (so does the end of input, Ctrl-D)
If an action has the same name as one of these, its name plays it; `/help`
always means the command."""

QUIT = ("quit", "/quit", "q")

SECONDS_OF_ADVICE = 2.0

ALL = "all"
"""The viewer of a screen that is the same for everybody."""


class Session:
    """One session of a game. `players` choose for their seats, persons for the others."""

    def __init__(self, table: Table, players: Mapping[Any, Player], seed: str) -> None:
        self.table = table
        self.players = players
        self.hidden = board.has_hidden(self.state)
        self.interactive = sys.stdin.isatty()
        self._adviser = SearchPlayer(f"{seed}/hint", seconds=SECONDS_OF_ADVICE)
        self._pages: list[str] = []
        self._shown: State | None = None
        self._listed: tuple[State, list[str]] | None = None
        self._looking: Any = None
        self._told: dict[Any, int] = dict.fromkeys(
            self._persons if self._in_turn else [ALL], len(table.states)
        )
        """The first ply not yet reported, for each viewer if they take turns at the screen, else for all."""
        self._commands: dict[str, Callable[[str], object]] = {
            "actions": self._actions, "more": self._more, "why": self._why, "rule": self._rule,
            "hint": self._hint, "undo": self._undo, "board": self._board, "save": self._save,
            "help": lambda rest: print(HELP),
        }  # fmt: skip

    @property
    def state(self) -> State:
        """The position now."""
        return self.table.state

    @property
    def _persons(self) -> list[Any]:
        return [player for player in self.state.game.players if player not in self.players]

    @property
    def _in_turn(self) -> bool:
        """True if several people share one screen with different views."""
        return self.hidden and len(self._persons) > 1

    def run(self) -> None:
        """Play the game until it is over or a person stops."""
        print(f"{self.state.game.title}. Type `help` for the commands.\n")
        with completing(lambda: self._texts, [*self._commands, "quit"]):
            while not self.state.is_over:
                if self.state.to_move in self.players:
                    self.play_machine()
                    if not self._in_turn:
                        self._tell(self._persons[0])
                    continue
                if (action := self._forced(self.state)) is not None:
                    self.table.play(action.move)
                    print(self.table.sentence(len(self.table.states) - 1, ALL))
                    continue
                line = self._line(self._prompt) if self._show() else None
                if line is None or line in QUIT:
                    return
                self._run_command(line)
        self._tell(None)

    def play_machine(self) -> None:
        """Let one of the machine's players act."""
        mover = self.state.to_move
        progress = Progress()
        progress(f"player {mover} is thinking")
        move = self.players[mover].choose(self.table.view())
        progress.clear()
        self.table.play(move)

    def _forced(self, state: State) -> Action | None:
        """The only action in a state, if it is one that is taken by itself."""
        forced = state.game.core.forced_actions
        actions = state.actions() if forced and not self._in_turn else []
        return actions[0] if len(actions) == 1 and actions[0].move.action in forced else None

    @property
    def _texts(self) -> list[str]:
        """The legal actions in notation, sorted."""
        if self._listed is None or self._listed[0] is not self.state:
            self._listed = (self.state, sorted(str(action) for action in self.state.actions()))
        return self._listed[1]

    def _run_command(self, line: str) -> None:
        """Run a command of the session, or play the line as an action."""
        if not line:
            return
        word, _, rest = line.partition(" ")
        command = self._commands.get(word.removeprefix("/"))
        if command is not None and (word.startswith("/") or not self._is_action(word)):
            command(rest.strip())
        else:
            self._play(line)

    def _is_action(self, word: str) -> bool:
        at = bisect_left(self._texts, word)
        return at < len(self._texts) and self._texts[at].partition(" ")[0] == word

    @property
    def _prompt(self) -> str:
        players, names = self.state.game.players, self.state.game.core.presentation.seats
        if names:
            return f"{names[players.index(self.state.to_move)]}> "
        return f"player {self.state.to_move}> " if len(players) > 1 else "> "

    def _line(self, prompt: str) -> str | None:
        """The next line of input without control characters; None at the end of input.

        Two Ctrl-C in a row raise KeyboardInterrupt.
        """
        for again in (True, False):
            try:
                with person_waited_for():
                    line = printable(input(prompt if self.interactive else "")).strip()
                if not self.interactive:
                    print(f"{prompt}{line}")
                return line
            except EOFError:
                if self.interactive:
                    print()
                return None
            except KeyboardInterrupt as interrupt:
                if not (again and self.interactive and type(interrupt) is KeyboardInterrupt):
                    raise
                print("\nCtrl-C once more stops; so do `quit` and Ctrl-D")
        return None

    def _show(self) -> bool:
        """Show the mover the position unless it is on the screen; False if the person leaves."""
        state = self.state
        if state is self._shown:
            return True
        self._pages = []
        if not self._hand_over(state.to_move):
            return False
        self._tell(state.to_move)
        self._board("")
        print(board.choices(state))
        self._shown = state
        return True

    def _tell(self, viewer: Any) -> None:
        """Show a viewer the actions since the last report, as the viewer knows them.

        These are the machine's actions and, if people take turns at the screen, those of the others. At the
        end the report is for everybody and leaves nothing out.
        """
        states = self.table.states
        reader = viewer if self._in_turn else ALL
        for ply in range(self._told.get(reader, min(self._told.values())), len(states)):
            mover = states[ply - 1].to_move
            if len(stage := self.table.stage(ply)) > 1:
                if ply == stage[-1]:
                    print("At once:", *(self.table.sentence(one, viewer) for one in stage))
            elif mover in self.players or (self._in_turn and mover != viewer):
                print(self.table.sentence(ply, viewer))
        self._told[reader] = len(states)

    def _hand_over(self, player: Any) -> bool:
        """Hand the screen to another person if something is hidden; False if somebody stops."""
        if self._in_turn and self.interactive and self._looking not in (None, player):
            line = self._line(f"Hand the screen to player {player}, then press Enter. ")
            if line is None or line in QUIT:
                return False
            print_styled("\033[2J\033[3J\033[H", end="")
        self._looking = player
        return True

    def _play(self, text: str) -> None:
        """Play an action given as text, or print why it is refused."""
        action = self._intended_action(text)
        if action is None:
            return
        try:
            self.table.play(self.state.find(action).move)
        except IllegalAction as error:
            print(board.refusal_text(self.state, error.action, error.refusals, exact=False))
        except ChanceError as error:
            raise Usage(f"{error}; the record gives no seed to go on with: add --seed") from None

    def _intended_action(self, text: str) -> str | Action | None:
        """The action that a text denotes, legal or not; None, with a message, if several begin with it."""
        actions = self.state.actions()
        exact = [a for a in actions if str(a) == text]
        number = whole_number(text.removeprefix("#"))
        if not exact and number is not None:
            if 0 < number <= len(actions):
                return actions[number - 1]
            most = f"from 1 to {len(actions)}" if len(actions) > 1 else "1"
            print(f"there is no action {number} here: type a number {most}, or an action in notation")
            return None
        near = exact or [a for a in actions if str(a).startswith(text)]
        if len(near) > 1 and not exact:
            self._actions(text, begins=True)
            return None
        return near[0] if len(near) == 1 else text

    # ---- commands

    def _actions(self, text: str, begins: bool = False) -> None:
        """List the legal actions that contain words, in pages."""
        words = text.split()
        numbered = [
            (number, action)
            for number, action in enumerate(self.state.actions(), 1)
            if (str(action).startswith(text) if begins else all(word in str(action) for word in words))
        ]
        if not numbered:
            print(f"no legal action contains `{text}`")
            return
        self._pages = board.pages(numbered)
        self._more("")

    def _more(self, rest: str) -> None:
        """Print the next page of the list."""
        if not self._pages:
            print("there is nothing more to list; `actions` starts again")
            return
        print(self._pages.pop(0))
        if self._pages:
            left = len(self._pages)
            pages = f"{left} {'page' if left == 1 else 'pages'}"
            print(f"`more` continues ({pages}); `actions WORDS` lists fewer")

    def _why(self, text: str) -> None:
        if not text:
            print("say which action: why ACTION")
            return
        refusals = self.state.why_not(text)
        print(board.refusal_text(self.state, text, refusals) if refusals else f"`{text}` is legal")

    def _rule(self, name: str) -> None:
        """Print a rule by its id."""
        from ..core.diagnostics import nearest

        rules = {rule.id: rule for rule in self.state.game.core.rules}
        rule = rules.get(name)
        if rule is None:
            advice = nearest(name, rules) or "`rulespec show` prints them all"
            print(f"no rule is called `{name}`; {advice}")
            return
        print(fill(rule.prose, "  ", "  "))
        for requirement, prose in rule.requirements:
            print(fill(f"{requirement}: {prose}", "    "))

    def _hint(self, rest: str) -> None:
        progress = Progress()
        progress("looking ahead")
        advice = self._adviser.advise(self.table.view())
        progress.clear()
        told = board.advice_text(advice, bool(self.state.scores), len(self.state.game.players))
        print(f"{self.state.find(advice.move)}  ({told})")

    def _undo(self, rest: str) -> None:
        """Take back actions up to the last choice of a person."""
        others = ((i, x) for i, x in enumerate(self.table.states[:-1]) if x.to_move not in self.players)
        asked = [i for i, state in others if self._forced(state) is None]
        if not asked:
            print("there is nothing to undo")
            return
        while len(self.table.states) > asked[-1] + 1:
            self.table.take_back()
        now = len(self.table.states)
        self._told = {reader: min(told, now) for reader, told in self._told.items()}

    def _board(self, rest: str) -> None:
        viewer = self.state.to_move if self.hidden else None
        print_styled(board.board(self.state, viewer, names=True))
        if found := counters(self.state.game.core, self.state.game.machine.situation(self.state.position)):
            print("; ".join(found))

    def _save(self, name: str) -> None:
        """Save the record of the play to a file."""
        if not name:
            print("give a file: save FILE")
            return
        try:
            write_text(Path(name), self.state.record().to_json())
        except OSError as error:
            print(f"`{name}` was not written: {error.strerror}")
        else:
            number = len(self.state.plays)
            also = ", hidden state included" if self.hidden else ""
            print(f"the record of {number} {'action' if number == 1 else 'actions'} is in {name}{also}")


def steps(text: str, actions: Sequence[str], commands: Sequence[str]) -> list[str]:
    """Completions of a text by one more word: the next word of actions (sorted), or a whole command.

    After `why` and `actions`, actions are completed too.
    """
    first, space, rest = text.partition(" ")
    if space and first.removeprefix("/") in ("why", "actions"):
        return [f"{first} {found}" for found in steps(rest, actions, ())]
    grown = []
    for action in takewhile(lambda a: a.startswith(text), islice(actions, bisect_left(actions, text), None)):
        end = action.find(" ", len(text))
        grown.append(action if end < 0 else action[: end + 1])
    plain = [command for command in commands if command.startswith(text)] if text else []
    return sorted({*grown, *plain})


@contextmanager
def completing(actions: Callable[[], Sequence[str]], commands: Sequence[str]) -> Iterator[None]:
    """Let the Tab key complete input within the block. Without a terminal or readline it does nothing."""
    try:
        import readline
    except ImportError:
        yield
        return
    if not sys.stdin.isatty():
        yield
        return
    found: list[str] = []

    def complete(text: str, number: int) -> str | None:
        if number == 0:
            found[:] = steps(text, actions(), commands)
        return found[number] if number < len(found) else None

    before, delimiters = readline.get_completer(), readline.get_completer_delims()
    readline.set_completer(complete)
    readline.set_completer_delims("")
    editline = "libedit" in (readline.__doc__ or "")
    readline.parse_and_bind("bind ^I rl_complete" if editline else "tab: complete")
    try:
        yield
    finally:
        readline.set_completer(before)
        readline.set_completer_delims(delimiters)
