"""`rulespec coverage`: documents, maps and rulesets that agree, and the messages where they do not.

`python tests/sources/regenerate.py` writes the messages anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from cases import BAD, DOCUMENT, EDITS, MAP, RULESET, VARIANT, lay_out, told

from rulespec.cli import main
from rulespec.sources.citations import citations_of
from rulespec.sources.source_maps import maps_of

Run = Callable[..., tuple[int, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Runs `coverage` where the good files lie; its exit status and all it prints."""
    lay_out(tmp_path)
    monkeypatch.chdir(tmp_path)

    def ran(*argv: str) -> tuple[int, str]:
        capsys.readouterr()
        status = main(["coverage", *argv])
        return status, "".join(capsys.readouterr())

    return ran


@pytest.mark.parametrize("case", EDITS)
def test_message(case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "110")
    assert told(tmp_path, case) == (BAD / f"{case}.expected").read_text("utf-8")


def test_every_case_has_its_message() -> None:
    assert {path.stem for path in BAD.glob("*.expected")} == {*EDITS}


def test_all_is_covered(run: Run) -> None:
    status, out = run(RULESET, "--document", DOCUMENT)
    assert status == 0
    counted = {" ".join(line.split()) for line in out.splitlines()}
    assert "accounted for 13 100.0 %" in counted
    assert {"told to the reader 8 61.5 %", "not told to the reader 5 38.5 %"} <= counted
    assert "6 rules: 5 from a document, 1 ours" in out
    status, out = run(RULESET)
    assert status == 0
    assert "Only maps and rules were compared" in out


def test_where_each_sentence_is_told(run: Run) -> None:
    _, out = run(RULESET, "--where")
    lines = (line.split(None, 1) for line in out.splitlines() if line.startswith("  "))
    told = dict(lines)
    assert told["heading-1"] == "not told: heading"
    assert sum(rest.startswith("not told") for rest in told.values()) == 5
    assert told["long-1"] == "There are seven counters. (Patience, counters-long#patience)"
    _, data = run(RULESET, "--json")
    where = json.loads(data)["documents"][0]["where"]
    assert where["heading-1"] == []
    assert where["play-1"] == [
        {"page": "", "anchor": "take", "heading": "Take", "span": "take a counter, or two."}
    ]


def test_a_sentence_that_became_a_rule_is_told_only_by_words_of_the_page(run: Run) -> None:
    """A sentence counted as told as soon as the chapter that cited it was there."""
    text = Path(MAP).read_text("utf-8")
    Path(MAP).write_text(text.replace(',\n    told: ["take a counter, or two."]', ""), "utf-8")
    status, out = run(RULESET, "--where")
    assert status == 0
    assert re.search(r"play-1 +not told: only in the exact text", out)


def test_a_document_of_another_name_is_known_by_its_sentences(run: Run) -> None:
    Path(DOCUMENT).rename("copy.txt")
    assert run(RULESET, "--document", "copy.txt")[0] == 0


def test_wrapping_anew_changes_nothing(run: Run) -> None:
    text = Path(DOCUMENT).read_text("utf-8")
    Path(DOCUMENT).write_text(
        text.replace("two\nplayers", "two players").replace("more\ncounters", "more counters")
    )
    assert run(RULESET, "--document", DOCUMENT)[0] == 0


def test_nothing_of_the_document_is_in_the_map_or_in_json(run: Run) -> None:
    Path(DOCUMENT).write_text(Path(DOCUMENT).read_text("utf-8") + "\nAn extraordinary afterthought.\n")
    status, out = run(RULESET, "--document", DOCUMENT, "--json")
    assert status == 1
    assert {d["code"] for d in json.loads(out)["diagnostics"]} == {"sentence.new"}
    run(RULESET, "--document", DOCUMENT, "--draft")
    for word in ("afterthought", "pebbles", "shepherds"):
        assert word not in out
        assert word not in Path(MAP).read_text("utf-8")


def test_a_first_draft_has_every_sentence_and_says_nothing_of_it(run: Run) -> None:
    Path(MAP).unlink()
    assert run(RULESET, "--document", DOCUMENT)[0] == 3
    status, out = run(RULESET, "--document", DOCUMENT, "--draft")
    assert status == 1
    assert "rules.txt:8:5    part2-2  Put five counters on the table, e.g. pebbles." in out
    (drafted,) = maps_of(citations_of(RULESET))
    assert len(drafted.entries) == 13
    assert not any(entry.became or entry.because for entry in drafted.entries.values())


def test_a_draft_is_filled_from_what_cites(run: Run) -> None:
    whole = Path(MAP).read_text("utf-8")
    Path(MAP).write_text(re.sub(r", became: \[[^]]*\]", "", whole))
    assert run(RULESET, "--document", DOCUMENT)[0] == 1
    assert run(RULESET, "--document", DOCUMENT, "--draft")[0] == 0
    assert Path(MAP).read_text("utf-8") == whole


