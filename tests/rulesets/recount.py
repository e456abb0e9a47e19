"""Count the action sequences of shipped rulesets anew; read the difference before you commit it.

    python tests/rulesets/recount.py [NAME ...]

`perft.json` beside a ruleset holds, for it and for each of its variants, under `counts` how many sequences
of 1, 2, … actions there are from the start that a seed gives. A count that changes without a change of
rules is a slip somewhere. What others counted stands under `elsewhere`, each table with its `source` and the
`parameters` that it is for; that is left as it is.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from rulespec.core.storage.atomic_files import write_text
from rulespec.language import shipped_rulesets
from rulespec.play.face import load
from rulespec.play.perft import perft

SEED = 0
MOST_SEQUENCES = 1500
"""The largest count that is kept, but for that of the first action."""
MOST_DEPTH = 9


def table_of(name: str) -> Path:
    """The file that holds the counts of a shipped ruleset or variant."""
    path = shipped_rulesets()[name]
    return (path.parent if path.name == "ruleset.yaml" else path.parent.parent) / "perft.json"


def counted(name: str) -> dict[str, int]:
    """The counts of a ruleset by depth."""
    game, kept = load(name), perft(load(name), 1, SEED)
    for depth in range(2, MOST_DEPTH + 1):
        counts = perft(game, depth, SEED)
        if counts[depth] > MOST_SEQUENCES:
            break
        kept = counts
    return {str(depth): count for depth, count in kept.items()}


def main() -> None:
    """Write the tables of the rulesets that are named, or of all."""
    wanted = sys.argv[1:] or [*shipped_rulesets()]
    tables: dict[Path, dict[str, dict[str, Any]]] = {}
    for name in shipped_rulesets():
        path = table_of(name)
        if path in {table_of(other) for other in wanted}:
            kept = json.loads(path.read_text("utf-8")) if path.is_file() else {}
            others = {key: value for key, value in kept.get(name, {}).items() if key == "elsewhere"}
            tables.setdefault(path, {})[name] = {"counts": counted(name), **others}
    for path, table in tables.items():
        write_text(path, json.dumps(table, indent=1) + "\n")


if __name__ == "__main__":
    main()
