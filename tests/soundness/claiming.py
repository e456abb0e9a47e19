"""Claims about a random game, most of them true or false by a hair."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Claim, Game
from rulespec.language import load
from rulespec.play.machine import Machine

from .brute_force import truth
from .expressions import Writer
from .outline import Outline, Place
from .space import Space
from .truth import Unknown

UNLIKE = 0.2
"""The share of symmetries that are claimed whether they hold or not."""
MOST_ASKED = 1_000
"""Of so many positions at most expressions are worked out to find claims that are nearly so."""


def entry(name: str, **parts: object) -> str:
    """A claim as text."""
    lines = [f"- id: {name}", "  prose: It is claimed."]
    for key, value in parts.items():
        text = str(value)
        listed = key in ("helped_by", "across")
        block = (not listed and any(sign in text for sign in ":#{[")) or text.startswith(("(", "'", '"'))
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
        self.invariants: list[str] = []
        """The invariants among the claims made so far."""
        self.bounds: list[tuple[str, str, str, int]] = []
        """Those of them that bound a number everywhere: name, number, sign, and the bound."""
        self.of_a_deal: list[str] = []
        """The claims among them that can be asked of one deal."""
        self.bounding: list[tuple[str, str, str, int]] = []
        """The same of claims that were made and perhaps refused."""
        self._numbers: list[tuple[str, list[object]]] = []
        self._truths: list[tuple[str, list[object]]] = []
        """Expressions with their values in every position."""
        self._ask()

    def _ask(self) -> None:
        numbers = [self._writer.number(self.rng.randint(1, 3)) for _ in range(4)]
        numbers += [self._writer.maybe(2), *self._counts()]
        numbers += [p.name for p in self._outline.state if p.kind == "num" and not p.optional]
        numbers += [f"size({p.name})" for p in self._outline.state if p.kind in ("set hue", "list hue")]
        truths = [self._writer.truth(self.rng.randint(1, 3)) for _ in range(6)]
        keyed = [("most", text) for text in numbers] + [("invariant", text) for text in truths]
        read = [entry(f"c{i}", **{key: text}) for i, (key, text) in enumerate(keyed)]
        game = self._loaded(self._readable(read))
        if game is None:
            return
        machine, positions = Machine(game), self.space.positions
        if len(positions) > MOST_ASKED:
            positions = self.rng.sample(positions, MOST_ASKED)
        situations = [machine.situation(position) for position in positions]
        for i, (key, text) in enumerate(keyed):
            claim = game.claims.get(f"c{i}")
            if claim is not None and claim.condition is not None:
                values = [evaluate(claim.condition, {}, situation) for situation in situations]
                (self._numbers if key == "most" else self._truths).append((text, values))

    def _counts(self) -> list[str]:
        """In how many spots something holds, and in how many it does not: what invariants add up to."""
        x = self._writer.fresh()
        holds = self._writer.inside(Place(x, "spot")).truth(1)
        return [f"count({x} in Spot where {one})" for one in (holds, f"not ({holds})")]

    def _readable(self, entries: list[str]) -> list[str]:
        """Those of some claims that can be read."""
        if self._loaded(entries) is not None:
            return entries
        half = len(entries) // 2
        return [*self._readable(entries[:half]), *self._readable(entries[half:])] if half else []

    def _loaded(self, entries: list[str]) -> Game | None:
        path = self.folder / "asked.yaml"
        path.write_text(self.text + "claims:\n" + "\n".join(entries) + "\n", "utf-8")
        try:
            return load(path)
        except RulesetError:
            return None

    def claims(self, count: int, favoured: Sequence[str] = ()) -> list[str]:
        """Claims that can be read, as text; fewer where many are refused; of `favoured` ways, if any."""
        found: list[str] = []
        ways = [WAYS[name] for name in favoured] or _USUAL
        for _ in range(4 * count):
            if len(found) == count:
                break
            name = f"c{len(found)}"
            made = self.rng.choice(ways)(self, name)
            game = self._loaded([*found, made]) if made is not None else None
            if made is not None and game is not None and self._serves(game.claims[name]):
                found.append(made)
                if "\n  invariant: " in made:
                    self.invariants.append(name)
                    self.bounds += [bound for bound in self.bounding if bound[0] == name]
                if any(f"\n  {key}: " in made for key in ("reachable", "most")):
                    self.of_a_deal.append(name)
        return found

    def _serves(self, claim: Claim) -> bool:
        """False of most symmetries that do not hold: methods use those of a game only if all of them hold."""
        if claim.kind != "symmetry" or self.rng.random() < UNLIKE:
            return True
        try:
            return truth(self.space, claim).holds is True
        except Unknown:
            return False

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
        if "from" in names and self.rng.random() < 0.1:
            found["from"] = self.rng.choice(("start", "deal"))
        if "helped_by" in names and self.invariants and self.rng.random() < 0.4:
            named = self.rng.sample(self.invariants, self.rng.randint(1, min(2, len(self.invariants))))
            found["helped_by"] = f"[{', '.join(named)}]"
        if self._outline.ruling and self.rng.random() < 0.1:
            found["across"] = self.rng.choice(("every-ruling", "[limit]"))
        return found


Way = Callable[[Claimer, str], str | None]


def _literal(value: int) -> str:
    return str(value) if value >= 0 else f"(0 - {-value})"


def _invariant(c: Claimer, name: str) -> str | None:
    found = c._number()
    if found is None or c.rng.random() < 0.4:
        return entry(name, invariant=c._truth(), **c._options("when", "helped_by"))
    text, values = found
    edge, sign = c.rng.choice(((max(values), "<="), (min(values), ">=")))
    edge += c.rng.choice((0, 0, 0, 1, -1))
    options = c._options("when", "helped_by")
    if "when" not in options:
        c.bounding.append((name, text, sign, edge))
    return entry(name, invariant=f"{text} {sign} {_literal(edge)}", **options)


def _beyond_bounds(c: Claimer, name: str) -> str | None:
    """Whether a sum goes beyond what invariants add up to, or by how much it does not."""
    if not c.bounds:
        return None
    _, _, sign, _ = c.rng.choice(c.bounds)
    chosen = [bound for bound in c.bounds if bound[2] == sign]
    chosen = c.rng.sample(chosen, min(len(chosen), c.rng.randint(1, 2)))
    times = [c.rng.randint(1, 2) for _ in chosen]
    text = " + ".join(f"{t} * {bound[1]}" for t, bound in zip(times, chosen, strict=True))
    edge = sum(t * bound[3] for t, bound in zip(times, chosen, strict=True))
    helped = f"[{', '.join(bound[0] for bound in chosen)}]"
    if c.rng.random() < 0.3:
        return entry(name, **{"most" if sign == "<=" else "least": f"({text})"}, helped_by=helped)
    beyond = edge + c.rng.choice((0, 1, 2)) * (1 if sign == "<=" else -1)
    asked = f"({text}) {'>=' if sign == '<=' else '<='} {_literal(beyond)}"
    return entry(name, **{c.rng.choice(("reachable", "unreachable")): asked}, helped_by=helped)


def _reachable(c: Claimer, name: str) -> str | None:
    key = c.rng.choice(("reachable", "unreachable"))
    found = c._number()
    if found is None or c.rng.random() < 0.4:
        return entry(name, **{key: c._truth()}, **c._options("from", "helped_by"))
    text, values = found
    if c.rng.random() < 0.4 and (other := c._number()) is not None and len(other[1]) == len(values):
        sign = c.rng.choice(("+", "-"))
        text = f"({text} {sign} {other[0]})"
        values = [a + b if sign == "+" else a - b for a, b in zip(values, other[1], strict=True)]
    edge = c.rng.choice((max(values), min(values), max(values) + 1, min(values) - 1))
    compared = c.rng.choice(("=", "=", ">=" if edge >= max(values) else "<="))
    return entry(name, **{key: f"{text} {compared} {_literal(edge)}"}, **c._options("from", "helped_by"))


def _low(c: Claimer, name: str) -> str | None:
    """A goal that bounds a counter from above, perhaps after it was higher."""
    counters = [p for p in c._outline.state if p.kind == "num" and not p.optional]
    place = c.rng.choice(counters)
    bound = c.rng.randint(place.lo, place.hi)
    text = f"{place.name} {c.rng.choice(('=', '<=', '<'))} {_literal(bound)}"
    if c.rng.random() < 0.7:
        text += f" and ({c._truth()})"
    return entry(name, **{c.rng.choice(("reachable", "unreachable")): text}, **c._options("helped_by"))


def _full(c: Claimer, name: str) -> str | None:
    """A goal that needs something in each place, or in none."""
    ways = {
        "set spot": ("every x0 in Spot satisfies x0 in {}", "{} is empty", "not ({} is empty)"),
        "map hue": ("every x0 in Spot satisfies {}[x0] is some", "some x0 in Spot satisfies {}[x0] is some"),
        "list hue": ("size({}) >= 2", "not ({} is empty)", "{} is empty"),
        "set hue": ("every x0 in Hue satisfies x0 in {}", "not ({} is empty)"),
    }
    places = [p for p in c._outline.state if p.kind in ways and (p.optional or p.kind != "map hue")]
    if not places:
        return None
    place = c.rng.choice(places)
    text = c.rng.choice(ways[place.kind]).format(place.name)
    if c.rng.random() < 0.4:
        text = f"({text}) and ({c._truth()})"
    return entry(name, **{c.rng.choice(("reachable", "unreachable")): text}, **c._options("helped_by"))


def _apart(c: Claimer, name: str) -> str | None:
    """A question that one spot or hue is named in, so that images of a position tell it apart."""
    ways = {
        "set spot": "{spot} in {place}",
        "map num": "{place}[{spot}] = {number}",
        "map hue": "{place}[{spot}] = {hue}",
        "hue": "{place} = {hue}",
        "spot": "{place} = {spot}",
        "set hue": "{hue} in {place}",
        "list hue": "{hue} in {place}",
    }
    places = [p for p in c._outline.state if p.kind in ways]
    if not places:
        return None
    place = c.rng.choice(places)
    spot, hue = c.rng.choice(c._outline.spots), c.rng.choice(c._outline.hues)
    number = _literal(c.rng.randint(place.lo, place.hi))
    text = ways[place.kind].format(place=place.name, spot=spot, hue=hue, number=number)
    return entry(name, **{c.rng.choice(("count", "count", "reachable")): text})


def _best(c: Claimer, name: str) -> str | None:
    found = c._number()
    return found and entry(
        name, **{c.rng.choice(("most", "least")): found[0]}, **c._options("when", "from", "helped_by")
    )


def _least_sum(c: Claimer, name: str) -> str | None:
    found = c._number()
    return found and entry(name, least=f"abs({found[0]})", when=c._truth(), summed_over="plies")


def _terminates(c: Claimer, name: str) -> str | None:
    if c.rng.random() < 0.3:
        return entry(name, kind="terminates", **c._options("helped_by"))
    found = c._number()
    return found and entry(
        name, terminates=c.rng.choice((found[0], f"20 - {found[0]}")), **c._options("helped_by")
    )


def _never_falls(c: Claimer, name: str) -> str | None:
    found = c._number()
    if found is not None and c.rng.random() < 0.3:
        more = c._number()
        return entry(name, never_falls=f"[{found[0]}, {more[0] if more else 0}]")
    return found and entry(name, never_falls=found[0], **c._options("helped_by"))


def _plain(*kinds: str) -> Way:
    """A way to claim something of a game that needs no further words."""

    def claim(c: Claimer, name: str) -> str | None:
        kind = c.rng.choice(kinds)
        return entry(name, kind=kind, **(c._options("helped_by") if kind != "endless" else {}))

    return claim


def _estimate(c: Claimer, name: str) -> str | None:
    found = c._number()
    parts: dict[str, object] = {"estimate": found[0] if found and c.rng.random() < 0.6 else c._truth()}
    if c.rng.random() < 0.3 and found:
        parts |= {"estimate": found[0], "summed_over": "plies"}
    return entry(name, **parts, games=c.rng.randint(1, 20), seed=c.rng.randint(0, 9))


def _symmetry(c: Claimer, name: str) -> str | None:
    spots, hues = c._outline.spots, c._outline.hues
    one, other = c.rng.sample(hues, 2)
    a, b = c.rng.sample(spots, 2)
    ways = [
        f"h in Hue -> if h is {one} then {other} else if h is {other} then {one} else h",
        f"s in Spot -> if s = {a} then {b} else if s = {b} then {a} else s",
    ]
    if c._outline.players == 2:
        ways.append("p in Player -> Player(3 - p)")
    chosen = c.rng.sample(ways, c.rng.choice((1, 1, 2)))
    text = "\n".join(f"    {way}" for way in chosen)
    options = "\n  for: i in 1..2\n  where: i = 1" if c.rng.random() < 0.2 else ""
    return f"- id: {name}\n  prose: It is claimed.\n  symmetry: |\n{text}{options}"


def _deals(c: Claimer, name: str) -> str | None:
    if not c.of_a_deal:
        return None
    asked = c.rng.choice(c.of_a_deal)
    if c.rng.random() < 0.5:
        return entry(
            name, every_deal=asked, **({"is": c.rng.choice(("yes", "no"))} if c.rng.random() < 0.5 else {})
        )
    return entry(name, share_of_deals=asked, deals=c.rng.choice(("all", 1, 3)))


def _never_hopeless(c: Claimer, name: str) -> str | None:
    within = {"within": c.rng.randint(1, 4)} if c.rng.random() < 0.4 else {}
    return entry(name, never_hopeless=c._truth(), **within)


def _count(c: Claimer, name: str) -> str | None:
    way = c.rng.randrange(5)
    parts: dict[str, object] = {"kind": "count"}
    if way != 2 and c.rng.random() < 0.6:
        parts = {"count": c._truth()}
    match way:
        case 0:
            parts["at"] = c.rng.randint(0, 3)
        case 1:
            parts["within"] = c.rng.randint(0, 3)
        case 2:
            parts["of"] = "plays"
            if c.rng.random() < 0.6:
                parts["at"] = c.rng.randint(0, 4)
        case 3 if (found := c._number()) is not None:
            parts["different"] = found[0]
    if c.rng.random() < 0.3:
        parts["is"] = c.rng.randint(0, 30)
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
    if c.rng.random() < 0.4:
        parts["policy"] = "random"
    else:
        if c.rng.random() < 0.4:
            parts["seeing"] = "everything"
        if c.rng.random() < 0.6:
            parts["wants"] = c.rng.choice(("most", "least", "least"))
        if c.rng.random() < 0.3:
            parts |= {"who": 1, "others": c.rng.choice(("opposed", "random"))}
    if c.rng.random() < 0.3:
        parts["summed-over"] = "plies"
    if c.rng.random() < 0.3:
        parts["is"] = c.rng.choice(("0", "1", "3/2"))
    return entry(name, **parts)


def _equivalent(c: Claimer, name: str) -> str | None:
    """That a part of the rules may be worded otherwise; each part has a wording that changes nothing."""
    truth, number = c._truth(), c._writer.number(1)
    actions = [action for action, _ in c._outline.actions]
    once = ("original", f"if {truth}:\n          original\n        else:\n          original")
    asked = ("original and true", "not not (original)", f"original or ({truth})", truth)
    ways = [
        *((f"{action}.require.need.that", asked) for action in actions),
        *((f"{action}.do", (*once, f"if {truth}:\n          original")) for action in actions),
        *((f"done{i}.end", (f"original or ({truth})", "original and true", truth)) for i in range(2)),
        *((f"{action}.action", (f"{x} where true", f"{x} where {truth}")) for action, x in _choices(c.text)),
        ("after.reaction", ("original and true", f"original and ({truth})")),
        ("turns.over", ("original", truth)),
        ("points.score", ("original + 0", f"original + ({number})")),
        ("victory.winners", ("those p in Player where p in original", "those p in Player where p = mover")),
        ("setting-up.setup", once),
    ]
    there = [way for way in ways if _has(c.text, *way[0].split(".")[:2])]
    if not there:
        return None
    path, wordings = c.rng.choice(there)
    return (
        f"- id: {name}\n  prose: It is claimed.\n  equivalent:\n    replace:\n"
        f"      {path}: |\n        {c.rng.choice(wordings)}"
    )


def _choices(text: str) -> list[tuple[str, str]]:
    """The actions with one choice on which there is no condition, each with that choice as text."""
    found = re.findall(r"- id: (act\d)\n  prose: .*\n  action: (\w+ in \w+)\n", text)
    return [(action, choice) for action, choice in found]


def _has(text: str, rule: str, part: str) -> bool:
    """True if a rule of a ruleset is written with a part."""
    _, found, after = text.partition(f"- id: {rule}\n")
    return bool(found) and f" {part}:" in after.partition("\n- id: ")[0]


WAYS: Mapping[str, Way] = {
    "invariant": _invariant,
    "reachable": _reachable,
    "beyond bounds": _beyond_bounds,
    "low": _low,
    "full": _full,
    "apart": _apart,
    "best": _best,
    "least sum": _least_sum,
    "terminates": _terminates,
    "never-falls": _never_falls,
    "plain": _plain(
        "never-stuck", "never-stuck", "never-faults", "never-faults", "endless", "winnable", "knowable"
    ),
    "never-stuck": _plain("never-stuck"),
    "never-faults": _plain("never-faults"),
    "knowable": _plain("knowable"),
    "never-hopeless": _never_hopeless,
    "count": _count,
    "value": _value,
    "expected": _expected,
    "symmetry": _symmetry,
    "estimate": _estimate,
    "deals": _deals,
    "equivalent": _equivalent,
}
"""The writers of claims by name."""
_OFTEN = {
    "invariant": 5, "reachable": 4, "beyond bounds": 3, "low": 3, "full": 3, "best": 3, "terminates": 2,
    "never-falls": 2, "plain": 2, "count": 3, "value": 2, "expected": 3, "symmetry": 2, "deals": 2,
    "equivalent": 2, "never-stuck": 0, "never-faults": 0, "knowable": 0,
}  # fmt: skip
_USUAL = [way for name, way in WAYS.items() for _ in range(_OFTEN.get(name, 1))]
