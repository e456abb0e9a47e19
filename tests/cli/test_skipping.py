"""A check skips an example that passed before, unless any text has changed that it may rest on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from texts import COUNTDOWN

from rulespec.cli import checking
from rulespec.cli.checking import CheckResult, check_ruleset
from rulespec.core.game import Example
from rulespec.language import home, read, work_limit
from rulespec.language.documents.example_digests import of_examples
from rulespec.language.documents.yaml import Mapping, Node, Scalar
from rulespec.language.mutations import breaks
from rulespec.play import examples
from rulespec.play.face import Game
from rulespec.play.passed import PassedExamples

WITH_EXAMPLES = COUNTDOWN.replace(
    "- id: bare\n",
    """\
  examples:
  - id: too-many
    prose: One is left.
    given: {left: 1}
    refused: {play: take 2, by: enough}
  - id: at-first
    legal: take 2
  - id: to-the-end
    play: [take 2, take 2, take 1]
    winners: 1
- id: bare
""",
)
ALL = ["too-many", "at-first", "to-the-end"]


class Checks:
    """Checks of a file, one after the other, with the examples that passed before."""

    def __init__(self, file: Path, patch: pytest.MonkeyPatch) -> None:
        self.file = file
        self.ran: list[str] = []
        self.passed = PassedExamples()
        self._run = examples.try_example
        patch.setattr(examples, "try_example", self._counted)

    def _counted(self, game: Game, example: Example) -> Any:
        self.ran.append(example.id)
        return self._run(game, example)

    def check(self, text: str) -> tuple[CheckResult, list[str]]:
        """The result for a text, and the examples that were run."""
        self.file.write_text(text)
        self.ran = []
        result = check_ruleset(str(self.file), self.passed)
        ran = [*self.ran]
        assert check_ruleset(str(self.file)) == result, "nothing is lost by what was skipped"
        return result, ran


@pytest.fixture
def checks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Checks]:
    yield Checks(tmp_path / "own.yaml", monkeypatch)


def test_examples_are_not_run_again_while_nothing_changes(checks: Checks) -> None:
    assert checks.check(WITH_EXAMPLES)[1] == ALL
    checked, ran = checks.check(WITH_EXAMPLES)
    assert (checked.examples, checked.faults, ran) == (3, (), [])


@pytest.mark.parametrize(
    ("was", "becomes", "again"),
    [
        ("title: Countdown", "title: Counting down", []),
        ("prose: Take one counter or two.", "prose: Take some.", []),
        ("prose: There are never six.", "prose: There are never more.", []),
        ("rulespec: 1\n", "rulespec: 1\n# a remark\n\n", []),
        ("legal: take 2", "legal: take 1", ["at-first"]),
        ("prose: One is left.", "prose: It is one.", ["too-many"]),
        ("n <= left", "n < left + 1", ALL),
        ("0..5 = 5", "0..6 = 5", ALL),
        ("written: take {n}", "written: take  {n}", ALL),
        ("prose: No more than there are.", "prose: There must be so many.", ALL),
        ("those p in Player where last = p", "last", ALL),
        ("players: 2", "players: 2..3", ALL),
        ("end: left = 0", "end: left < 1", ALL),
    ],
)
def test_an_edit_runs_again_what_may_rest_on_it(
    checks: Checks, was: str, becomes: str, again: list[str]
) -> None:
    checks.check(WITH_EXAMPLES)
    assert was in WITH_EXAMPLES
    assert checks.check(WITH_EXAMPLES.replace(was, becomes))[1] == again


def test_a_failing_example_is_run_every_time(checks: Checks) -> None:
    text = WITH_EXAMPLES.replace("given: {left: 1}", "given: {left: 2}")
    for ran in (ALL, ["too-many"], ["too-many"]):
        checked, again = checks.check(text)
        assert again == ran
        assert [fault.code for fault in checked.faults] == ["example.refused"]


def test_two_examples_with_one_id_are_never_skipped(checks: Checks) -> None:
    text = WITH_EXAMPLES.replace("id: at-first", "id: too-many")
    checks.check(text)
    assert checks.check(text)[1] == ["too-many", "too-many"]


def test_every_break_of_the_rules_is_seen(checks: Checks) -> None:
    """The memory knows all examples of the whole ruleset: no break may profit from that."""
    checks.check(WITH_EXAMPLES)
    found = [one.source.text for one in breaks(checks.file)]
    assert len(found) > 10
    for text in found:
        checks.check(text)


def test_steps_of_skipped_examples_count(checks: Checks, monkeypatch: pytest.MonkeyPatch) -> None:
    """Examples that fit one by one are too much together, whether or not they passed before."""
    one = "  - id: more-{}\n    then: count(x in 1..50000 where x mod 7 = 1) > 5\n"
    few = WITH_EXAMPLES.replace("- id: bare\n", "".join(map(one.format, range(3))) + "- id: bare\n")
    many = WITH_EXAMPLES.replace("- id: bare\n", "".join(map(one.format, range(5))) + "- id: bare\n")
    for module in (work_limit, checking):
        monkeypatch.setattr(module, "MOST_WORK", 2_000_000)
    assert not checks.check(few)[0].faults
    assert checks.check(few)[1] == []
    checked, ran = checks.check(many)
    assert [fault.code for fault in checked.faults] == [work_limit.TOO_MUCH]
    assert "more-0" in ran, "those that were skipped at first were run too"


READ_BY_NOBODY = {"title", "summary", "author", "licence", "source", "claims", "book"}
READ_BY_PEOPLE = {"prose", "heading", "note", "source", "examples"}


def scalars(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Mapping):
        for inner in node.entries.values():
            yield from scalars(inner)
    else:
        for inner in node.items:
            yield from scalars(inner)


@pytest.mark.parametrize(
    "name", ["smith-small", "leistiko-cut-up", "stout-queen", "sacred-alignment-small", "draughts"]
)
def test_every_text_but_those_for_readers_counts(name: str) -> None:
    (path,) = [
        p for p in home().rglob("*.yaml") if name in (p.stem, p.parent.name) and "sources" not in p.parts
    ]
    document = read(path).document
    before = of_examples(document)
    assert before
    texts_of_rules = [
        scalar
        for rule in document.section("rules")
        for key, node in rule.entries.items()
        if key not in READ_BY_PEOPLE
        for scalar in scalars(node)
    ]
    others = [
        scalar
        for key, node in document.root.entries.items()
        if key not in READ_BY_NOBODY | {"rules"}
        for scalar in scalars(node)
    ]
    layers = [*document.settings.values(), *document.choices.values()]
    layers += [text for overrides in document.overrides.values() for text in overrides]
    changing = [*texts_of_rules, *others, *(scalar for node in layers for scalar in scalars(node))]
    for scalar in changing[:: max(1, len(changing) // 60)]:
        kept = scalar.formal, scalar.value
        scalar.formal += " "
        scalar.value += " "
        after = of_examples(document)
        scalar.formal, scalar.value = kept
        assert all(after[key] != digest for key, digest in before.items() if key in after), kept
    assert of_examples(document) == before
