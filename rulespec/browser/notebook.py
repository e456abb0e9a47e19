"""A game to play in a notebook: the table of the pages as a widget, whose play Python reads."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Any

from ..book.drawing.style import stylesheet
from ..play.face import Game
from ..play.records.files import read_record, replay
from ..play.state import State
from .bundle import bundle
from .parts import drawing
from .scripts import light, player
from .settings import name_settings

STYLE = Path(__file__).parents[1] / "book" / "assets" / "player.css"
RENDERING = Path(__file__).parent / "notebook.js"


def widget(game: Game) -> Any:
    """Return the table of a game as a widget for Jupyter and whatever else shows anywidgets.

    The person at the notebook plays there, against the machine if there are several seats. `record` of the
    widget is the record of the play as text, after each action; setting it shows another play. `state` is
    the position at its end, replayed and checked by the interpreter.

    Raises:
        ImportError: anywidget is not installed.
        NotForPages: a page cannot play the game.

    Example:
        table = widget(rulespec.load("connect-four"))
        table  # shows it
        table.state.actions()  # once something was played
    """
    try:
        anywidget, traitlets = import_module("anywidget"), import_module("traitlets")
    except ImportError:
        raise ImportError("a table in a notebook needs anywidget: pip install 'rulespec[notebook]'") from None

    def state(self: Any) -> State:
        return [*replay(read_record(self.record), game)][-1] if self.record else game.start()

    setting = name_settings(game)
    manifest = {
        "id": game.id, "title": game.title, "script": "", "rules": "",
        "settings": [setting.to_data() | {"file": ""}],
    }  # fmt: skip
    members = {
        "_esm": player() + light(RENDERING.read_text(encoding="utf-8")),
        "_css": stylesheet() + STYLE.read_text(encoding="utf-8"),
        "manifest": traitlets.Dict(manifest).tag(sync=True),
        "bundle": traitlets.Dict(bundle(game, drawing(game.core))).tag(sync=True),
        "record": traitlets.Unicode("").tag(sync=True),
        "state": property(state),
    }
    return type("Table", (anywidget.AnyWidget,), members)()
