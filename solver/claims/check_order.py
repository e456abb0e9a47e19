"""The order in which stored verdicts are checked: those with many readers and low costs come first.

Verdicts that rest on the same exploration are a group: they follow each other in one process, which explores
once, and share its cost. The others on one setting that cost about the same are a group, too, because they
share the loaded game and the translation of its rules. Costs and groups are derived from the evidence. They
decide the order and nothing else.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import log10

from rulespec.core.game import Game
from rulespec.core.verdicts import UNDECIDED, Evidence, Store, Verdict, setting_text
from rulespec.core.verdicts.lemmas import helpers_of
from rulespec.core.verdicts.properties import PROPERTIES, Form, Over
from rulespec.solver.certify import CertificateStore
from rulespec.solver.evidence.covering import KIND as COVERED
from rulespec.solver.evidence.replay import SHORTEST

POSITIONS_A_SECOND = 500_000
"""Approximate number of positions that code explores in a second."""
INTERPRETED_A_SECOND = 500
"""Approximate number of positions that the interpreter visits in a second."""
PLAYS_A_SECOND = 20
CERTIFIED_BYTES_A_SECOND = 1_000_000
"""Compressed bytes of certificates checked in a second."""
SPOT_CHECKING = 1.0
"""The seconds that the interpreter spends on a share of what code explores."""
TRANSLATING = 1.0
"""The approximate seconds for translating a question."""
GRAPHS = (Form.ENDS, Form.RECOVERABLE, Form.VALUE, Form.EXPECTATION)
"""The forms of claims decided by the graph of plays."""
CHEAPEST = 0.1
"""Costs up to this many seconds count as equal."""
STEPS = 3
"""Magnitudes in a power of ten of costs."""
MOST_GROUPED = STEPS
"""The magnitude up to which verdicts on one setting are a group; longer checks are spread over processes."""


LONG = 8
"""The magnitude, some five minutes, from which a check may begin first if there is no limit of time."""


class Audience(IntEnum):
    """The audience of a verdict; smaller numbers come first."""

    PLAYERS = 0
    """Players: the page of the game names the claim, or a claim that rests on it, under the default
    setting."""
    READERS_OF_DETAILS = 1
    """Readers of the exact page: the default readings and parameters with any number of players."""
    ONE_CHANGE = 2
    """Readers who ask about one other reading or parameter."""
    SEVERAL_CHANGES = 3


PATIENCE = {
    Audience.PLAYERS: 0,
    Audience.READERS_OF_DETAILS: 0,
    Audience.ONE_CHANGE: 3 * STEPS,
    Audience.SEVERAL_CHANGES: 4 * STEPS,
}
"""The delay of a check for an audience, in magnitudes of its cost."""


@dataclass(frozen=True)
class Place:
    """The place of a verdict on a ruleset in the order; see `check_order`."""

    audience: Audience
    magnitude: int
    """The magnitude of the cost."""
    claim: int
    """The number of the claim, in the order in which pages name them."""
    group: tuple[str, ...] = ()
    """A key for verdicts on one setting that rest on one exploration or cost about the same; empty for one
    that is in no group."""
    member: tuple[bool, int] = (False, 0)
    """The place in the group: claims whose exploration stores the graph of plays come first, because it
    serves all."""

    @property
    def urgency(self) -> int:
        """Smaller numbers come first: a check for readers of one change comes with the checks for players
        that cost a thousand times as much."""
        return self.magnitude + PATIENCE[self.audience]


Measured = Callable[[Verdict], float | None]
"""Gives the seconds that the check of a verdict has taken elsewhere, None if that is unknown."""


def check_order(
    verdicts: Sequence[Verdict],
    game: Game,
    store: Store,
    shelf: CertificateStore | None,
    measured: Measured = lambda verdict: None,
) -> list[Place]:
    """Return the place in the order of each verdict on a ruleset, given its default game.

    A verdict on which another rests has the audience of that one if it is more urgent. Measured costs are
    used where known.
    """
    audiences = {v.key: audience(v, game) for v in verdicts}
    for verdict in verdicts:
        _share_audience(verdict, audiences, store)
    number = {name: at for at, name in enumerate(game.claims)}
    took = {verdict.key: measured(verdict) for verdict in verdicts}
    groups = defaultdict[tuple[str, ...], list[Verdict]](list)
    for verdict in verdicts:
        groups[exploration_of(verdict)].append(verdict)
    for covered in (members for group, members in groups.items() if group[:1] == (COVERED,)):
        first = min(audiences[verdict.key] for verdict in covered)
        audiences |= {verdict.key: first for verdict in covered}

    def cost(verdict: Verdict, group: tuple[str, ...]) -> float:
        """An equal share of an exploration's cost for each of its claims; the first of them pays for it."""
        known = [took[v.key] for v in (groups[group] if group else [verdict])]
        seconds = [s for s in known if s is not None]
        return (sum(seconds) if len(seconds) == len(known) else check_cost(verdict, shelf)) / len(known)

    def place(verdict: Verdict) -> Place:
        claim, group = number.get(verdict.claim, len(number)), exploration_of(verdict)
        member, magnitude = (not _keeps_graph(verdict), claim), _magnitude(cost(verdict, group))
        if not group and magnitude <= MOST_GROUPED:
            group = verdict.key[2], str(magnitude)
        return Place(audiences[verdict.key], magnitude, claim, group, member)

    return [place(verdict) for verdict in verdicts]


