"""The store of verdicts: what is written is read, and nothing else is believed."""

from __future__ import annotations

import itertools
import os
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies_of_verdicts import verdicts

from rulespec.core import nodes as n
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim
from rulespec.core.types import BOOL, integers
from rulespec.core.verdicts import (
    OUTCOMES,
    REFUTED,
    UNDECIDED,
    Evidence,
    InvalidAnswer,
    Store,
    StoreError,
    Verdict,
    evidence_wording,
)
from rulespec.core.verdicts.answer_form import WORTHS
from rulespec.core.verdicts.evidence_data import EVIDENCE
from rulespec.core.verdicts.properties import PROPERTIES, Text
from rulespec.core.verdicts.wording import STATEMENTS, outward
from rulespec.noticing.plays import REFUTATIONS


@given(verdicts())
def test_there_are_sentences_about_any_verdict_that_a_store_may_hold(verdict: Verdict) -> None:
    """What a store holds may be forged, and yet it has the form of an answer."""
    (read,) = Store.parse(Store([verdict]).text())
    texts = [read.statement, *read.reasons, *read.warnings]
    assert all(text.strip() and "\n" not in text for text in texts)


@given(st.lists(verdicts(), max_size=4))
def test_what_is_written_is_read(listed: list[Verdict]) -> None:
    store = Store(listed)
    again = Store.parse(store.text())
    assert list(again) == list(store)
    assert again.text() == store.text()


@given(st.lists(verdicts(), min_size=1, max_size=3), st.data())
def test_a_store_that_is_cut_off_is_refused(listed: list[Verdict], data: st.DataObject) -> None:
    text = Store(listed).text()
    with pytest.raises(StoreError):
        Store.parse(text[: data.draw(st.integers(0, len(text) - 2))])


