"""Fenced examples: all of them are found, those that are wrong are named with file and line."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from handmade import all_games
from hypothesis import given
from hypothesis import strategies as st
from markdown import Markdown

from rulespec.book.examples import fences
from rulespec.book.examples.fences import ExecutedFence, check_files, execute
from rulespec.book.examples.markdown import RulespecExtension
from rulespec.book.examples.scan import MOST_FENCES, Fence, scan_text
from rulespec.core.diagnostics import Report, RulesetError, Source
from rulespec.play.face import Game

NIM = """\
ruleset: nim
given: {left: {a: 1, b: 2}}
legal:
- take 1 from a
- take 1 from b
refused:
  play: take 2 from a
  by: enough
play:
- take 1 from a
- take 2 from b
"""


@pytest.fixture(autouse=True)
def handmade(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Rulesets by name are the games built by hand."""

    real = fences.load

    def load(name: str, *settings: Any) -> Game:
        games = all_games()
        if name not in games:
            return real(name, *settings)
        return Game(games[name], name)

    monkeypatch.setattr(fences, "load", load)
    fences.forget()
    yield
    fences.forget()


def page(body: str, before: str = "# A page\n\n", mark: str = "```") -> str:
    """A page with one example."""
    return f"{before}{mark}rulespec\n{body}{mark}\n\nmore\n"


def write(folder: Path, text: str) -> Path:
    """A Markdown file."""
    path = folder / "page.md"
    path.write_text(text, encoding="utf-8")
    return path


def scanned(text: str) -> tuple[list[Fence], list[str]]:
    """The fences of a text and the codes of what is wrong."""
    report = Report()
    found = scan_text(Source("page.md", text), report)
    return found, [d.code for d in report.diagnostics]


def test_a_right_example_runs(tmp_path: Path) -> None:
    checked = check_files([write(tmp_path, page(NIM))])
    assert not checked.faults
    (done,) = checked.executed
    assert done.run is not None
    assert [str(s.to_data()["left"]) for s in done.run.states] == [
        "{'a': 1, 'b': 2}",
        "{'a': 0, 'b': 2}",
        "{'a': 0, 'b': 0}",
    ]
    assert [text for text, _ in done.run.refused] == ["take 2 from a"]


WRONG = [
    ("- take 1 from b", "- take 2 from a", "example.legal", 8),
    ("play: take 2 from a", "play: take 1 from a", "example.refused", 10),
    ("by: enough", "by: cleared", "example.refused", 10),
    ("- take 2 from b", "- take 1 from a", "example.play", 14),
    ("given: {left: {a: 1, b: 2}}", "given: {lft: {a: 1, b: 2}}", "example.given", 5),
    ("given: {left: {a: 1, b: 2}}", "given: {left: {a: 9, b: 2}}", "example.given", 5),
    ("ruleset: nim", "ruleset: nym", "file.missing", 4),
    ("ruleset: nim", "rulset: nim", "key.unknown", 4),
    ("legal:", "legl:", "key.unknown", 6),
    ("  by: enough\n", "", "key.missing", 10),
    ("ruleset: nim", "ruleset: nim\nshow: digram", "fence.show", 5),
    ("ruleset: nim", "ruleset: nim\nshow: [actions, scores", "yaml.syntax", 6),
    ("ruleset: nim", "ruleset: nim\nseed: 1\nseed: 2", "yaml.duplicate", 6),
]


@pytest.mark.parametrize(("right", "wrong", "code", "line"), WRONG)
def test_a_wrong_example_is_named_with_its_line(
    tmp_path: Path, right: str, wrong: str, code: str, line: int
) -> None:
    assert right in NIM
    path = write(tmp_path, page(NIM.replace(right, wrong)))
    found = [d for d in check_files([path]).faults if d.code == code]
    assert found, [d.render() for d in check_files([path]).faults]
    span = found[0].span
    assert span is not None
    assert (span.source.name, span.line) == (str(path), line)
    assert found[0].render().startswith(f"{path}:{line}:")


@pytest.mark.parametrize("name", ["rulspec", "Rulespec", "rule-spec", "rulespecs", "{.rulspec}", "ruelspec"])
def test_a_misspelt_fence_is_an_error(name: str) -> None:
    found, codes = scanned(f"# x\n\n```{name}\nruleset: nim\n```\n")
    assert (found, codes) == ([], ["fence.name"])


