"""`python -m soundness`: a campaign of random games, and single games of it again.

Exit status 0 if nothing contradicted the truth, 1 if anything did.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from campaign_runs import arguments_of, run, told

from . import campaign
from .campaign import Soundness, keep, prepare
from .coverage import table
from .trial import RECHECK, TRUTHS, USED, tried


def main() -> int:
    """Run what the command line says."""
    arguments = arguments_of("soundness", "decisions", 100_000, "build/soundness", "SEED").parse_args()
    campaign.FOLDER = arguments.folder
    if arguments.again:
        return _again(arguments.again)
    found = run(Soundness, "decisions", arguments)
    _table(found.tally.counts)
    _tables(found.tally.counts, found.tally.beside)
    print(f"{found.tally.total:,} decisions (seed {found.base})")
    return told(found)


def _table(counts: Counter[str]) -> None:
    """Decisions by kind of claim, each with its methods."""
    kinds: dict[str, Counter[str]] = {}
    for name, number in counts.items():
        method, _, kind = name.partition(" / ")
        kinds.setdefault(kind, Counter())[method] += number
    for kind, methods in sorted(kinds.items()):
        listed = ", ".join(f"{method} {number:,}" for method, number in methods.most_common())
        print(f"{kind.replace('_', '-')}: {methods.total():,} ({listed})")


def _tables(counts: Counter[str], beside: Counter[str]) -> None:
    """Decisions by method, evidence by kind, games by the parts of the language, and the other figures."""
    methods: Counter[str] = Counter()
    for name, number in counts.items():
        methods[name.partition(" / ")[0]] += number
    print("methods: " + _listed(methods))
    print("claims of which the truth is known: " + _listed(_under(TRUTHS, beside)))
    print("evidence that was gone through: " + _listed(_under(RECHECK, beside)))
    print("games that use, the rarest first: " + table(_under(USED, beside)))
    others = {k: v for k, v in beside.items() if not k.startswith((RECHECK, TRUTHS, USED))}
    print("besides: " + _listed(Counter(others)))


def _under(beginning: str, counts: Counter[str]) -> Counter[str]:
    return Counter({k.removeprefix(beginning): v for k, v in counts.items() if k.startswith(beginning)})


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {number:,}" for name, number in counts.most_common())


def _again(seed: str) -> int:
    prepare()
    trial = tried(seed)
    folder: Path = campaign.FOLDER
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{seed}.yaml"
    path.write_text(trial.text, "utf-8")
    print(f"{path}: {trial.decided.total()} decisions")
    for one in trial.wrong:
        print(f"\n{one.claim} ({one.kind}) by {one.method}: {one.text}\n{keep(seed, trial.text, one)}")
    print(f"{len(trial.wrong)} contradictions")
    return 1 if trial.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
