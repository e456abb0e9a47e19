"""The store of verdicts: what is written is read, and nothing else is believed."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.core import nodes as n
from rulespec.core.digest import of_claim
from rulespec.core.evidence_wording import SENTENCES
from rulespec.core.game import Claim
from rulespec.core.types import BOOL, integers
from rulespec.core.verdicts import OUTCOMES, Evidence, Store, StoreError, Verdict
from rulespec.core.wording import NOTES, STATEMENTS

printed = st.characters(exclude_categories=("Cc", "Cs"))
words = st.text(printed, max_size=12)
names = st.dictionaries(st.text(printed, min_size=1, max_size=6), words, max_size=3)
whole = st.integers(-(10**9), 10**9)
lists = {
    "counts": whole,
    "costs": whole,
    "choices": words,
    "alone": words,
    "chance": words,
}
data = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("repeats", "depth", "plies", "bound", "first", "games", "seed", "total"), whole),
        **dict.fromkeys(("squares", "at_least", "at_most", "kept", "of"), whole),
        **dict.fromkeys(("by", "claim", "answers", "packed", "outcome", "differs"), words),
        "is": words | st.fractions().map(str),
        **{name: st.lists(of, max_size=3) for name, of in lists.items()},
        "closed": st.booleans(),
        "shortest": st.booleans(),
        "seat": whole | words,
        "viewer": whole | words,
        "numbers": st.dictionaries(st.sampled_from(["plies", "value"]), whole),
        "readings": names,
    },
)
"""The data of evidence: whatever has the right form, in any combination."""
evidence = st.builds(Evidence, kind=st.sampled_from([*SENTENCES]), data=data)
options = st.fixed_dictionaries(
    {},
    optional={
        "sense": st.sampled_from(["most", "least"]),
        **dict.fromkeys(("at", "within", "games"), st.integers(0, 10**6)),
        "deals": st.integers(0, 10**6) | st.just("all"),
        **dict.fromkeys(("of", "summed-over", "other"), words),
        "is": words | whole,
        "different": st.just("number"),
        "condition": st.sampled_from(["truth", "number"]),
    },
)
numbers = st.dictionaries(
    st.sampled_from(["plies", "value", "at_least", "at_most", "states", "deals", "held", "failed", "seed"]),
    whole,
)
verdicts = st.builds(
    Verdict,
    ruleset=words,
    claim=words,
    kind=st.sampled_from([*STATEMENTS]),
    outcome=st.sampled_from(OUTCOMES),
    evidence=st.lists(evidence, max_size=2).map(tuple),
    engine=words,
    seconds=st.integers(0, 10**6).map(lambda hundredths: hundredths / 100),
    game=words,
    claim_digest=words,
    players=st.integers(1, 9),
    options=options,
    parameters=st.dictionaries(words, st.integers() | words, max_size=2),
    readings=names,
    numbers=numbers,
    notes=st.lists(st.sampled_from([*NOTES]), max_size=2).map(tuple),
)


@given(verdicts)
def test_there_are_sentences_about_any_verdict_that_a_store_may_hold(verdict: Verdict) -> None:
    """What a store holds may be forged, and is shown with the word *not checked here*."""
    (read,) = Store.parse(Store([verdict]).text())
    texts = [read.statement, *read.reasons, *read.warnings]
    assert all(text.strip() and "\n" not in text for text in texts)


@given(st.lists(verdicts, max_size=4))
def test_what_is_written_is_read(listed: list[Verdict]) -> None:
    store = Store(listed)
    again = Store.parse(store.text())
    assert list(again) == list(store)
    assert again.text() == store.text()


@given(st.lists(verdicts, min_size=1, max_size=3), st.data())
def test_a_store_that_is_cut_off_is_refused(listed: list[Verdict], data: st.DataObject) -> None:
    text = Store(listed).text()
    with pytest.raises(StoreError):
        Store.parse(text[: data.draw(st.integers(0, len(text) - 2))])


def test_a_store_that_is_no_file_is_not_read(tmp_path: Path) -> None:
    """A pipe in place of a store made every command wait for ever."""
    path = tmp_path / "verdicts.json.gz"
    os.mkfifo(path)
    with pytest.raises(OSError, match="no regular file"):
        Store.read(path)
    path.unlink()
    path.symlink_to("/dev/zero")
    with pytest.raises(OSError, match="no regular file"):
        Store.read(path)


@given(verdicts)
def test_the_order_in_which_verdicts_come_changes_nothing(one: Verdict) -> None:
    two = replace(one, claim=one.claim + "x")
    assert Store([one, two]).text() == Store([two, one]).text()


def example(**changes: object) -> Verdict:
    made = Verdict("nim", "ends", "terminates", "proved", (), "interpreter", 0.1, "g", "c", 2)
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
        ('"outcome":"proved"', '"outcome":"certain"', "certain"),
        ('"players":2', '"players":"2"', "players"),
        ('"players":2', f'"players":{"9" * 5000}', "damaged"),
        ('"players":2', f'"players":{"9" * 200}', "wrong kind"),
        ('"seconds":0.1', '"seconds":NaN', "wrong kind"),
        ('"engine":"interpreter"', '"engine":"\\u001b[2J"', "engine"),
        ('"engine":"interpreter"', '"engine":"\\ud800"', "engine"),
        ('"notes":[]', '"notes":["well-made"]', "wrong kind"),
        ('"options":{}', '"options":{"sense":"best"}', "wrong kind"),
        ('"engine":"interpreter",', "", "missing or unknown"),
        ('"seconds":0.1', '"seconds":0.2', "changed since"),
    ],
)
def test_what_was_changed_is_named(old: str, new: str, said: str) -> None:
    text = Store([example()]).text()
    assert old in text
    with pytest.raises(StoreError, match=said):
        Store.parse(text.replace(old, new))


@pytest.mark.parametrize(
    "data",
    [{"chance": 5}, {"chance": [5]}, {"seat": []}, {"counts": [1, "2"]}, {"bound": None}, {"depth": True},
     {"plans": [[1]]}, {"viewer": {}}],
)  # fmt: skip
def test_evidence_of_odd_values_is_refused(data: dict[str, object]) -> None:
    """Such values raised a traceback where they were first used."""
    store = Store([example(evidence=(Evidence("induction", data),))])
    with pytest.raises(StoreError, match=f"`{next(iter(data))}` is of the wrong kind"):
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
    assert [v.outcome for v in Store.read(tmp_path / "verdicts.json.gz")] == ["proved"]


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
