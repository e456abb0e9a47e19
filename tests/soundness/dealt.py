"""Random small rulesets for what solvers easily get wrong.

Values that are none, negative numbers, `can`, calls outside their parameters, sums of optional numbers,
ranges with gaps, loops, shuffles, passing, faults.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.language import load

DECLARED = """\
    type Place = 1..{places}
    type Card = 1..3
    type One = 1..1
    type Gap = i in 0..5 where i mod 2 = 1
    type Deep = i in -3..3 where i mod 3 = 0
"""

STATE = {
    "n": "0..3 = {small}",
    "low": "-2..2 = 0",
    "gap": "Gap = 1",
    "lit": "Bool = 1 = 2",
    "mark": "map Place -> Card? = none",
    "last": "Card? = none",
    "count-at": "map Place -> 0..2 = {zero_or_one}",
    "hand": "set of Card = {{}}",
    "pile": "list of Card up to 3 = {pile}",
    "heap": "map Place -> list of Card up to 3 = []",
}
"""The variables that a ruleset may have; `lit` is written as the condition that it is one."""

DEFINED = (
    "define once(i: One): 0..9 = {number:i:One}",
    "define lies(p: Place): Card? = {optional:p:Place}",
    "define tail(i: 0..2 falling): 0..9 = if i = 0 then {number:i:Place} else {number:i:Place}",
    "define sits(c: Card): Bool = {condition:c:Card}",
    "define odd(i: Gap): Bool = {condition:i:Gap}",
)


ANYTHING, DEALT, WRITTEN_ONCE, PASSED_ON = "anything", "dealt", "written once", "passed on"
"""The style of a ruleset: any use of its variables, or one that static analyses recognise: cards are shuffled
and then only moved and removed; free places are marked once; cards pass from list to list."""
NEEDED = {DEALT: ["pile", "hand"], WRITTEN_ONCE: ["mark"], PASSED_ON: ["pile", "heap", "last"]}
"""The variables that a style needs, which are used in its own way."""
TOTAL = "size(pile) + sum(size(heap[x0]) for x0 in Place)"
"""The number of cards that pass from list to list."""

MOVES = ("move top of pile into hand", "move top 2 of pile into hand", "hand := {}")


class Writer:
    """Writes formal text for a ruleset that has some variables, definitions and actions."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.state: list[str] = []
        self.functions: list[str] = []
        self.style = rng.choice((ANYTHING, ANYTHING, DEALT, WRITTEN_ONCE, PASSED_ON, PASSED_ON))
        self.actions: dict[str, str] = {}
        """Actions that may be asked with `can`, with the type of their first choice or nothing."""
        self._names = 0

    def pick(self, items: Sequence[str]) -> str:
        """One of some texts."""
        return self.rng.choice(items)

    def has(self, *names: str) -> bool:
        """True if the ruleset has all these variables or definitions."""
        return all(name in self.state or name in self.functions for name in names)

    def name(self) -> str:
        """A new local name."""
        self._names += 1
        return f"x{self._names}"

    # ---- expressions; `scope` gives the types of local names

    def of(self, t: str, scope: dict[str, str]) -> str:
        """A value of a type, or one that is close to it."""
        names = [name for name, held in scope.items() if held == t or self.rng.random() < 0.3]
        if names and self.rng.random() < 0.7:
            return self.pick(names)
        return str(self.rng.randint(1, {"Place": 2, "Card": 3, "One": 1, "Gap": 5}.get(t, 2)))

    def number(self, depth: int, scope: dict[str, str]) -> str:
        """A number that is never none."""
        plain = [str(self.rng.randint(-1, 3))]
        plain += [v for v in ("n", "low", "gap") if self.has(v)]
        plain += [name for name, held in scope.items() if held != "Player"]
        plain += [f"size({v})" for v in ("hand", "pile") if self.has(v)]
        if self.has("heap"):
            plain.append(f"size(heap[{self.of('Place', scope)}])")
        if self.has("count-at"):
            plain.append(f"count-at[{self.of('Place', scope)}]")
        if depth <= 0 or self.rng.random() < 0.2:
            return self.pick(plain)
        a, b = self.number(depth - 1, scope), self.number(depth - 1, scope)
        kind = self.rng.randrange(10)
        if kind < 2:
            return f"({a} {self.pick('+-')} {b})"
        if kind == 2:
            return f"({self.rng.randint(-1, 2)} * {a})"
        if kind == 3:
            return f"(if {self.condition(depth - 1, scope)} then {a} else {b})"
        if kind == 4:
            return f"({self.optional(depth - 1, scope)} otherwise {b})"
        if kind == 5:
            return f"{self.pick(('min', 'max'))}({a}, {b})"
        if kind == 6:
            var, source, inner = self.ranged(depth, scope)
            return f"count({var} in {source} where {self.condition(depth - 1, inner)})"
        var, source, inner = self.ranged(depth, scope)
        body = self.optional(depth - 1, inner) if self.rng.random() < 0.6 else self.number(depth - 1, inner)
        where = f" where {self.condition(depth - 1, inner)}" if self.rng.random() < 0.3 else ""
        return f"sum({body} for {var} in {source}{where})"

    def ranged(self, depth: int, scope: dict[str, str]) -> tuple[str, str, dict[str, str]]:
        """A new variable, its source, and the scope of its body."""
        var, kind = self.name(), self.rng.randrange(5)
        if kind == 0:
            return var, "Gap", {**scope, var: "Gap"}
        if kind == 1:
            return var, "Card", {**scope, var: "Card"}
        if kind == 2 and self.has("pile"):
            return var, "1..size(pile)", {**scope, var: "Place"}
        if kind == 3 and self.has("hand"):
            return var, "hand", {**scope, var: "Card"}
        return var, self.pick(("Place", "1..3")), {**scope, var: "Place"}

    def optional(self, depth: int, scope: dict[str, str]) -> str:
        """A number that may be none."""
        place, plain = self.of("Place", scope), list[str]()
        plain += [v for v in ("last",) if self.has(v)]
        plain += [f"mark[{place}]"] if self.has("mark") else []
        plain += [f"pile[{place}]", "top(pile)"] if self.has("pile") else []
        plain += (
            [f"heap[{place}][{self.of('Place', scope)}]", f"top(heap[{place}])"] if self.has("heap") else []
        )
        plain += [f"once({self.of('Place', scope)})"] if self.has("once") else []
        plain += [f"lies({self.of('Card', scope)})"] if self.has("lies") else []
        plain += [f"tail({self.of('Card', scope)})"] if self.has("tail") else []
        plain += [f"Gap({self.of('Card', scope)})"]
        if depth <= 0:
            return self.pick(plain)
        kind, here = self.rng.randrange(8), self.optional(depth - 1, scope)
        other = self.number(depth - 1, scope)
        if kind < 2:
            return f"({here} {self.pick('+-')} {other})"
        if kind == 2:
            return f"({other} {self.pick('+-')} {here})"
        if kind == 3:
            return f"({self.rng.randint(-1, 2)} * {here})"
        if kind == 4:
            return f"(if {self.condition(depth - 1, scope)} then none else {other})"
        if kind == 5:
            return f"(if {self.condition(depth - 1, scope)} then {here} else {other})"
        if kind == 6:
            return f"({other} {self.pick(('div', 'mod'))} {self.number(depth - 1, scope)})"
        return here

    def condition(self, depth: int, scope: dict[str, str]) -> str:
        """A condition."""
        if self.actions and self.rng.random() < 0.12:
            name = self.pick([*self.actions])
            first = self.actions[name]
            return (
                f"can {name}({self.of(first, scope)})" if first and self.rng.random() < 0.5 else f"can {name}"
            )
        plain = ["mover = 1", f"1 = {self.rng.randint(1, 2)}"]
        plain += ["lit"] if self.has("lit") else []
        plain += [f"{self.of('Card', scope)} in hand"] if self.has("hand") else []
        plain += [f"{self.of('Card', scope)} in pile", "pile is empty"] if self.has("pile") else []
        if self.has("mark"):
            place = self.of("Place", scope)
            plain += [f"mark[{place}] is none", f"mark[{place}] = {self.of('Card', scope)}"]
        plain += [f"sits({self.of('Place', scope)})"] if self.has("sits") else []
        plain += [f"odd({self.of('Place', scope)})"] if self.has("odd") else []
        kind = self.rng.randrange(9)
        if depth <= 0 or kind == 0:
            return self.pick(plain)
        if kind < 4:
            sides = [self.number(depth - 1, scope), self.number(depth - 1, scope)]
            if self.rng.random() < 0.4:
                sides[self.rng.randrange(2)] = self.optional(depth - 1, scope)
            return f"{sides[0]} {self.pick(('=', '<', '<=', '!=', '>='))} {sides[1]}"
        if kind == 4:
            return f"(not ({self.condition(depth - 1, scope)}))"
        if kind == 5:
            sides = [self.condition(depth - 1, scope), self.condition(depth - 1, scope)]
            return f"({self.pick((' and ', ' or ')).join(sides)})"
        if kind == 6:
            return f"({self.optional(depth - 1, scope)} is {self.pick(('none', 'some'))})"
        var, source, inner = self.ranged(depth, scope)
        said = self.condition(depth - 1, inner)
        return f"({self.pick(('some', 'every', 'no'))} {var} in {source} satisfies {said})"

    # ---- effects

    def effects(self, count: int, scope: dict[str, str], depth: int = 2, indent: int = 4) -> Iterator[str]:
        """Lines of effects."""
        for _ in range(count):
            yield from (" " * indent + line for line in self.effect(scope, depth))

    def effect(self, scope: dict[str, str], depth: int) -> list[str]:
        """The lines of one effect."""
        if depth > 0 and self.rng.random() < 0.25:
            return [f"if {self.condition(1, scope)}:", *self.effects(1, scope, depth - 1)]
        if depth > 0 and self.rng.random() < 0.12:
            var, source, inner = self.ranged(1, scope)
            return [f"for {var} in {source}:", *self.effects(1, inner, depth - 1)]
        card = self.of("Card", scope)
        if self.style == DEALT and self.rng.random() < 0.7:
            return [self.pick((*MOVES, f"remove {card} from hand", f"remove {card} from pile"))]
        if self.style == PASSED_ON and self.rng.random() < 0.9:
            return self._passed_on(scope)
        return [self.pick(self._possible(scope, self.of("Place", scope), card) or ["nothing"])]

    def _passed_on(self, scope: dict[str, str]) -> list[str]:
        """Cards that go from one list to another, perhaps at a place that is none."""
        place, other = self.of("Place", scope), self.of("Place", scope)
        key = self.pick((place, "last", "last", f"Place({self.optional(0, scope)})"))
        if self.rng.random() < 0.4:
            source = self.pick(("pile", f"heap[{other}]"))
            return [f"for x in {source}: put x under heap[{key}]", f"{source} := []"]
        moved = self.pick(
            (
                f"move top of heap[{key}] onto heap[{other}]",
                f"move top of heap[{place}] onto heap[{key}]",
                f"move top of pile onto heap[{key}]",
                f"move all of heap[{key}] under pile",
                f"swap heap[{place}][1] with heap[{key}][1]",
                f"last := {self.pick(('none', self.of('Card', scope)))}",
            )
        )
        return [moved]

    def _possible(self, scope: dict[str, str], place: str, card: str) -> list[str]:
        """Effects on the variables that there are, but on those that the style treats in its own way."""
        other, number = self.of("Place", scope), self.number(1, scope)
        odds = self.number(1, {**scope, "i": "Gap"})
        groups = (
            ("n", f"n := min({number}, 3)", "add 1 to n", "if n > 0: remove 1 from n"),
            ("low", f"low := max(min({number}, 2), -2)", "remove 1 from low", f"add {card} to low"),
            ("gap", f"gap := Gap({number}) otherwise 1", "roll gap from Gap"),
            ("gap", "roll gap from {1, 3} weighing i by " + odds),
            ("lit", "lit := not lit", f"lit := {self.condition(1, scope)}"),
            ("mark", f"mark[{place}] := {card}", f"mark[{other}] := {card}", f"mark[{place}] := none"),
            ("mark", f"mark[{self.optional(0, scope)}] := {card}"),
            ("last", f"last := {card}", "last := none"),
            ("count-at", f"add 1 to count-at[{place}]", f"count-at[{place}] := 0"),
            ("hand", f"add {card} to hand", f"remove {card} from hand", "hand := {}"),
            ("pile", f"put {card} under pile", "pile := []", f"remove {card} from pile"),
            ("pile hand", *MOVES, f"move {card} from hand to pile"),
            ("pile heap", f"move top of pile onto heap[{place}]", f"move all of heap[{place}] under pile"),
            ("pile heap", f"for i in Gap: put pile[i] under heap[{place}]"),
            ("pile heap", f"for x in pile: put x under heap[{place}]"),
            ("pile heap", f"for i in 1..3: put pile[i] under heap[{place}]"),
            ("heap", f"move top of heap[{place}] onto heap[{other}]", f"heap[{place}] := []"),
            ("heap", f"put {card} under heap[{card}]", f"swap heap[{place}][1] with heap[{other}][{card}]"),
        )
        kept = set(NEEDED.get(self.style, ()))
        found = [(names.split(), effects) for names, *effects in groups]
        return [e for names, all_ in found if self.has(*names) and kept.isdisjoint(names) for e in all_]

    # ---- rulesets

    def rules(self) -> str:
        """A ruleset without claims."""
        rng = self.rng
        players = rng.choice((1, 1, 2))
        needed = NEEDED.get(self.style, [])
        others = rng.sample([name for name in STATE if name not in needed], rng.randint(2, 4))
        self.state = [*needed, *others][:4]
        filled = {"places": rng.randint(2, 3), "small": rng.randint(0, 3), "zero_or_one": rng.randint(0, 1)}
        pile = "[]" if self.style in (DEALT, PASSED_ON) else rng.choice(("[]", "[1, 2, 3]", "[2, 2]"))
        clock = rng.randint(2, 4) if rng.random() < 0.7 else 0
        lines = [
            "rulespec: 1",
            "id: random",
            "title: Random",
            f"players: {players}",
            "rules:",
            "- id: things",
        ]
        lines += ["  prose: Things.", "  formal: |", DECLARED.format(**filled).rstrip()]
        for name in self.state:
            lines.append(f"    state {name}: {STATE[name].format(**filled, pile=pile)}")
        lines += [f"    state clock: 0..{clock} = 0"] if clock else []
        for text in rng.sample(DEFINED, rng.randint(0, 3)):
            name = text.split("(")[0].removeprefix("define ")
            lines.append("    " + self._filled(text))
            self.functions.append(name)
        if self.style in (DEALT, PASSED_ON) or rng.random() < 0.6:
            lines += ["- id: begin", "  prose: Begin.", "  setup: |", *self._setup()]
        names = ["act", "go", "put-down"][: rng.randint(1, 3)]
        choices = {
            name: rng.choice(("", "Place", "Card", "hand" if self.has("hand") else "Place")) for name in names
        }
        for name in names:
            lines += self._action(name, choices[name], clock)
            self.actions[name] = {"": "", "hand": "Card"}.get(choices[name], choices[name])
        if rng.random() < 0.4:
            lines += [
                "- id: echo",
                "  prose: Echo.",
                f"  reaction: {self._quoted(self.condition(1, {}))}",
                "  do: |",
            ]
            lines += self.effects(1, {})
        lines += self._turn(players)
        if rng.random() < 0.6:
            lines += ["- id: late", "  prose: Late.", f"  end: {self._quoted(self.condition(2, {}))}"]
        return "\n".join(lines) + "\n"

    def _filled(self, text: str) -> str:
        """A definition with what it gives made up."""
        while "{" in text:
            before, _, rest = text.partition("{")
            inside, _, after = rest.partition("}")
            kind, *bound = inside.split(":")
            scope = {bound[0]: bound[1]} if bound else {}
            if kind == "condition":
                made = self.condition(1, scope)
            elif kind == "optional":
                made = f"Card({self.optional(1, scope)})"
            else:
                further = " + (tail(i - 1) otherwise 0)" if "else" in before else ""
                made = f"max(0, min({self.number(1, scope)}{further}, 9))"
            text = f"{before}{made}{after}"
        return text

    def _setup(self) -> list[str]:
        shuffles = []
        if self.has("pile"):
            shuffles += ["    shuffle Card into pile"] * 3
        if self.has("heap"):
            shuffles += ["    shuffle Card into heap[1]", "    for i in Place: shuffle Card into heap[i]"]
        if self.style == DEALT:
            return ["    shuffle Card into pile", *self.effects(self.rng.randint(0, 2), {}, 0)]
        if self.style == PASSED_ON:
            return [self.pick(("    shuffle Card into pile", "    shuffle Card into heap[1]"))]
        dealt = [self.pick(shuffles)] if shuffles else []
        return [*dealt, *self.effects(self.rng.randint(0 if dealt else 1, 2), {})]

    def _action(self, name: str, choice: str, clock: int) -> list[str]:
        scope = {"c": "Card" if choice == "hand" else choice} if choice else {}
        lines = [f"- id: {name}", "  prose: Act.", f"  action: {f'c in {choice}' if choice else '()'}"]
        asked = [self.condition(2, scope) for _ in range(self.rng.randint(0, 2))]
        asked += (
            [f"mark[{self.of('Place', scope)}] is none"]
            if self.has("mark") and self.rng.random() < 0.5
            else []
        )
        once = self.style == WRITTEN_ONCE and choice == "Place"
        asked += ["mark[c] is none"] if once else []
        asked += [f"clock < {clock}"] if clock else []
        if asked:
            lines.append("  require:")
            for number, text in enumerate(asked):
                lines += [f"    r{number}:", "      prose: So.", f"      that: {self._quoted(text)}"]
        lines += ["  do: |", *([f"    mark[c] := {self.of('Card', {})}"] if once else [])]
        lines += self.effects(self.rng.randint(1, 3), scope)
        return [*lines, "    add 1 to clock"] if clock else lines

    def _turn(self, players: int) -> list[str]:
        lines = []
        likely = 0.5 if self.style == DEALT else 0.3
        if self.rng.random() < likely:
            lines.append("    stuck: pass")
        if self.rng.random() < likely:
            lines += ["    begin: |", *self.effects(1, {}, 1, 6)]
        if players > 1 and self.rng.random() < 0.3:
            lines.append(f"    over: {self._quoted(self.condition(1, {}))}")
        return ["- id: turns", "  prose: Turns.", "  turn:", *lines] if lines else []

    # ---- claims

    def claim(self, number: int, helping: Sequence[str]) -> tuple[str, str]:
        """The id of a claim and its lines."""
        kind = self.rng.choice(KINDS)
        if self.style == PASSED_ON and self.rng.random() < 0.3:
            asked = self._of_total()
        elif kind in ("never-stuck", "never-faults"):
            asked = f"  kind: {kind}"
        elif kind in ("terminates", "most", "least"):
            asked = f"  {kind}: {self._quoted(self.number(2, {}))}"
        elif kind == "never-falls":
            asked = f"  {kind}: {self._quoted(self._list())}"
        else:
            asked = (
                f"  {kind}: {self._quoted(self._always() if kind == 'invariant' else self.condition(2, {}))}"
            )
        name = f"c{number}"
        lines = [f"- id: {name}", "  prose: A claim.", asked]
        if kind in ("most", "least") and self.rng.random() < 0.3:
            lines.append(f"  when: {self._quoted(self.condition(1, {}))}")
        if helping and self.rng.random() < 0.4:
            lines.append(f"  helped-by: [{', '.join(self.rng.sample(list(helping), min(2, len(helping))))}]")
        return name, "\n".join(lines) + "\n"

    def _of_total(self) -> str:
        """What is asked of all cards together, or of some of them."""
        number = self.pick((TOTAL, TOTAL, "size(pile)", f"{TOTAL} - {self.number(1, {})}"))
        sign, dealt = self.pick(("=", "<=", ">=")), self.rng.choice((0, 3, 3, 3, 6))
        invariant = f'  invariant: "{number} {sign} {dealt}"'
        kept = f'  invariant: "{TOTAL} = 3"'
        return self.pick((kept, kept, invariant, f'  never-falls: "{number}"', "  kind: never-faults"))

    def _always(self) -> str:
        """A condition of a form that plies often keep."""
        kind = self.rng.randrange(4)
        if kind == 0:
            return self.condition(2, {})
        if kind == 1:
            return f"{self.number(2, {})} {self.pick(('<=', '>='))} {self.number(1, {})}"
        if kind == 2:
            return f"{self.condition(1, {})} or {self.number(2, {})} >= {self.rng.randint(-3, 2)}"
        var, source, inner = self.ranged(1, {})
        return f"every {var} in {source} satisfies {self.condition(2, inner)}"

    def _list(self) -> str:
        if self.rng.random() < 0.5:
            return self.number(2, {})
        scope = {"p": "Place"}
        where = f"if p = {self.rng.randint(1, 3)} then none else " if self.rng.random() < 0.5 else ""
        return f"[{where}{self.number(2, scope)} for p in Place]"

    def _quoted(self, text: str) -> str:
        return '"' + text + '"'


KINDS = (
    "invariant", "invariant", "invariant", "reachable", "unreachable", "never-stuck", "never-faults",
    "terminates", "never-falls", "most", "least",
)  # fmt: skip


def ruleset(seed: int, folder: Path, claims: int = 8) -> Game | None:
    """A game of a random ruleset with claims; None if the ruleset is refused.

    Claims that the language refuses are left out. The text is `random.yaml` in the folder.
    """
    writer = Writer(random.Random(seed))
    rules = writer.rules()
    path = folder / "random.yaml"
    path.write_text(rules, "utf-8")
    try:
        load(path)
    except RulesetError:
        return None
    text, kept = f"{rules}claims:\n", list[str]()
    for number in range(claims):
        name, lines = writer.claim(number, kept)
        path.write_text(text + lines, "utf-8")
        try:
            load(path)
        except RulesetError:
            continue
        text += lines
        kept.append(name)
    path.write_text(text, "utf-8")
    return load(path) if kept else None


def text_of(seed: int, folder: Path) -> str | None:
    """The text of a random ruleset with claims; None if the ruleset is refused, or has too many positions."""
    if ruleset(seed, folder, 12) is None:
        return None
    return (folder / "random.yaml").read_text("utf-8")
