"""One random game with its claims: made from its seed, and everything said of it held against the truth."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import UNDECIDED
from rulespec.language import load

from . import dealt
from .claiming import Claimer
from .deciding import decisions, known_truths, usual
from .meanings import differences
from .rulesets import generated
from .space import Space, TooLarge

NAME = "random-game"
"""The name of each random ruleset."""
FEWEST, MOST, MOST_EDGES = 4, 2_000, 12_000
"""Positions of a game that is worth asking about, and outcomes of plies in it."""
MOST_TRIES = 20
"""The most games that are made until one is of use."""
ODD = 0.03
"""The share of games with fewer positions that are of use all the same."""
DEALT = 0.2
"""The share of games that are made by `dealt`."""
CLAIMS = 12
"""The number of claims about a game."""
COMPARED = 0.4
"""The share of games of which the meanings are compared with each other."""
RECHECKED = 0.5
"""The share of answers whose evidence is gone through."""


@dataclass(frozen=True)
class Disagreement:
    """Something that contradicts the truth: what was asked of which claim, and how it came out.

    Without a claim it is a meaning of the rules, named by `method`, that is not the interpreter's.
    """

    claim: str
    kind: str
    method: str
    text: str


@dataclass
class Trial:
    """The result of one game: its text, decisions by method and kind, other figures, and disagreements."""

    text: str = ""
    decided: Counter[tuple[str, str]] = field(default_factory=Counter)
    beside: Counter[str] = field(default_factory=Counter)
    wrong: list[Disagreement] = field(default_factory=list)


def ruleset(seed: str, folder: Path) -> str | None:
    """The text of the random ruleset of a seed with its claims; None where it is of no use."""
    rng = random.Random(seed)
    if rng.random() < DEALT:
        return dealt.text_of(rng.randrange(10**9), folder)
    path = folder / f"{NAME}.yaml"
    for _ in range(MOST_TRIES):
        text, outline = generated(rng, NAME)
        path.write_text(text, "utf-8")
        try:
            space = Space(load(path), MOST, MOST_EDGES)
        except (RulesetError, TooLarge):
            continue
        if len(space) >= FEWEST or rng.random() < ODD:
            break
    else:
        return None
    claims = Claimer(rng, text, outline, space, folder).claims(CLAIMS)
    return text + "claims:\n" + "\n".join(claims) + "\n"


def tried(seed: str, proved: float = 0.0) -> Trial:
    """Make the game of a seed, and hold all that is said of it against the truth.

    A share `proved` of the games is decided and gone through again as users do it, too, which takes longer.
    """
    with tempfile.TemporaryDirectory(prefix="soundness-") as folder:
        text = ruleset(seed, Path(folder))
        if text is None:
            return Trial(beside=Counter({"left out": 1}))
        try:
            return judged(text, Path(folder), random.Random(f"{seed} checked"), proved)
        except TooLarge:
            return Trial(beside=Counter({"left out": 1}))


def judged(text: str, folder: Path, rng: random.Random, proved: float = 0.0) -> Trial:
    """Hold all that is said of a ruleset's claims against the truth. Raises RulesetError, TooLarge."""
    path = folder / f"{NAME}.yaml"
    path.write_text(text, "utf-8")
    space = Space(load(path), MOST, MOST_EDGES)
    truths = known_truths(space)
    trial = Trial(
        text, beside=Counter({"games": 1, "positions": len(space), "claims": len(space.game.claims)})
    )
    trial.beside["claims of which the truth is known"] += len(truths)
    said = [decisions(space, truths, partial(load, path), lambda: rng.random() < RECHECKED)]
    if rng.random() < proved:
        said.append(usual(space, truths, partial(load, path)))
    for one in chain(*said):
        if one.wrong:
            trial.wrong.append(Disagreement(one.claim, one.kind, one.name, one.wrong))
        if one.outcome in (UNDECIDED, "raised"):
            trial.beside[one.outcome] += 1
        else:
            trial.decided[one.name, one.kind] += 1
            trial.beside["gone through again"] += one.checked
    if rng.random() < COMPARED:
        trial.beside["meanings compared"] += 1
        trial.wrong += meanings_differ(space.game)
    return trial


def meanings_differ(game: Game) -> list[Disagreement]:
    """Meanings of a game that are not that of the interpreter."""
    return [Disagreement("", "meaning", name, why) for name, why in differences(game)]


def figures(decided: Mapping[tuple[str, str], int]) -> dict[str, int]:
    """Decisions by method and kind, under one name each."""
    return {f"{method} / {kind}": number for (method, kind), number in decided.items()}
