"""Claims about a random game, most of them true or false by a hair."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.language import load

from .generate import Outline, Place, Writer
from .space import Space
from .truth import Truth, Unknown, truth


def entry(name: str, **parts: object) -> str:
    """A claim as text."""
    lines = [f"- id: {name}", "  prose: It is claimed."]
    for key, value in parts.items():
        text = str(value)
        block = any(sign in text for sign in ":#{[") or text.startswith(("(", "'", '"'))
        lines.append(f"  {key.replace('_', '-')}: " + (f"|\n    {text}" if block else text))
    return "\n".join(lines)


class Claimer:
    """Makes claims about one game. `space` is that of the game without claims."""

    def __init__(self, rng: random.Random, text: str, outline: Outline, space: Space, folder: Path) -> None:
        self.rng, self.text, self.space, self.folder = rng, text, space, folder
        self._writer = Writer(rng, outline)
        if rng.random() < 0.4:
            self._writer.askable = outline.actions
        self._outline = outline
        self._numbers = self._asked("most", lambda: self._writer.number(rng.randint(1, 3)), 5)
        self._truths = self._asked("invariant", lambda: self._writer.truth(rng.randint(1, 3)), 6)

    def _asked(self, key: str, write: Callable[[], str], count: int) -> list[tuple[str, list[object]]]:
        """Expressions with their values in every position; those that do not fit are left out."""
        found: list[tuple[str, list[object]]] = []
        for i in range(count):
            text = write()
            game = self._loaded([entry(f"c{i}", **{key: text})])
            if game is None:
                continue
            condition = game.claims[f"c{i}"].condition
            assert condition is not None
            space = Space(game, 10**6, 10**7)
            found.append((text, [space.ask(condition, j) for j in range(len(space))]))
        return found

    def _loaded(self, entries: list[str]) -> Game | None:
        path = self.folder / "asked.yaml"
        path.write_text(self.text + "claims:\n" + "\n".join(entries) + "\n", "utf-8")
        try:
            return load(path)
        except RulesetError:
            return None

    def claims(self, count: int) -> list[str]:
        """Claims that can be read, as text; fewer where many are refused."""
        found: list[str] = []
        for _ in range(4 * count):
            if len(found) == count:
                break
            made = self.rng.choice(_WAYS)(self, f"c{len(found)}")
            if made is not None and self._loaded([*found, made]) is not None:
                found.append(made)
        return found

    # ---- parts

    def _number(self) -> tuple[str, list[int]] | None:
        if not self._numbers:
            return None
        text, values = self.rng.choice(self._numbers)
        numbers = [v for v in values if isinstance(v, int)]
        return (text, numbers) if numbers else None

    def _truth(self) -> str:
        return self.rng.choice(self._truths)[0] if self._truths else "true"

    def _options(self, *names: str) -> dict[str, object]:
        found: dict[str, object] = {}
        if "when" in names and self.rng.random() < 0.3:
            found["when"] = self._truth()
        return found


Way = Callable[[Claimer, str], str | None]


def _literal(value: int) -> str:
    return str(value) if value >= 0 else f"(0 - {-value})"


def _invariant(c: Claimer, name: str) -> str | None:
    found = c._number()
    if found is None or c.rng.random() < 0.4:
        return entry(name, invariant=c._truth(), **c._options("when"))
    text, values = found
    edge, sign = c.rng.choice(((max(values), "<="), (min(values), ">=")))
    edge += c.rng.choice((0, 0, 0, 1, -1))
    return entry(name, invariant=f"{text} {sign} {_literal(edge)}", **c._options("when"))


def _reachable(c: Claimer, name: str) -> str | None:
    key = c.rng.choice(("reachable", "unreachable"))
    found = c._number()
    if found is None or c.rng.random() < 0.4:
        return entry(name, **{key: c._truth()})
    text, values = found
    edge = c.rng.choice((max(values), min(values), max(values) + 1, min(values) - 1))
    return entry(name, **{key: f"{text} = {_literal(edge)}"})


def _best(c: Claimer, name: str) -> str | None:
    found = c._number()
    return found and entry(name, **{c.rng.choice(("most", "least")): found[0]}, **c._options("when"))


def _least_sum(c: Claimer, name: str) -> str | None:
    found = c._number()
    return found and entry(name, least=f"abs({found[0]})", when=c._truth(), summed_over="plies")


def _terminates(c: Claimer, name: str) -> str | None:
    found = c._number()
    return found and entry(name, terminates=c.rng.choice((found[0], f"20 - {found[0]}")))


def _never_falls(c: Claimer, name: str) -> str | None:
    found = c._number()
    return found and entry(name, never_falls=found[0])


def _plain(c: Claimer, name: str) -> str | None:
    return entry(name, kind=c.rng.choice(("never-stuck", "never-faults", "endless", "winnable")))


def _never_hopeless(c: Claimer, name: str) -> str | None:
    within = {"within": c.rng.randint(1, 4)} if c.rng.random() < 0.4 else {}
    return entry(name, never_hopeless=c._truth(), **within)


def _count(c: Claimer, name: str) -> str | None:
    parts: dict[str, object] = {"count": c._truth()} if c.rng.random() < 0.6 else {"kind": "count"}
    match c.rng.randrange(5):
        case 0:
            parts["at"] = c.rng.randint(0, 3)
        case 1:
            parts["within"] = c.rng.randint(0, 3)
        case 2 if parts.get("kind"):
            parts["of"] = "plays"
            if c.rng.random() < 0.6:
                parts["at"] = c.rng.randint(0, 4)
        case 3 if (found := c._number()) is not None:
            parts["different"] = found[0]
    return entry(name, **parts)


def _value(c: Claimer, name: str) -> str | None:
    found = c._number()
    parts: dict[str, object] = {"value": found[0]} if found and c.rng.random() < 0.5 else {"kind": "value"}
    if c.rng.random() < 0.3:
        parts["seeing"] = "everything"
    if c.rng.random() < 0.3 and "kind" in parts:
        parts["is"] = c.rng.choice(("drawn", "won by 1", "won by 2"))
    return entry(name, **parts)


def _expected(c: Claimer, name: str) -> str | None:
    found = c._number()
    if found is None:
        return None
    parts: dict[str, object] = {"expected": found[0]}
    if c.rng.random() < 0.6:
        parts["policy"] = "random"
    elif c.rng.random() < 0.4:
        parts["seeing"] = "everything"
    if c.rng.random() < 0.3:
        parts["summed-over"] = "plies"
    return entry(name, **parts)


def _equivalent(c: Claimer, name: str) -> str | None:
    requirement = "need:" in c.text
    if not requirement:
        return None
    action = c.rng.choice(c._outline.actions)[0]
    wording = c.rng.choice(("original and true", "not not (original)", c._truth()))
    return (
        f"- id: {name}\n  prose: It is claimed.\n  equivalent:\n    replace:\n"
        f"      {action}.require.need.that: |\n        {wording}"
    )


_WAYS: tuple[Way, ...] = (
    *(_invariant,) * 5,
    *(_reachable,) * 3,
    *(_best,) * 3,
    _least_sum,
    *(_terminates,) * 2,
    *(_never_falls,) * 2,
    *(_plain,) * 2,
    *(_never_hopeless,) * 1,
    *(_count,) * 3,
    *(_value,) * 2,
    *(_expected,) * 3,
    _equivalent,
)

__all__ = ["Claimer", "Place", "Truth", "Unknown", "entry", "truth"]