def test_a_draft_keeps_what_was_said_when_sentences_move(run: Run) -> None:
    text = Path(DOCUMENT).read_text("utf-8")
    Path(DOCUMENT).write_text(text.replace("  • Put", "  • Sit down.\n  • Put"))
    status, out = run(RULESET, "--document", DOCUMENT, "--draft")
    assert status == 1
    (drafted,) = maps_of(citations_of(RULESET))
    assert not drafted.entries["setup-1"].became
    assert {name.value for name in drafted.entries["setup-2"].became} == {"counters", "parameters.heap"}
    assert drafted.entries["intro-2"].because == "credit"
    assert "by the map `setup-2` became `counters`, which does not cite it" in out


def test_without_the_document_a_draft_takes_what_became_from_the_rules(run: Run) -> None:
    text, before = Path(RULESET).read_text("utf-8"), Path(MAP).read_text("utf-8")
    Path(RULESET).write_text(text.replace("source: ours", "source: [setup-2]"))
    assert run(RULESET)[0] == 1
    assert run(RULESET, "--draft")[0] == 0
    assert Path(MAP).read_text("utf-8") == before.replace(
        "b6a099be7fcd, became: [take]", "b6a099be7fcd, became: [take, first]"
    )


def test_a_draft_does_not_overrule_a_reason(run: Run) -> None:
    text = Path(RULESET).read_text("utf-8")
    Path(RULESET).write_text(text.replace("source: ours", "source: [intro-2]"))
    status, out = run(RULESET, "--document", DOCUMENT, "--draft")
    assert status == 1
    assert "`first` cites `intro-2`, and the map does not know of it" in out
    assert "because: credit" in Path(MAP).read_text("utf-8")


def test_a_draft_leaves_a_changed_sentence_open(run: Run) -> None:
    text = Path(DOCUMENT).read_text("utf-8")
    Path(DOCUMENT).write_text(text.replace("one counter or two", "one counter, or two"))
    status, out = run(RULESET, "--document", DOCUMENT, "--draft")
    assert status == 1
    assert "play-1  Take one counter, or two." in out


@pytest.mark.parametrize(
    ("argv", "status", "words"),
    [
        (("hex", "--draft"), 2, "a first `--draft` needs the document"),
        ((RULESET, "--document", "no.txt"), 2, "no.txt"),
        ((RULESET, "--document", VARIANT, "--draft"), 2, "names no document `counters-long.yaml`"),
        ((VARIANT,), 2, "has its document from counters.yaml"),
        (("hex",), 3, "`hex` names no document under `source`"),
        (("hex", "--json"), 3, '"covered": false'),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_cannot_be_asked(run: Run, argv: tuple[str, ...], status: int, words: str) -> None:
    code, out = run(*argv)
    assert code == status
    assert words in out


def test_a_draft_overwrites_nothing_but_its_map(run: Run) -> None:
    Path(MAP).write_text(Path(MAP).read_text("utf-8").replace("ruleset: counters", "ruleset: others"))
    status, out = run(RULESET, "--document", DOCUMENT, "--draft")
    assert status == 2
    assert "`sources/rules.yaml` is no map of this document for `counters`" in out
    assert "ruleset: others" in Path(MAP).read_text("utf-8")


def test_an_empty_document_is_nothing_to_check(run: Run) -> None:
    Path(DOCUMENT).write_text("\n---\n")
    assert run(RULESET, "--document", DOCUMENT)[0] == 3


def test_a_document_of_very_many_sentences_has_no_map(run: Run) -> None:
    """A map was written that nobody could read."""
    text = Path(VARIANT).read_text("utf-8")
    Path(VARIANT).write_text(text.replace("extends:", "source: {document: long.txt}\nextends:"))
    Path("long.txt").write_text("One more. " * 40_000)
    before = {*Path("sources").iterdir()}
    status, out = run(VARIANT, "--document", "long.txt", "--draft")
    assert (status, "more sentences than a map can have" in out) == (2, True)
    assert {*Path("sources").iterdir()} == before


def test_a_variant_with_a_document_of_its_own_is_asked_by_itself(run: Run) -> None:
    text = Path(VARIANT).read_text("utf-8")
    Path(VARIANT).write_text(text.replace("extends:", "source: {document: long.txt}\nextends:"))
    Path("long.txt").write_text("Seven counters.\n")
    assert run(VARIANT, "--document", "long.txt", "--draft")[0] == 1
    drafted = Path("sources/long.yaml").read_text("utf-8")
    Path("sources/long.yaml").write_text(drafted.replace("part1-1", "long-1"))
    assert run(VARIANT, "--document", "long.txt", "--draft")[0] == 0
    assert "counters-long/patience" not in citations_of(RULESET).things
