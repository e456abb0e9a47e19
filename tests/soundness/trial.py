"""One random game with its claims: made from its seed, and everything said of it held against the truth."""

from __future__ import annotations

import random
import tempfile
import time
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import NamedTuple

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import UNDECIDED
from rulespec.language import load
from rulespec.solver.explore.state_space import forget

from . import dealt, deciding
from .claiming import Claimer
from .coverage import OF_POSITIONS, used, used_by_positions, used_by_rules
from .deciding import FORGED, asked_kinds, deals_of, decisions, known_truths, of_deals, usual
from .direction import ALIKE, ANY, CARDS, CHANCY, DEALS, OPEN, ROUNDABOUT, SEEN, Direction
from .forging import passing_for_another_deal, passing_forgeries
from .meanings import differences
from .resources import splitting
from .rulesets import generated
from .space import Space, TooLarge

NAME = "random-game"
"""The name of each random ruleset."""
MOST, MOST_EDGES = 20_000, 120_000
"""The most positions of a game that is asked about, and outcomes of plies in it."""
EDGES = 6
"""The same for each position where games of a size are made."""
MOST_TRIES, MOST_DIRECTED_TRIES = 20, 60
"""The most games that are made until one is of use, and until one is as it is favoured."""
ODD = 0.03
"""The share of games with fewer positions than their size has that are of use all the same."""
CLAIMS = 12
"""The number of claims about a game."""
SECONDS, SECONDS_EACH = 6.0, 0.02
"""Processor time after which no further method is asked about a game, and more of it for each position.

A few games in a hundred have formulas so wide that they would take most of the time of a campaign.
"""
MEANINGS = "meanings"
"""In the place of a method: the meanings of each game are compared."""
COMPARED = 0.4
"""The share of games of which the meanings are compared with each other."""
OPEN_CHOICES = 0.3
"""The share of games in whose formulas choices stay open."""
OF_A_DEAL = 0.5
"""The share of games with several deals of which one is asked about by itself, too."""
USED = "games with "
"""The beginning of the names of figures that count games by the parts of the language that they use."""
TRUTHS = "claims with a truth: "
"""The beginning of the names of figures that count claims of which the truth is known, by kind."""
RECHECK = "evidence gone through: "
"""The beginning of the names of figures that count evidence by its kind."""
FORGERIES = 0.15
"""The share of games of which forged verdicts are given to the judge."""
RECHECKED = 0.5
"""The share of answers whose evidence is gone through."""


class Size(NamedTuple):
    """A size of games: the share of games that have it, their scales (see `Outline`), and their positions."""

    share: float
    scales: tuple[int, ...]
    fewest: int
    most: int


SIZES = (
    Size(0.90, (0, 0, 1), 4, 2_000),
    Size(0.085, (1, 2), 25, 600),
    Size(0.013, (2, 3), 300, 3_000),
    Size(0.002, (3,), 3_000, 20_000),
)


DIRECTIONS: tuple[tuple[float, Direction], ...] = (
    (0.50, ANY),
    (0.20, CARDS),
    (0.12, OPEN),
    (0.02, ROUNDABOUT),
    (0.05, CHANCY),
    (0.03, SEEN),
    (0.03, DEALS),
    (0.05, ALIKE),
)
"""The directions of games, each with its share of them."""


@dataclass(frozen=True)
class Disagreement:
    """Something that contradicts the truth: what was asked of which claim, and how it came out.

    Without a claim it is a meaning of the rules, named by `method`, that is not the interpreter's. It was met
    with `open_choices` where formulas left choices open that they else split.
    """

    claim: str
    kind: str
    method: str
    text: str
    open_choices: bool = False


@dataclass
class Trial:
    """The result of one game: its text, decisions by method and kind, other figures, and disagreements."""

    text: str = ""
    decided: Counter[tuple[str, str]] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    wrong: list[Disagreement] = field(default_factory=list)


def ruleset(seed: str, folder: Path, direction: Direction | None = None) -> str | None:
    """The text of the random ruleset of a seed with its claims; None where it is of no use.

    Without a direction one of `DIRECTIONS` is taken.
    """
    rng = random.Random(seed)
    if direction is None:
        direction = rng.choices([way for _, way in DIRECTIONS], [share for share, _ in DIRECTIONS])[0]
    if direction.dealt:
        return dealt.text_of(rng.randrange(10**9), folder)
    size = rng.choices(SIZES, [size.share for size in SIZES])[0]
    for _ in range(MOST_TRIES if direction is ANY else MOST_DIRECTED_TRIES):
        text, outline = generated(rng, NAME, rng.choice(size.scales), direction)
        space = _of_use(text, folder, size, direction, rng)
        if space is not None:
            break
    else:
        return None
    if _only_meanings():
        return text
    claims = Claimer(rng, text, outline, space, folder).claims(CLAIMS, direction.claims)
    return text + "claims:\n" + "\n".join(claims) + "\n" if claims else None


