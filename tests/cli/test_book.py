"""`rulespec book`: verdicts decided once, gone through again, healed when the rules change; its status."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.core.verdicts import Store

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def book(run: Run, own_game: Path) -> Callable[..., tuple[int, str, str]]:
    """Builds a site of the one ruleset."""
    folder = own_game.parent
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text("# Games\n")
    plugins = f"plugins: [{{rulespec: {{rulesets: [{own_game}]}}}}]"
    (folder / "mkdocs.yml").write_text(f"site_name: x\ntheme: rulespec\n{plugins}\n")
    return lambda *more: run("book", "--config", str(folder / "mkdocs.yml"), *more)


def kept(own_game: Path) -> dict[str, float]:
    """The stored verdicts: how long each took."""
    return {v.claim: v.seconds for v in Store.read(own_game.with_name("verdicts.json.gz"))}


def test_verdicts_are_decided_once_and_gone_through_again(
    book: Callable[..., tuple[int, str, str]], own_game: Path
) -> None:
    status, out, _ = book("--prove")
    assert status == 0
    assert "1 game with 2 claims under the rules as written:" in out
    assert "    2 proved" in out
    assert "Decided now: " in out
    for words in ("countdown", "ends", "never-six", "proved", "The site is in"):
        assert words in out
    text = own_game.with_name("verdicts.json.gz").read_bytes()
    status, out, _ = book("--prove")
    assert status == 0
    assert "Decided now" not in out
    assert own_game.with_name("verdicts.json.gz").read_bytes() == text, "nothing was decided anew"


def test_changed_rules_make_verdicts_stale_until_they_are_proved_again(
    book: Callable[..., tuple[int, str, str]], own_game: Path
) -> None:
    book("--prove")
    own_game.write_text(own_game.read_text().replace("n in 1..2", "n in 1..3").replace("never-six", "no-six"))
    status, _, err = book()
    assert status == 1
    assert "error[verdict.stale]" in err
    assert book("--prove")[0] == 0
    assert set(kept(own_game)) == {"ends", "no-six"}, "a claim that is gone has no verdict"
    assert book()[0] == 0


def test_verdicts_with_stamps_do_not_pass_once_the_rules_have_changed(run: Run, own_game: Path) -> None:
    """A plain `recheck` believed the stamp, and a verdict on other rules passed."""
    run("prove", str(own_game))
    assert run("recheck", str(own_game))[0] == run("recheck", str(own_game))[0] == 0
    text = own_game.read_text()
    own_game.write_text(text.replace("n in 1..2", "n in 1..3"))
    status, out, _ = run("recheck", str(own_game))
    assert status == 1
    assert out.count("stale") == 2
    own_game.write_text(text)
    assert run("recheck", str(own_game))[0] == 0


def test_a_refuted_claim_fails_with_the_claim_named(
    book: Callable[..., tuple[int, str, str]], own_game: Path
) -> None:
    own_game.write_text(own_game.read_text().replace("left <= 5", "left <= 4"))
    status, _, err = book("--prove")
    assert status == 1
    assert "the claim `never-six` does not hold" in err


def test_claims_without_a_verdict_are_counted(
    book: Callable[..., tuple[int, str, str]], own_game: Path
) -> None:
    status, out, _ = book()
    assert status == 3, "two claims are open"
    assert "2 without a verdict, which `rulespec book --prove` decides" in out
    assert "countdown ends, countdown never-six" in out
    assert "without a verdict" not in book("--prove")[1]


def test_what_is_undecided_is_told_by_the_status_and_not_tried_for_ever(
    book: Callable[..., tuple[int, str, str]], own_game: Path
) -> None:
    status, out, _ = book("--prove", "--timeout", "0.000001")
    assert status in (0, 3)
    outcomes = {v.claim: v.outcome for v in Store.read(own_game.with_name("verdicts.json.gz"))}
    assert (status == 3) == ("undecided" in outcomes.values())
    assert "The site is in" in out
    before = own_game.with_name("verdicts.json.gz").read_bytes()
    book("--prove")
    assert own_game.with_name("verdicts.json.gz").read_bytes() == before


def test_everything_wrong_is_named_at_once(book: Callable[..., tuple[int, str, str]], own_game: Path) -> None:
    own_game.write_text(own_game.read_text().replace("remove n from left", "remov n from left"))
    own_game.with_name("verdicts.json.gz").write_bytes(b"{}")
    (own_game.parent / "docs" / "index.md").write_text(
        "```rulspec\n```\n\n```rulespec\nruleset: countdown\nplay: take 2\n```\n"
    )
    status, _, err = book()
    assert status == 1
    assert "error[fence.name]" in err and "ruleset.yaml:" in err
    assert "no ruleset is called" not in err


def test_nothing_is_decided_while_a_ruleset_has_a_fault(
    book: Callable[..., tuple[int, str, str]], own_game: Path
) -> None:
    other = own_game.parent / "other.yaml"
    text = own_game.read_text().replace("id: countdown", "id: other")
    other.write_text(text.replace("remove n", "remov n"))
    config = own_game.parent / "mkdocs.yml"
    config.write_text(config.read_text().replace(str(own_game), f"{own_game}, {other}"))
    status, _, err = book("--prove")
    assert status == 1
    assert "other.yaml:" in err
    assert not own_game.with_name("verdicts.json.gz").exists()


def test_a_configuration_that_is_none_is_wrong_input(run: Run, tmp_path: Path) -> None:
    assert run("book", "--config", str(tmp_path / "missing.yml"))[0] == 2
    (tmp_path / "mkdocs.yml").write_text("[1, 2")
    assert run("book", "--config", str(tmp_path / "mkdocs.yml"))[0] == 2
