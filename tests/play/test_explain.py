"""Why an action is refused: the requirement, the element, the values, in a sentence."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import handmade
import pytest
from building import (
    Text,
    at_most,
    both,
    call,
    const,
    either,
    equal,
    every,
    function,
    is_none,
    less,
    local,
    no,
    number,
    requirement,
    some,
)
from shipped_games import load

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.diagnostics import Source, Span
from rulespec.core.types import BOOL, List, Set, integers
from rulespec.play.errors import IllegalAction
from rulespec.play.explain import Explainer
from rulespec.play.face import Game, State


def ziggurat() -> State:
    game = Game(handmade.ziggurat())
    return game.position({"pips": {"1.1": 0, "1.2": 1, "1.3": 0, "1.4": 0}, "hand": ["0-1"]})


def test_a_refusal_names_the_law_the_element_the_text_and_the_values() -> None:
    (refusal,) = ziggurat().why_not("place 0-1 2.3/2.2")
    assert str(refusal) == (
        "illegal by `ascending`: for c = 2.2, pips[below(c)] < half(d, s, c) is false: 1 < 1"
    )
    (reason,) = refusal.reasons
    assert (reason.text, reason.fact, reason.where) == (
        "pips[below(c)] < half(d, s, c)", "1 < 1", (("c", "2.2"),),
    )  # fmt: skip
    assert reason.span is not None
    assert (reason.span.line, reason.span.column) == (1, 1)
    assert (refusal.kind, refusal.id, refusal.clause) == ("requirement", "ascending", "ascending")
    assert refusal.prose == "A half never rests on an equal or greater one."


def test_all_failing_requirements_and_choices_are_named() -> None:
    refusals = ziggurat().why_not("place 0-0 1.3/1.2")
    assert [(r.kind, r.name) for r in refusals] == [
        ("choice", "place.d"), ("requirement", "place.vacant"), ("requirement", "one-way"),
    ]  # fmt: skip
    assert str(refusals[0]) == "0-0 is not in hand"
    assert "d.low != d.high is false: 0 != 0; s.low < s.high is false: 1.3 < 1.2" in str(refusals[2])
    with pytest.raises(IllegalAction) as caught:
        ziggurat().play("place 0-0 1.3/1.2")
    assert caught.value.clauses == ("place", "one-way")
    assert str(caught.value).splitlines()[0] == "`place 0-0 1.3/1.2` cannot be played"


def test_a_value_that_only_a_formula_admits_is_refused_without_it() -> None:
    """The page said that a5 is not in ahead(s)."""
    state = load("breakthrough").start()
    assert [str(refusal) for refusal in state.why_not("a2-a5")] == ["a5 cannot be chosen"]


def test_a_case_that_does_not_apply_is_left_out_where_another_says_more() -> None:
    (refusal,) = ziggurat().why_not("place 0-1 2.3/2.2")
    assert "c.tier = 1" not in str(refusal)


def test_the_end_of_the_game_and_the_wrong_player_refuse_too() -> None:
    state = Game(handmade.nim()).start()
    assert [r.kind for r in state.why_not("take 1 from a", by=2)] == ["turn"]
    assert str(state.why_not("take 1 from a", by=2)[0]) == "it is player 1's turn"
    assert state.why_not("take 1 from a", by=1) == ()
    over = state.play("take 1 from a").play("take 2 from b")
    refusals = over.why_not("take 1 from b")
    assert [r.kind for r in refusals] == ["over", "requirement"]
    assert str(refusals[0]) == "the game is over: All heaps are empty."


def test_a_chain_is_refused_at_its_first_wrong_step() -> None:
    state = Game(handmade.trail()).start()
    (refusal,) = state.why_not("walk [b, d, c]")
    assert refusal.kind == "choice"
    assert str(refusal).startswith("step 2, d, cannot be chosen; for a = b, b = d, ")
    (short,) = state.why_not("walk [b]")
    assert str(short) == "illegal by `walk.far`: size(path) >= 2 is false: 2 <= 1"
    assert "path has 1 to 5 steps, not 0" in str(state.why_not("walk []")[0])


NUMBER = integers(0, 9, "Digit")
X, Y = n.Var("x", NUMBER), n.Var("y", NUMBER)


def explained(build: Callable[[Text], n.Expr]) -> str:
    """The reasons for what a condition comes out as, x being 3."""
    said = Text()
    condition = build(said)
    explainer = Explainer(said.of(handmade.nim()), Context())
    return "; ".join(map(str, explainer.reasons(condition, {X: 3})))


def big(said: Text) -> n.Function:
    z = n.Var("z", NUMBER)
    return function("big", (z,), BOOL, said("5 < z", less(number(5), local(z))), static=True)


SMALL = n.SetOf(Set(NUMBER), tuple(map(number, (1, 2, 3))))


@pytest.mark.parametrize(
    ("build", "sentence"),
    [
        (lambda s: s("x < 2", less(local(X), number(2))), "x < 2 is false: 3 < 2"),
        (lambda s: s("x <= 2", at_most(local(X), number(2))), "x <= 2 is false: 3 <= 2"),
        (lambda s: s("x = 2", equal(local(X), number(2))), "x = 2 is false: 3 = 2"),
        (lambda s: s("x != 3", no(equal(local(X), number(3)))), "x != 3 is false: 3 != 3"),
        (lambda s: no(s("x = 3", equal(local(X), number(3)))), "x = 3 is true: 3 = 3"),
        (lambda s: no(s("x = 2", equal(local(X), number(2)))), "x = 2 is false: 3 = 2"),
        (lambda s: s("x in S", n.Member(BOOL, local(X), const(Set(NUMBER), frozenset({1})))),
         "x in S is false: 3 in {1}"),
        (lambda s: s("x is none", is_none(s("x", local(X)))), "x is none is false: x is 3"),
        (lambda s: s("x is some", no(is_none(const(NUMBER.with_none, None)))),
         "x is some is false: it is none"),
        (lambda s: less(local(X), number(2)), "3 < 2 is false"),
        (lambda s: both(s("x = 3", equal(local(X), number(3))), s("x = 4", equal(local(X), number(4)))),
         "x = 4 is false: 3 = 4"),
        (lambda s: both(s("a", less(local(X), number(1))), s("b", less(local(X), number(2)))),
         "a is false: 3 < 1"),
        (lambda s: either(s("a", less(local(X), number(1))), s("b", less(local(X), number(2)))),
         "a is false: 3 < 1; b is false: 3 < 2"),
        (lambda s: every(Y, SMALL, s("y < 2", less(local(Y), number(2)))),
         "for y = 2, y < 2 is false: 2 < 2"),
        (lambda s: s("some y", some(Y, SMALL, less(local(X), local(Y)))),
         "some y is false: y in {1, 2, 3}"),
        (lambda s: no(some(Y, SMALL, s("y = x", equal(local(Y), local(X))))),
         "for y = 3, y = x is true: 3 = 3"),
        (lambda s: s("big(x)", call(big(s), local(X))), "for z = 3, 5 < z is false: 5 < 3"),
        (lambda s: s("big(none)", call(big(s), const(NUMBER.with_none, None))), "big(none) is false"),
        (lambda s: n.If(BOOL, s("x = 3", equal(local(X), number(3))), const(BOOL, False), const(BOOL, True)),
         "x = 3 is true: 3 = 3"),
        (lambda s: n.Let(BOOL, Y, n.Add(NUMBER, local(X), number(1)), s("y < 4", less(local(Y), number(4)))),
         "for y = 4, y < 4 is false: 4 < 4"),
    ],
)  # fmt: skip
def test_sentences(build: Callable[[Text], n.Expr], sentence: str) -> None:
    assert explained(build) == sentence


def test_long_sets_are_cut_short() -> None:
    source = const(List(NUMBER, 9), (0, 1, 2, 4, 5, 6, 7, 8, 9))
    said = explained(lambda s: s("x in L", n.Member(BOOL, local(X), source)))
    assert said == "x in L is false: 3 in [0, 1, 2, 4, 5, 6, 7, 8, … 9 in all]"


def test_a_definition_with_too_much_to_say_speaks_for_itself() -> None:
    def wordy(said: Text) -> n.Expr:
        z = n.Var("z", NUMBER)
        many = either(*(said(f"z = {k}", equal(local(z), number(k))) for k in range(4, 10)))
        return said("large(x)", call(function("large", (z,), BOOL, many, static=True), local(X)))

    assert explained(wordy) == "large(x) is false"


def test_a_comparison_is_shown_the_way_round_it_was_written() -> None:
    source = Source("rules.yaml", "5 < x and x > 5")
    five, x, again, six = number(5), local(X), local(X), number(5)
    forth, back = less(five, x), less(six, again)
    places = {five: 1, x: 5, forth: 1, again: 11, six: 15, back: 11}
    ends = {five: 2, x: 6, forth: 6, again: 12, six: 16, back: 16}
    spans = {node: Span(source, 1, column, 1, ends[node]) for node, column in places.items()}
    texts = {node: source.text[span.column - 1 : span.end_column - 1] for node, span in spans.items()}
    explainer = Explainer(replace(handmade.nim(), spans=spans, texts=texts), Context())
    assert [str(*explainer.reasons(e, {X: 3})) for e in (forth, back)] == [
        "5 < x is false: 5 < 3", "x > 5 is false: 3 > 5",
    ]  # fmt: skip


def test_names_that_the_action_says_are_not_said_again_nor_names_that_play_no_part() -> None:
    """A law is a definition of the action's own choices; saying them once is enough."""
    said = Text()
    x, y, z = n.Var("x", NUMBER), n.Var("y", NUMBER), n.Var("z", NUMBER)
    body = said("x + y < 2", less(n.Add(integers(0, 18), local(x), local(y)), number(2)))
    law = function("law", (x, y, z), BOOL, body, static=True)
    condition = call(law, local(X), number(5), number(6))
    explainer = Explainer(said.of(handmade.nim()), Context())
    assert [str(r) for r in explainer.reasons(condition, {X: 3})] == ["for y = 5, x + y < 2 is false: 8 < 2"]


def test_emptiness_is_told_by_the_size() -> None:
    pile = const(List(NUMBER, 3), (7, 7))
    said = explained(lambda s: s("pile is empty", equal(n.Size(NUMBER, pile), number(0))))
    assert said == "pile is empty is false: its size is 2"


def test_a_reading_that_forbids_speaks_in_prose() -> None:
    core = handmade.nim()
    strict = requirement("strict", const(BOOL, False), "The strict rules know no such thing.")
    action = replace(core.actions["take"], requirements=(strict,))
    state = Game(replace(core, actions={"take": action})).position({"over": False})
    assert str(*state.why_not("take 1 from a")) == "illegal by `strict`. The strict rules know no such thing."
