"""The whole text of a game's code: constants, tables, definitions, actions, plies, playouts."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..core import nodes as n
from ..core.game import Action, Game
from ..core.types import Scalar, Set, scalar_of
from ..core.walk import inside
from .actions import Lister
from .body import Body, Functions
from .codes import TooLarge
from .effects import perform, storing_function
from .operators import HANDLERS
from .program import Program
from .tables import tabulated
from .vals import Env, Val, plus, sum_of

MOST_MOVES = 1 << 14
"""So many legal actions fit in the buffer of one position; more end the run with `FULL`."""
FAULT, FULL = -1, -2
"""What `start` and `play` return instead of a number of legal actions."""


@dataclass(frozen=True, eq=False)
class Written:
    """The code of a game and what is needed to speak with it."""

    program: Program
    text: str
    width: int
    """How many numbers an action takes in a buffer: its own, then its choices'."""
    most: int
    """How many legal actions a buffer must hold."""
    faults: tuple[n.Effect, ...]
    """The effects that may fault; fault k is that of the k-th, counted from 1."""
    asked: Mapping[str, tuple[str, n.Expr]]
    """What can be asked of a state besides: the function that answers and the expression, by name."""


def write(game: Game, asked: Mapping[str, n.Expr] | None = None) -> Written:
    """The code of a game, with a function `ask_NAME(s, b)` for each expression over the state in `asked`.

    The expressions are scalars without free names, such as the condition of a claim; what is none is
    `NONE`. Raises TooLarge where a part of it cannot be code of a reasonable size.
    """
    return _Writer(game, asked or {}).write()


