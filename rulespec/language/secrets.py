"""The keys `secret` and `open` of an action: the parts of it that other players do not observe.

`secret` names choices, or the `action` itself, each with the players it is `shown to`; `open` names choices
that are not secret although they flow into hidden state. Each choice that flows there must be under one of
the keys.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.diagnostics import nearest
from ..core.game import Choice, Secret
from ..core.taint import Flow
from ..core.traversal import FreeVariables, reads_state
from ..core.types import Value
from .documents.yaml import Mapping, Scalar
from .elaborate.expressions import set_of_players
from .elaborate.world import Frame
from .rules import Names, Rules
from .stages import AT_ONCE
from .syntax.parser import Syntax
from .tabled_choices import meaning_of

OF_ACTIONS = ("secret", "open")
"""The keys of a rule that declare the secrets of its action."""

ACTION = "action"
"""The word for the action itself."""


def secrets(
    rules: Rules, rule: Mapping, text: Scalar, choices: Sequence[Choice], effect: n.Effect
) -> tuple[Secret, ...]:
    """The secrets of an action in canonical form: first the action itself, then choices in their order.

    `text` declares the choices. Faults: a name that is no choice or occurs twice, a choice under neither key
    that flows into hidden state, a secret in a game without hidden state. The first two raise Faulty.
    """
    declared = _Declared(rules, rule, choices)
    declared.read()
    hidden = any(var.hidden for var in rules.world.state.values())
    if rules.world.most_players > 1:
        if hidden and choices:
            declared.require_words(text, effect)
        elif declared.secret and not hidden:
            text = cast(Scalar, rule.entries["secret"])
            rules.world.report.error(
                "action.secret",
                "nothing of the state is hidden, so every player sees its effect",
                text.span,
                help="declare the variable that it goes into as `hidden state`",
                clause=declared.clause,
            )
    return declared.canonical() if rules.world.players > 1 else ()


class _Declared:
    """The secrets that a rule declares for its action."""

    def __init__(self, rules: Rules, rule: Mapping, choices: Sequence[Choice]) -> None:
        self.rules, self.rule = rules, rule
        self.names: Names = {choice.var.name: meaning_of(choice) for choice in choices}
        self.variables = {choice.var.name: choice.var for choice in choices}
        self.clause = cast(Scalar, rule.entries["id"]).value
        self.secret: dict[str, n.Expr | None] = {}
        """The players that each secret is shown to, by name; None for nobody."""
        self.open: set[str] = set()

    def read(self) -> None:
        """Read both keys; simultaneous choices stay secret until all have chosen. Raises Faulty."""
        if AT_ONCE in self.rule.entries:
            self._check_at_once()
        for frame, tree in self._listed("secret"):
            word, shown = tree.children
            self._note(frame, cast(Token, word), ACTION)
            self.secret[str(word)] = None
            if shown is not None:
                named = cast(Syntax, shown)
                self.secret[str(word)] = frame.put(set_of_players(frame, named), named)
        for frame, tree in self._listed("open"):
            word = cast(Token, tree.children[0])
            self._note(frame, word)
            self.open.add(str(word))
        if AT_ONCE in self.rule.entries:
            self.secret = dict.fromkeys(self.names)

    def _check_at_once(self) -> None:
        """Raise Faulty if the keys contradict simultaneous choices."""
        for frame, tree in self._listed("open"):
            message = "what is chosen at once is open as soon as all have chosen"
            frame.fail("at-once.secret", message, tree, help="leave `open` out")
        for frame, tree in self._listed("secret"):
            word, shown = tree.children
            if shown is not None or word == ACTION:
                message = "a choice at once stays secret from all others, or from nobody"
                frame.fail("at-once.secret", message, tree, help="name the choices alone: `secret: c`")

    def _listed(self, key: str) -> Iterator[tuple[Frame, Syntax]]:
        text = self.rule.entries.get(key)
        if isinstance(text, Scalar):
            frame = self.rules.frame(text, self.clause).binding(**self.names)
            for tree in self.rules.tree(text, f"{key}_text").children:
                yield frame, cast(Syntax, tree)

    def _note(self, frame: Frame, word: Token, *others: str) -> None:
        """Check a name: it must be a choice or one of `others`, and new. Raises Faulty."""
        name = str(word)
        if name in self.secret or name in self.open:
            frame.fail("action.secret", f"`{name}` is named twice", word)
        if name in others and name in self.names:
            help = "call the choice something else"
            frame.fail("action.secret", f"`{name}` is the action itself and a choice of it", word, help=help)
        if name not in self.names and name not in others:
            help = nearest(name, [*self.names, *others])
            frame.fail("action.secret", f"`{self.clause}` has no choice `{name}`", word, help=help)

    def require_words(self, text: Scalar, effect: n.Effect) -> None:
        """Report each choice that flows into hidden state and is under neither key."""
        if ACTION in self.secret:
            return
        flow, frame = Flow(), self.rules.frame(text, self.clause)
        tree = cast(Syntax, self.rules.tree(text, "choices_text").children[0])
        for choice in cast("list[Syntax]", tree.children):
            word = cast(Token, choice.children[0])
            stored = flow.dependent_variables(effect, self.variables[str(word)])
            hidden = [var.name for var in self.rules.world.state.values() if var.hidden and var in stored]
            if hidden and word not in self.secret and word not in self.open:
                self.rules.world.report.error(
                    "action.secret",
                    f"`{word}` goes into `{hidden[0]}`, which is hidden, and nothing says whether the other "
                    "players learn it",
                    frame.span(word),
                    help=f"add `secret: {word}` if they do not, `open: {word}` if they do",
                    clause=self.clause,
                )

    def canonical(self) -> tuple[Secret, ...]:
        """The parts that are secret from somebody, except choices that a secret action hides anyway."""
        secrets: list[Secret] = []
        if ACTION in self.secret:
            shown, to_all = self._viewers(ACTION)
            if not to_all:
                secrets.append(Secret(None, shown))
                if shown is None:
                    return tuple(secrets)
        for name in self.names:
            if name in self.secret:
                shown, to_all = self._viewers(name)
                if not to_all:
                    secrets.append(Secret(self.variables[name], shown))
        return tuple(secrets)

    def _viewers(self, name: str) -> tuple[n.Expr | None, bool]:
        """The players who see a part (None: nobody), and True if all always see it."""
        shown = self.secret[name]
        if shown is None or reads_state(shown) or FreeVariables()(shown):
            return shown, False
        player = self.rules.world.player
        text = cast(Scalar, self.rule.entries["secret"])
        value: Value = self.rules.frame(text, self.clause).value(shown, {})
        return (shown if value else None), set(value) >= set(player.values)
