"""Play random games of the classics anew and keep their lengths in `lengths.json`: `make lengths`.

    python tests/rulesets/lengths.py [NAME ...]

Game number n draws from seed n, every legal action being as likely as any other; its length is the number
of its actions, a pass counted. Kept are how many games had which length, the first of them in order, and
the SHA-256 of all of them in order, separated by spaces.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections import Counter
from pathlib import Path
from statistics import fmean, stdev
from typing import Any

from playouts import random_playout

from rulespec.core.storage.atomic_files import write_text
from rulespec.play.face import load

STORE = Path(__file__).with_name("lengths.json")
GAMES = {"tic-tac-toe": 20_000, "connect-four": 10_000, "breakthrough": 2_000, "hex": 1_000, "othello": 1_000}
"""How many games: enough for a standard error that can tell rules apart, in about ten minutes in all."""
FIRST = 40
"""How many lengths are kept in order."""


def lengths(name: str, games: int) -> list[int]:
    """The number of actions in each of the first random games."""
    game = load(name)
    return [len(random_playout(game, seed).plays) for seed in range(games)]


def sample(found: list[int]) -> dict[str, Any]:
    """What is kept of these lengths."""
    return {
        "games": len(found),
        "mean": round(fmean(found), 4),
        "standard error": round(stdev(found) / len(found) ** 0.5, 4),
        "lengths": {str(length): count for length, count in sorted(Counter(found).items())},
        "first": found[:FIRST],
        "sha256": hashlib.sha256(" ".join(map(str, found)).encode()).hexdigest(),
    }


def main() -> None:
    """Play the games that are named, or all, and write what was found."""
    kept = json.loads(STORE.read_text("utf-8")) if STORE.exists() else {}
    for name in sys.argv[1:] or GAMES:
        kept[name] = sample(lengths(name, GAMES[name]))
        print(name, kept[name]["mean"], "+-", kept[name]["standard error"], flush=True)
        text = "".join(f' "{n}": {json.dumps(kept[n])},\n' for n in GAMES if n in kept)
        write_text(STORE, "{\n" + text.rstrip(",\n") + "\n}\n")


if __name__ == "__main__":
    main()
