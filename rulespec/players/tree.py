"""The tree of a search: upper confidence bounds over what several players gain, chance sampled.

Each node is what the searching seat can tell apart, so what is hidden from it never parts the tree
(information-set search with a single observer: Cowling, Powley and Whitehouse, 2012). An edge is a
move. Below a node lies one for each outcome of chance that came up after each move, or for all that the
seat may observe of the move and see after it: moves that look the same to it lead to one node. Each player
is taken to choose what is best for that player (max^n).
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Hashable, Sequence

from ..core.types import Value
from .model import AnyChance, AnyMove, AnyPosition, Model
from .worth import Scale, Worth, judge

EXPLORE = 1.2
"""How much a move that was tried seldom is preferred; wins count from 0 to 1."""

MOST_LISTED = 40
"""With more legal moves than this, a node considers a few drawn at random, more as it is visited more."""

WIDEN = 1.5
"""How many moves such a node considers, and the root: this times the square root of its visits."""

LEAST_WIDE = 4
WIDE_AT_ROOT = 12
"""It considers at least so many, below the root and at it."""

MOST_KEPT = 400
"""For how many positions a node keeps the legal moves."""


class Edge:
    """A move at a node, and what came of it."""

    __slots__ = ("available", "points", "visits", "wins")

    def __init__(self, players: int) -> None:
        self.visits = 0
        self.available = 0
        """How often the move was legal when the node was visited."""
        self.wins = [0.0] * players
        self.points = [0.0] * players

    def note(self, worth: Worth) -> None:
        """Count one more result."""
        self.visits += 1
        for i, (wins, points) in enumerate(zip(worth.wins, worth.points, strict=True)):
            self.wins[i] += wins
            self.points[i] += points


class Node:
    """Positions that the seat cannot tell apart, the moves made there, and observations of them."""

    __slots__ = ("edges", "nodes", "options", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.edges: dict[AnyMove, Edge] = {}
        self.nodes: dict[Hashable, Node] = {}
        self.options: dict[Hashable, Options] = {}


class Options:
    """The legal moves of one position that are considered: all where they are few, else more and more."""

    __slots__ = ("_least", "_position", "_rest", "moves")

    def __init__(
        self,
        position: AnyPosition,
        moves: list[AnyMove],
        rest: list[AnyMove] | None,
        least: int = LEAST_WIDE,
    ) -> None:
        self.moves = moves
        self._least = least
        self._position = position
        self._rest = rest
        """Those to consider next, in order; where it is none they are drawn at random."""

    def widen(self, model: Model, visits: int, rng: random.Random) -> None:
        """Consider as many moves as is right for so many visits of the node."""
        wanted = max(self._least, WIDEN * math.sqrt(visits))
        if self._rest is None and len(self.moves) < wanted:
            move = model.draw(self._position, rng)
            if move not in self.moves:
                self.moves.append(move)
        while self._rest and len(self.moves) < wanted:
            move = self._rest.pop(0)
            # what is legal for the seat need not be so in a world that only looks the same
            if not model.hides or model.is_legal(self._position, move):
                self.moves.append(move)


class Tree:
    """A search of one seat from the worlds it holds possible."""

    def __init__(
        self,
        model: Model,
        seat: Value,
        worlds: Sequence[AnyPosition],
        moves: Sequence[AnyMove],
        seed: str,
        plies: int,
    ) -> None:
        self.model = model
        self.root = Node()
        self.scale = Scale()
        self.plies = plies
        """How long a playout is at most, in plies."""
        self._seat = seat
        self._worlds = worlds
        self._moves = moves
        """The moves of the root, in the order in which to consider them."""
        self._seed = seed
        self._random = random.Random(f"search {seed}")
        self._at = {player: i for i, player in enumerate(model.players)}
        self.grown = 0
        """How many plays were followed from the root."""
        self.played = 0
        """How many plies of playouts were made."""
        self.ended = 0
        """How many plays came to an end."""

    def grow(self, stop: Callable[[], bool]) -> None:
        """Follow one more play through the tree and out of it, until it ends or `stop` says so."""
        chance = self.model.chance(f"{self._seed}/{self.grown}")
        position, node = self._worlds[self.grown % len(self._worlds)], self.root
        self.grown += 1
        path: list[tuple[Node, Edge]] = []
        while not self.model.is_over(position):
            considered = self._considered(node, position)
            if not considered:
                break  # a world that allows none of the moves that the seat knows to be legal
            move, edge = self._chosen(considered, self._at[self.model.mover(position)])
            path.append((node, edge))
            observed: Hashable = move
            if self.model.hides:
                observed = self.model.observed(position, move, self._seat)
            position, key = self.model.play(position, move, chance)
            if self.model.hides:
                key = self.model.seen(position, self._seat)
            following = node.nodes.get((observed, key))
            if following is None:
                node.nodes[observed, key] = Node()
                break
            node = following
        worth = self._played_out(position, chance, stop)
        self.scale.note(worth)
        for node, edge in path:
            node.visits += 1
            edge.note(worth)

    def _considered(self, node: Node, position: AnyPosition) -> list[tuple[AnyMove, Edge]]:
        key = self.model.key(position) if self.model.hides else None
        options = node.options.get(key)
        if options is None:
            options = self._options(node, position)
            if len(node.options) < MOST_KEPT:
                node.options[key] = options
        options.widen(self.model, node.visits, self._random)
        found = []
        for move in options.moves:
            edge = node.edges.get(move)
            if edge is None:
                edge = node.edges[move] = Edge(len(self._at))
            edge.available += 1
            found.append((move, edge))
        return found

    def _options(self, node: Node, position: AnyPosition) -> Options:
        if node is self.root:
            return Options(position, [], list(self._moves), WIDE_AT_ROOT)
        moves = self.model.moves(position, MOST_LISTED + 1)
        if len(moves) > MOST_LISTED:
            return Options(position, [], None)
        self._random.shuffle(moves)
        return Options(position, moves, [])

    def _chosen(self, considered: list[tuple[AnyMove, Edge]], mover: int) -> tuple[AnyMove, Edge]:
        """A move that was never tried, or the one with the highest upper confidence bound."""
        best, found = -1.0, considered[0]
        for move, edge in considered:
            if not edge.visits:
                return move, edge
            bound = self.value(edge, mover) + EXPLORE * math.sqrt(math.log(edge.available) / edge.visits)
            if bound > best:
                best, found = bound, (move, edge)
        return found

    def value(self, edge: Edge, player: int) -> float:
        """How good a move that was tried has been for a player, counted from 0."""
        return self.scale.value(edge.wins[player] / edge.visits, edge.points[player] / edge.visits)

    def _played_out(self, position: AnyPosition, chance: AnyChance, stop: Callable[[], bool]) -> Worth:
        position, plies = self.model.rest(position, chance, self.plies, stop)
        self.played += plies
        self.ended += self.model.is_over(position)
        return judge(self.model, position)