def _of_use(text: str, folder: Path, size: Size, direction: Direction, rng: random.Random) -> Space | None:
    """The positions of a game that is well formed, of its size and as it is favoured; None of any other."""
    path = folder / f"{NAME}.yaml"
    path.write_text(text, "utf-8")
    uses, lacks = set(direction.uses), set(direction.lacks)
    try:
        game = load(path)
        found = used_by_rules(text, game)
        if uses - found - OF_POSITIONS or lacks & found:
            return None
        most = min(size.most, direction.most)
        space = Space(game, most, EDGES * most)
    except (RulesetError, TooLarge):
        return None
    found |= used_by_positions(space)
    if uses - found or lacks & found:
        return None
    large = len(space) >= max(size.fewest, direction.fewest)
    return space if large or (not direction.fewest and rng.random() < ODD) else None


def _only_meanings() -> bool:
    """True if no method is asked."""
    return frozenset((MEANINGS,)) == deciding.ASKED


def tried(seed: str, proved: float = 0.0, direction: Direction | None = None) -> Trial:
    """Make the game of a seed, of a direction if any, and hold all that is said of it against the truth.

    A share `proved` of the games is decided and gone through again as users do it, too, which takes longer.
    """
    with tempfile.TemporaryDirectory(prefix="soundness-") as folder:
        text = ruleset(seed, Path(folder), direction)
        if text is None:
            return Trial(beside=Counter({"left out": 1}))
        try:
            rng = random.Random(f"{seed} checked")
            open_choices = rng.random() < OPEN_CHOICES or (direction or ANY).open_choices
            return judged(text, Path(folder), rng, proved, open_choices)
        except TooLarge:
            return Trial(beside=Counter({"left out": 1}))


def judged(text: str, folder: Path, rng: random.Random, proved: float, open_choices: bool) -> Trial:
    """Hold all that is said of a ruleset's claims against the truth. Raises RulesetError, TooLarge."""
    with splitting(open_choices):
        trial = _judged(text, folder, rng, proved)
    trial.wrong = [replace(one, open_choices=open_choices) for one in trial.wrong]
    return trial


def _judged(text: str, folder: Path, rng: random.Random, proved: float) -> Trial:
    path = folder / f"{NAME}.yaml"
    path.write_text(text, "utf-8")
    space = Space(load(path), MOST, MOST_EDGES)
    truths = {} if _only_meanings() else known_truths(space, asked_kinds())
    trial = Trial(
        text, beside=Counter({"games": 1, "positions": len(space), "claims": len(space.game.claims)})
    )
    trial.beside.update(f"{TRUTHS}{space.game.claims[name].kind}" for name in truths)
    trial.beside.update(f"{USED}{part}" for part in used(text, space, truths))
    loader, checked = partial(load, path), lambda: rng.random() < RECHECKED
    said = [decisions(space, truths, checked)]
    if len(space.starts) > 1 and rng.random() < OF_A_DEAL:
        trial.beside[f"{USED}a deal by itself"] += 1
        said.append(of_deals(space, [rng.choice(deals_of(space))], checked))
    if rng.random() < proved:
        said.append(usual(space, truths, loader))
    until = time.process_time() + SECONDS + SECONDS_EACH * len(space)
    for one in chain(*said):
        if one.wrong:
            trial.wrong.append(Disagreement(one.claim, one.kind, one.name, one.wrong))
        if one.outcome in (UNDECIDED, "raised"):
            trial.beside[one.outcome] += 1
        else:
            trial.decided[one.name, one.kind] += 1
            trial.beside["gone through again"] += bool(one.checked)
            trial.beside.update(f"{RECHECK}{kind}" for kind in one.checked)
        if time.process_time() > until:
            trial.beside["cut short"] += 1
            break
    if FORGED in deciding.ASKED or (rng.random() < FORGERIES and not deciding.ASKED):
        forged = [passing_forgeries(space, truths, rng)]
        if len(space.starts) > 1:
            forged.append(passing_for_another_deal(space, deals_of(space), rng))
        for claim, seen, problem in chain(*forged):
            trial.beside["forged verdicts"] += seen
            if problem:
                trial.wrong.append(Disagreement(claim.id, claim.kind, FORGED, problem))
    forget()
    if MEANINGS in deciding.ASKED or (rng.random() < COMPARED and not deciding.ASKED):
        trial.beside["meanings compared"] += 1
        trial.wrong += meanings_differ(space.game)
    return trial


def meanings_differ(game: Game) -> list[Disagreement]:
    """Meanings of a game that are not that of the interpreter."""
    return [Disagreement("", "meaning", name, why) for name, why in differences(game)]


def figures(decided: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Decisions by method and kind, under one name each."""
    return {f"{method} / {kind}": number for (method, kind), number in decided.items()}
