"""Random rulesets: small games that use every part of the language, with nothing in their claims yet.

A game is made as text, as an author writes it, so that reading it is put to the test as well. What is made is
well typed nearly always; what is refused all the same is thrown away by the caller.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

HUES = ("red", "blue", "gold")


@dataclass(frozen=True)
class Place:
    """A state variable or a local name: `kind` is num, bool, hue or spot, or one of these in a collection.

    `lo` and `hi` bound a number; `optional` says that it may be none.
    """

    name: str
    kind: str
    lo: int = 0
    hi: int = 0
    optional: bool = False
    hidden: bool = False


@dataclass
class Outline:
    """What the parts of one game may speak of."""

    players: int
    spots: tuple[int, ...]
    hues: tuple[str, ...]
    state: list[Place] = field(default_factory=list)
    functions: list[tuple[str, int, int]] = field(default_factory=list)
    """Definitions of one number each: name, and the range of their parameter."""
    actions: list[tuple[str, str]] = field(default_factory=list)
    """Actions made so far: name, and the kind of their first choice, empty if there is none."""
    ruling: bool = False


class Writer:
    """Writes expressions and effects over an outline, with some local names in reach."""

    def __init__(self, rng: random.Random, outline: Outline, local: Sequence[Place] = ()) -> None:
        self.rng, self.outline, self.local = rng, outline, tuple(local)
        self.askable: Sequence[tuple[str, str]] = ()
        """Actions that `can` may ask of."""

    def inside(self, *names: Place) -> Writer:
        """A writer within binders."""
        made = Writer(self.rng, self.outline, (*self.local, *names))
        made.askable = self.askable
        return made

    def fresh(self) -> str:
        """A local name that is not in use."""
        return f"x{len(self.local)}"

    def places(self, kind: str, optional: bool | None = None) -> list[Place]:
        """The names of a kind."""
        found = [p for p in (*self.outline.state, *self.local) if p.kind == kind]
        return [p for p in found if optional is None or p.optional == optional]

    def pick(self, *options: Callable[[], str | None]) -> str:
        """The first of some ways, in random order, that gives anything."""
        for way in self.rng.sample(options, len(options)):
            made = way()
            if made is not None:
                return made
        raise AssertionError("no way to write anything")

    # ---- numbers

    def number(self, depth: int) -> str:
        """A number that is never none."""
        rng = self.rng
        if depth <= 0 or rng.random() < 0.2:
            names = self.places("num", optional=False)
            return rng.choice(names).name if names and rng.random() < 0.75 else str(rng.randint(0, 3))
        sub = depth - 1
        return self.pick(
            lambda: f"({self.number(sub)} {rng.choice(('+', '-', '+', '-', '*'))} {self.number(sub)})",
            lambda: f"({self.number(sub)} {rng.choice(('div', 'mod'))} {rng.choice(('2', '3', '(0 - 2)'))})",
            lambda: f"({self.maybe(sub)} otherwise {self.number(0)})",
            lambda: f"{rng.choice(('min', 'max'))}({self.number(sub)}, {self.number(sub)})",
            lambda: f"abs({self.number(sub)})",
            lambda: f"(if {self.truth(sub)} then {self.number(sub)} else {self.number(sub)})",
            lambda: f"size({self.collection(sub)})",
            lambda: self.over(lambda w, x, s: f"count({x} in {s} where {w.truth(sub)})"),
            lambda: self.over(
                lambda w, x, s: f"sum({w.maybe(sub) if rng.random() < 0.6 else w.number(sub)} for {x} in {s})"
            ),
            lambda: self.over(
                lambda w, x, s: (
                    f"({rng.choice(('min', 'max'))}({w.number(sub)} for {x} in {s})"
                    f" otherwise {rng.randint(0, 3)})"
                )
            ),
            lambda: (
                f"(let {self.fresh()} be {self.number(sub)}; "
                f"{self.inside(Place(self.fresh(), 'num')).number(sub)})"
            ),
            lambda: f"number({self.hue(0)})" if self.places("hue", optional=False) else None,
        )

    def maybe(self, depth: int) -> str:
        """A number that may be none."""
        rng = self.rng
        sub = depth - 1
        ways: list[Callable[[], str | None]] = [
            lambda: self.name_of("num", optional=True),
            lambda: self.lookup("map num", depth),
            self._called,
        ]
        if depth > 0:
            ways += [
                lambda: f"({self.maybe(sub)} {rng.choice(('+', '-', '*'))} {self.number(sub)})",
                lambda: f"(if {self.truth(sub)} then none else {self.number(sub)})",
                lambda: f"(if {self.truth(sub)} then {self.maybe(sub)} else {self.number(sub)})",
                lambda: self.over(
                    lambda w, x, s: f"{rng.choice(('min', 'max'))}({w.number(sub)} for {x} in {s})"
                ),
                lambda: self.over(lambda w, x, s: f"number(first {x} in {s} where {w.truth(sub)})"),
            ]
        return self.pick(*ways, lambda: self.number(0))

    def _called(self) -> str | None:
        """A definition, perhaps of something outside its parameter."""
        if not self.outline.functions:
            return None
        name, _, _ = self.rng.choice(self.outline.functions)
        return f"{name}({self.number(0)})"

    # ---- truths

    def truth(self, depth: int) -> str:
        """A condition."""
        rng = self.rng
        sub = depth - 1
        if depth <= 0:
            return self.pick(
                lambda: self.name_of("bool"),
                lambda: f"{self.maybe(0)} {rng.choice(('=', '!=', '<', '<=', '>', '>='))} {self.number(0)}",
                lambda: f"{self.hue(0)} is {rng.choice(self.outline.hues)}" if self.places("hue") else None,
            )
        return self.pick(
            lambda: f"({self.truth(sub)} {rng.choice(('and', 'or'))} {self.truth(sub)})",
            lambda: f"not ({self.truth(sub)})",
            lambda: f"{self.maybe(sub)} {rng.choice(('=', '!=', '<', '<=', '>', '>='))} {self.maybe(sub)}",
            lambda: f"{self.number(sub)} {rng.choice(('=', '<', '<=', '>='))} {self.number(sub)}",
            lambda: f"{self.maybe(sub)} is {rng.choice(('none', 'some'))}",
            lambda: f"{self.spot(sub)} {rng.choice(('in', 'not in'))} {self.collection(sub, 'spot')}",
            lambda: f"{self.collection(sub)} is {rng.choice(('empty', 'not empty'))}",
            lambda: self.over(
                lambda w, x, s: f"({rng.choice(('every', 'some', 'no'))} {x} in {s} satisfies {w.truth(sub)})"
            ),
            lambda: f"(if {self.truth(sub)} then {self.truth(sub)} else {self.truth(sub)})",
            lambda: f"{self.hue(sub)} = {self.hue(sub)}" if self.places("hue") else None,
            self._can,
        )

    def _can(self) -> str | None:
        if not self.askable:
            return None
        name, choice = self.rng.choice(self.askable)
        if not choice or self.rng.random() < 0.5:
            return f"can {name}"
        return f"can {name}({self.spot(0) if choice == 'spot' else self.number(0)})"

    # ---- other scalars and collections

    def spot(self, depth: int) -> str:
        """A spot, perhaps none."""
        rng = self.rng
        return self.pick(
            lambda: self.name_of("spot"),
            lambda: str(rng.choice(self.outline.spots)),
            lambda: f"Spot({self.number(depth - 1)})" if depth > 0 else None,
            lambda: (
                self.over(lambda w, x, s: f"(first {x} in {s} where {w.truth(depth - 1)})", "spot")
                if depth > 0
                else None
            ),
        )

    def hue(self, depth: int) -> str:
        """A hue, perhaps none."""
        rng = self.rng
        return self.pick(
            lambda: self.name_of("hue"),
            lambda: self.lookup("map hue", depth),
            lambda: (
                f"{rng.choice(('top', 'bottom'))}({self.name_of('list hue')})"
                if self.places("list hue")
                else None
            ),
            lambda: f"{self.name_of('list hue')}[{rng.randint(1, 3)}]" if self.places("list hue") else None,
        )

    def collection(self, depth: int, of: str = "") -> str:
        """A set or a list of spots or hues."""
        rng = self.rng
        kind = of or rng.choice(("spot", "hue"))
        if kind == "hue":
            return self.pick(lambda: self.name_of("list hue"), lambda: "Hue")
        return self.pick(
            lambda: self.name_of("set spot"),
            lambda: self.name_of("set spot"),
            lambda: "Spot",
            lambda: f"{{{', '.join(map(str, self._some_spots()))}}}",
            lambda: (
                self.over(lambda w, x, s: f"(those {x} in {s} where {w.truth(depth - 1)})", "spot")
                if depth > 0
                else None
            ),
            lambda: (
                f"({self.collection(0, 'spot')} {rng.choice('+-&')} {self.collection(0, 'spot')})"
                if depth > 0
                else None
            ),
        )

    def _some_spots(self) -> list[int]:
        return self.rng.sample(self.outline.spots, self.rng.randint(1, len(self.outline.spots)))

    def over(self, make: Callable[[Writer, str, str], str], of: str = "") -> str:
        """Something over the elements of a set, list or range."""
        x = self.fresh()
        kind = of or self.rng.choice(("spot", "spot", "hue", "num"))
        if kind == "num":
            low = self.rng.randint(-1, 1)
            high = low + self.rng.randint(0, 2)
            source = f"{low}..{high}" if low >= 0 else f"(0 - 1)..{high}"
            return make(
                self.inside(Place(x, "num", low, high)), x, source if low >= 0 else f"1..{max(high, 1)}"
            )
        return make(self.inside(Place(x, kind)), x, self.collection(0, kind))

    def name_of(self, kind: str, optional: bool | None = None) -> str | None:
        """Some name of a kind; None where there is none."""
        found = self.places(kind, optional)
        return self.rng.choice(found).name if found else None

    def lookup(self, kind: str, depth: int) -> str | None:
        """What a map has at some key."""
        found = self.places(kind)
        return f"{self.rng.choice(found).name}[{self.spot(min(depth - 1, 1))}]" if found else None

    # ---- effects

    def effect(self, depth: int, chance: bool) -> list[str]:
        """A statement, as lines."""
        rng = self.rng
        ways: list[Callable[[], list[str] | None]] = [self._number_stored, self._number_stored, self._stored]
        if depth > 0:
            ways += [lambda: self._branch(depth, chance), lambda: self._loop(depth, chance)]
            ways += [lambda: self._rolled(depth)] if chance else []
        ways += [self._moved] * 2
        for way in rng.sample(ways, len(ways)):
            made = way()
            if made is not None:
                return made
        return ["nothing"]

    def effects(self, count: int, depth: int, chance: bool) -> list[str]:
        """Some statements."""
        return [line for _ in range(count) for line in self.effect(depth, chance)]

    def _number_stored(self) -> list[str] | None:
        found = [p for p in self.outline.state if p.kind == "num"]
        if not found:
            return None
        place = self.rng.choice(found)
        if place.optional and self.rng.random() < 0.4:
            return [f"{place.name} := {self.rng.choice(('none', self.maybe(1)))}"]
        if self.rng.random() < 0.8 and not place.optional:
            sign = self.rng.choice(("+", "+", "-"))
            return [f"{place.name} := {self._fitted(place, f'{place.name} {sign} {self.rng.randint(1, 2)}')}"]
        return [f"{place.name} := {self._fitted(place, self.number(2))}"]

    def _fitted(self, place: Place, text: str) -> str:
        """A number brought into the range of a place, mostly; else it may fault."""
        if self.rng.random() < 0.25:
            return text
        low = str(place.lo) if place.lo >= 0 else f"(0 - {-place.lo})"
        return f"max({low}, min({place.hi}, {text}))"

    def _stored(self) -> list[str] | None:
        rng = self.rng
        found = [p for p in self.outline.state if p.kind not in ("num", "list hue")]
        if not found:
            return None
        place = rng.choice(found)
        match place.kind:
            case "bool":
                return [f"{place.name} := {self.truth(1)}"]
            case "hue":
                local = [p.name for p in self.local if p.kind == "hue"]
                return [f"{place.name} := {rng.choice((*local, *local, *self.outline.hues))}"]
            case "spot":
                local = [p.name for p in self.local if p.kind == "spot"]
                return [f"{place.name} := {rng.choice((*local, *local, *map(str, self.outline.spots)))}"]
            case "set spot":
                how = rng.choice(("add {} to {}", "remove {} from {}"))
                return [how.format(self._key(), place.name)]
            case "map num":
                value = (
                    "none" if place.optional and rng.random() < 0.3 else self._fitted(place, self.number(1))
                )
                return [f"{place.name}[{self._key()}] := {value}"]
            case _:
                value = "none" if place.optional and rng.random() < 0.3 else rng.choice(self.outline.hues)
                return [f"{place.name}[{self._key()}] := {value}"]

    def _key(self) -> str:
        """A spot to change something at, mostly one that was chosen."""
        chosen = [p.name for p in self.local if p.kind == "spot"]
        return self.rng.choice(chosen) if chosen and self.rng.random() < 0.8 else self.spot(0)

    def _moved(self) -> list[str] | None:
        rng = self.rng
        lists = self.places("list hue")
        if not lists:
            return None
        if len(lists) > 1 and rng.random() < 0.6:
            a, b = rng.sample([p.name for p in lists], 2)
            part = rng.choice(("top", "bottom", "top 2", "all"))
            return [f"move {part} of {a} {rng.choice(('onto', 'under'))} {b}"]
        name, local = rng.choice(lists).name, [p.name for p in self.local if p.kind == "hue"]
        return [
            rng.choice((f"add {rng.choice((*local, *local, *self.outline.hues))} to {name}", f"{name} := []"))
        ]

    def _branch(self, depth: int, chance: bool) -> list[str]:
        lines = [f"if {self.truth(1)}:", *_deeper(self.effect(depth - 1, chance))]
        if self.rng.random() < 0.5:
            lines += ["else:", *_deeper(self.effect(depth - 1, chance))]
        return lines

    def _loop(self, depth: int, chance: bool) -> list[str]:
        x = self.fresh()
        within = self.inside(Place(x, "spot"))
        source = self.collection(0, "spot")
        where = f" where {within.truth(1)}" if self.rng.random() < 0.4 else ""
        return [f"for {x} in {source}{where}:", *_deeper(within.effect(depth - 1, chance=False))]

    def _rolled(self, depth: int) -> list[str] | None:
        found = [p for p in self.outline.state if p.kind in ("hue", "spot")]
        if not found:
            return None
        place = self.rng.choice(found)
        if place.kind == "hue":
            return [f"roll {place.name} from Hue"]
        weights = (
            f" weighing x9 by x9 mod {self.rng.randint(2, 3)} + {self.rng.randint(0, 1)}"
            if self.rng.random() < 0.4
            else ""
        )
        return [f"roll {place.name} from Spot{weights}"]


def _deeper(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _block(text: Sequence[str], indent: int) -> str:
    return "|\n" + "\n".join(" " * indent + line for line in text)


def generated(rng: random.Random, name: str) -> tuple[str, Outline]:
    """The text of a random ruleset without claims, and what its claims may speak of."""
    outline = Outline(
        players=rng.choice((1, 1, 2, 2, 2, 3)),
        spots=rng.choice(((1, 2), (1, 2, 3), (1, 3), (2, 3), (1, 2, 4))),
        hues=HUES[: rng.randint(2, 3)],
        ruling=rng.random() < 0.25,
    )
    declarations = _declarations(rng, outline)
    writer = Writer(rng, outline)
    declarations += _functions(rng, outline)
    chance = rng.random() < 0.35
    rules = [_rule("parts", "What there is.", f"  formal: {_block(declarations, 4)}")]
    if outline.ruling:
        rules.append(
            _rule("limit", "A limit.", "  question: How far?\n  readings:\n    near: One.\n    far: Two.")
        )
    if rng.random() < 0.4:
        rules.append(_rule("setting-up", "Before play.", f"  setup: {_block(_setup(writer, chance), 4)}"))
    rules += [_action(rng, outline, f"act{number}", chance) for number in range(rng.randint(1, 4))]
    if rng.random() < 0.3:
        writer.askable = ()
        rules.append(
            _rule(
                "after",
                "It follows.",
                f"  reaction: {_one_line(writer.truth(1))}\n  do: {_block(writer.effect(0, False), 4)}",
            )
        )
    writer.askable = outline.actions if rng.random() < 0.3 else ()
    ends = rng.choice((0, 1, 1, 2))
    rules += [_rule(f"done{i}", "It is over.", f"  end: {_one_line(_far(writer))}") for i in range(ends)]
    rules.append(_turn(rng, writer, chance))
    rules.append(_outcome(rng, outline, writer))
    if any(p.hidden for p in outline.state) and rng.random() < 0.7:
        rules.append(_sight(rng, outline))
    head = f"rulespec: 1\nid: {name}\ntitle: A random game\nplayers: {outline.players}\nrules:\n"
    return head + "\n".join(rules) + "\n", replace(outline)


def _rule(name: str, prose: str, body: str) -> str:
    return f"- id: {name}\n  prose: {prose}\n{body}"


def _one_line(text: str) -> str:
    return _block([text], 4)


def _declarations(rng: random.Random, outline: Outline) -> list[str]:
    spots = outline.spots
    whole = spots == tuple(range(spots[0], spots[-1] + 1))
    gaps = "" if whole else f" where i != {next(i for i in range(1, 9) if i not in spots)}"
    lines = [
        f"type Spot = {'i in ' if gaps else ''}{spots[0]}..{spots[-1]}{gaps}",
        f"type Hue = one of {', '.join(outline.hues)}",
    ]
    kinds = (
        "num",
        "num",
        "num",
        "bool",
        "hue",
        "spot",
        "set spot",
        "map num",
        "map hue",
        "list hue",
        "list hue",
    )
    for number, kind in enumerate(["num", *rng.sample(kinds, rng.randint(1, 4))]):
        low = rng.choice((0, 0, 0, -1, -2, 1))
        place = Place(
            f"v{number}",
            kind,
            low,
            low + rng.randint(1, 4),
            optional=kind in ("num", "map num", "map hue", "hue") and rng.random() < (0.35 if number else 0),
            hidden=rng.random() < 0.12 and outline.players > 1,
        )
        outline.state.append(place)
        hidden = "hidden " if place.hidden else ""
        lines.append(f"{hidden}state {place.name}: {_type(place)} = {_first(rng, place, outline)}")
    return lines


def _type(place: Place) -> str:
    low = str(place.lo) if place.lo >= 0 else f"0 - {-place.lo}"
    number = f"{low}..{place.hi}" + ("?" if place.optional else "")
    hue = "Hue" + ("?" if place.optional else "")
    return {
        "num": number,
        "bool": "Bool",
        "hue": hue,
        "spot": "Spot",
        "set spot": "set of Spot",
        "map num": f"map Spot -> {number}",
        "map hue": f"map Spot -> {hue}",
        "list hue": "list of Hue up to 3",
    }[place.kind]


def _first(rng: random.Random, place: Place, outline: Outline) -> str:
    match place.kind:
        case "num" | "map num":
            value = place.lo if rng.random() < 0.7 else rng.randint(place.lo, place.hi)
            return (
                "none"
                if place.optional and rng.random() < 0.5
                else str(value)
                if value >= 0
                else f"0 - {-value}"
            )
        case "bool":
            return rng.choice(("true", "false"))
        case "hue" | "map hue":
            return "none" if place.optional else rng.choice(outline.hues)
        case "spot":
            return str(rng.choice(outline.spots))
        case "set spot":
            return rng.choice(("{}", "Spot", f"{{{outline.spots[0]}}}"))
        case _:
            return rng.choice(("[]", f"[{rng.choice(outline.hues)}]", f"[{', '.join(outline.hues[:2])}]"))


def _functions(rng: random.Random, outline: Outline) -> list[str]:
    lines = []
    for number in range(rng.choice((0, 1, 1, 2))):
        low = rng.randint(0, 1)
        high = low + rng.randint(0, 2)
        writer = Writer(rng, outline, (Place("q", "num", low, high),))
        name = f"f{number}"
        lines.append(f"define {name}(q: {low}..{high}) = {writer.number(2)}")
        outline.functions.append((name, low, high))
    return lines


def _setup(writer: Writer, chance: bool) -> list[str]:
    lists = writer.places("list hue")
    if lists and chance and writer.rng.random() < 0.5:
        return [f"shuffle Hue into {writer.rng.choice(lists).name}"]
    return writer.effects(writer.rng.randint(1, 2), 1, chance)


def _action(rng: random.Random, outline: Outline, name: str, chance: bool) -> str:
    choices: list[tuple[str, Place]] = []
    for x in ("a", "b")[: rng.choice((0, 1, 1, 2))]:
        kind = rng.choice(("spot", "spot", "hue", "num", "set", "bool"))
        match kind:
            case "spot":
                choices.append((f"{x} in Spot", Place(x, "spot")))
            case "hue":
                choices.append((f"{x} in Hue", Place(x, "hue")))
            case "bool":
                choices.append((f"{x} in Bool", Place(x, "bool")))
            case "num":
                choices.append((f"{x} in 1..2", Place(x, "num", 1, 2)))
            case _:
                sets = [p for p in outline.state if p.kind == "set spot"]
                source = rng.choice(sets).name if sets else "Spot"
                choices.append((f"{x} in {source}", Place(x, "spot")))
    names = [place for _, place in choices]
    writer = Writer(rng, outline, names)
    writer.askable = outline.actions if rng.random() < 0.3 else ()
    lines = [f"  action: {', '.join(text for text, _ in choices) or '()'}"]
    lines.append(f"  written: {name}" + "".join(f" {{{p.name}}}" for p in names))
    steady = _steady(rng, outline) if rng.random() < 0.6 else None
    if steady is not None:
        choice, need, done = steady
        lines = [f"  action: {choice}", f"  written: {name}" + (" {a}" if choice != "()" else "")]
        within = Writer(rng, outline, (Place("a", "spot"),) if choice != "()" else ())
        extra = within.effect(1, chance) if rng.random() < 0.4 else []
        lines.append(f"  require:\n    need:\n      prose: It must hold.\n      that: {_block([need], 8)}")
        lines.append(f"  do: {_block([done, *extra], 4)}")
        outline.actions.append((name, "spot" if choice != "()" else ""))
        return _rule(name, "Do it.", "\n".join(lines))
    if rng.random() < 0.75:
        lines.append(
            f"  require:\n    need:\n      prose: It must hold.\n      that: {_block([_need(writer)], 8)}"
        )
    lines.append(f"  do: {_block(writer.effects(rng.randint(1, 4), 2, chance), 4)}")
    outline.actions.append((name, choices[0][1].kind if choices else ""))
    return _rule(name, "Do it.", "\n".join(lines))


def _steady(rng: random.Random, outline: Outline) -> tuple[str, str, str] | None:
    """The choice, requirement and effect of an action that changes one thing bit by bit, or None."""
    place = rng.choice(outline.state)
    lists = [p.name for p in outline.state if p.kind == "list hue"]
    match place.kind:
        case "set spot":
            if rng.random() < 0.7:
                return "a in Spot", f"a not in {place.name}", f"add a to {place.name}"
            return f"a in {place.name}", f"size({place.name}) > 1", f"remove a from {place.name}"
        case "map num" if not place.optional:
            if rng.random() < 0.7:
                return "a in Spot", f"{place.name}[a] < {place.hi}", f"{place.name}[a] := {place.name}[a] + 1"
            return "a in Spot", f"{place.name}[a] > {place.lo}", f"{place.name}[a] := {place.name}[a] - 1"
        case "map hue" if place.optional:
            return "a in Spot", f"{place.name}[a] is none", f"{place.name}[a] := {rng.choice(outline.hues)}"
        case "num" if not place.optional:
            return "()", f"{place.name} < {place.hi}", f"{place.name} := {place.name} + 1"
        case "list hue" if len(lists) > 1:
            one, other = rng.sample(lists, 2)
            return "()", f"{one} is not empty and size({other}) < 3", f"move top of {one} onto {other}"
        case _:
            return None


def _need(writer: Writer) -> str:
    """A requirement that a fair share of positions meet."""
    rng = writer.rng
    numbers = [p for p in writer.outline.state if p.kind == "num"]
    place = rng.choice(numbers)
    near = f"{place.name} {rng.choice(('<', '<=', '!='))} {place.hi}"
    return rng.choice(
        (near, f"({near} or {writer.truth(1)})", f"({near} and {writer.truth(1)})", writer.truth(2))
    )


def _far(writer: Writer) -> str:
    """An end that is seldom reached at once."""
    rng = writer.rng
    place = rng.choice([p for p in writer.outline.state if p.kind == "num"])
    late = f"{place.name} {rng.choice(('=', '>='))} {place.hi}"
    return rng.choice((late, f"({late} and {writer.truth(1)})", writer.truth(2)))


def _turn(rng: random.Random, writer: Writer, chance: bool) -> str:
    lines = [f"    stuck: {rng.choice(('end', 'end', 'pass'))}"]
    if rng.random() < 0.25:
        lines.append(f"    begin: {_block(writer.effect(0, chance), 6)}")
    if rng.random() < 0.25:
        lines.append(f"    over: {_block([writer.truth(1)], 6)}")
    return _rule("turns", "Turns.", "  turn:\n" + "\n".join(lines))


def _outcome(rng: random.Random, outline: Outline, writer: Writer) -> str:
    within = writer.inside(Place("player", "num", 1, outline.players))
    within.askable = ()
    if rng.random() < 0.5:
        return _rule("points", "Points.", f"  score: {_block([within.number(2)], 4)}")
    return _rule(
        "victory",
        "Who wins.",
        f"  winners: {_block([f'those p in Player where {_winning(rng, writer)}'], 4)}",
    )


def _winning(rng: random.Random, writer: Writer) -> str:
    return rng.choice(
        ("p = mover", "p != mover", f"p = mover and {writer.truth(1)}", "p = 1", writer.truth(1))
    )


def _sight(rng: random.Random, outline: Outline) -> str:
    hidden = rng.choice([p for p in outline.state if p.hidden])
    text = hidden.name if hidden.kind in ("num", "bool", "hue", "spot") else f"size({hidden.name})"
    if hidden.kind.startswith("map"):
        text = f"{hidden.name}[{outline.spots[0]}]"
    return _rule(
        "seeing", "What is seen.", f"  sees: {_block([f'{text} for p in Player where p = viewer'], 4)}"
    )
