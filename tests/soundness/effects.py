"""Random effects as lines of text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .expressions import Writer
from .outline import Place


class EffectWriter(Writer):
    """Writes effects over an outline, too."""

    def effect(self, depth: int, chance: bool) -> list[str]:
        """A statement, as lines."""
        rng = self.rng
        ways: list[Callable[[], list[str] | None]] = [self._number_stored, self._number_stored, self._stored]
        if depth > 0:
            ways += [lambda: self._branch(depth, chance), lambda: self._loop(depth, chance)]
            ways += [lambda: self._rolled(depth)] * 2 if chance else []
        ways += [self._moved, self._moved, self._swapped, self._stepped, lambda: self._named(depth, chance)]
        ways += [self._shuffled] if chance else []
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
        if self.rng.random() < 0.3 and not place.optional:
            added = f"{place.name} + {self.rng.choice((self.number(1), f'({self.number(0)} - 2)'))}"
            return [f"{place.name} := {self._fitted(place, added)}"]
        if self.rng.random() < 0.8 and not place.optional:
            sign = self.rng.choice(("+", "+", "-"))
            return [f"{place.name} := {self._fitted(place, f'{place.name} {sign} {self.rng.randint(1, 2)}')}"]
        return [f"{place.name} := {self._fitted(place, self.number(2))}"]

    def _fitted(self, place: Place, text: str) -> str:
        """A number brought into the range of a place, mostly; else it may fault."""
        if self.outline.direction.wants("a fault", 0.25, self.rng.random()):
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
            case "pair":
                return [f"{place.name} := Pair({rng.randint(1, 2)}, {rng.randint(1, 2)})"]
            case "set hue":
                hue = rng.choice((*[p.name for p in self.local if p.kind == "hue"], *self.outline.hues))
                how = rng.choice(("add {} to {}", "remove {} from {}", "remove {} from {}"))
                return [how.format(hue, place.name)]
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
            part = rng.choice(("top", "bottom", "top 2", "bottom 2", "all"))
            if rng.random() < 0.15:
                return [f"swap {a} with {b}"]
            return [f"move {part} of {a} {rng.choice(('onto', 'under'))} {b}"]
        name, local = rng.choice(lists).name, [p.name for p in self.local if p.kind == "hue"]
        sets = self.places("set hue")
        if sets and rng.random() < 0.5:
            held = rng.choice(sets).name
            return [rng.choice((f"move top of {name} into {held}", f"move top 2 of {name} into {held}"))]
        if rng.random() < 0.2:
            return [f"{name}[{self.number(1)}] := {rng.choice((*local, *self.outline.hues))}"]
        return [
            rng.choice(
                (
                    f"add {rng.choice((*local, *local, *self.outline.hues))} to {name}",
                    f"put {rng.choice((*local, *self.outline.hues))} under {name}",
                    f"remove {rng.choice((*local, *self.outline.hues))} from {name}",
                    f"{name} := {rng.choice(('[]', self.hues(1)))}",
                )
            )
        ]

    def _swapped(self) -> list[str] | None:
        """Two things of the same kind exchanged, or a spot moved from one set to another."""
        rng = self.rng
        sets, found = self.places("set spot"), self.outline.state
        if len(sets) > 1 and rng.random() < 0.5:
            a, b = rng.sample([p.name for p in sets], 2)
            return [f"move {self._key()} from {a} to {b}"]
        alike = [
            (a.name, b.name) for a in found for b in found if a.name < b.name and a.kind == b.kind == "bool"
        ]
        alike += [
            (a.name, b.name) for a in found for b in found if a.name < b.name and a.kind == b.kind == "pair"
        ]
        if not alike:
            return None
        a, b = rng.choice(alike)
        return [f"swap {a} with {b}"]

    def _stepped(self) -> list[str] | None:
        """A number made larger or smaller as it is, or by a local name."""
        rng = self.rng
        numbers = [p for p in self.outline.state if p.kind == "num" and not p.optional]
        if not numbers:
            return None
        place = rng.choice(numbers)
        if self.outline.direction.wants("a fault", 0.5, rng.random()):
            return [rng.choice((f"add 1 to {place.name}", f"remove 1 from {place.name}"))]
        name = f"y{rng.randint(0, 99)}"
        within = self.inside(Place(name, "num"))
        return [
            f"let {name} be {self.number(1)}",
            f"{place.name} := {within._fitted(place, within.number(1))}",
        ]

    def _named(self, depth: int, chance: bool) -> list[str] | None:
        """An effect that is declared under a name."""
        if not self.outline.effects or depth <= 0:
            return None
        return [f"{self.rng.choice(self.outline.effects)}({self._key()})"]

    def _shuffled(self) -> list[str] | None:
        lists = self.places("list hue")
        source = "Hue" if self.rng.random() < 0.6 else None
        if not lists or source is None:
            return None
        return [f"shuffle {source} into {self.rng.choice(lists).name}"]

    def _branch(self, depth: int, chance: bool) -> list[str]:
        lines = [f"if {self.truth(1)}:", *deeper(self.effect(depth - 1, chance))]
        if self.rng.random() < 0.5:
            lines += ["else:", *deeper(self.effect(depth - 1, chance))]
        return lines

    def _loop(self, depth: int, chance: bool) -> list[str]:
        lists = self.places("list hue")
        if lists and self.rng.random() < 0.3:
            x, i = self.fresh(), f"x{len(self.local) + 1}"
            over = self.inside(Place(x, "hue"), Place(i, "num", 1, 3))
            head = f"for {x} at {i} in {self.rng.choice(lists).name}:"
            return [head, *deeper(over.effect(depth - 1, chance=False))]
        x = self.fresh()
        within = self.inside(Place(x, "spot"))
        source = self.collection(0, "spot")
        where = f" where {within.truth(1)}" if self.rng.random() < 0.4 else ""
        return [f"for {x} in {source}{where}:", *deeper(within.effect(depth - 1, chance=False))]

    def _rolled(self, depth: int) -> list[str] | None:
        found = [p for p in self.outline.state if p.kind in ("hue", "spot")]
        if not found:
            return None
        place = self.rng.choice(found)
        if place.kind == "hue":
            return [f"roll {place.name} from Hue"]
        weights = (
            f" weighing x9 by x9 mod {self.rng.randint(2, 3)} + {self.rng.randint(0, 1)}"
            if self.rng.random() < 0.6
            else ""
        )
        return [f"roll {place.name} from Spot{weights}"]


def deeper(lines: Sequence[str]) -> list[str]:
    return [f"  {line}" for line in lines]
