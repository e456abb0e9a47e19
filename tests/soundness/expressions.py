"""Random expressions as text: numbers, conditions, scalars and collections, well typed nearly always."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import TypeVar

from .outline import Outline, Place

Some = TypeVar("Some", bound="Writer")


class Writer:
    """Writes expressions and effects over an outline, with some local names in reach."""

    def __init__(self, rng: random.Random, outline: Outline, local: Sequence[Place] = ()) -> None:
        self.rng, self.outline, self.local = rng, outline, tuple(local)
        self.askable: Sequence[tuple[str, str]] = ()
        """Actions that `can` may ask of."""

    def inside(self: Some, *names: Place) -> Some:
        """A writer within binders."""
        made = type(self)(self.rng, self.outline, (*self.local, *names))
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
            lambda: self.folded(sub),
            lambda: f"size({self.hues(sub)})" if self.places("list hue") else None,
            lambda: self.over(lambda w, x, s: f"size({{{w.maybe(sub)} for {x} in {s}}})"),
        )

    def folded(self, depth: int) -> str:
        """A number that is worked out step by step."""
        low, high = self.rng.randint(-1, 0), self.rng.randint(2, 4)
        low_text = str(low) if low >= 0 else f"(0 - {-low})"
        total = self.fresh()
        within = self.inside(Place(total, "num", low, high))
        if self.rng.random() < 0.4:
            step = f"max({low_text}, min({high}, {within.number(depth)}))"
            times = f"at most {self.rng.randint(1, 3)} times"
            return f"(follow {total} from {high - 1} to {step} while {within.truth(depth)} {times})"

        def made(w: Writer, x: str, s: str) -> str:
            step = f"max({low_text}, min({high}, {w.number(depth)}))"
            start = max(low, 0)
            span = f"{low if low >= 0 else f'0 - {-low}'}..{high}"
            return f"(fold {total}: {span} from {start} over {x} in {s} to {step})"

        return within.over(made)

    def hues(self, depth: int) -> str:
        """A list of hues."""
        rng = self.rng
        name = self.name_of("list hue")
        assert name is not None
        if depth <= 0:
            return name
        return self.pick(
            lambda: f"{name}[{rng.randint(0, 2)}..{rng.randint(1, 3)}]",
            lambda: f"{name}[{self.number(0)}..{self.number(0)}]",
            lambda: f"({name} + {self.hues(depth - 1)})",
            lambda: f"[{', '.join(rng.choices((self.hue(0), *self.outline.hues), k=rng.randint(1, 3)))}]",
            lambda: f"[{self.fresh()} for {self.fresh()} in {name}]",
        )

    def pair(self, depth: int) -> str:
        """A pair, perhaps none."""
        return self.pick(
            lambda: self.name_of("pair"),
            lambda: f"Pair({self.number(min(depth - 1, 1))}, {self.number(0)})",
        )

    def maybe(self, depth: int) -> str:
        """A number that may be none."""
        rng = self.rng
        sub = depth - 1
        ways: list[Callable[[], str | None]] = [
            lambda: self.name_of("num", optional=True),
            lambda: self.lookup("map num", depth),
            lambda: f"{self.pair(depth - 1)}.{rng.choice(('row', 'col'))}" if self.places("pair") else None,
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
                self._tabulated,
                lambda: f"({self.maybe(sub)} {rng.choice(('div', 'mod'))} {self.number(0)})",
            ]
        return self.pick(*ways, lambda: self.number(0))

    def _tabulated(self) -> str:
        x = self.fresh()
        within = self.inside(Place(x, "spot"))
        return f"{{{x} -> {within.number(0)} for {x} in Spot}}[{self.spot(1)}]"

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
            lambda: (
                f"{self.name_of('list hue')}[{self.number(0)}] is {rng.choice(('none', 'some'))}"
                if self.places("list hue")
                else None
            ),
            lambda: f"{self.spot(sub)} {rng.choice(('in', 'not in'))} {self.collection(sub, 'spot')}",
            lambda: f"{self.collection(sub)} is {rng.choice(('empty', 'not empty'))}",
            lambda: self.over(
                lambda w, x, s: f"({rng.choice(('every', 'some', 'no'))} {x} in {s} satisfies {w.truth(sub)})"
            ),
            lambda: f"(if {self.truth(sub)} then {self.truth(sub)} else {self.truth(sub)})",
            lambda: f"{self.hue(sub)} = {self.hue(sub)}" if self.places("hue") else None,
            lambda: (
                f"{self.hues(sub)} {rng.choice(('=', '!='))} {self.hues(sub)}"
                if self.places("list hue")
                else None
            ),
            lambda: (
                f"{self.collection(sub, 'spot')} {rng.choice(('=', '!='))} {self.collection(sub, 'spot')}"
            ),
            lambda: (
                f"{self.hue(sub)} {rng.choice(('in', 'not in'))} {self.hues(sub)}"
                if self.places("list hue")
                else None
            ),
            lambda: (
                f"{self.pair(sub)} {rng.choice(('=', '!=', '<', '<='))} {self.pair(sub)}"
                if self.places("pair")
                else None
            ),
            lambda: f"limit is {rng.choice(('near', 'far'))}" if self.outline.ruling else None,
            self._can,
            self._reaching,
        )

    def given(self, place: Place) -> str:
        """A value for a choice, which may be none or one that cannot be chosen."""
        match place.kind:
            case "spot":
                return self.spot(1)
            case "hue":
                return self.pick(lambda: self.name_of("hue"), lambda: self.rng.choice(self.outline.hues))
            case "bool":
                return self.truth(0)
            case "list spot":
                return f"[{self.rng.choice(self.outline.spots)}]"
            case _:
                return self.maybe(1)

    def _reaching(self) -> str:
        """Ask if a spot can be walked to."""
        x, y = f"x{len(self.local)}", f"x{len(self.local) + 1}"
        within = self.inside(Place(x, "spot"), Place(y, "spot"))
        near = self.rng.choice((f"{y} = {x} + 1", f"{y} > {x}", within.truth(1)))
        start = self.collection(0, "spot")
        source = "Spot" if self.rng.random() < 0.5 else self.collection(0, "spot")
        return f"{self.spot(0)} in (those {y} in {source} reached from {start} through {x} where {near})"

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
            lambda: self._walked(depth - 1) if depth > 0 else None,
            lambda: (
                self.over(lambda w, x, s: f"(first {x} in {s} where {w.truth(depth - 1)})", "spot")
                if depth > 0
                else None
            ),
        )

    def _walked(self, depth: int) -> str:
        """A spot that is walked to, perhaps to where there is none."""
        x, rng = self.fresh(), self.rng
        within = self.inside(Place(x, "spot"))
        times = rng.choice((str(rng.randint(1, 3)), self.number(0)))
        step = f"Spot({x} + {rng.choice(('1', '(0 - 1)'))})"
        start = rng.choice(self.outline.spots)
        return f"(follow {x} from Spot({start}) to {step} while {within.truth(depth)} at most {times} times)"

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
            return self.pick(lambda: self.name_of("list hue"), lambda: self.name_of("set hue"), lambda: "Hue")
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
                f"({self.collection(0, 'spot')} {rng.choice('+-&&')} {self.collection(0, 'spot')})"
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
        """The value of a map at some key."""
        found = self.places(kind)
        return f"{self.rng.choice(found).name}[{self.spot(min(depth - 1, 1))}]" if found else None
