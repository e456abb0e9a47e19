"""Words of the language as names, and names for collections: a name means what another name would mean."""

from __future__ import annotations

from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.language import load
from rulespec.language.elaborate.built_in import BUILTINS

WORDS = (
    "count", "first", "to", "from", "most", "least", "times", "while", "at", "through", "reached",
    "be", "with", "where", "in", "is", "and", "or", "then", "else", "satisfies", "otherwise", "div", "mod",
    "as", "up", "of", "by", "empty", "set", "list", "map", "one", "sum", "with-most", "turn", "phase",
)  # fmt: skip
"""Words that may name variables, parameters, fields, choices and local names."""

GAME = """\
rulespec: 1
id: named
title: Named
players: 2
rules:
- id: things
  prose: Things with a name.
  formal: |
    type Pair = {NAME: 1..3, other: 1..3}
    type Kind = one of NAME-kind, plain
    state NAME: 0..9 = 3
    state held: map 1..3 -> 0..9 = 2
    state pair: Pair = Pair(2, 1)
    define twice(NAME: 0..9): 0..18 = NAME + NAME
    define all = sum(NAME * NAME for NAME in 1..3 where NAME > 1) + twice(NAME) + held[pair.NAME] - NAME
    define least-of = first k in 1..9 where k * 2 > NAME and not NAME in {k, 9} or NAME is none
- id: take
  prose: Take.
  action: NAME in 1..3 where NAME != pair.other
  do: |
    let rest be NAME + 1
    held[NAME] := rest
    for NAME in 1..2: add NAME to held[NAME]
    pair := Pair(NAME, NAME)
- id: done
  prose: Done.
  end: held[1] > 3 or NAME = 9 or NAME + held[3] = 9
"""


def loaded(folder: Path, name: str, text: str = GAME) -> Game:
    path = folder / "named.yaml"
    path.write_text(text.replace("NAME", name), "utf-8")
    return load(path)


def face(folder: Path, name: str) -> rulespec.Game:
    loaded(folder, name)
    return rulespec.load(folder / "named.yaml")


def asked(state: rulespec.State) -> list[Value]:
    """The values of the definitions without parameters, and the actions."""
    situation = state.game.machine.situation(state.position)
    functions = [f for f in state.game.core.functions.values() if not f.params]
    return [[evaluate(f.body, {}, situation) for f in functions], [str(a) for a in state.actions()]]


@settings(max_examples=60, deadline=None)
@given(st.sampled_from([*WORDS, *BUILTINS]))
def test_a_word_as_a_name_means_what_any_name_means(tmp_path_factory, name: str) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("named")
    usual, other = (face(folder, word).start(seed=1) for word in ("thing", name))
    for action in ("", "take 2", "take 3"):
        usual, other = (state.play(action) if action else state for state in (usual, other))
        assert [*other.values.values()] == [*usual.values.values()]
        assert asked(other) == asked(usual)


FUNCTION = """\
rulespec: 1
id: function
title: Function
rules:
- id: things
  prose: An own function.
  formal: |
    define NAME(a: 0..9, b: 0..9, c: 0..9, d: 0..9, e: 0..9, f: 0..9): 0..9 = a
    state left: 0..9 = 3
- id: take
  prose: Take.
  action: ()
  do: left := NAME(1, 2, 3, 4, 5, left)
- id: done
  prose: Done.
  end: left = NAME(1, 1, 1, 1, 1, 1)
"""


@settings(max_examples=30, deadline=None)
@given(st.sampled_from(sorted(BUILTINS)))
def test_a_definition_hides_the_built_in_function_of_its_name(tmp_path_factory, name: str) -> None:  # type: ignore[no-untyped-def]
    folder = tmp_path_factory.mktemp("function")
    assert loaded(folder, name, FUNCTION).digest == loaded(folder, "own", FUNCTION).digest


def test_a_name_for_a_collection_is_the_type_written_out(tmp_path: Path) -> None:
    text = GAME.replace(
        "state held: map 1..3 -> 0..9", "type NAME-map = map 1..3 -> 0..9\n    state held: NAME-map"
    )
    assert loaded(tmp_path, "thing", text).digest == loaded(tmp_path, "thing").digest
