"""The command line of campaigns: begun with a seed that is printed, gone on with where they were."""

from __future__ import annotations

import argparse
import os
import secrets
import sys
from pathlib import Path

from campaigns import Some


def arguments_of(prog: str, what: str, total: int, folder: str, again: str) -> argparse.ArgumentParser:
    """The options that all campaigns have; `what` says of what there are `total` by default."""
    parser = argparse.ArgumentParser(prog=prog)
    parser.add_argument(
        f"--{what}", dest="total", type=int, default=total, help="how many (default: %(default)s)"
    )
    jobs = os.cpu_count() or 1
    parser.add_argument("--jobs", type=int, default=jobs, help="processes (default: %(default)s)")
    parser.add_argument("--seed", help="what all is drawn from (default: a fresh one, printed)")
    parser.add_argument("--folder", type=Path, default=Path(folder), help="where the campaign is kept")
    parser.add_argument("--fresh", action="store_true", help="begin anew, do not go on")
    parser.add_argument("--again", metavar=again, help="try one thing once more, and keep its files")
    return parser


def run(kind: type[Some], what: str, arguments: argparse.Namespace) -> Some:
    """Run a campaign as the command line says, from where it was; failures are printed as they come."""
    arguments.folder.mkdir(parents=True, exist_ok=True)
    kept = arguments.folder / "campaign.json"
    if kept.exists() and not arguments.fresh and not arguments.seed:
        campaign = kind.read(kept)
        print(f"goes on behind {campaign.tally.total:,} {what} of seed {campaign.base}", file=sys.stderr)
    else:
        campaign = kind(arguments.seed or secrets.token_hex(4))
        print(f"seed {campaign.base}", file=sys.stderr)
    os.environ["RULESPEC_CACHE"] = str(arguments.folder.resolve() / "cache")
    shown = set(campaign.tally.failures)

    def finished(so_far: Some) -> None:
        so_far.write(kept)
        for name in so_far.tally.failures.keys() - shown:
            shown.add(name)
            failure = so_far.tally.failures[name]
            print(f"\n{name}: {failure.kind}\n{failure.text}", flush=True)
        if sys.stderr.isatty():
            print(f"\r{so_far.tally.total:,} {what}, {len(shown)} failures", end="", file=sys.stderr)

    campaign.run(arguments.total, arguments.jobs, finished)
    return campaign


def told(campaign: Some) -> int:
    """Print how much work a campaign was and how many failures it had; the exit status."""
    tally = campaign.tally
    print(f"{tally.work:,.0f} s of work, the slowest {tally.slowest:.1f} s ({tally.slowest_name})")
    print(f"{len(tally.failures)} failures")
    return 1 if tally.failures else 0
