"""No text of a ruleset enters generated code: other names in the rules change numbered names only."""

from __future__ import annotations

import ast
import builtins
import io
import json
import keyword
import os
import re
import tokenize
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from python_instance import PythonInstance
from texts import COUNTDOWN

from rulespec.code import Runner, write
from rulespec.code.execution.kernel_names import scoring_names
from rulespec.code.execution.sequence_counting import counting_names as counting_names
from rulespec.code.identifiers import Kind, numbered_name
from rulespec.code.listing import FIXED as layout_names
from rulespec.core.diagnostics import RulesetError
from rulespec.kernels import kit
from rulespec.play.face import Game, load
from rulespec.solver.dead_rules.random_playouts import declarations as showing_names
from rulespec.solver.explore.exploration_code import RowLayout
from rulespec.solver.explore.exploration_code import declarations as exploration_names

GAME = """
rulespec: 1
id: {id}
title: {prose}
summary: {prose}
rules:
- id: {rule0}
  prose: {prose}
  formal: |
    type {T0} = 1..6
    type {T1} = one of {m0}, {m1}
    type {T2} = {{{f0}: {T0}, {f1}: {T1}}}
    state {s0}: map {T0} -> {T1}? = {{{l0} -> none for {l0} in {T0}}}
    state {s1}: list of {T2} up to 4 = []
    hidden state {s2}: set of {T0} = {{}}
    hidden state {s3}: {T0} = 1
    define {d0}({l0}: {T0}): {T0} = if {l0} in {s2} then min({l0} + 1, 6) else {l0}
    define {d1}({l0}: {T2}): {T0} = {d0}({l0}.{f0})
  sees: |
    size({s2})
- id: {rule1}
  prose: {prose}
  setup: |
    roll {s3} from {T0}
    add {s3} to {s2}
- id: {rule2}
  prose: {prose}
  action: {l0} in {T0}, {l1} in {T1}
  written: {notation}
  require:
    {rule5}:
      prose: {prose}
      that: {s0}[{l0}] is none and not ({d0}({l0}) in {s2})
  do: |
    {s0}[{l0}] := {l1}
    if size({s1}) < 4: {s1} := {s1} + [{T2}({l0}, {l1})]
- id: {rule3}
  prose: {prose}
  end: every {l0} in {T0} satisfies {s0}[{l0}] is some
- id: {rule4}
  prose: {prose}
  score: sum({d1}({l0}) for {l0} in {s1})
claims:
- id: {c0}
  prose: {prose}
  invariant: size({s1}) <= 4
"""
NASTY = """
__builtins__ __debug__ __import__ __class__ _ __ print exec eval open None True False import lambda class def
s b c m n k NONE ZERO ONE BIT word table play listing winners rest ended action f1 x1_c V1 left held os a-b
in_list kit
""".split()
PLAIN = {
    "id": "plain", "rule0": "count", "rule1": "deal", "rule2": "go", "rule3": "fin", "rule4": "pts",
    "rule5": "vacant", "T0": "Place", "T1": "Colour", "T2": "Piece", "m0": "red", "m1": "blue", "f0": "where",
    "f1": "kind", "s0": "board", "s1": "done", "s2": "secret", "s3": "rolled", "d0": "next-to", "d1": "worth",
    "l0": "place", "l1": "colour", "c0": "few", "prose": '"Words."', "notation": "put {place} {colour}",
}  # fmt: skip
NUMBERED = re.compile(rf"({'|'.join(Kind)})[0-9]+(_[A-Za-z0-9]+)*")
"""The form of the names of things of a ruleset."""
SIGNS = st.characters(codec="utf-8", categories=("L", "N", "P", "S", "Zs"))
PROSE = st.text(SIGNS | st.sampled_from("\"'\\#\n%{}"), min_size=1, max_size=30)


NAMES = st.from_regex(r"[A-Za-z_][A-Za-z0-9_]{0,9}(-[a-z][a-z0-9]{1,50}){0,2}", fullmatch=True)


@st.composite
def renamings(draw: st.DrawFn) -> dict[str, str]:
    """Other names for everything, each used once; ids have no underscores."""
    nasty = iter(draw(st.permutations(NASTY)))
    renamed = {}
    for number, name in enumerate(name for name in PLAIN if name not in ("prose", "notation")):
        made = next(nasty) if draw(st.booleans()) else f"{draw(NAMES)}{number}"
        is_id = name.startswith(("id", "rule", "c"))
        renamed[name] = f"r{made.replace('_', '')}{number}" if is_id and "_" in made else made
    free = draw(PROSE)
    note = "".join(c for c in draw(st.text(SIGNS, max_size=8)) if c not in "{}\"'\\")
    notation = f"'{note} {{{renamed['l0']}}} {{{renamed['l1']}}}'"
    return {**renamed, "prose": json.dumps(free, ensure_ascii=False), "notation": notation}


def texts_of(game: Game, words: dict[str, str]) -> list[str]:
    """The code of a game and all that is written beside it."""
    written = write(game.core, {"part 0": game.core.claims[words["c0"]].condition})
    runner = Runner(written)
    asked = {name: e for name, (_, e) in written.asked.items()}
    return [
        written.text,
        *map(repr, (
            counting_names(runner), scoring_names(written),
            exploration_names(written, RowLayout(runner)), showing_names(written, asked),
        )),
    ]  # fmt: skip