class _Writer:
    def __init__(self, game: Game, asked: Mapping[str, n.Expr]) -> None:
        self.game = game
        self.program = Program(game, asked.values())
        self.asked = {name: (self.program.name(f"ask_{name}"), e) for name, e in asked.items()}
        self.functions = Functions(self.program, HANDLERS, tabulated)
        self.ended = self.program.constant("ended", str(self.program.room("s", 1)), "which end was reached")
        self.fault = self.program.constant("fault", str(self.program.room("s", 1)), "which effect faulted")
        self.actions = list(game.actions.values())
        self.width = 1 + max((sum(map(_places, action.choices)) for action in self.actions), default=0)
        bound = sum(_bound(action) for action in self.actions)
        self.most = min(bound, MOST_MOVES)
        self.full = bound > MOST_MOVES
        self.names: dict[n.Effect, str] = {}

    def write(self) -> Written:
        for action in self.actions:
            self._effect(
                self._name(f"do_{action.id}", action.effect), action.effect, f"action `{action.id}`", action
            )
        for reaction in self.game.reactions:
            self._effect(
                self._name(f"react_{reaction.id}", reaction.effect),
                reaction.effect,
                f"reaction `{reaction.id}`",
            )
        self._effect("setup", self.game.setup, "the setup")
        self._effect("begin", self.game.turn.begin, "what a turn begins with")
        self._effect("next_mover", n.Assign(self.game.mover, (), self.game.turn.next), "the next mover")
        self._ends()
        self._listing()
        self._outcome()
        self._plies()
        for name, e in self.asked.values():
            self._ask(name, e)
        while self.functions.waiting:
            self._can(*self.functions.waiting.pop())
        self._stores()
        return Written(
            self.program, self._text(), self.width, self.most, tuple(self.functions.faults), self.asked
        )

    # ---- parts

    def _name(self, wanted: str, effect: n.Effect) -> str:
        self.names[effect] = self.program.name(wanted)
        return self.names[effect]

    def _body(self, *params: str) -> Body:
        return Body(self.program, self.functions, params)

    def _effect(self, name: str, effect: n.Effect, words: str, action: Action | None = None) -> None:
        body = self._body()
        params: list[str] = []
        env: dict[n.Var, Val] = {}
        for choice in action.choices if action else ():
            texts: tuple[str, ...] = (body.local(choice.var.name),)
            if choice.chain:
                texts += (body.local(f"{choice.var.name}_size"),)
            params += texts
            env[choice.var] = Val(choice.var.type, texts)
        perform(body, effect, env)
        body.line("return 0")
        prose = action.prose if action else ""
        self.functions.add(
            f"{name}({', '.join(['s', 'b', 'c', *params])})", _words(f"{words}: {prose}"), body
        )

    def _ends(self) -> None:
        body = self._body()
        for i, end in enumerate(self.game.ends, 1):
            text = body.cond(end.condition, {})
            with body.block(f"if {text}"):
                body.line(f"return {i}  # {end.id}")
        body.line("return 0")
        self.functions.add("end(s, b)", "which end is reached, counted from 1; 0 if none is", body)

    def _listing(self) -> None:
        whole = self._body()
        whole.line("n = 0")
        counts: dict[str, str] = {}
        asked = {name for action in self.actions for name in _asks(action)}
        for action in self._in_order():
            known = {name: counts[name] for name in sorted(_asks(action)) if name in counts}
            call = f"{self._list(action, list(known))}({', '.join(['s', 'b', 'm', 'n', *known.values()])})"
            if action.id in asked:
                counts[action.id] = whole.local(f"count_{action.id}")
                whole.line(f"{counts[action.id]} = n")
            whole.line(f"n = {call}")
            if self.full:
                with whole.block("if n < 0"):
                    whole.line("return n")
            if action.id in asked:
                whole.line(f"{counts[action.id]} = n - {counts[action.id]}")
        whole.line("return n")
        self.functions.add("listing(s, b, m)", "the legal actions, put into m, and how many there are", whole)

    def _list(self, action: Action, asked: Sequence[str]) -> str:
        """The name of the function that puts the ways to take an action behind the first n."""
        body = self._body()
        body.counts = {name: body.local(f"count_{name}") for name in asked}
        index = self.actions.index(action)
        Lister(body, action, (), lambda env: self._enter(body, action, index, env)).write()
        body.line("return n")
        name = self.program.name(f"list_{action.id}")
        params = ", ".join(["s", "b", "m", "n", *body.counts.values()])
        self.functions.add(
            f"{name}({params})", f"the legal ways of `{action.id}`, behind the first n in m", body
        )
        return name

    def _in_order(self) -> list[Action]:
        """The actions, each after those whose being legal it asks for, as far as that goes."""
        done: list[Action] = []
        waiting = list(self.actions)
        while waiting:
            known = {action.id for action in done}
            ready = [a for a in waiting if _asks(a) - {a.id} <= known] or waiting[:1]
            done += ready
            waiting = [a for a in waiting if a not in ready]
        return done

    def _enter(self, body: Body, action: Action, index: int, env: Env) -> None:
        if self.full:
            with body.block(f"if n == {self.most}"):
                body.line(f"return {FULL}")
        at = body.local("at_move")
        body.line(f"{at} = n * {self.width}")
        body.line(f"m[{at}] = {index}")
        place = 1
        for choice in action.choices:
            val = env[choice.var]
            assert isinstance(val, Val)
            if choice.chain:
                first, size = val.texts
                body.line(f"m[{plus(at, place)}] = {size}")
                i = body.local("i")
                with body.block(f"for {i} in range({size})"):
                    body.line(f"m[{sum_of(at, i, str(place + 1))}] = s[{sum_of(first, i)}]")
            else:
                body.line(f"m[{plus(at, place)}] = {val.text}")
            place += _places(choice)
        body.line("n += 1")

    def _can(self, action_id: str, given: int) -> None:
        action = self.game.actions[action_id]
        body = self._body()
        vals: list[Val] = []
        params: list[str] = []
        for choice in action.choices[:given]:
            t = choice.var.type
            texts = (body.local(choice.var.name),)
            params += texts
            vals.append(Val(t, texts))
        Lister(body, action, vals, lambda env: body.line("return True")).write()
        body.line("return False")
        name = self.functions.asked[action_id, given]
        self.functions.add(
            f"{name}({', '.join(['s', 'b', *params])})", f"whether `{action_id}` is legal", body
        )

    def _stores(self) -> None:
        for var, name in self.functions.stores.items():
            body = self._body("place", "value")
            storing_function(body, var)
            self.functions.add(
                f"{name}(s, b, place, value)", f"`{var.name}` at a position becomes a value", body
            )

    def _ask(self, name: str, e: n.Expr) -> None:
        assert scalar_of(e.type) is not None, f"{name} is a {e.type}"
        body = self._body()
        body.line(f"return {body.value(e, {}).text}")
        self.functions.add(f"{name}(s, b)", _words(self.game.texts.get(e, "")), body)

    # ---- how a play is judged

    def _outcome(self) -> None:
        outcome = self.game.outcome
        player = outcome.player
        if outcome.score is not None:
            body = self._body()
            x = body.local(player.name)
            found = body.atoms(body.value(outcome.score, {player: Val(player.type, (x,))}))
            body.line(f"return 0 if {found.text} == NONE else {found.text}")
            self.functions.add(f"score(s, b, {x})", "a player's number", body)
        body = self._body()
        if outcome.winners is not None and isinstance(outcome.winners.type, Set):
            body.line(
                f"return {body.value(outcome.winners, {}).texts[0] if outcome.winners.type.of else 'ZERO'}"
            )
        elif outcome.winners is not None:
            self._each_winner(body, outcome.winners)
        elif outcome.score is not None:
            self._most(body)
        else:
            body.line("return ZERO")
        self.functions.add("winners(s, b)", "the players who win, as a set", body)

    def _each_winner(self, body: Body, winners: n.Expr) -> None:
        player = self.game.outcome.player
        of = player.type
        assert isinstance(of, Scalar)
        found, x = body.local("won"), body.local(player.name)
        body.line(f"{found} = ZERO")
        with body.block(f"for {x} in range({of.values[0]}, {of.values[-1] + 1})"):
            text = body.cond(winners, {player: Val(of, (x,))})
            with body.block(f"if {text}"):
                body.line(f"{found} |= BIT[{body.bit(x, of)}]")
        body.line(f"return {found}")

    def _most(self, body: Body) -> None:
        player, ties = self.game.outcome.player, self.game.outcome.ties
        of = player.type
        assert isinstance(of, Scalar)
        found, x = body.local("won"), body.local(player.name)
        body.line(f"{found} = ZERO")
        mine = [body.local("mine") for _ in range(1 + len(ties))]
        best = [body.local("best") for _ in mine]
        for name in best:
            body.line(f"{name} = 0")
        with body.block(f"for {x} in range({of.values[0]}, {of.values[-1] + 1})"):
            body.line(f"{mine[0]} = score(s, b, {x})")
            for name, (most, tie) in zip(mine[1:], ties, strict=True):
                val = body.atoms(body.value(tie, {player: Val(of, (x,))}))
                text = f"(0 if {val.text} == NONE else {val.text})" if val.none else val.text
                body.line(f"{name} = {text if most else f'-{text}'}")
            mine_text, best_text = f"({', '.join(mine)},)", f"({', '.join(best)},)"
            with body.block(f"if {found} == ZERO or {mine_text} > {best_text}"):
                body.line(f"{found} = BIT[{body.bit(x, of)}]")
                for a, b in zip(best, mine, strict=True):
                    body.line(f"{a} = {b}")
            with body.block(f"elif {mine_text} == {best_text}"):
                body.line(f"{found} |= BIT[{body.bit(x, of)}]")
        body.line(f"return {found}")

    # ---- plies

    def _plies(self) -> None:
        self._settle()
        body = self._body()
        self._attempt(body, "setup(s, b, c)")
        body.line("return settle(s, b, c, m, True, False)")
        self.functions.add(
            "start(s, b, c, m)",
            "set up, and list the legal actions; how many there are, 0 if the game is over", body,
        )  # fmt: skip
        self._play()
        self._playouts()

    def _attempt(self, body: Body, call: str) -> None:
        """Call something that may fault, and end with it."""
        body.line(f"fault = {call}")
        with body.block("if fault != 0"):
            body.line(f"s[{self.fault}] = fault")
            body.line(f"return {FAULT}")

    def _change(self, body: Body) -> None:
        self._attempt(body, "next_mover(s, b, c)")
        self._attempt(body, "begin(s, b, c)")

    def _settle(self) -> None:
        body = self._body()
        body.line("ended = end(s, b)")
        with body.block("if ended == 0"):
            with body.block("if first"):
                self._attempt(body, "begin(s, b, c)")
            with body.block("elif acted"):
                text = body.cond(self.game.turn.over, {})
                if text == "1":
                    self._change(body)
                else:
                    with body.block(f"if {text}"):
                        self._change(body)
            body.line("n = listing(s, b, m)")
            if self.game.turn.stuck == "pass" and self.game.players > 1:
                with body.block(f"for _ in range({self.game.players - 1})"):
                    with body.block("if n != 0"):
                        body.line("break")
                    self._change(body)
                    body.line("n = listing(s, b, m)")
            with body.block("if n != 0"):
                body.line("return n")
            body.line(f"ended = {len(self.game.ends) + 1}  # nobody can act")
        body.line(f"s[{self.program.offsets[self.game.state['over']][0]}] = 1")
        body.line(f"s[{self.ended}] = ended")
        body.line("return 0")
        self.functions.add(
            "settle(s, b, c, m, first, acted)",
            "ask the ends, begin the first turn or change the turn, list the legal actions", body,
        )  # fmt: skip

    def _play(self) -> None:
        body = self._body()
        for i, action in enumerate(self.actions):
            with body.block(f"{'if' if i == 0 else 'elif'} m[k] == {i}"):
                args, place = [], 1
                for choice in action.choices:
                    if choice.chain:
                        at = self.program.slot(choice.chain.type)
                        x = body.local("i")
                        with body.block(f"for {x} in range(m[{plus('k', place)}])"):
                            body.line(f"s[{sum_of(str(at), x)}] = m[{sum_of('k', x, str(place + 1))}]")
                        args += [str(at), f"m[{plus('k', place)}]"]
                    else:
                        args.append(f"m[{plus('k', place)}]")
                    place += _places(choice)
                self._attempt(body, f"{self.names[action.effect]}({', '.join(['s', 'b', 'c', *args])})")
        for reaction in self.game.reactions:
            with body.block(f"if {body.cond(reaction.condition, {})}"):
                self._attempt(body, f"{self.names[reaction.effect]}(s, b, c)")
        body.line("return settle(s, b, c, m, False, True)")
        self.functions.add(
            "play(s, b, c, m, k)",
            "play the action that lies at k in m, and list the legal ones that follow",
            body,
        )

    def _playouts(self) -> None:
        one = f"""
            n = start(s, b, c, m)
            plies = 0
            while n > 0 and plies < most:
                n = play(s, b, c, m, choose(c, n) * {self.width})
                plies += 1
            return plies if n >= 0 else n
        """
        self.functions.add(
            "playout(s, b, c, m, most)", "a play at random; how many plies it took", _lines(one)
        )
        many = f"""
            for _ in range(games):
                for i in range({self.program.state_cells}):
                    s[i] = first[i]
                for i in range({len(self.program.words)}):
                    b[i] = words[i]
                plies = playout(s, b, c, m, most)
                if plies < 0:
                    return plies
                tally[0] += plies
                if s[{self.program.offsets[self.game.state["over"]][0]}]:
                    won = winners(s, b)
                    for player in range(1, {self.game.player.values[-1] + 1}):
                        if won & BIT[player] != ZERO:
                            tally[player] += 1
            return 0
        """
        self.functions.add(
            "playouts(first, words, s, b, c, m, games, most, tally)",
            "plays at random from the first state; tally: plies, and for each player the games won",
            _lines(many),
        )

    # ---- text

    def _text(self) -> str:
        game = self.game
        title = f"{game.title}: the rules as code, written from the ruleset `{game.id}`."
        said = f'"""{title}\n\nDigest {game.digest}.\n"""\n'
        lines = []
        used = set(re.findall(r"\w+", " ".join(self.functions.texts)))
        for name, text, why in self.program.constants:
            if name not in used and text[:1].isalpha():
                continue
            comment = f"  # {why}" if why and len(text) < 60 else ""
            if why and not comment:
                lines.append(f"# {why}")
            lines.append(_wrapped(f"{name} = {text}{comment}"))
        return "\n\n".join([said + "\n".join(lines), *("\n" + text for text in self.functions.texts)]) + "\n"


def _lines(text: str) -> Body:
    body = object.__new__(Body)
    body.lines = textwrap.indent(textwrap.dedent(text).strip(), "    ").split("\n")
    return body


def _wrapped(line: str) -> str:
    if len(line) <= 110:
        return line
    return textwrap.fill(line, 108, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False)


def _words(text: str) -> str:
    clean = " ".join(text.replace('"""', "'").replace("\\", "/").split()).rstrip(": ")
    return textwrap.shorten(clean, 100, placeholder=" …")


def _places(choice: object) -> int:
    chain = getattr(choice, "chain", None)
    return 1 + chain.type.cap if chain else 1


def _bound(action: Action) -> int:
    """At most so many legal ways to take an action."""
    total = 1
    for choice in action.choices:
        if choice.chain:
            return MOST_MOVES + 1
        total *= len(choice.var.type.values)  # type: ignore[attr-defined]
    return total


def _asks(action: Action) -> set[str]:
    conditions = [r.condition for r in action.requirements]
    conditions += [choice.where for choice in action.choices if choice.where is not None]
    return {node.action for e in conditions for node in inside(e) if isinstance(node, n.Can)}


__all__ = ["FAULT", "FULL", "TooLarge", "Written", "write"]