def test_a_store_that_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A pipe in place of a store made every command wait for ever."""
    path = tmp_path / "verdicts.json.gz"
    os.mkfifo(path)
    with pytest.raises(OSError, match="not a regular file"):
        Store.read(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(StoreError, match="a link, which is not followed"):
        Store.read(path)


@given(verdicts())
def test_the_order_in_which_verdicts_come_changes_nothing(one: Verdict) -> None:
    two = replace(one, claim=one.claim + "x")
    assert Store([one, two]).text() == Store([two, one]).text()


def example(**changes: object) -> Verdict:
    made = Verdict("nim", "ends", "terminates", "refuted", (), "interpreter", 0.1, "g", "c", 2)
    return replace(made, **changes)  # type: ignore[arg-type]


def test_plays_are_kept_once_and_only_while_used() -> None:
    store = Store()
    digest = store.keep({"chance": [], "plays": ["a"]})
    store.keep({"chance": [], "plays": ["b"]})
    for claim in ("one", "two"):
        store.put(example(claim=claim, evidence=(Evidence("play", {"record": digest}),)))
    assert list(Store.parse(store.text()).records) == [digest]


def test_a_missing_play_is_noticed() -> None:
    store = Store([example(evidence=(Evidence("play", {"record": "0" * 64}),))])
    with pytest.raises(StoreError, match="missing"):
        Store.parse(store.text())


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"format":2', '"format":1', "format 1"),
        ('"outcome":"refuted"', '"outcome":"certain"', "`outcome`"),
        ('"outcome":"refuted"', '"outcome":"proved"', "no claim can have"),
        ('"numbers":{}', '"numbers":{"plies":4}', "no claim can have"),
        ('"players":2', '"players":"2"', "players"),
        ('"players":2', f'"players":{"9" * 5000}', "damaged"),
        ('"players":2', f'"players":{"9" * 200}', "wrong kind"),
        ('"seconds":0.1', '"seconds":NaN', "wrong kind"),
        ('"engine":"interpreter"', '"engine":"\\u001b[2J"', "engine"),
        ('"engine":"interpreter"', '"engine":"\\ud800"', "engine"),
        ('"notes":[]', '"notes":["well-made"]', "wrong kind"),
        ('"options":{}', '"options":{"sense":"best"}', "wrong kind"),
        ('"engine":"interpreter",', "", "`engine` is missing"),
        ('"seconds":0.1', '"seconds":0.2', "changed since"),
    ],
)
def test_what_was_changed_is_named(old: str, new: str, said: str) -> None:
    text = Store([example()]).text()
    assert old in text
    with pytest.raises(StoreError, match=said):
        Store.parse(text.replace(old, new))


@pytest.mark.parametrize(
    ("kind", "data", "name"),
    [
        ("induction", {"chance": 5}, "chance"),
        ("induction", {"chance": [5]}, "chance"),
        ("induction", {"bound": None}, "bound"),
        ("induction", {"depth": True}, "depth"),
        ("induction", {"counts": [1]}, "counts"),
        ("induction", {"seat": []}, "seat"),
        ("exploration", {"counts": [1, "2"], "digest": "", "closed": True}, "counts"),
        ("exploration", {"counts": [1], "closed": True}, "digest"),
        ("exploration", {"counts": [1], "digest": "", "closed": True, "certificate": "x"}, "certificate"),
        ("strategies", {"plans": [[1]], "is": "1", "choices": []}, "plans"),
        ("play", {"viewer": {}}, "viewer"),
        ("helper", {}, "claim"),
        ("helper", {"claim": "x", "depth": 1}, "depth"),
    ],
)
def test_evidence_of_odd_values_is_refused(kind: str, data: dict[str, object], name: str) -> None:
    """Such values raised a traceback where they were first used, and unknown ones were not compared."""
    store = Store([example(evidence=(Evidence(kind, data),))])
    with pytest.raises(StoreError, match=f"`{name}` is missing, unknown or of the wrong kind"):
        Store.parse(store.text())


def test_a_play_of_odd_values_is_refused() -> None:
    store = Store()
    digest = store.keep({"chance": 5, "plays": []})
    store.put(example(evidence=(Evidence("play", {"record": digest}),)))
    with pytest.raises(StoreError, match="damaged"):
        Store.parse(store.text())


def test_a_file_that_is_not_there_is_an_empty_store(tmp_path: Path) -> None:
    assert len(Store.read(tmp_path / "none.json")) == 0


def test_a_newer_verdict_replaces_an_older_one(tmp_path: Path) -> None:
    store = Store([example(outcome="undecided")])
    store.put(example())
    store.write(tmp_path / "verdicts.json.gz")
    assert [v.outcome for v in Store.read(tmp_path / "verdicts.json.gz")] == ["refuted"]


def test_a_verdict_is_about_what_the_claim_leads_to() -> None:
    number = integers(0, 9)
    far, near = (n.Function("limit", (), number, None, True) for _ in range(2))
    far.body, near.body = (n.Const(number, value) for value in (3, 4))

    def claim(of: n.Function, when: bool = True) -> Claim:
        asked = n.AtMost(BOOL, n.Const(number, 2), n.Call(number, of, ()))
        return Claim("small", "It is small.", "invariant", asked, {"when": n.Const(BOOL, when)}, "2 <= limit")

    assert of_claim(claim(far)) == of_claim(claim(far))
    assert of_claim(claim(far)) != of_claim(claim(near))
    assert of_claim(claim(far)) != of_claim(claim(far, when=False))


# ---- sentences beside the truth


def worth(outcome: str, claimed: str = "", **numbers: int) -> Verdict:
    """A verdict on the result of best play of two players."""
    options = {"is": claimed} if claimed else {}
    return example(kind="value", outcome=outcome, numbers=numbers, options=options)


OPEN = "the game is drawn or won by player {}; more is not known"
DEAL = "it depends on the deal: the game is {} in some, and {} in some"
FIRST, SECOND = "won by player 1", "won by player 2"
RESULTS = {
    (("value", 1),): f"the game is {FIRST}",
    (("value", 0),): "the game is drawn",
    (("value", -1),): f"the game is {SECOND}",
    (("at_least", 0),): OPEN.format(1),
    (("at_most", 0),): OPEN.format(2),
    (("at_least", 0), ("at_most", 1)): DEAL.format("drawn", FIRST),
    (("at_least", -1), ("at_most", 0)): DEAL.format(SECOND, "drawn"),
    (("at_least", -1), ("at_most", 1)): f"{DEAL.format(SECOND, FIRST)}; in others it may be drawn",
}
"""The end of the sentence for each answer to the question for the result of best play, by its numbers."""


def test_the_result_of_best_play_is_what_the_numbers_say() -> None:
    """`at_most: 5` was published as *player 2 does not lose*; see also `at_least: -1`."""
    sides = range(-3, 6)
    for names in (("value",), ("at_least",), ("at_most",), ("at_least", "at_most")):
        for values in itertools.product(sides, repeat=len(names)):
            numbers = tuple(zip(names, values, strict=True))
            for outcome, claimed in itertools.product(OUTCOMES, ("", *WORTHS.values())):
                try:
                    said = worth(outcome, claimed, **dict(numbers)).statement
                except InvalidAnswer:
                    weak = len(names) == 1 and names != ("value",)
                    assert numbers not in RESULTS or outcome != ("bounded" if weak else "proved") or claimed
                    continue
                so = f" So it is not {claimed}." if outcome == "refuted" else ""
                assert said == f"With best play {RESULTS[numbers]}.{so}"
                excluded = [x for x in WORTHS.values() if x not in RESULTS[numbers].replace(" player", "")]
                if numbers[0][0] == "value":
                    assert outcome == ("refuted" if claimed in excluded else "proved")
                elif len(names) == 1 and outcome == "refuted":
                    assert claimed in excluded


MOST = {"sense": "most"}
NOT_ANSWERS: list[tuple[str, str, dict[str, int], dict[str, object]]] = [
    ("value", "bounded", {"at_most": 5}, {}),
    ("value", "bounded", {"at_least": -5, "at_most": 5}, {}),
    ("value", "bounded", {"at_least": -1}, {}),
    ("value", "bounded", {"at_least": -1, "at_most": 1}, {}),
    ("value", "bounded", {}, {}),
    ("value", "proved", {"value": 2}, {}),
    ("value", "refuted", {"value": 0}, {}),
    ("value", "proved", {"value": 0}, {"is": "won by 1"}),
    ("best", "bounded", {}, MOST),
    ("best", "bounded", {"at_least": 4, "at_most": 3}, MOST),
    ("best", "bounded", {"at_least": 4, "at_most": 4}, MOST),
    ("best", "proved", {"at_least": 4}, MOST),
    ("count", "proved", {"value": -1, "states": 1}, {}),
    ("count", "refuted", {"value": 4, "states": 4}, {}),
    ("terminates", "proved", {}, {}),
    ("terminates", "proved", {"plies": -1}, {}),
    ("terminates", "bounded", {"plies": 3}, {}),
    ("reachable", "proved", {}, {}),
    ("reachable", "estimated", {"plies": 1}, {}),
    ("invariant", "bounded", {}, {}),
    ("invariant", "undecided", {"plies": 3}, {}),
    ("never_hopeless", "proved", {"value": 4, "states": 9}, {"within": 3}),
    ("share_of_deals", "proved", {"deals": 9, "held": 4, "failed": 4}, {}),
    ("share_of_deals", "bounded", {"deals": 7, "held": 4, "failed": 4}, {}),
    ("share_of_deals", "bounded", {"deals": 7, "held": -4, "failed": 4}, {}),
    ("winnable", "proved", {}, {}),
    ("expected", "proved", {"states": 1}, {}),
    ("estimate", "estimated", {"total": 4}, {}),
    ("every_deal", "bounded", {"deals": 4}, {}),
    ("value", "refuted", {"at_least": 0}, {"is": "won by 1"}),
    ("value", "refuted", {"at_least": 4}, {"is": "5", "condition": "number"}),
]


@pytest.mark.parametrize(("kind", "outcome", "numbers", "options"), NOT_ANSWERS)
def test_what_no_claim_can_have_for_an_answer_is_not_made(
    kind: str, outcome: str, numbers: dict[str, int], options: dict[str, object]
) -> None:
    with pytest.raises(InvalidAnswer, match="that no claim can have"):
        example(kind=kind, outcome=outcome, numbers=numbers, options=options)


def wins(**outcomes: str) -> Verdict:
    """A verdict on three players, by what is shown of some."""
    shown = {"proved": {"plies": 4}, "refuted": {}, "bounded": {"plies": 7}}
    data = ({"seat": int(s[1:]), "outcome": o, "numbers": shown[o]} for s, o in outcomes.items())
    evidence = tuple(Evidence("play", one) for one in data)
    whole = "refuted" if "refuted" in outcomes.values() else "bounded"
    whole = "proved" if [*outcomes.values()] == ["proved"] * 3 else whole
    return example(kind="winnable", outcome=whole, evidence=evidence, players=3)


@pytest.mark.parametrize("outcomes", [*itertools.product(("proved", "refuted", "bounded", None), repeat=3)])
def test_each_player_is_spoken_of(outcomes: tuple[str | None, ...]) -> None:
    """Where one player was open, the others' answers had to fall, or the sentence left that one out."""
    said = {
        "proved": "Player {} can win: a game of 4 actions shows it.",
        "refuted": "Player {} can never win.",
        "bounded": "Player {} wins no game of at most 7 actions. Beyond that it is open.",
        None: "It is open whether player {} can win.",
    }
    shown = {f"p{seat}": o for seat, o in enumerate(outcomes, 1) if o is not None}
    if not shown:
        with pytest.raises(InvalidAnswer):
            wins(**shown)
        return
    each = " ".join(said[o].format(i) for i, o in enumerate(outcomes, 1))
    each = f"This is not so. {each}" if "refuted" in outcomes else each
    all_win = "For each player a game of 4 actions shows it."
    assert wins(**shown).statement == (all_win if {*outcomes} == {"proved"} else each)