def exploration_of(verdict: Verdict) -> tuple[str, ...]:
    """Return a key shared by verdicts that rest on one exploration, set of random plays, or question about
    all readings.

    It is empty for other verdicts. States that are compared with their images are explored for one claim
    alone.
    """
    for evidence in verdict.evidence:
        if evidence.kind == COVERED:
            open_ones = evidence.data["open"]
            fixed = {name: reading for name, reading in verdict.readings.items() if name not in open_ones}
            setting = setting_text(verdict.players, verdict.parameters, fixed)
            return COVERED, *verdict.key[:2], setting, *open_ones
        if evidence.kind == "sample":
            return (*verdict.key[::2], *(repr(evidence.data.get(name)) for name in ("games", "seed")))
    kind = PROPERTIES.get(verdict.kind)
    if kind is None or kind.over is not Over.POSITIONS:
        return ()
    for evidence in verdict.evidence:
        if evidence.kind == "exploration" and evidence.data.get("closed") is True:
            return (*verdict.key[::2], *(repr(evidence.data.get(name)) for name in ("digest", "costs")))
    return ()


def _keeps_graph(verdict: Verdict) -> bool:
    """True if an exploration for such a claim stores every action."""
    kind = PROPERTIES.get(verdict.kind)
    return (kind is not None and kind.form in GRAPHS) or verdict.options.get("of") == "plays"


def _share_audience(verdict: Verdict, audiences: dict[tuple[str, str, str], Audience], store: Store) -> None:
    """Let the helpers of a verdict be checked no later than that verdict."""
    for claim in helpers_of(verdict):
        under = store.by_key((verdict.ruleset, claim, verdict.key[2]))
        if under is not None and audiences.get(under.key, Audience.PLAYERS) > audiences[verdict.key]:
            audiences[under.key] = audiences[verdict.key]
            _share_audience(under, audiences, store)


def audience(verdict: Verdict, game: Game) -> Audience:
    """Return the audience of a verdict on a claim of a ruleset, given its default game."""
    changes = len(verdict.readings) + len(verdict.parameters)
    if changes:
        return Audience.ONE_CHANGE if changes == 1 else Audience.SEVERAL_CHANGES
    claim = game.claims.get(verdict.claim)
    on_page = claim is not None and not claim.lemma and verdict.players == game.players
    return Audience.PLAYERS if on_page else Audience.READERS_OF_DETAILS


def check_cost(verdict: Verdict, shelf: CertificateStore | None = None) -> float:
    """Return an estimate of the seconds that checking a verdict takes.

    If the evidence gives no measure, this is the time in which the verdict was decided.
    """
    if verdict.outcome == UNDECIDED:
        return 0.0
    if any(e.kind in ("deals", "sample") for e in verdict.evidence):
        return verdict.seconds
    return sum(_cost(e, verdict, shelf) for e in verdict.evidence)


def _cost(evidence: Evidence, verdict: Verdict, shelf: CertificateStore | None) -> float:
    """Estimated seconds for checking a piece of evidence again."""
    data = evidence.data
    if evidence.kind == "helper":
        return 0.0
    if evidence.kind == "play":
        return 1 / PLAYS_A_SECOND + (verdict.seconds if SHORTEST in data else 0.0)
    if evidence.kind == "exploration":
        counts = data.get("counts")
        if not isinstance(counts, list) or not all(isinstance(count, int) for count in counts):
            return verdict.seconds
        positions = sum(counts)
        return positions / POSITIONS_A_SECOND + min(SPOT_CHECKING, positions / INTERPRETED_A_SECOND)
    if "certificate" in data and shelf is not None and shelf.has(data["certificate"]):
        return TRANSLATING + shelf.size_of(data["certificate"]) / CERTIFIED_BYTES_A_SECOND
    return verdict.seconds


def _magnitude(seconds: float) -> int:
    return round(STEPS * log10(max(seconds, CHEAPEST)))
