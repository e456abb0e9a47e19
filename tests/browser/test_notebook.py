"""A table in a notebook: its play is a record that Python replays, and Python shows it another one."""

from __future__ import annotations

import sys
from types import ModuleType
from typing import Any

import pytest
from playwright.sync_api import Page

import rulespec
from rulespec.browser.notebook import widget

RENDERED = """async ([text, traits, record]) => {
  const heard = {}, asked = [];
  const model = {
    get: (name) => traits[name],
    set: (name, value) => { traits[name] = value; },
    save_changes: () => asked.push(traits.record),
    on: (name, act) => { heard[name] = act; },
  };
  const module = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const el = document.createElement("div");
  document.body.append(el);
  const close = await module.default.render({ model, el });
  const table = el.firstChild.rulespecTable;
  table.seats.kinds.fill("person");
  table.seated();
  for (let i = 0; i < 3; i++) el.querySelector(".rs-action-list button").click();
  const played = traits.record, saved = asked.length;
  traits.record = record;
  heard["change:record"]();
  await new Promise((done) => setTimeout(done));
  const at = table.play.at;
  close();
  return [played, saved, at, el.querySelector("svg")];
}"""
"""Renders a widget as a notebook does, with a model of its own; plays three actions, then shows a record."""


FITS = """async ([text, style, traits]) => {
  const model = { get: (name) => traits[name], set() {}, save_changes() {}, on() {} };
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const module = await import(URL.createObjectURL(new Blob([text], { type: "text/javascript" })));
  const el = document.createElement("div");
  el.style.cssText = "width: 600px; line-height: 1.3";
  document.body.append(el);
  await module.default.render({ model, el });
  const box = (name) => el.querySelector(name).getBoundingClientRect();
  return [
    box(".rs-player").right - box(".rs-player input").right,
    box(".rs-scene svg").top - box(".rs-spots").top,
  ];
}"""
"""Renders a widget where no style but its own holds; the room beside its field, and above its drawing."""


class AnyWidget:
    """What a widget of a notebook is in Python."""


class Trait:
    """A trait: here its default itself."""

    def __init__(self, default: Any) -> None:
        self.default = default

    def tag(self, **_: Any) -> Any:
        return self.default


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Modules in place of anywidget and traitlets, which tests do not need."""
    anywidget, traitlets = ModuleType("anywidget"), ModuleType("traitlets")
    anywidget.AnyWidget = AnyWidget  # type: ignore[attr-defined]
    traitlets.Dict = traitlets.Unicode = Trait  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "anywidget", anywidget)
    monkeypatch.setitem(sys.modules, "traitlets", traitlets)


@pytest.mark.usefixtures("installed")
def test_a_table_in_a_notebook_gives_its_play_and_shows_another(player_page: Page) -> None:
    game = rulespec.load("tic-tac-toe")
    table = widget(game)
    assert table.state.actions() == game.start().actions()
    other = game.start().play("put 2.2").play("put 1.1")
    traits = {"manifest": table.manifest, "bundle": table.bundle, "record": ""}
    found = player_page.evaluate(RENDERED, [table._esm, traits, other.record().to_json()])
    table.record, saved, at, left = found
    assert len(table.state.plays) == saved == 3
    assert at == 2
    assert left is None, "nothing is left when the output goes"


@pytest.mark.usefixtures("installed")
def test_a_table_in_a_notebook_needs_no_style_of_a_page(player_page: Page) -> None:
    table = widget(rulespec.load("connect-four"))
    traits = {"manifest": table.manifest, "bundle": table.bundle, "record": ""}
    player_page.set_content('<!DOCTYPE html><meta charset="utf-8"><body>')
    room, gap = player_page.evaluate(FITS, [table._esm, table._css, traits])
    assert room >= 0, "the field to type in is not cut off"
    assert abs(gap) < 1, "the places to click lie on the drawing"


def test_without_anywidget_one_reads_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "anywidget", None)
    with pytest.raises(ImportError, match=r"pip install 'rulespec\[notebook\]'"):
        widget(rulespec.load("nim"))
