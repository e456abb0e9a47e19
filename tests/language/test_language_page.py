"""Everything that the reference page of the language shows is tried: each form of its tables, each block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import rulespec
from rulespec.core.diagnostics import MOST_FAULTS
from rulespec.core.evaluate import evaluate
from rulespec.core.types import Value
from rulespec.language import actions, bounds, parser, work, yaml
from rulespec.language.elaborate import expressions, kinds, statements, walks, world

PAGE = (Path(__file__).parents[2] / "docs" / "reference" / "language.md").read_text("utf-8")

FRAME = """
rulespec: 1
id: reference
title: What the reference shows
players: 2
parameters:
  tiers:
    type: 1..4
    default: 3
    prose: How many tiers there are.
rules:
- id: things
  prose: What the examples speak of.
  formal: |
    type Suit = one of red, black
    type Cell = {tier: 1..tiers, row: 1..3, col: 1..3}
    type Place = {file: 1..8, rank: 0..8} as "{file}{rank}"
    type Square = p in Place where p.rank > 0
    type Domino = 1..3
    define next-to(b: Cell, c: Cell) = b.row = c.row and b.col = c.col and c.tier = b.tier + 1
    define score(p: Player) = 3 - p
    define twice(k: 0..9): 0..9? = 2 * k
    define odds(f: Domino) = if f = 2 then 1 else 0
    state spot: Place = "12"
    state suit: Suit = red
    state x: 0..9 = 3
    state m: map Suit -> 0..9 = 1
    state l: list of 0..9 up to 6 = [4, 5, 6, 7]
    state a: list of 0..9 up to 6 = [1, 2, 3]
    state b: list of 0..9 up to 6 = [8, 9]
    state s: set of 0..9 = {1, 2}
    state held: 0..9? = none
MORE
- id: jump
  prose: Jump.
  action: ()
  do: |
    EFFECT
- id: place
  prose: Place.
  action: d in Domino where d > 1
- id: end
  prose: It ends when there is nothing left.
  end: l is empty
"""

EXPRESSIONS: dict[str, tuple[str, Value]] = {
    "every x in S, y in T where P satisfies Q": (
        "every k in 1..3, j in 1..3 where k < j satisfies k + j < 6", True,
    ),
    "if a then b else c": ("if x = 3 then 1 else 2", 1),
    "let x be e; f": ("let k be 2 + 1; k * k", 9),
    "the x in S where P": ("the k in 1..3 where k > 2", 3),
    "first x in S where P": ("first k in 1..3 where k > 1", 2),
    "those x in S where P": ("those k in 1..3 where k > 1", frozenset({2, 3})),
    "those p in Player with most score(p)": ("those p in Player with most score(p)", frozenset({1})),
    "those c in Cell reached from S through b where next-to(b, c)": (
        "those c in Cell reached from {Cell(2, 1, 1)} through b where next-to(b, c)",
        frozenset({(2, 1, 1), (3, 1, 1)}),
    ),
    "follow q from a to f(q) while P at most n times": (
        "follow q from 1 to twice(q) while q < 4 at most 5 times", 4,
    ),
    "fold t: 0..9 from 0 over x in S to min(t + x, 9)": (
        "fold t: 0..9 from 0 over k in 1..3 to min(t + k, 9)", 6,
    ),
    "a or b": ("x = 1 or x = 3", True),
    "a and b": ("x = 1 and x = 3", False),
    "not a": ("not x = 1", True),
    "=": ("x = 3", True),
    "!=": ("x != 3", False),
    "<": ("x < 3", False),
    "<=": ("x <= 3", True),
    ">": ("x > 3", False),
    ">=": ("x >= 3", True),
    "x in S": ("x in s", False),
    "x not in S": ("x not in s", True),
    "n in 1..3": ("x in 1..3", True),
    "x is none": ("held is none", True),
    "is some": ("held is some", False),
    "is empty": ("l is empty", False),
    "is red": ("suit is red", True),
    "is not …": ("suit is not black", True),
    "can jump": ("can jump", True),
    "can place(d)": ("can place(1)", False),
    "a otherwise b": ("held otherwise 7", 7),
    "+": ("{1} + {2}", frozenset({1, 2})),
    "-": ("x - 4", -1),
    "*": ("x * x", 9),
    "div": ("-7 div 2", -4),
    "mod": ("-7 mod 2", 1),
    "c.tier": ("spot.rank", 2),
    "m[k]": ("m[red]", 1),
    "l[3]": ("l[3]", 6),
    "l[2..4]": ("l[2..4]", (5, 6, 7)),
    "f(x)": ("twice(x)", 6),
    "Cell(1, 2, 3)": ("Cell(1, 2, 3)", (1, 2, 3)),
    "Square(p)": ("Square(spot)", (1, 2)),
    "size(S)": ("size(s)", 2),
    "top(l)": ("top(l)", 7),
    "bottom(l)": ("bottom(l)", 4),
    "abs(n)": ("abs(x - 9)", 6),
    "min(a, b)": ("min(x, 2)", 2),
    "max(a, b)": ("max(x, 2)", 3),
    "number(x)": ("number(suit)", 1),
    "after(p)": ("after(mover)", 2),
    "count(x in S where P)": ("count(k in 1..5 where k > x)", 2),
    "sum(e for x in S)": ("sum(k * k for k in 1..3)", 14),
    "min(e for x in S)": ("min(k * k for k in s)", 1),
    "max(…)": ("max(k * k for k in s)", 4),
    "{a, b}": ("{x, 4}", frozenset({3, 4})),
    "{e for x in S}": ("{k + x for k in s}", frozenset({4, 5})),
    "[a, b]": ("[x, 4]", (3, 4)),
    "[e for x in l]": ("[k - 3 for k in l]", (1, 2, 3, 4)),
    "{k -> e for k in K}": ("{k -> number(k) for k in Suit}", (1, 2)),
    '"e3"': ('spot = "12"', True),
}  # fmt: skip
"""For each form the reference shows, an instance of it and its value at the start of the frame's game."""

