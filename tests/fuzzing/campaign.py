"""Hostile inputs in several processes, each of which is renewed now and then; resumable."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

import campaigns
from campaigns import Went

from . import corpus, inputs, running


@dataclass
class Campaign(campaigns.Campaign):
    """A campaign by its seed: what was done so far. Inputs are named `kind/number` and counted by kind."""

    BATCH: ClassVar[int] = 200
    SECONDS: ClassVar[float] = running.SECONDS

    def name_of(self, number: int) -> str:
        drawn = inputs.drawn(random.Random(f"{self.base}/{number}"))
        return f"{drawn}/{self.base}-{number}"

    def try_one(self, name: str) -> Went:
        kind, number = name.split("/", 1)
        failure = running.run(inputs.made(kind, number), self.SECONDS)
        return Went(Counter([kind]), {name: failure} if failure is not None else {})

    def warm(self) -> None:
        warm()

    def limit(self) -> None:
        running.limit()

    def _waiting(self, total: int) -> Iterator[tuple[int, int, int]]:
        for number in range(-(-total // self.BATCH)):
            if number not in self.batches:
                yield number, number * self.BATCH, min((number + 1) * self.BATCH, total)


def warm() -> None:
    """Load once all that workers need, before they are forked."""
    corpus.formal(random.Random(0))
    for load in (corpus.rulesets, corpus.large, corpus.variants, corpus.records, corpus.stores, corpus.maps):
        load()
    for argv in (
        ["check", "nim", "--again"],
        ["simulate", "nim", "--games", "1", "--jobs", "1", "--no-store"],
    ):
        running.run(inputs.Input(argv), seconds=600)