@given(st.integers(1, 10**12), st.data())
def test_bounds_of_a_share_are_true_in_writing(of: int, data: st.DataObject) -> None:
    """A share from 0.974206 to 0.974211 was called *at least 0.9742 and at most 0.9742*."""
    held = data.draw(st.integers(0, of))
    most = data.draw(st.integers(held, of))
    low, high = outward(Fraction(held, of), Fraction(most, of))
    assert Fraction(low) <= Fraction(held, of) and Fraction(most, of) <= Fraction(high)
    assert (low == high) <= (held == most)
    assert Fraction(high) - Fraction(low) <= 2 * Fraction(most - held, of) + Fraction(2, 10**4)


def test_every_kind_of_claim_has_its_answers_and_its_sentence() -> None:
    assert STATEMENTS.keys() == PROPERTIES.keys()
    assert all(stated.answers and UNDECIDED not in stated.answers for stated in PROPERTIES.values())


def test_every_kind_of_evidence_has_its_sentence() -> None:
    assert evidence_wording.SENTENCES.keys() == EVIDENCE.keys()


def test_every_kind_of_claim_that_random_plays_can_refute_is_checked_by_them() -> None:
    refutable = {kind: stated for kind, stated in PROPERTIES.items() if stated.by_play == REFUTED}
    expressions = (Text.CONDITION, Text.NUMBER, Text.NUMBERS)
    assert REFUTATIONS.keys() == {kind for kind, stated in refutable.items() if stated.text in expressions}