TYPES: dict[str, str] = {
    "Bool": "state try: Bool = true",
    "1..tiers": "state try: 1..tiers = 1",
    'type File = 1..8 as "abcdefgh"': 'type File = 1..8 as "abcdefgh"',
    'type Suit = one of spades, hearts as "SH"': 'type Sort = one of spades, hearts as "SH"',
    'type Rank = 8..11 as "8|9|10|J"': 'type Rank = 8..11 as "8|9|10|J"',
    'type Cell = {row: 1..3, col: 1..3} where row <= col as "{row}.{col}"':
        'type Half = {row: 1..3, col: 1..3} where row <= col as "{row}.{col}"',
    "type Square = p in Place where p.rank > 0": "type Field = p in Place where p.rank > 0",
    "T?": "state try: Place?",
    "map K -> T": "state try: map Suit -> Place?",
    "set of T": "state try: set of Place",
    "list of T up to n": "state try: list of Place up to 2 * tiers",
}  # fmt: skip

EFFECTS: dict[str, tuple[str, str]] = {
    "x := e": ("x := 4", "x = 4"),
    "m[k] := e": ("m[black] := 4", "m[black] = 4 and m[red] = 1"),
    "add e to x": ("add 4 to s", "s = {1, 2, 4}"),
    "remove e from x": ("remove 2 from x", "x = 1"),
    "put e under l": ("put 9 under l", "l = [9, 4, 5, 6, 7]"),
    "move top of a onto b": ("move top of a onto b", "a = [1, 2] and b = [8, 9, 3]"),
    "move bottom 2 of a under b": ("move bottom 2 of a under b", "a = [3] and b = [1, 2, 8, 9]"),
    "move all of a into b": ("move all of a into s", "a is empty and s = {1, 2, 3}"),
    "move x from a to b": ("move 2 from a to b", "a = [1, 3] and b = [8, 9, 2]"),
    "swap a with b": ("swap a with b", "a = [8, 9] and b = [1, 2, 3]"),
    "let x be e": ("let k be 2; x := k", "x = 2"),
    "if c: …": ("if x = 3: x := 1", "x = 1"),
    "else if d: …": ("if x = 2: nothing\n    else if x = 3: x := 1", "x = 1"),
    "else: …": ("if x = 2: nothing\n    else: x := 1", "x = 1"),
    "for x in S where P: …": ("for k in s where k > 1: add k to x", "x = 5"),
    "for x at i in l: …": ("for k at i in b: m[black] := k - i", "m[black] = 7"),
    "spill(s, w)": ("spill(2, 1)", "x = 2 and held = 1"),
    "shuffle S into l": ("shuffle s into l", "{k for k in l} = {1, 2}"),
    "roll x from S": ("roll x from {5}", "x = 5"),
    "roll x from S weighing f by odds(f)": ("roll x from Domino weighing f by odds(f)", "x = 2"),
    "nothing": ("nothing", "x = 3"),
}


