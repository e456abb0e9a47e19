"""Verdicts on a page: said as they are, stale or refuted ones stop the build, plays are stepped through."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from answering import numbers_of
from shipped_pages import exact_page
from texts import COUNTDOWN, RULING

from rulespec.book.content.claims import kind_with_options
from rulespec.book.content.exact import exact
from rulespec.book.content.page import Links
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.book.content.readings import by_reading
from rulespec.book.examples import fences
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim
from rulespec.core.verdicts import (
    BOUNDED,
    PROVED,
    REFUTED,
    Evidence,
    Store,
    Verdict,
    options_of,
    parameters_of,
    readings_of,
)
from rulespec.play.face import Game, load
from rulespec.play.records.files import read_record, replay

SMALL = "sacred-alignment-small"


@pytest.fixture(scope="module")
def game() -> Game:
    """The small ziggurat."""
    return load(SMALL)


def verdict(game: Game, claim: Claim, outcome: str = PROVED, *evidence: Evidence) -> Verdict:
    """A verdict on a claim of this very game."""
    core = game.core
    rests = evidence or (Evidence("helper", {"claim": "<rising>"}),)
    return Verdict(
        core.id, claim.id, claim.kind, outcome, rests, "by hand", 1.25, core.digest, of_claim(claim),
        core.players, options_of(claim), parameters_of(core), readings_of(core),
        numbers_of(claim.kind, outcome),
    )  # fmt: skip


def checked(store: Store) -> PublishedVerdicts:
    """A store of which every verdict was checked."""
    return PublishedVerdicts(store, lambda verdict: "by hand")


def claim_of(game: Game, name: str = "rising") -> Claim:
    """A claim by id."""
    return game.core.claims[name]


def test_a_claim_without_a_verdict_says_so(game: Game) -> None:
    page = exact(game, PublishedVerdicts())
    assert page.markdown.count("not decided yet") >= len(game.core.claims) - 1
    assert "rulespec solve sacred-alignment-small --seed 1" in page.markdown, "one is asked of deals"
    assert not page.faults


def test_a_checked_verdict_links_to_what_has_to_be_believed(game: Game) -> None:
    told = checked(Store([verdict(game, claim_of(game))]))
    assert "what you have to believe" not in exact(game, told).markdown
    page = exact(game, told, Links(trust="../trust.html"))
    assert 'Checked: by hand (<a href="../trust.html">what you have to believe</a>)' in page.markdown


def test_a_verdict_is_said_with_what_it_rests_on(game: Game) -> None:
    page = exact(game, checked(Store([verdict(game, claim_of(game))])))
    assert not page.faults
    said = '<span class="rs-verdict rs-proved">proved</span> Shown for every possible game.'
    assert said in page.markdown
    assert "&lt;rising&gt;" in page.markdown
    assert "Checked: by hand" in page.markdown


def test_a_bounded_verdict_claims_no_more(game: Game) -> None:
    page = exact(game, checked(Store([verdict(game, claim_of(game), BOUNDED)])))
    assert "as far as was looked" in page.markdown
    assert ">proved<" not in page.markdown


@pytest.mark.parametrize("field", ["game", "claim_digest"])
def test_a_stale_verdict_is_a_fault_and_not_shown(game: Game, field: str) -> None:
    old = replace(verdict(game, claim_of(game)), **{field: "another"})
    page = exact(game, checked(Store([old])))
    assert [d.code for d in page.faults] == ["verdict.stale"]
    assert page.faults[0].span is not None, "the message points at the claim"
    assert "Shown for every possible game" not in page.markdown


def test_a_refuted_claim_is_a_fault(game: Game) -> None:
    page = exact(game, checked(Store([verdict(game, claim_of(game), REFUTED)])))
    assert [d.code for d in page.faults] == ["verdict.refuted"]


def play(game: Game) -> tuple[str, dict[str, object]]:
    """A play of three actions as a store keeps it, and its last action."""
    state = game.start(seed=1)
    for _ in range(3):
        state = state.play(state.actions()[0])
    return str(state.plays[-1]), {"chance": [*state.chance], "plays": [str(a) for a in state.plays]}


def test_a_play_is_drawn_step_by_step(game: Game) -> None:
    store = Store()
    last, data = play(game)
    found = verdict(game, claim_of(game), PROVED, Evidence("play", {"record": store.keep(data)}))
    store.put(found)
    page = exact(game, checked(store))
    assert not page.faults
    trace = page.markdown.partition('class="rs-trace"')[2]
    assert trace.count("<li value=") == 4
    assert trace.count("<svg") == 4
    assert f"3. <code>{last}</code>" in trace
    (text,) = page.records.values()
    *_, end = replay(read_record(text))
    assert str(end.plays[-1]) == last, "its record is there to be replayed"


def test_several_plays_are_told_apart(game: Game) -> None:
    """Two plays that look the same to somebody, say: each has a record of its own."""
    store = Store()
    _, data = play(game)
    shorter = {**data, "plays": data["plays"][:1]}  # type: ignore[index]
    evidence = [Evidence("play", {"record": store.keep(one)}) for one in (data, shorter)]
    store.put(verdict(game, claim_of(game, "knowable"), PROVED, *evidence))
    page = exact(game, checked(store))
    assert not page.faults
    assert "Step through play 1" in page.markdown and "Step through play 2" in page.markdown
    assert sorted(page.records) == [f"{SMALL}.knowable.1.json", f"{SMALL}.knowable.2.json"]


def test_no_two_games_of_a_site_share_a_record(tmp_path: Path) -> None:
    """The claim `down-out` of `count` and `out` of `count-down` had one file, with the play of the first."""
    names = []
    for id, claim in (("count", "down-out"), ("count-down", "out")):
        file = tmp_path / f"{id}.yaml"
        text = COUNTDOWN.replace("id: countdown", f"id: {id}")
        file.write_text(f"{text}- id: {claim}\n  prose: It can be over.\n  reachable: left = 0\n")
        game, store = load(str(file)), Store()
        record = store.keep({"chance": [], "plays": ["take 2", "take 2", "take 1"]})
        store.put(verdict(game, claim_of(game, claim), PROVED, Evidence("play", {"record": record})))
        names += exact(game, checked(store)).records
    assert len({*names}) == len(names) == 2


def test_a_comparison_shows_what_it_compares_with(game: Game) -> None:
    page = exact(game, checked(Store([verdict(game, claim_of(game, "near-is-plan"))])))
    part = page.markdown.partition("{#claim-near-is-plan}")[2].partition("###")[0]
    assert not page.faults
    assert "equivalent" in part and "across-tiers is near" in part


def test_a_play_that_the_rules_refuse_is_a_fault(game: Game) -> None:
    store = Store()
    _, data = play(game)
    plays = data["plays"]
    assert isinstance(plays, list)
    data["plays"] = [plays[0], plays[0]]
    store.put(verdict(game, claim_of(game), PROVED, Evidence("play", {"record": store.keep(data)})))
    assert exact(game, checked(store)).faults


def other(game: Game, outcome: str, **readings: str) -> Verdict:
    """A verdict on the first claim under other readings."""
    settled = fences.default_game(SMALL).under(1, {}, readings)
    return replace(verdict(settled, claim_of(settled, "zero-cheat"), outcome))


def test_a_ruling_shows_how_claims_stand_under_each_reading(game: Game) -> None:
    asked = {"covered-halves": "visible"}
    store = Store([verdict(game, claim_of(game, "zero-cheat")), other(game, REFUTED, **asked)])
    page = exact(game, checked(store))
    assert not page.faults, "another reading may well refute a claim"
    found = by_reading(game, checked(store), game.core.rulings["covered-halves"])["zero-cheat"]
    assert {reading: v.outcome for reading, v in found.items()} == {"counted": PROVED, "visible": REFUTED}
    assert by_reading(game, checked(store), game.core.rulings["alignment"]) == {}
    table = page.markdown.partition("{#covered-halves}")[2].partition("</table>")[0]
    assert (
        table.index("counted") < table.index("rs-proved") < table.index("visible") < table.index("rs-refuted")
    )
    assert "Under one other setting" in page.markdown


def test_an_unchecked_verdict_publishes_nothing(game: Game) -> None:
    """Stores were published without a check of their contents."""
    core = game.core
    ruling = core.rulings["covered-halves"]
    found = verdict(game, claim_of(game, "zero-cheat"))
    there = other(game, PROVED, **{ruling.id: "visible"})
    forged = replace(found, notes=("over-at-once",), engine="Forged", numbers={"plies": 777})
    page = exact(game, PublishedVerdicts(Store([forged, there])))
    for text in ("Forged", "777", "over before anybody", "rs-proved"):
        assert text not in page.markdown
    assert "not checked here" in page.markdown
    refuted = exact(game, PublishedVerdicts(Store([replace(forged, outcome=REFUTED, numbers={}, notes=())])))
    assert [fault.code for fault in refuted.faults] == ["verdict.refuted"], "that is no reason to publish it"
    assert "777" not in str(refuted.faults)


def test_a_ruling_shows_unchecked_verdicts_as_unchecked(game: Game) -> None:
    settings = [
        verdict(game, claim_of(game, "zero-cheat")),
        other(game, PROVED, **{"covered-halves": "visible"}),
    ]
    half = PublishedVerdicts(Store(settings), lambda v: None if v.readings else "by hand")
    words = {
        v.outcome for v in by_reading(game, half, game.core.rulings["covered-halves"])["zero-cheat"].values()
    }
    assert words == {PROVED, "unchecked"}


def test_a_stale_verdict_under_another_reading_is_a_fault(game: Game) -> None:
    old = replace(other(game, PROVED, **{"covered-halves": "visible"}), game="another")
    page = exact(game, checked(Store([old])))
    assert [d.code for d in page.faults] == ["verdict.stale"]
    assert "covered-halves: visible" in page.faults[0].message


def test_a_page_says_what_parameters_may_be_and_what_holds_between_them() -> None:
    assert "<td>Y, G, R, B</td>" in exact_page("stout").markdown
    assert "<p>The armies must not overlap.</p>" in exact_page("breakthrough").markdown


def test_a_page_shows_where_the_answer_hangs_on_a_reading(tmp_path: Path) -> None:
    claim = "- id: quick\n  prose: Three can be left after one action.\n  reachable: left = 3 and last = 1\n"
    file = tmp_path / "own.yaml"
    file.write_text(COUNTDOWN.replace("- id: bare\n", RULING).replace("claims:\n", f"claims:\n{claim}"))
    own = load(str(file))
    store = Store()
    digest = store.keep({"chance": [], "plays": ["take 2"]})
    shown = Evidence("play", {"record": digest})
    store.put(verdict(own, claim_of(own, "quick"), PROVED, shown))
    store.put(verdict(strict := own.under(readings={"opening": "one"}), claim_of(strict, "quick"), REFUTED))
    page = exact(own, checked(store))
    assert not page.faults
    assert "where <code>opening</code> is two a play shows that it holds" in page.markdown
    assert "illegal by <code>opening-law</code>" in page.markdown


def test_the_formal_text_of_a_claim_says_what_is_asked() -> None:
    claims = load("smith").core.claims
    assert kind_with_options(claims["fewest-actions"]) == "least"
    assert kind_with_options(claims["first-at-random"]) == "estimate, games: 100000, seed: 1"
    claim = load("sacred-alignment").core.claims["not-always-rescued"]
    assert kind_with_options(claim) == "every-deal, is: no"
