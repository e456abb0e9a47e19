"""Reading and checking any ruleset takes a bounded number of steps.

Every text here is within all other limits, and once took minutes or gigabytes. The limit of work is lowered,
so that the texts can be small; `tests/core/test_meter.py` tests that all work is counted.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from shipped_games import base_rulesets

from rulespec.book.examples import fences
from rulespec.cli import main
from rulespec.core.diagnostics import MORE, RulesetError
from rulespec.language import load, read, work_limit
from rulespec.language.work_limit import MOST_WORK, TOO_MUCH, new_meter
from rulespec.play.examples import run_examples
from rulespec.play.face import Game

HEAD = "rulespec: 1\nid: b\ntitle: T\nplayers: 2\n"
LIMIT = MOST_WORK // 10


def game(
    formal: str = "",
    do: str = "nothing",
    action: str = "()",
    examples: str = "",
    rules: str = "",
    claims: str = "",
) -> str:
    """A small game with more declarations, effects, rules or claims in it."""
    declared = "".join(f"    {line}\n" for line in ("state n: 0..9 = 0", *formal.split("\n")))
    done = "".join(f"    {line}\n" for line in (*do.split("\n"), "add 1 to n"))
    run = f"  examples:\n{examples}" if examples else ""
    return (
        f"{HEAD}rules:\n- id: base\n  prose: Base.\n  formal: |\n{declared}{rules}"
        f"- id: go\n  prose: Go.\n  action: {action}\n  do: |\n{done}{run}"
        "- id: fin\n  prose: End.\n  end: n >= 3\n" + (f"claims:\n{claims}" if claims else "")
    )


def many(text: str, count: int) -> str:
    """A text many times, its number in the place of `#`."""
    return "".join(text.replace("#", str(i)) for i in range(count))


def lines(text: str, count: int) -> str:
    return many(f"{text}\n", count).rstrip("\n")


def example(*texts: str) -> str:
    return "  - id: e\n" + "".join(f"    {text}\n" for text in texts)


def items(text: str, count: int) -> str:
    return ", ".join(text.replace("#", str(i)) for i in range(count))


READ: dict[str, tuple[str, str]] = {
    "types narrowed from many values": (game(lines("type S# = x in 1..199999 where x > #", 60)), "type S"),
    "records of many values": (game(lines("type R# = {a: 1..400, b: 1..400}", 40)), "type R"),
    "records of many fields": (game(f"type R = {{{items('f#: 1..1', 1000)}, z: 1..100000}}"), "type R"),
    "a condition with many parts": (
        game(f"type S = x in 1..199999 where size({{{items('(x > #)', 1500)}}}) > 0"), "type S",
    ),
    "choices of the best among the best": (
        game(f"define f = {many('size(those x# in 1..3 with most (', 20)}1{'))' * 20}"), "define f",
    ),
    "walks over walks": (
        game(
            f"define f(a: 0..9) = {many('(follow q# from a to (q# + ', 12)}1"
            f"{') mod 9 while true at most 9 times)' * 12}"
        ),
        "define f",
    ),
    "conditions that many parameters break": (
        f"{HEAD}parameters:\n" + many("  p#:\n    type: 1..9\n    default: 1\n    prose: P.\n", 200)
        + "conditions:\n" + many("- prose: C.\n  that: p# > 5\n", 200) + game().removeprefix(HEAD),
        "",
    ),
    "claims about deals": (
        game(
            claims=f"- id: r\n  prose: P.\n  reachable: size({{{items('(n < 9)', 1000)}}}) > 1\n"
            + many("- id: c#\n  prose: P.\n  every-deal: r\n", 100)
        ),
        "",
    ),
    "small declarations in a long text": (
        game(rules=many(
            "- id: r#\n  prose: P.\n  formal: |\n" + "    to #\n" * 1_000, 9
        )),
        "",
    ),
    "lists that stand in lists": (
        game(
            "state l: list of 1..3 up to 3 = []\ndefine g(a: 1..3?, b: 1..3?): list of 1..3 up to 3 = l\n"
            "define h = every x0 at i0 in l, "
            + ", ".join(f"x{i} at i{i} in g(x{i - 1}, x{i - 1})" for i in range(1, 40)) + " satisfies true"
        ),
        "define h",
    ),
    "maps of many places": (game(lines("state m#: map 1..200000 -> Bool = false", 100)), "this text"),
    "numbers of many values": (game(lines("define d#(x: 0..1999999) = number(x)", 100)), "define d"),
    "sets of many values": (
        game(
            "type B = 0..199999\ndefine f(k: 1..9999): set of B = B + {k}\n"
            "define g = count(k in 1..9999 where 5 in f(k))\ntype X = x in 1..9 where g > x"
        ),
        "type X",
    ),
    "unions of many values": (
        game(
            "type R = {a: 1..300, b: 1..300}\ntype S = r in R where r.a > 1\ntype T = r in R where r.b > 1\n"
            f"state s: S = S(2, 1)\nstate t: T = T(1, 2)\n"
            f"define x = {{{items('(if n > # then s else t)', 300)}}}"
        ),
        "type R",
    ),
    "laws that bind many actions": (
        game(
            rules=many("- id: l#\n  prose: P.\n  binds: every-action\n  that: n < 8\n", 200)
            + many("- id: a#\n  prose: P.\n  action: ()\n  do: nothing\n", 200)
        ),
        "",
    ),
    "rulesets that claims compare": (
        game(claims=many("- id: c#\n  prose: P.\n  equivalent: sacred-alignment\n", 300)), "sacred-alignment",
    ),
    "effects that run effects": (
        game(
            "to p0(): " + "; ".join(["n := n"] * 200) + "\n"
            + "\n".join(f"to p{i}(): p{i - 1}(); p{i - 1}(); p{i - 1}()" for i in range(1, 6)),
            do="p5()",
        ),
        "to p",
    ),
    "symmetries over many values": (
        game(
            "type A = {a: 1..9, b: 1..9}",
            claims="- id: s\n  prose: P.\n  symmetry: |\n    p in A -> p\n"
            "  for: a in 1..200000, b in 1..200000\n",
        ),
        "claim `s`",
    ),
    "formal text without end": (
        game(claims=many(f"- id: c#\n  prose: P.\n  invariant: n in {{{','.join('1' * 10_000)}}}\n", 8)),
        "this text",
    ),
    "faulty text without end": (
        game(claims=many(f"- id: c#\n  prose: P.\n  invariant: n in {{{','.join('1' * 10_000)}\n", 8)),
        "this text",
    ),
}  # fmt: skip

CHECKED: dict[str, tuple[str, str]] = {
    "games that claims compare": (
        game(
            claims=many(
                "- id: c#\n  prose: P.\n  equivalent:\n    replace:\n      fin.end: n >= 3\n", 300
            )
        ),
        "",
    ),
    "a condition": (
        game(examples=example("then: count(x in 1..9999, y in 1..9999 where (x * y + n) mod 7 = 3) > 5")),
        "example `e`",
    ),
    "a map changed place by place": (
        game(
            "state m: map 1..99999 -> Bool = false", "for x in 1..99999: m[x] := true",
            examples=example("play: go"),
        ),
        "example `e`",
    ),
    "a list that grows": (
        game(
            "state q: list of 1..99999 up to 99999 = []", "for x in 1..99999: add x to q",
            examples=example("play: go"),
        ),
        "example `e`",
    ),
    "a setup": (
        game(
            rules="- id: s\n  prose: P.\n  setup: |\n"
            "    for x in 1..9999, y in 1..9999: n := (x + y) mod 9\n",
            examples=example("then: n = 1"),
        ),
        "example `e`",
    ),
    "many legal actions": (
        game(action="x in 1..200000, y in 1..200000", examples=example("only:", "- go(1, 2)")), "example `e`",
    ),
    "no legal action": (
        game(
            action="x in 1..200000, y in 1..200000 where x * y = 200003",
            examples=example("legal:", "- go(1, 2)"),
        ),
        "example `e`",
    ),
    "many chains": (
        game(action="p in chains of 1..9 up to 20 by q where true", examples=example("only:", "- go([1])")),
        "example `e`",
    ),
    "shuffles": (
        game(
            "state q: list of 1..200000 up to 200000 = []", "shuffle 1..200000 into q",
            examples=many("  - id: e#\n    play: go\n", 20),
        ),
        "example",
    ),
    "positions": (
        game(
            "state m: map 1..200000 -> Bool = false",
            examples=many('  - id: e#\n    given: {m: "{1: yes}"}\n', 100),
        ),
        "example",
    ),
    "settings": (
        f"{HEAD}parameters:\n  p:\n    type: 1..9999\n    default: 1\n    prose: P.\n"
        + game(
            examples=many("  - id: e#\n    parameters: {p: #2}\n    then: n = 0\n", 300)
        ).removeprefix(HEAD),
        "",
    ),
}  # fmt: skip
"""Texts that are read fast, with examples that take long."""


@pytest.fixture
def lower(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work_limit, "MOST_WORK", LIMIT)


@pytest.mark.parametrize("what", READ)
@pytest.mark.usefixtures("lower")
def test_reading_is_bounded(what: str, tmp_path: Path) -> None:
    text, part = READ[what]
    path = tmp_path / "game.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulesetError) as caught:
        load(path)
    (fault,) = [fault for fault in caught.value.diagnostics if fault.code == TOO_MUCH]
    assert f"more than {LIMIT:,} steps" in fault.message
    assert part in fault.message
    assert fault.span is not None


@pytest.mark.parametrize("what", CHECKED)
@pytest.mark.usefixtures("lower")
def test_checking_is_bounded(what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text, part = CHECKED[what]
    path = tmp_path / "game.yaml"
    path.write_text(text, "utf-8")
    load(path)
    assert main(["check", str(path)]) == 2
    shown = capsys.readouterr().out
    assert f"error[{TOO_MUCH}]" in shown
    assert part in shown


@pytest.mark.usefixtures("lower")
def test_examples_of_pages_are_bounded(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fences, "MOST_WORK_OF_PAGE", LIMIT)
    (tmp_path / "game.yaml").write_text(game(action="x in 1..200000, y in 1..200000"), "utf-8")
    page = tmp_path / "page.md"
    page.write_text("Text.\n\n```rulespec\nruleset: game.yaml\nonly: go(1)\nplay: go(1, 2)\n```\n", "utf-8")
    assert main(["check", str(page)]) == 1
    assert "page.md:5:7" in capsys.readouterr().out
    page.write_text("Text.\n\n```rulespec\nruleset: game.yaml\nonly:\n- go(1, 2)\n```\n", "utf-8")
    assert main(["check", str(page)]) == 2
    assert f"page.md:3:1: error[{TOO_MUCH}]" in capsys.readouterr().out


FAULTS: dict[str, Callable[[int], str]] = {
    "keys twice": lambda n: HEAD + "title: T\n" * n,
    "unknown keys": lambda n: HEAD + many("k#: T\n", n),
    "unknown names": lambda n: game(
        rules=many("- id: r#\n  prose: P.\n  reaction: u# > 1\n  do: nothing\n", n)
    ),
    "faulty variables": lambda n: game(lines("state s#: 0..9 = 99", n)),
    "paths that lead nowhere": lambda n: (
        "rulespec: 1\nid: v\ntitle: V\nextends: nim\nreplace:\n" + many("  nothere#: 1\n", n)
    ),
}


@pytest.mark.parametrize("what", FAULTS)
def test_many_faults_are_counted_and_the_first_are_shown(what: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_text(FAULTS[what](1_000), "utf-8")
    with pytest.raises(RulesetError) as caught:
        load(path)
    assert len(caught.value.diagnostics) == 101
    assert "more faults are not shown" in caught.value.diagnostics[-1].message


def test_actions_that_ask_one_another_in_a_long_row(tmp_path: Path) -> None:
    """Each action was followed to the end of the row, and testing the first raised RecursionError."""
    path = tmp_path / "game.yaml"
    for count, deep in ((250, False), (1_100, True)):
        row = "".join(
            f"- id: a{i}\n  prose: P.\n  action: ()\n  require:\n    r:\n      prose: P.\n"
            f"      that: can a{i + 1}\n  do: nothing\n"
            for i in range(count)
        )
        path.write_text(
            game(rules=f"{row}- id: a{count}\n  prose: P.\n  action: ()\n  do: nothing\n"), "utf-8"
        )
        if deep:
            with pytest.raises(RulesetError) as caught:
                load(path)
            assert {fault.code for fault in caught.value.diagnostics} == {"size.deep", MORE}
        else:
            assert str(Game(load(path)).start(seed=1).actions()[0]) == "a0"


def test_many_additions_find_their_places(tmp_path: Path) -> None:
    """Each addition compared its id with those of all entries."""
    path = tmp_path / "variant.yaml"
    added = many("- after: take\n  rule:\n    id: r#\n    prose: P.\n", 3_000)
    path.write_text(f"rulespec: 1\nid: v\ntitle: V\nextends: nim\nadd:\n{added}", "utf-8")
    ids = [rule.id for rule in load(path).rules]
    assert ids[ids.index("take") + 1 : ids.index("take") + 4] == ["r2999", "r2998", "r2997"]


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", base_rulesets())
def test_the_examples_of_shipped_rulesets_hold_with_a_quarter_of_it_at_most(name: str) -> None:
    meter = new_meter()
    ruleset = read(name, meter=meter)
    settled = partial(ruleset.with_settings, meter=meter)
    assert run_examples(Game(settled(), name, settled, meter)) == []
    assert meter.most - meter.left < MOST_WORK / 4


def test_other_settings_of_a_ruleset_have_a_limit_of_their_own() -> None:
    """A survey loads one ruleset under thousands of settings."""
    ruleset = read("nim")
    meter = new_meter()
    ruleset.with_settings(meter=meter)
    first = meter.most - meter.left
    for misere in ("wins", "loses"):
        again = new_meter()
        ruleset.with_settings(readings={"last-counter": misere}, meter=again)
        assert again.most - again.left <= first
