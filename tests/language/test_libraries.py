"""Libraries: a word means what it would mean if it were pasted in, and costs nothing if it is not used."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.language import home, load
from rulespec.language.documents.libraries import Word, shipped_libraries
from rulespec.language.formatting import format_ruleset
from rulespec.language.loader import read, read_texts
from rulespec.language.unused_declarations import unused_declarations
from rulespec.language.work_limit import new_meter

HEAD = """\
rulespec: 1
id: made
title: Made
players: 2
{uses}parameters:
  files:
    type: 2..9
    default: 3
    prose: The files.
  ranks:
    type: 2..9
    default: 4
    prose: The ranks.
  furthest:
    type: 1..9
    default: 4
    prose: The most steps.
rules:
- id: board
  prose: Men stand on squares.
  formal: |
{pasted}    type Spot = {{file: 1..3, rank: 1..2}}
    state man: map Spot -> Player? = none
    state seen: 0..999 = 0
{own}- id: act
  prose: Do something.
  action: ()
  do: |
{done}"""
HOLDER = "    define holder(s: Square): Player? = man[Spot(s.file, s.rank)]\n"
USES = """\
uses:
- boards/grid: {files: files, ranks: ranks}
- moves: {furthest: furthest}
"""
NUMBERS = [
    "size(straight)", "size(slanting)", "size({opposite(w) for w in straight})",
    "count(w in Way where w = north)",
    "size({beyond(s, w, 2) for s in Square, w in Way})", "size({t for s in Square, t in around(s)})",
    "count(s in Square where occupied(s))", "size({t for s in Square, t in slides(s, slanting)})",
    "size({t for s in Square, t in leaps(s, 1, 2)})", "size({hop(s, w) for s in Square, w in Way})",
    "count(s in Square where surrounded(s))", "count(s in Square where territory(s) = mover)",
    "count(s in Square where ink(holder(s)) is black)", "size({t for s in Square, t in steps(s, straight)})",
]  # fmt: skip
"""Numbers that ask for words of libraries."""


def game_of(uses: str, pasted: str, own: str, done: list[str]) -> Game:
    """The game of the frame with these texts."""
    effects = "".join(f"    seen := {number}\n" for number in done) or "    nothing\n"
    text = HEAD.format(uses=uses, pasted=pasted, own=own, done=effects)
    return read_texts({"made.yaml": text}, {}).with_settings()


def library_text(*names: str) -> str:
    """The declarations of libraries, as a ruleset would write them."""
    words = [word for name in names for word in shipped_libraries()[name].words.values()]
    lines = [line for word in words for line in word.text.formal.rstrip().split("\n")]
    return "".join(f"    {line}\n" for line in lines)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(NUMBERS), min_size=1, max_size=4, unique=True))
def test_a_use_means_what_the_pasted_text_means(numbers: list[str]) -> None:
    used = game_of(USES, "", HOLDER, numbers)
    pasted = game_of("", library_text("boards/grid", "moves"), HOLDER, numbers)
    assert used.digest == pasted.digest


def work_of(text: str) -> tuple[str, int]:
    """The digest of a text, and the steps of work of making its game."""
    ruleset, meter = read_texts({"made.yaml": text}, {}), new_meter()
    before = meter.left
    return ruleset.with_settings(meter=meter).digest, before - meter.left


def test_what_is_not_used_costs_nothing() -> None:
    own = "    define far(s: Spot) = s.rank = 2\n"
    done = "    if some s in Spot satisfies far(s): seen := 2\n"
    plain = HEAD.format(uses="", pasted="", own=own, done=done)
    using = HEAD.format(uses="uses: [cards, dice, moves]\n", pasted="", own=own, done=done)
    assert work_of(plain) == work_of(using)


def test_a_library_of_which_nothing_is_used_is_a_doubt() -> None:
    text = HEAD.format(uses="uses: [cards, dice]\n", pasted="", own="", done="    seen := size(Card)\n")
    doubts = unused_declarations(read_texts({"made.yaml": text}, {}))
    libraries = [d.message for d in doubts if "library" in d.message]
    assert libraries == ["nothing uses the library `dice`"]


def test_a_declaration_for_a_library_is_used() -> None:
    text = HEAD.format(uses=USES, pasted="", own=HOLDER, done=f"    seen := {NUMBERS[6]}\n")
    doubts = [d.message for d in unused_declarations(read_texts({"made.yaml": text}, {}))]
    assert doubts == ["effects only store in `seen`: nothing reads it"]


def test_own_names_come_first_in_the_text_of_a_library_too() -> None:
    torus = (
        "    define beyond(s: Square, w: Way, n: 0..9): Square? =\n"
        "      Square((s.file - 1 + n * w.across) mod files + 1, (s.rank - 1 + n * w.up) mod ranks + 1)\n"
    )
    corner = "size(neighbours(Square(1, 1)))"
    plain, wrapped = game_of(USES, "", "", [corner]), game_of(USES, "", torus, [corner])
    assert "beyond" in plain.functions and plain.digest != wrapped.digest
    assert wrapped.functions["beyond"].clause == "board"


def test_the_rulebook_has_the_words_that_are_used() -> None:
    game = game_of(USES, "", HOLDER, ["count(s in Square where surrounded(s))"])
    rules = {rule.id: rule for rule in game.rules}
    assert [*rules] == ["board", "act", "library-boards-grid", "library-moves"]
    (_, text), *_ = rules["library-moves"].formal
    assert re.findall(r"define ([\w-]+)", text) == ["occupied", "group", "surrounded"]
    assert "A group is surrounded when no neighbour of it is free." in rules["library-moves"].prose


def test_settings_that_share_parts_show_the_same_words() -> None:
    text = HEAD.format(uses=USES, pasted="", own=HOLDER, done=f"    seen := {NUMBERS[10]}\n")
    ruleset = read_texts({"made.yaml": text}, {})
    first, second = (ruleset.with_settings(parameters={"files": n}) for n in (3, 3))
    third = ruleset.with_settings(parameters={"furthest": 2})
    shown = [[(rule.id, list(rule.formal)) for rule in game.rules] for game in (first, second, third)]
    assert shown[0] == shown[1] == shown[2]


VARIANT = """\
rulespec: 1
id: larger
title: Larger
extends: made.yaml
uses:
- boards/grid: {files: 4, ranks: ranks}
"""


def test_a_variant_gives_other_parameters() -> None:
    base = HEAD.format(uses=USES, pasted="", own="", done="    seen := size(Square)\n")
    link = {("larger.yaml", "made.yaml"): "made.yaml"}
    game = read_texts({"larger.yaml": VARIANT, "made.yaml": base}, link).with_settings()
    assert len(game.types["Square"].values) == 16


def test_a_library_is_no_ruleset_and_no_file_of_a_stranger(tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match="this is a library"):
        load(home() / "libraries" / "moves.yaml")
    (tmp_path / "mine.yaml").write_text((home() / "libraries" / "dice.yaml").read_text("utf-8"), "utf-8")
    text = HEAD.format(uses="uses: mine\n", pasted="", own="", done="    nothing\n")
    (tmp_path / "made.yaml").write_text(text, "utf-8")
    with pytest.raises(RulesetError, match="there is no library `mine`"):
        load(tmp_path / "made.yaml")


ALL = {
    "boards/grid": ("- boards/grid: {files: 3, ranks: 3}", ""),
    "boards/hex": ("- boards/hex: {reach: reach}", "    define reach = 2\n"),
    "cards": ("- cards", ""),
    "dice": ("- dice", ""),
    "dominoes": ("- dominoes: {top-pip: 3}", ""),
    "moves": ("- boards/grid: {files: 3, ranks: 3}\n- moves: {furthest: 2}", HOLDER),
}


@pytest.mark.parametrize("name", [*shipped_libraries()])
def test_each_word_and_each_drawing_of_a_library_can_be_used(name: str) -> None:
    uses, own = ALL[name]
    library = shipped_libraries()[name]
    own += "".join(f"    {using(word)}\n" for word in library.words.values())
    text = HEAD.format(uses=f"uses:\n{uses}\n", pasted="", own=own, done="    nothing\n")
    text += "diagram:\n" + "".join(f"- use: {layer}\n" for layer in library.layers) if library.layers else ""
    game = read_texts({"made.yaml": text}, {}).with_settings()
    shown = {rule.id: rule for rule in game.rules}[library.clause]
    assert all(word.prose in shown.prose for word in library.words.values())


def using(word: Word) -> str:
    """A declaration that uses a word."""
    if word.kind == "type":
        return f"type T-{word.name} = x in {word.name} where true"
    called = call(word.text.formal)
    return f"define d-{word.name}({signature(word.text.formal)}) = {called} = {called}"


def signature(text: str) -> str:
    """The parameters of a definition as written."""
    found = re.match(r"define [\w-]+\((.*?)\)(?=:| =)", text)
    return found[1] if found else "x: Bool"


def call(text: str) -> str:
    """A call of a definition with its own parameters."""
    name = re.match(r"define ([\w-]+)", text)
    assert name is not None
    names = re.findall(r"([\w-]+):", signature(text)) if "(" in text.split("=")[0].split(":")[0] else []
    return name[1] + (f"({', '.join(names)})" if names else "")


@pytest.mark.parametrize("name", [*shipped_libraries()])
def test_libraries_are_in_canonical_layout(name: str) -> None:
    source = shipped_libraries()[name].source
    assert format_ruleset(source) == source.text


PAGE = Path(__file__).parents[2] / "docs" / "reference" / "libraries.md"


def test_the_page_of_the_reference_shows_a_game_and_every_word() -> None:
    page = PAGE.read_text("utf-8")
    block = re.search(r"```yaml\n(.*?)```", page, re.DOTALL)
    assert block is not None
    assert read_texts({"surround.yaml": block[1]}, {}).with_settings().rules[-1].id == "library-moves"
    sections = {part.split("\n")[0]: part for part in page.split("\n## ")[1:]}
    assert [*sections] == [*shipped_libraries()]
    for name, library in shipped_libraries().items():
        lines = sections[name].split("\n")
        for word in library.words.values():
            shown = f"| `type {word.name}`" if word.kind == "type" else f"| `{word.name}"
            assert any(line.startswith(shown) and line.endswith(f"| {word.prose} |") for line in lines)
        drawn = re.findall(r"`([\w-]+)`", sections[name].partition("Drawings: ")[2])
        assert drawn == [*library.layers]


def test_the_texts_of_libraries_are_among_those_of_a_ruleset() -> None:
    """Pages and stored verdicts are cached by these texts, so a changed library makes both stale."""
    ruleset = read("breakthrough")
    library = shipped_libraries()["boards/grid"].source
    assert ruleset.sources[library.name].text == library.text
