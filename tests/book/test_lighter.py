"""Lighter pages: drawings that share runs of marks stay the same; folded plays lie beside the page."""

from __future__ import annotations

import json
import re

from hypothesis import given
from hypothesis import strategies as st

from rulespec.book.examples.render import details, trace
from rulespec.book.output.lighter import lighter
from rulespec.book.output.sharing import DRAWING, share_runs, split
from rulespec.play.face import load

USE = re.compile(r'<use href="#([^"]+)"/>')


def unshared(text: str) -> str:
    """The text with each use of a run replaced by the run."""
    runs = dict(re.findall(r'<g id="([^"]+)" class="rs-run">(.*?)</g><!--end-->', _closed(text), re.DOTALL))
    plain = re.sub(r'<g id="[^"]+" class="rs-run">(.*?)</g><!--end-->', r"\1", _closed(text), flags=re.DOTALL)
    return USE.sub(lambda match: runs[match[1]], plain)


def _closed(text: str) -> str:
    """The text with a comment after the end of each run, which may have groups in it."""
    out, depth, opened = "", 0, list[int]()
    for piece in re.split(r"(<g\b[^>]*>|</g>)", text):
        out += piece
        if piece.startswith("<g"):
            depth += 1
            opened += [depth] if "rs-run" in piece else []
        elif piece == "</g>":
            if opened and opened[-1] == depth:
                opened.pop()
                out += "<!--end-->"
            depth -= 1
    return out


def page_of(drawings: list[list[str]]) -> str:
    return "".join(f'<svg class="rs-diagram" id="d">{"".join(marks)}</svg>\n' for marks in drawings)


SQUARES = [f'<rect class="g" x="{22 * i}" y="0" width="44" height="44"/>' for i in range(8)]
MARKS = [*SQUARES, '<g class="n"><circle r="3"/><g><text x="1">a</text></g></g>', '<text class="c">b</text>']


@given(st.lists(st.lists(st.sampled_from(MARKS), max_size=12), max_size=6))
def test_shared_drawings_are_the_same_drawings(drawings: list[list[str]]) -> None:
    text = page_of(drawings)
    assert unshared(share_runs(text, "run-")) == text


def test_boards_that_differ_in_a_piece_share_their_ground() -> None:
    boards = [[*SQUARES, f'<circle cx="{i}" r="9"/>'] for i in range(20)]
    light = share_runs(page_of(boards), "run-")
    assert light.count(SQUARES[0]) == 1
    assert light.count("<use ") == 19
    assert len(light) < len(page_of(boards)) / 4


def test_marks_are_told_apart() -> None:
    assert split("".join(MARKS)) == MARKS
    assert split("words" + MARKS[0]) is None, "a drawing of somebody else is left alone"


def test_drawings_of_a_folded_play_are_in_a_script_beside_the_page() -> None:
    state = load("tic-tac-toe").start()
    states = [state]
    for _ in range(3):
        states.append(states[-1].play(str(next(iter(states[-1].actions())))))
    open_play, folded = trace(states, "A play"), details("Step through", trace(states, "A play"))
    html, scripts = lighter(open_play + folded, "game", "records/{}".format)
    assert len(DRAWING.findall(html)) == len(states), "the play that is not folded keeps its drawings"
    assert html.count('data-drawings="records/game-1.js"') == 1
    assert html.count("</code></p>") == 2 * 3, "the actions stay"
    (text,) = scripts.values()
    drawings = json.loads(text[text.index("= [") + 2 : text.rindex(";")])
    originals = [found[0] for found in DRAWING.finditer(open_play)]
    assert unshared("".join(drawings)) == "".join(originals)
