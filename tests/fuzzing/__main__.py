"""`python -m fuzzing`: a campaign of hostile inputs, and single inputs of it again.

Exit status 0 if nothing failed, 1 if anything did.
"""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

from . import inputs, running
from .campaign import Campaign


def main() -> int:
    """Run the campaign or the inputs that the command line names."""
    parser = argparse.ArgumentParser(prog="fuzzing", description=__doc__)
    parser.add_argument("--inputs", type=int, default=300_000, help="how many in all (default: %(default)s)")
    parser.add_argument(
        "--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: %(default)s)"
    )
    parser.add_argument("--seed", help="what the inputs are drawn from (default: a fresh one, printed)")
    parser.add_argument("--folder", type=Path, default=Path("build/fuzz"), help="where the campaign is kept")
    parser.add_argument("--fresh", action="store_true", help="begin anew, do not go on")
    parser.add_argument("--again", metavar="KIND/NUMBER", help="run one input once more, and keep its files")
    arguments = parser.parse_args()
    if arguments.again:
        return _again(arguments.again, arguments.folder)
    arguments.folder.mkdir(parents=True, exist_ok=True)
    kept = arguments.folder / "campaign.json"
    if kept.exists() and not arguments.fresh and not arguments.seed:
        campaign = Campaign.read(kept)
        print(f"goes on behind {campaign.tally.inputs:,} inputs of seed {campaign.base}", file=sys.stderr)
    else:
        campaign = Campaign(arguments.seed or secrets.token_hex(4))
    os.environ["RULESPEC_CACHE"] = str(arguments.folder.resolve() / "cache")
    shown = set(campaign.tally.failures)

    def finished(so_far: Campaign) -> None:
        so_far.write(kept)
        for name in so_far.tally.failures.keys() - shown:
            shown.add(name)
            failure = so_far.tally.failures[name]
            print(f"\n{name}: {failure.kind}\n{failure.text}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{so_far.tally.inputs:,} inputs, {len(shown)} failures", end="", file=sys.stderr)

    campaign.run(arguments.inputs, arguments.jobs, finished)
    tally = campaign.tally
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in tally.kinds.most_common())
    print(f"{tally.inputs:,} inputs (seed {campaign.base}): {kinds}")
    print(f"{tally.work:,.0f} s of work, the slowest {tally.slowest:.1f} s ({tally.slowest_input})")
    print(f"{len(tally.failures)} failures")
    return 1 if tally.failures else 0


def _again(name: str, folder: Path) -> int:
    kind, number = name.split("/", 1)
    made = inputs.made(kind, number)
    place = folder / kind / number
    place.mkdir(parents=True, exist_ok=True)
    made.write(place)
    (place / "stdin").write_bytes(made.stdin.encode("utf-8", "surrogatepass"))
    print(f"{place}: {made.argv}")
    failure = running.run(made)
    print(f"{failure.kind}\n{failure.text}" if failure else "nothing wrong")
    return 1 if failure else 0


if __name__ == "__main__":
    sys.exit(main())
