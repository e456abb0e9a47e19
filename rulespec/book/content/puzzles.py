"""The page of puzzles of a game: numbered deals with their best answers, one for each day, by difficulty.

Every play on it is replayed. An answer that its replay does not show by itself is called open.
"""

from __future__ import annotations

import zlib
from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ...core import nodes as n
from ...core.diagnostics import Diagnostic, RulesetError
from ...core.digest import of_claim
from ...core.evaluate import evaluate
from ...core.game import Claim
from ...core.storage.safe_reading import read_text
from ...core.traversal import assignments
from ...core.types import Int
from ...core.verdicts import beside
from ...core.verdicts.properties import Form, property_of
from ...language import locate
from ...play.face import Game, State
from ...play.plays import BadPlay, Play
from ...play.records.files import MOST_BYTES, Record, replay
from ...play.records.puzzles import Puzzle, Puzzles, read_puzzles
from ..examples import render
from .page import Links, Page, heading
from .playing import Playing

SUFFIX = "-puzzles"
"""The suffix after the id of the ruleset in the name of this page."""
NOTHING = "nothing"
"""The answer of a play that does not reach the goal."""
SHELVES = ("Easy", "Medium", "Hard")
"""The headings of equal parts of the puzzles, by the work of the search that measures difficulty."""


def file_of(game: Game) -> Path:
    """The file with the puzzles of a game, beside its verdicts."""
    return beside(locate(game.name).absolute()).with_name(f"{game.id}{SUFFIX}.json")


