"""Everything that the reference page of the language shows is tried: each form of its tables, each block."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import indent

import pytest

import rulespec
from rulespec.core.diagnostics import MOST_FAULTS
from rulespec.core.evaluate import evaluate
from rulespec.core.types import Value
from rulespec.language import actions, bounds, tabled_choices, work_limit
from rulespec.language.documents import shapes, yaml
from rulespec.language.elaborate import built_in, expressions, iteration, statements, world, written_types
from rulespec.language.syntax import parser

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reference" / "language.md").read_text("utf-8")

CONSTRUCTS = (DOCS / "games" / "constructs.yaml").read_text("utf-8")
"""The ruleset at whose start the examples of the page are run."""

EXAMPLE = re.compile(r"`([^`]+)` → `([^`]+)`")


def forms(section: str) -> Iterator[str]:
    """The forms in the first column of the tables of a section."""
    body = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0]
    for line in body.split("\n"):
        if line.startswith("| `"):
            first = re.split(r"(?<!\\)\|", line)[1]
            yield from (code.replace("\\|", "|") for code in re.findall(r"`([^`]+)`", first))


def examples(section: str) -> list[tuple[str, str, str]]:
    """The examples of a section: the form, its instance, and what it gives."""
    body = PAGE.split(f"\n## {section}\n")[1].split("\n## ")[0].replace("\\|", "|")
    return [(form, *example) for form, example in zip(forms(section), EXAMPLE.findall(body), strict=True)]


def shape(form: str) -> re.Pattern[str]:
    """What an instance of a form looks like: its one-letter names and dots stand for anything."""
    names = re.compile(r"(?<![\w.\"-])[A-Za-z](?![\w\"-])|…|e3|jump|\bd\b|1, 2, 3|Cell|Suit|Square|tier\b")
    parts = names.split(form)
    return re.compile(".*".join(re.escape(part) for part in parts))


def framed(folder: Path, more: str = "", effect: str = "nothing") -> rulespec.Game:
    """The game of the examples with one more declaration, and an effect of the action `jump`."""
    path = folder / "reference.yaml"
    text = CONSTRUCTS.replace("    to spill", f"    {more}\n    to spill" if more else "    to spill")
    lines = effect.replace("⏎ ", "\n    ")
    path.write_text(text.replace("action: ()\n  do: nothing", f"action: ()\n  do: |\n    {lines}"), "utf-8")
    return rulespec.load(path)


def asked(state: rulespec.State) -> Value:
    """The value of the definition `asked` in a state."""
    return evaluate(state.game.core.functions["asked"].body, {}, state.game.machine.situation(state.position))


def test_the_page_names_every_built_in_function() -> None:
    named = {name for form in forms("Expressions") for name in re.findall(r"\b(\w+)\(", form)}
    assert built_in.BUILTINS.keys() - named == set()


EXPRESSIONS, TYPES, EFFECTS = (examples(section) for section in ("Expressions", "Types", "Effects"))


@pytest.mark.parametrize(("form", "instance", "value"), [*EXPRESSIONS, *TYPES])
def test_value(form: str, instance: str, value: str, tmp_path: Path) -> None:
    state = framed(tmp_path, f"define asked = ({instance}) = {value}").start(seed=1)
    assert asked(state) is True


@pytest.mark.parametrize(("form", "instance", "value"), EXPRESSIONS)
def test_an_expression_is_of_its_form(form: str, instance: str, value: str) -> None:
    assert shape(form).search(instance)


@pytest.mark.parametrize("form", [form for form, _, _ in TYPES if form.startswith("type ")])
def test_types_are_declared(form: str) -> None:
    assert form in CONSTRUCTS


@pytest.mark.parametrize(("form", "effect", "then"), EFFECTS)
def test_effect(form: str, effect: str, then: str, tmp_path: Path) -> None:
    assert shape(form).search(effect)
    state = framed(tmp_path, f"define asked = {then}", effect).start(seed=1)
    assert asked(state.play("jump")) is True
    if effect != "nothing":
        assert asked(state) is False


LIMITS = (
    yaml.MOST_BYTES, shapes.LONGEST_ID, parser.MOST_CHARACTERS, parser.MOST_DEPTH, 9, expressions.LARGEST,
    world.MOST_VALUES,
    written_types.MOST_PLACES, iteration.MOST_TIMES, actions.LONGEST_CHAIN, statements.MOST_RUNS,
    actions.MOST_CHOICES, tabled_choices.MOST_ROWS, tabled_choices.LARGEST_GROWN,
    actions.MOST_HOLES, bounds.DEEPEST, bounds.LIMIT, bounds.MOST_ASKED, work_limit.MOST_WORK, MOST_FAULTS,
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


POINTS = """\
rulespec: 1
id: points
title: Points
players: 2
parameters:
  turns:
    type: 1..20
    default: 6
    prose: How many turns there are.