def forms(section: str) -> Iterator[str]:
    """The forms in the first column of the tables of a section."""
    body = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    for line in body.split("\n"):
        if line.startswith("| `"):
            first = re.split(r"(?<!\\)\|", line)[1]
            yield from (code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", first))


def shape(form: str) -> re.Pattern[str]:
    """What an instance of a form looks like: its one-letter names and dots stand for anything."""
    names = re.compile(r"(?<![\w.\"-])[A-Za-z](?![\w\"-])|…|e3|jump|\bd\b|1, 2, 3|Cell|Suit|Square|tier\b")
    parts = names.split(form)
    return re.compile(".*".join(re.escape(part) for part in parts))


def framed(folder: Path, more: str = "", effect: str = "nothing") -> rulespec.Game:
    """The frame's game with one more declaration, and an effect of its action."""
    path = folder / "reference.yaml"
    spill = "    to spill(k: 0..9, j: 0..9): x := k; held := j\n"
    path.write_text(FRAME.replace("MORE\n", f"{spill}    {more}\n").replace("EFFECT", effect), "utf-8")
    return rulespec.load(path)


def asked(state: rulespec.State, name: str) -> Value:
    """The value of a definition in a state."""
    return evaluate(state.game.core.functions[name].body, {}, state.game.machine.situation(state.position))


@pytest.mark.parametrize(
    ("section", "tried"), [("Types", TYPES), ("Expressions", EXPRESSIONS), ("Effects", EFFECTS)]
)
def test_every_form_is_tried(section: str, tried: dict[str, object]) -> None:
    assert set(forms(section)) == set(tried)


@pytest.mark.parametrize("form", EXPRESSIONS)
def test_expression(form: str, tmp_path: Path) -> None:
    instance, value = EXPRESSIONS[form]
    assert shape(form).search(instance)
    state = framed(tmp_path, f"define asked = {instance}").start(seed=1)
    assert asked(state, "asked") == value


@pytest.mark.parametrize("form", TYPES)
def test_type(form: str, tmp_path: Path) -> None:
    assert shape(form).search(TYPES[form])
    framed(tmp_path, TYPES[form])


@pytest.mark.parametrize("form", EFFECTS)
def test_effect(form: str, tmp_path: Path) -> None:
    effect, then = EFFECTS[form]
    assert shape(form).search(effect)
    state = framed(tmp_path, f"define asked = {then}", effect).start(seed=1).play("jump")
    assert asked(state, "asked") is True


LIMITS = (
    yaml.MOST_BYTES, parser.MOST_CHARACTERS, parser.MOST_DEPTH, 9, expressions.LARGEST, world.MOST_VALUES,
    kinds.MOST_PLACES, walks.MOST_TIMES, actions.LONGEST_CHAIN, statements.MOST_RUNS, actions.MOST_CHOICES,
    actions.MOST_HOLES, bounds.DEEPEST, bounds.LIMIT, bounds.MOST_ASKED, work.MOST_WORK, MOST_FAULTS,
)  # fmt: skip


def test_limits() -> None:
    """The limits that the page names are those that hold; tests/language/test_limits.py holds them."""
    table = PAGE.split("## Limits")[1].split("## ")[0]
    named = [int(number.replace(",", "")) for number in re.findall(r"\b[\d,]*\d\b", table)]
    assert named == list(LIMITS)


BLOCKS = re.findall(r"```(\w*)\n(.*?)```", PAGE, re.DOTALL)


SECRETS = re.findall(r"^\| `((?:secret|open): [^`]*)` \|", PAGE, re.MULTILINE)
HANDS = """\
rulespec: 1
id: hands
title: Hands
players: 4
rules:
- id: cards
  prose: Cards.
  formal: |
    type Card = 1..8
    define partner(p: Player, q: Player) = abs(p - q) = 2
    hidden state hand: map Player -> set of Card = {}
- id: hands
  prose: Hands.
  question: Who sees them?
  readings:
    hidden: Nobody.
    open: Everybody.
"""


def held(block: str, line: str) -> str:
    """A ruleset with an action as the page shows it, and one of the ways to keep a secret in it."""
    word, _, rest = line.partition(": ")
    if word == "open":
        return HANDS + block.replace("  secret: c shown to p\n", "").replace("open: p", f"open: p, {rest}")
    return HANDS + block.replace("secret: c shown to p", line)


def test_blocks(tmp_path: Path) -> None:
    """An action of Sacred Alignment, definitions, a variant: each is read where it would stand."""
    (_, action), (_, secret), (_, definitions), (_, variant) = BLOCKS
    indented = "".join(f"    {line[2:]}\n" for line in action.split("\n"))
    lay = "- rule:\n    id: lay\n    prose: Lay.\n    formal: |\n      to lay(d: Domino, s: Slot): nothing\n"
    texts = {
        "action": "rulespec: 1\nid: other\ntitle: Other\nextends: sacred-alignment\nreplace:\n  place:\n"
        + indented + "remove: [ascending.examples, aligned.examples]\nadd:\n" + lay,
        "variant": variant,
    }  # fmt: skip
    texts |= {f"secret-{number}": held(secret, line) for number, line in enumerate(SECRETS)}
    for name, text in texts.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, "utf-8")
        rulespec.load(path)
    assert len(SECRETS) == 6
    more = "define ahead(p: Place): Place = Place(p.file, p.rank + 1) otherwise p\n    "
    more += definitions.strip().replace("\n", "\n    ")
    assert "run" in framed(tmp_path, more).core.functions
