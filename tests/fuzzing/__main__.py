"""`python -m fuzzing`: a campaign of hostile inputs, and single inputs of it again.

Exit status 0 if nothing failed, 1 if anything did.
"""

from __future__ import annotations

import sys
from pathlib import Path

from campaign_runs import arguments_of, run, told

from . import inputs, running
from .campaign import Campaign


def main() -> int:
    """Run the campaign or the inputs that the command line names."""
    arguments = arguments_of("fuzzing", "inputs", 300_000, "build/fuzz", "KIND/NUMBER").parse_args()
    if arguments.again:
        return _again(arguments.again, arguments.folder)
    campaign = run(Campaign, "inputs", arguments)
    tally = campaign.tally
    kinds = ", ".join(f"{number:,} {kind}" for kind, number in tally.counts.most_common())
    print(f"{tally.total:,} inputs (seed {campaign.base}): {kinds}")
    return told(campaign)


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
