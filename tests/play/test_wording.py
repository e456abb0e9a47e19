"""Actions as text: writing them, and reading what people type."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import handmade
import pytest
from building import const, domain, local, number
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import playout
from texts import CARDS, COUNTDOWN

from rulespec.core import nodes as n
from rulespec.core.game import Action, Choice
from rulespec.core.types import BOOL, Enum, integers
from rulespec.play.errors import UnknownAction
from rulespec.play.face import Game, State, load

GAMES = {name: Game(core) for name, core in handmade.all_games().items()}


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 50), st.integers(0, 6), st.data())
def test_every_action_is_read_back_from_its_notation(
    name: str, seed: int, plies: int, data: st.DataObject
) -> None:
    state = playout(GAMES[name].start(seed=seed), seed, most=plies)
    for action in state.actions():
        spaced = data.draw(st.sampled_from(["{}", "  {}  ", " {}"])).format(str(action).replace(" ", "   "))
        for text in (str(action), action.full, spaced, spaced.upper(), str(action).title()):
            assert state.find(text) == action


def start(name: str) -> State:
    return GAMES[name].start(seed=1, chance=[["0-1", "1-1", "0-0"]] if name == "ziggurat" else None)


def test_an_illegal_action_is_recognised() -> None:
    action = start("ziggurat").find("place 1-1 2.2/2.3")
    assert (action.id, action.arguments) == ("place", {"d": "1-1", "s": "2.2/2.3"})
    assert str(start("trail").find("walk [c, b]")) == "walk [c, b]"


@pytest.mark.parametrize(
    ("name", "text", "advice"),
    [
        ("nim", "take 1 form a", "did you mean `take 1 from a`"),
        ("nim", "fly", "actions are written `take {n} from {h}`"),
        ("nim", "take 9 from a", "did you mean `take"),
        ("nim", "", "actions are written"),
        ("ziggurat", "place 0-1 2.2/2.2", "did you mean"),
        ("trail", "walk [z]", "did you mean"),
        ("trail", "mark there 0", "did you mean `mark here 0`"),
        ("nim", "take(1)", "did you mean `take"),
        ("nim", "take(1, a", "did you mean `take"),
    ],
)
def test_a_text_that_means_nothing_gets_advice(name: str, text: str, advice: str) -> None:
    state = start(name)
    with pytest.raises(UnknownAction) as caught:
        state.play(text)
    assert advice in str(caught.value)
    assert [r.kind for r in state.why_not(text)] == ["unknown"]


def test_words_that_are_worked_out_must_agree_with_the_choices() -> None:
    state = start("trail")
    assert state.find("MARK Here 0").arguments == {"d": 0}
    assert state.find("mark ahead 1").arguments == {"d": 1}
    with pytest.raises(UnknownAction):
        state.find("mark here 1")


SIZE = integers(1, 30, "Size")


def two_numbers(written: tuple[str | n.Expr, ...], a: n.Var, b: n.Var, ordered: bool = True) -> Game:
    """A game of one action with two numbers; the second is at most 12 and, if `ordered`, not the lesser."""
    core = handmade.nim()
    where = n.AtMost(BOOL, local(a), local(b) if ordered else number(30))
    within = n.AtMost(BOOL, local(b), number(12))
    action = Action(
        "pay", "", (Choice(a, domain(SIZE)), Choice(b, domain(SIZE), n.And(BOOL, (where, within)))),
        written, (), n.NOTHING_DONE,
    )  # fmt: skip
    return Game(replace(core, actions={"pay": action}))


def test_text_with_two_meanings_is_the_legal_one_or_asks_which() -> None:
    a, b = n.Var("a", SIZE), n.Var("b", SIZE)
    state = two_numbers(("pay ", local(a), local(b)), a, b).start(seed=0)
    assert state.find("pay 19").arguments == {"a": 1, "b": 9}
    assert state.find("pay 219").arguments == {"a": 21, "b": 9}, "neither is legal: one is explained"
    both = two_numbers(("pay ", local(a), local(b)), a, b, ordered=False).start(seed=0)
    with pytest.raises(UnknownAction, match=r"it may mean `pay\(11, 2\)`, `pay\(1, 12\)`: write one"):
        both.find("pay 112")
    assert both.find("pay 1 12").arguments == {"a": 1, "b": 12}


def test_choices_that_the_template_leaves_out_are_found_by_trying() -> None:
    a, b = n.Var("a", SIZE), n.Var("b", SIZE)
    words = Enum("words", range(2), "", ("even", "more"))
    more = n.If(words, n.Less(BOOL, local(a), local(b)), const(words, 1), const(words, 0))
    state = two_numbers(("pay ", local(a), " ", more), a, b).start(seed=0)
    assert state.find("pay 12 even").arguments == {"a": 12, "b": 12}
    assert state.find("pay 11 more").arguments == {"a": 11, "b": 12}
    with pytest.raises(UnknownAction, match=r"pay\(3, 4\)"):
        state.find("pay 3 more")
    unclear = next(action for action in state.actions() if action.args == (3, 7))
    assert (str(unclear), state.notation(unclear)) == ("pay 3 more", "pay(3, 7)")
    assert state.play("pay(3, 7)").plays[-1].arguments == {"a": 3, "b": 7}


def ambiguous(choices: int) -> Game:
    """An action whose notation is that of its choices, each `a` to `aaaaa`, one after the other."""
    signs = Enum("D", (0, 1, 2, 3, 4), "D", ("p", "q", "r", "s", "t"), ("a", "aa", "aaa", "aaaa", "aaaaa"))
    chosen = tuple(Choice(n.Var(f"x{i}", signs), domain(signs)) for i in range(choices))
    written = tuple(n.Local(choice.var.type, choice.var) for choice in chosen)
    core = handmade.all_games()["nim"]
    action = replace(
        core.actions["take"], choices=chosen, written=written, requirements=(), effect=n.Block(())
    )
    return Game(replace(core, actions={"take": action}))


def test_a_text_that_can_be_read_in_very_many_ways_is_refused() -> None:
    """All of an exponential number of readings were tried."""
    state = ambiguous(12).start(seed=1)
    with pytest.raises(UnknownAction, match="too many ways"):
        state.find("a" * 36)
    with pytest.raises(UnknownAction, match="no such action"):
        state.find("a" * 36 + "b")
    assert state.find(f"take({', '.join(['aaa'] * 12)})").args == (2,) * 12
    assert state.find("a" * 12).args == (0,) * 12


def test_a_verb_of_the_rules_leads_to_how_it_is_written() -> None:
    """A verb in headings or prose only, of actions that are noted otherwise: another action was proposed."""
    core = handmade.all_games()["nim"]
    action = replace(core.actions["take"], prose="Pick up as many as you like.")
    state = Game(replace(core, actions={"take": action})).start(seed=1)
    for text, said in (
        ("take 2 of a", "did you mean `take "),
        ("pick a", "`pick` is written `take {n} from {h}`"),
        ("sing", "are written"),
    ):
        assert said in str(state.why_not(text)[0]), text


def test_a_few_readings_are_listed() -> None:
    with pytest.raises(UnknownAction, match="it may mean"):
        ambiguous(2).start(seed=1).find("aaa")


@pytest.mark.parametrize("text", ["9" * 100_000, "take " + "1" * 9_000 + " from a", " ".join("ab" * 4_000)])
def test_a_text_of_any_length_is_refused_soon(text: str) -> None:
    """The notation of a choice was searched for in every substring of the text."""
    with pytest.raises(UnknownAction):
        start("nim").find(text)


def test_a_notation_of_one_value_may_be_the_name_of_another(tmp_path: Path) -> None:
    """A play was read as another one where members, or numbers, have each other's names as signs."""
    signs = 'type Sign = one of a, b as "ba"\n    type Rank = 1..3 as "321"\n    state left'
    text = COUNTDOWN.replace("state left", signs, 1)
    text = text.replace("action: n in 1..2", "action: s in Sign, r in Rank, n in 1..2")
    path = tmp_path / "game.yaml"
    path.write_text(text.replace("written: take {n}", "written: take {s} {r} {n}"))
    state = load(str(path)).start()
    assert len(state.actions()) == 12
    assert [state.play(str(action)).plays[-1] for action in state.actions()] == [*state.actions()]


@pytest.mark.parametrize(
    "notation", ['{row: 1..2, col: 1..2} as "{row},{col}"', 'one of a, b, c as "(|,|a,b"']
)
def test_an_order_that_was_dealt_is_read_as_it_is_written(notation: str, tmp_path: Path) -> None:
    """An element with a comma or a bracket was taken apart, so that no play of the deal could be read."""
    text = CARDS.replace("type Card = 1..6", f"type Card = {notation}")
    path = tmp_path / "cards.yaml"
    path.write_text(text.replace("move top 2 of pile", "move top of pile"))
    state = load(str(path)).start(seed=1)
    assert state.game.start(chance=state.chance).position == state.position