rules:
- id: points
  prose: Points.
  formal: |
    state points: map Player -> 0..40 = 0
  score: points[player]
- id: take
  prose: Take points.
  action: k in 1..2
  do: add k to points[mover]
"""


PASSES = """\
rulespec: 1
id: passes
title: Passes
players: 2
rules:
- id: cards
  prose: Cards.
  formal: |
    state passed: map Player -> Bool = false
    state played: map Player -> 1..9? = none
    state taker: Player? = none
- id: pass
  prose: Pass.
  action: ()
  do: passed[mover] := true
- id: play
  prose: Play.
  action: k in 1..9
  do: played[mover] := k
"""


HEAP = """\
rulespec: 1
id: heap
title: Heap
players: 2
rules:
- id: take
  prose: Take.
  formal: |
    state left: 0..9 = 9
  action: k in 1..2 where k <= left
  do: remove k from left
- id: bare
  prose: Nothing is left.
  end: left = 0
"""


BIDS = """\
rulespec: 1
id: bids
title: Bids
players: 2
rules:
- id: coins
  prose: Coins.
  formal: |
    state coins: map Player -> 0..9 = 9
    state prizes: map Player -> 0..9 = 0
"""


MEN = """\
rulespec: 1
id: men
title: Men
players: 2
rules:
- id: men
  prose: Men stand in places.
  formal: |
    type Place = 1..4
    state man: map Place -> Player? = none
    define threatened(p: Player) = some q in 1..3 satisfies man[q] = p and man[q + 1] = after(p)
"""


def held(block: str, line: str) -> str:
    """A ruleset with an action as the page shows it, and one of the ways to keep a secret in it."""
    word, _, rest = line.partition(": ")
    if word == "open":
        return HANDS + block.replace("  secret: c shown to p\n", "").replace("open: p", f"open: p, {rest}")
    return HANDS + block.replace("secret: c shown to p", line)


def test_blocks(tmp_path: Path) -> None:
    """An action of Sacred Alignment, definitions, a variant: each is read where it would stand."""
    (
        (_, action),
        (_, at_once),
        (_, after),
        (_, course),
        (_, results),
        (_, stakes),
        (_, partners),
        (_, secret),
        (_, definitions),
        (_, derived),
        (_, table),
        (_, variant),
    ) = BLOCKS
    indented = "".join(f"    {line[2:]}\n" for line in action.split("\n"))
    lay = "- rule:\n    id: lay\n    prose: Lay.\n    formal: |\n      to lay(d: Domino, s: Slot): nothing\n"
    texts = {
        "action": "rulespec: 1\nid: other\ntitle: Other\nextends: sacred-alignment\nreplace:\n  place:\n"
        + indented + "remove: [ascending.examples, aligned.examples]\nadd:\n" + lay,
        "at-once": BIDS + at_once,
        "after": MEN + after,
        "variant": variant,
        "table": "rulespec: 1\nid: other\ntitle: Other\nextends: connect-four\nreplace:\n"
        + indent(table, "  "),
        "results": POINTS + results,
        "stakes": HEAP + stakes,
        "course": PASSES + course,
        "sides": POINTS.replace("players: 2", "players: 4") + partners,
    }  # fmt: skip
    texts |= {f"secret-{number}": held(secret, line) for number, line in enumerate(SECRETS)}
    for name, text in texts.items():
        path = tmp_path / f"{name}.yaml"
        path.write_text(text, "utf-8")
        rulespec.load(path)
    assert len(SECRETS) == 6
    more = f"type Field = 1..8\n    state board: map Field -> Suit? = none\n    {derived.strip()}"
    assert framed(tmp_path, more).core.state["men"].always is not None
    more = definitions.strip().replace("run", "other-run").replace("\n", "\n    ")
    assert "other-run" in framed(tmp_path, more).core.functions