def puzzles(game: Game, links: Links) -> Page:
    """The page with the puzzles of a game; it has faults if they belong to other rules or fail a replay."""
    page, file = Page(""), file_of(game)
    playing = Playing(game, page, links)
    try:
        found = read_puzzles(read_text(file, MOST_BYTES), file.name)
    except (RulesetError, OSError, UnicodeDecodeError) as error:
        page.faults += error.diagnostics if isinstance(error, RulesetError) else [_fault(game, str(error))]
        return page
    claim = game.core.claims.get(found.claim)
    if claim is None or (found.digest, found.claim_digest) != (game.core.digest, of_claim(claim)):
        page.faults.append(_fault(game, "they were made for other rules, or another claim"))
        return page
    if not property_of(claim).is_asked_of_deals:
        page.faults.append(_fault(game, f"`{claim.id}` is no goal that a play could reach"))
        return page
    ordered = sorted(range(len(found.deals)), key=lambda i: found.deals[i].measures.get("work", 1 << 60))
    rises = " data-rises" if _never_falls(game, claim) else ""
    blocks = [*_front(game, claim, len(ordered), links), *playing.block()]
    for number, title in enumerate(SHELVES):
        first, last = (len(ordered) * n // len(SHELVES) for n in (number, number + 1))
        rows = [_row(game, claim, found, i, page) for i in ordered[first:last]]
        if rows:
            asked = f'data-claim="{claim.id}" data-sense="{claim.options.get("sense", "")}"{rises}'
            blocks += [
                heading(2, title, title.lower()),
                f'<ul class="rs-puzzles" {asked}>{"".join(rows)}</ul>',
            ]
    page.markdown = "\n\n".join(blocks) + "\n"
    return page


def _fault(game: Game, message: str) -> Diagnostic:
    return Diagnostic("record.value", f"the puzzles of `{game.id}`: {message}")


def _front(game: Game, claim: Claim, count: int, links: Links) -> Iterator[str]:
    """Yield the head of the page of puzzles."""
    book = links.page(game.id)
    title = render.escape(game.title)
    if book is not None:
        title = f'<a href="{render.escape(book.address)}">{title}</a>'
    yield heading(1, f"{game.title}: puzzles", game.id)
    lead = f"{count} deals of {title}, for which this is asked: {render.prose(claim.prose)}"
    yield f'<div class="rs-front"><p>{lead}</p></div>'
    yield f'<p class="rs-daily" data-count="{count}" hidden>The deal of today is <a></a>.</p>'
    yield (
        "<p>A link opens its deal in the player, and holds all of it. Difficulty is the number of actions "
        "that a search by the rules alone took before it found a best play. It was measured when the deals "
        "were chosen, and not again for this page.</p>"
    )


def _row(game: Game, claim: Claim, found: Puzzles, i: int, page: Page) -> str:
    """A puzzle: the link that opens it, its answer, its difficulty."""
    puzzle, start, name = found.deals[i], replace(found.record(i + 1), ruleset=game.id), f"Deal {i + 1}"
    try:
        play = _play(puzzle)
        record = start if play is None else replace(start, plays=play.plays, chance=play.chance)
        first, *later = replay(record, game)
        if first.position != next(replay(start, game)).position:
            raise BadPlay("its play is one of another deal")
    except (RulesetError, BadPlay) as error:
        page.faults.append(_fault(game, f"{name}: {error}"))
        return ""
    parts, known = [f'<a href="{_address(0, start)}">{name}</a>: '], ""
    if play is None:
        parts[0] += "open"
    else:
        shown, left, value = _answer(game, claim, [first, *later])
        actions = f"a play of {len(play.plays)} actions"
        parts[0] += f'{shown}, as <a href="{_address(len(play.plays), record)}">{actions}</a> shows'
        parts += [left] if left else []
        if shown != NOTHING:
            known = f' data-value="{value}" data-answer="{render.escape("; ".join([shown, *parts[1:]]))}"'
    if "work" in puzzle.measures:
        parts.append(f"difficulty {puzzle.measures['work']:,}")
    return f'<li id="deal-{i + 1}"{known}>{"; ".join(parts)}.</li>'


def _play(puzzle: Puzzle) -> Play | None:
    """The play that is evidence of the answer to a puzzle; None if there is none."""
    return Play.from_data(next(iter(puzzle.records.values()))) if puzzle.records else None


def _answer(game: Game, claim: Claim, states: Sequence[State]) -> tuple[str, str, str]:
    """The answer that the states of a play show, the open question in words, and the value.

    The play shows that a goal or a value is reached. It shows that no value is better only if that value is
    the end of its range.
    """
    machine, asked = game.machine, property_of(claim)
    situations = [machine.situation(state.position) for state in states]
    goal = claim.when if asked.form is Form.OPTIMUM else claim.condition
    if goal is not None and not machine.holds(goal, situations[-1]):
        return NOTHING, "whether it can be done is open", ""
    if asked.form is not Form.OPTIMUM or claim.condition is None:
        return "it can be done", "", ""
    is_summed = "summed-over" in claim.options
    value = sum(evaluate(claim.condition, {}, s) for s in (situations[:-1] if is_summed else situations[-1:]))
    t, most = claim.condition.type, claim.options.get("sense") == "most"
    if isinstance(t, Int) and not is_summed and value == (t.hi if most else t.lo):
        return f"the {'most' if most else 'least'} is {value}", "", str(value)
    return f"{value} can be reached", "whether that is the best is open", str(value)


def _never_falls(game: Game, claim: Claim) -> bool:
    """True if a claim asks for the least value of a variable that no effect after the setup can lower."""
    asked = claim.condition
    if (
        claim.options.get("sense") != "least"
        or "summed-over" in claim.options
        or not isinstance(asked, n.Get)
        or not isinstance(asked.var.type, Int)
        or asked.var.always is not None
    ):
        return False
    effects = [e for e in game.core.roots if isinstance(e, n.Statement) and e is not game.core.setup]
    stores = [x for effect in effects for x in assignments(effect) if x.target is asked.var]
    return all(_is_no_less(x.value, asked.var, asked.var.type.hi, frozenset()) for x in stores)


def _is_no_less(e: n.Expr, var: n.StateVar, most: int, known: frozenset[n.Var]) -> bool:
    """True if an expression is certainly at least a variable with this maximum, as `known` locals are."""
    if isinstance(e, n.Add):
        pairs = (e.a, e.b), (e.b, e.a)
        more = (a for a, b in pairs if isinstance(b.type, Int) and b.type.lo >= 0)
        return any(_is_no_less(a, var, most, known) for a in more)
    if isinstance(e, n.Let):
        inner = known | {e.var} if _is_no_less(e.value, var, most, known) else known
        return _is_no_less(e.body, var, most, inner)
    if isinstance(e, n.If):
        return all(_is_no_less(part, var, most, known) for part in (e.then, e.otherwise))
    if isinstance(e, n.Const):
        return isinstance(e.value, int) and e.value >= most
    return (isinstance(e, n.Get) and e.var is var) or (isinstance(e, n.Local) and e.var in known)


def _address(at: int, record: Record) -> str:
    """The address that opens a record in the player of the page, after so many actions."""
    packer = zlib.compressobj(9, zlib.DEFLATED, -zlib.MAX_WBITS)
    packed = packer.compress(record.to_json().encode()) + packer.flush()
    return f"#play={at}~{urlsafe_b64encode(packed).decode().rstrip('=')}"