@pytest.mark.parametrize("name", ["", "python", "yaml", "ruby", "rst", "rust", "text", "rules", "rspec"])
def test_other_fences_are_left_alone(name: str) -> None:
    assert scanned(f"```{name}\nruleset: nim\n```\n") == ([], [])


def test_options_in_the_opening_line_are_an_error() -> None:
    for info in ("rulespec title=x", "{.rulespec}", "{ .rulespec .wide }"):
        assert scanned(f"```{info}\nruleset: nim\n```\n")[1] == ["fence.options"], info


def test_a_fence_that_is_never_closed_is_an_error() -> None:
    assert scanned("```rulespec\nruleset: nim\n")[1] == ["fence.open"]
    assert scanned("```rulespec\nruleset: nim\n~~~\n")[1] == ["fence.open"]


def test_a_fence_in_a_quotation_is_an_error() -> None:
    assert scanned("> ```rulespec\n> ruleset: nim\n> ```\n")[1] == ["fence.quoted"]


def test_a_fence_inside_a_longer_one_is_text() -> None:
    assert scanned("````markdown\n```rulespec\nruleset: nim\n```\n````\n") == ([], [])


def test_an_empty_fence_is_an_error(tmp_path: Path) -> None:
    checked = check_files([write(tmp_path, "```rulespec\n```\n")])
    assert [d.code for d in checked.faults] == ["fence.empty"]


BLOCKS = st.lists(
    st.sampled_from(
        [
            ("prose\n", 0),
            (page(NIM, ""), 1),
            (page(NIM, "", "~~~~"), 1),
            ("- item\n\n    " + page(NIM, "").replace("\n", "\n    ").rstrip(" "), 1),
            ("```python\nprint('```')\n```\n", 0),
            ("````\n" + page(NIM, "") + "````\n", 0),
            ("`` ```rulespec `` inline\n", 0),
        ]
    )
)


@given(BLOCKS)
def test_as_many_are_found_as_stand_there_and_as_many_are_shown(blocks: list[tuple[str, int]]) -> None:
    text = "\n".join(block for block, _ in blocks)
    wanted = sum(count for _, count in blocks)
    found, codes = scanned(text)
    assert (len(found), codes) == (wanted, [])
    extension = RulespecExtension()
    html = Markdown(extensions=["fenced_code", extension]).convert(text)
    assert extension.shown == wanted
    assert html.count('class="rs-example"') == wanted


def test_a_page_shows_what_the_example_gave() -> None:
    html = Markdown(extensions=[RulespecExtension()]).convert(page(NIM))
    assert html.count("<svg") == 2, "before and after"
    assert "<strong>take.enough</strong>" in html
    assert "2 &lt;= 1" in html or "1 &lt; 2" in html or "left[h]" in html
    assert "<code>take 1 from a</code>, <code>take 1 from b</code> are legal" in html


def test_the_extension_by_itself_raises_what_is_wrong() -> None:
    with pytest.raises(RulesetError) as raised:
        Markdown(extensions=[RulespecExtension()]).convert(page(NIM.replace("by: enough", "by: cleared")))
    assert "should be refused by `cleared`" in str(raised.value)


def test_hostile_prose_is_escaped() -> None:
    html = Markdown(extensions=[RulespecExtension()]).convert(
        page(NIM + "prose: <script>alert(1)</script> & more\n")
    )
    assert "<script" not in html
    assert "&lt;script&gt;" in html


def test_actions_and_scores_can_be_shown(tmp_path: Path) -> None:
    body = NIM.replace("\nplay:\n- take 1 from a\n- take 2 from b", "\nshow: [actions, scores]")
    html = Markdown(extensions=[RulespecExtension()]).convert(page(body))
    assert "Legal (3):" in html
    assert "<svg" not in html