def game_of(words: dict[str, str], folder: Path) -> Game:
    path = folder / "ruleset.yaml"
    path.write_text(GAME.format(**words), "utf-8")
    return load(path)


def plainly(text: str) -> str:
    """A text with numbered names cut to kind and number."""
    return re.sub(rf"\b(?i:({'|'.join(Kind)})([0-9]+)(?:_[a-z0-9]+)*)\b", r"\1\2", text)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    return [plainly(text) for text in texts_of(game_of(PLAIN, tmp_path_factory.mktemp("plain")), PLAIN)]


@settings(max_examples=40, suppress_health_check=list(HealthCheck))
@given(words=renamings())
def test_other_names_and_words_change_nothing_else(plain: list[str], words: dict[str, str]) -> None:
    with TemporaryDirectory() as folder:
        try:
            game = game_of(words, Path(folder))
        except RulesetError:
            assume(False)
        texts = texts_of(game, words)
        assert [plainly(text) for text in texts] == plain
        check_names(texts[0])


def check_names(text: str) -> None:
    """Every name follows the scheme or is listed, and there is no string and no comment."""
    local = re.compile(rf"({'|'.join(sorted(LOCALS))})(_size)?(_[0-9]+)?")
    numbered = re.compile(rf"(?i:{NUMBERED.pattern})(_size)?(_[0-9]+)*")
    for node in ast.walk(ast.parse(text)):
        assert not isinstance(node, ast.Import | ast.ImportFrom | ast.Attribute | ast.Global | ast.ClassDef)
        if isinstance(node, ast.Constant):
            assert isinstance(node.value, int), node.value
        names = [getattr(node, part, None) for part in ("id", "arg", "name")]
        for name in (name for name in names if isinstance(name, str)):
            assert name in FIXED or local.fullmatch(name) or numbered.fullmatch(name), name
            assert "__" not in name
    tokens = tokenize.generate_tokens(io.StringIO(text).readline)
    assert not [token for token in tokens if token.type in (tokenize.COMMENT, tokenize.STRING)]


LOCALS = set(
    "action after alike allowed among asked at at_move at_sight b base best bit c either ended failed "
    "fault first found game games given group held holds i j k kept key left length listed m mine most n "
    "new number old place player plies reached ready row s size steps t taken tally those total value "
    "viewer waiting ways weight won words x".split()
)
"""The words for parameters and variables."""
FIXED = {*layout_names, *kit.__all__, "FULL_WORD", "len", "range", "min", "max", "abs"}
"""The names of functions and constants that the code of every game may have."""


@pytest.mark.parametrize("name", ["sacred-alignment-small", "smith", "kuhn-poker", "draughts", "kalah"])
def test_the_names_of_shipped_games_follow_the_scheme(name: str) -> None:
    check_names(write(load(name).core).text)


@given(st.sampled_from(Kind), st.integers(1, 10**6), st.text() | st.sampled_from([*NASTY, *dir(builtins)]))
def test_a_name_is_harmless_whatever_the_ruleset_calls_it(kind: Kind, number: int, name: str) -> None:
    made = numbered_name(kind, number, name)
    assert NUMBERED.fullmatch(made)
    assert made.isascii()
    assert made.isidentifier()
    assert "__" not in made
    assert made not in {*keyword.kwlist, *dir(builtins), *FIXED, *LOCALS}


def test_our_own_words_are_no_names_of_the_kit() -> None:
    assert not LOCALS & {*keyword.kwlist, *keyword.softkwlist, *dir(builtins), *kit.__all__}


INJECTED = 'x"""; import os; os.environ["RULESPEC_INJECTED"] = "1"; """'
TITLES = [INJECTED, "a \\N{x} \\x", "a\\", 'Shout "go"', "'''", "#\n", "{s}", "%s"]


@pytest.mark.parametrize("title", TITLES)
def test_a_title_is_never_run(title: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The title of a ruleset stood in the docstring of generated code, and ran a shell command."""
    monkeypatch.delenv("RULESPEC_INJECTED", raising=False)
    path = tmp_path / "ruleset.yaml"
    text = COUNTDOWN.replace("title: Countdown", f"title: {json.dumps(title)}")
    path.write_text(text.replace("prose: Take one counter or two.", f"prose: {json.dumps(title)}"), "utf-8")
    written = write(load(path).core)
    assert Runner(written, PythonInstance(written)).playouts(3, 1).games == 3
    assert "RULESPEC_INJECTED" not in os.environ


@pytest.mark.parametrize("name", ["__builtins__", "__debug__", "__import__", "print", "range"])
def test_a_definition_may_have_any_name(name: str, tmp_path: Path) -> None:
    """A definition with the name of a builtin broke the code in which it stood."""
    define = f"    define {name}(x: 0..9): 0..9 = min(x + left, 9)\n    state last"
    text = COUNTDOWN.replace("    state last", define).replace("end: left", f"end: {name}(0)")
    path = tmp_path / "ruleset.yaml"
    path.write_text(text, "utf-8")
    assert Runner(write(load(path).core)).playouts(3, 1).games == 3
