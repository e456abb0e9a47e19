"""The end of a play at the table: what it rests on, and what it says of a deal."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from texts import HEAPS

import rulespec
from rulespec.book.content.page import Links
from rulespec.book.content.puzzles import file_of, puzzles
from rulespec.browser.site import bundle_script
from rulespec.solver.surveys import generate

STANDINGS = """async ([key, shelf]) => {
  const holder = document.createElement("div"), block = document.createElement("div"), found = [];
  holder.innerHTML = shelf;
  document.body.append(holder, block);
  const { parameters, readings, players } = rulespec.bundles[key].about;
  const setting = { key, file: "", players, label: "", parameters, readings };
  const table = await rulespec.open(block, { title: "", settings: [setting] });
  table.isAutomatic = false;
  for (const { hash } of holder.querySelectorAll("a:first-child")) {
    await table.load((await rulespec.readPlayAddress(hash)).record, 0);
    while (!table.deal) await new Promise((next) => setTimeout(next, 5));
    const best = table.deal.best.steps.map(({ text }) => text), other = [...best].reverse();
    for (const plays of String(other) === String(best) ? [] : [best, other]) {
      const said = [];
      table.go(0);
      for (const text of plays) {
        table.act(table.play.game.read(table.play.state, text));
        const told = /Still possible|not known|You have .*reached it/;
        const [standing = ""] = told.exec(table.puzzle.textContent) || [];
        said.push(standing);
      }
      found.push(said);
    }
  }
  holder.remove();
  table.element.remove();
  return found;
}"""
"""The standing after each action of the stored play of each deal, and of its actions in the other order."""


@pytest.mark.parametrize("is_summed", [False, True])
def test_the_way_decides_where_an_answer_is_summed_over_it(
    player_page: Page, tmp_path: Path, is_summed: bool
) -> None:
    """At the end of the stored play it was still possible, and so it was after a way with another sum."""
    file = tmp_path / "heaps.yaml"
    summed = HEAPS.replace("  least: taken\n", "  least: left\n  summed-over: plies\n")
    file.write_text(summed if is_summed else HEAPS, encoding="utf-8")
    game = rulespec.load(str(file))
    file_of(game).write_text(generate(str(file), 6, [], "fewest", jobs=1).to_json(), encoding="utf-8")
    player_page.add_script_tag(content=bundle_script("heaps", game))
    shelf = "".join(re.findall(r"<ul.*?</ul>", puzzles(game, Links()).markdown))
    found = player_page.evaluate(STANDINGS, ["heaps", shelf])
    assert found
    for best, other in zip(found[::2], found[1::2], strict=True):
        assert {*best[:-1]} == {"Still possible"}
        assert best[-1] == "You have reached it"
        assert {*other[:-1]} == {"not known" if is_summed else "Still possible"}
        assert other[-1] == ("" if is_summed else best[-1])


ENDS = """\
rulespec: 1
id: ends
title: Ends
players: 2
rules:
- id: board
  prose: There are twelve places, and each player has a card.
  formal: |
    type Place = 1..12
    type Card = 1..2
    state stone: map Place -> Player? = none
    state number: 0..12 = 0
    hidden state card: map Player -> Card? = 1
  sees: card[viewer]
- id: put
  prose: Put a stone on a free place.
  action: p in Place where stone[p] is none
  written: "{p}"
  do: |
    stone[p] := mover
    add 1 to number
    give the turn to after(mover)
- id: bare
  prose: All stones have gone.
  end: number > 2 and every p in Place satisfies stone[p] is none
- id: row
  prose: Three stones of a player are in a row.
  end: some p in 1..10, q in Player satisfies stone[p] = q and stone[p + 1] = q and stone[p + 2] = q
- id: last
  prose: Somebody with a card has put a stone on the last place.
  end: stone[12] is some and card[1] is some
"""


def witness(page: Page, text: str, folder: Path, plays: list[str]) -> Any:
    """The names of what the end of a play rests on."""
    file = folder / "ends.yaml"
    file.write_text(text, encoding="utf-8")
    page.add_script_tag(content=bundle_script("ends", rulespec.load(str(file))))
    return page.evaluate(
        """(plays) => {
          const game = rulespec.load(rulespec.bundles.ends), random = rulespec.randomNumbers(1);
          let state = game.start(random);
          for (const text of plays) state = game.play(state, game.read(state, text), random);
          return (game.witness(state) || { names: null }).names;
        }""",
        plays,
    )


@pytest.mark.parametrize(
    ("plays", "marked"),
    [
        ("1 7 2 8 5 10 3", "1 2 3"),
        ("1 7 2 8 4 10 3", "1 2 3 4"),
        ("1 7 2 8 4 10 5 11 3", "1 2 3 4 5"),
        ("1 12", "12"),
    ],
)  # fmt: skip
def test_an_end_rests_on_all_lines_of_its_clause_and_on_nothing_hidden(
    player_page: Page, tmp_path: Path, plays: str, marked: str
) -> None:
    """Of two rows one was marked, none where an earlier clause held without them, and a hidden card was."""
    assert sorted(witness(player_page, ENDS, tmp_path, plays.split()), key=int) == marked.split()