def test_places_are_those_of_the_file() -> None:
    text = page("ruleset: nim\nshow: wrong\n", "intro\n\n- in a list\n\n    ").replace(
        "\nruleset", "\n    ruleset"
    )
    text = text.replace("\nshow", "\n    show").replace("\n```\n", "\n    ```\n")
    (fence,), codes = scanned(text)
    assert codes == []
    (fault,) = execute(fence, Path()).faults
    assert fault.span is not None
    assert (fault.span.line, fault.span.column) == (7, 11)


DOMINO = """\
ruleset: sacred-alignment
given:
  hand: [2-3]
  pips: {1.2.2: 1, 1.2.3: 1, 1.2.1: 3, 1.1.1: 0}
  tile: {1.2.2: 1-1, 1.2.3: 1-1, 1.2.1: 0-3, 1.1.1: 0-3}
play: place 2-3 2.2.3/2.2.2
then: pips["2.2.2"] = 3 and cheats = 0
"""


@pytest.mark.parametrize(
    ("right", "wrong", "code", "place"),
    [
        ("cheats = 0", "cheats = 1", "example.then", (10, 7)),
        ("cheats = 0", "cheat = 0", "name.unknown", (10, 29)),
        ("cheats = 0", "cheats +", "text.end", (10, 37)),
    ],
)
def test_what_must_hold_at_the_end_is_formal_text(
    tmp_path: Path, right: str, wrong: str, code: str, place: tuple[int, int]
) -> None:
    assert not check_files([write(tmp_path, page(DOMINO))]).faults
    checked = check_files([write(tmp_path, page(DOMINO.replace(right, wrong)))])
    assert [d.code for d in checked.faults] == [code], [d.render() for d in checked.faults]
    span = checked.faults[0].span
    assert span is not None
    assert (span.line, span.column) == place
    assert span.source.name.endswith("page.md")


def test_a_fence_begins_at_a_named_position() -> None:
    def ran(name: str, more: str = "") -> ExecutedFence:
        (fence,), _ = scanned(page(f"ruleset: smith\nposition: {name}\n{more}legal: take 3D\n"))
        return execute(fence, Path())

    assert not ran("two-active").faults
    (fault,) = ran("two-actives").faults
    assert "there is no position `two-actives`; did you mean two-active?" in fault.message
    assert fault.span is not None
    assert fault.span.line == 5
    (fault,) = ran("two-active", "given: {pyramid: {7.1: 9H}}\n").faults
    assert "3D" in fault.message, "what is given beside it changes it"


def test_settings_reach_the_game(tmp_path: Path) -> None:
    body = "ruleset: sacred-alignment\nparameters:\n  tiers: 2\n  top-pip: 3\n"
    body += "readings:\n  covered-halves: visible\nthen: size(pile) = 7\n"
    checked = check_files([write(tmp_path, page(body))])
    assert not checked.faults
    run = checked.executed[0].run
    assert run is not None
    assert (run.game.parameters["tiers"], run.game.readings["covered-halves"]) == (2, "visible")
    wrong = check_files([write(tmp_path, page(body.replace("tiers: 2", "tiers: 9")))])
    assert wrong.faults


@pytest.mark.parametrize("players", ["²", "9" * 5_000, "-1", "two"])
def test_a_number_of_players_is_a_number(players: str, tmp_path: Path) -> None:
    path = write(tmp_path, page(f"{NIM}players: {players}\n"))
    assert [fault.code for fault in check_files([path]).faults] == ["fence.players"]


def test_the_text_of_a_fault_names_no_play(tmp_path: Path) -> None:
    """A notation that looks like the words of a message was taken for the number of a play."""
    path = write(tmp_path, page("ruleset: nim\nlegal:\n- 'x: play 99999, `'\n"))
    assert [fault.code for fault in check_files([path]).faults] == ["example.legal"]


def test_a_long_name_is_no_ruleset(tmp_path: Path) -> None:
    """The error named the page, for the system refuses file names of so many characters."""
    path = write(tmp_path, page(f"ruleset: {'x' * 5_000}\n"))
    (fault,) = check_files([path]).faults
    assert fault.code == "file.missing"
    assert fault.span is not None
    assert fault.span.source.name == str(path)


def test_a_page_has_only_so_many_examples() -> None:
    fences, codes = scanned("```rulespec\n```\n" * (MOST_FENCES + 5))
    assert (len(fences), codes) == (MOST_FENCES, ["fence.many"])
