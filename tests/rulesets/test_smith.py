"""Smith's cards, held to games that were played elsewhere and to a few lines of their own."""

from __future__ import annotations

import json
import os
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from shipped_games import load

from rulespec.play.face import Game, State

GAMES = json.loads((Path(__file__).parents[1] / "vectors" / "smith-games.json").read_text("utf-8"))


def start(given: dict[str, Any]) -> tuple[Game, State]:
    """The game of a vector under its rules, its cards dealt in their order."""
    rules = given["rules"]
    game = load(
        "smith",
        players=rules["players"],
        parameters={"rows": rules["rows"], "with-offhand": rules["offhand"]},
        readings={
            "must-collect": "forced" if rules["must_collect"] else "free",
            "cascade": "chained" if rules["cascade"] else "before",
            "end-check": rules["end_check"],
            "tie": {"share": "among", "ender": "ender"}[rules["tie"]],
        },
    )
    return game, game.start(chance=[given["cards"][::-1]])


@pytest.mark.parametrize("given", GAMES, ids=lambda given: str(given["seed"]))
def test_a_game_played_elsewhere(given: dict[str, Any]) -> None:
    game, state = start(given)
    for ply in given["plies"]:
        assert state.to_move == ply["player"] + 1
        kinds = Counter(action.id for action in state.actions())
        assert kinds == +Counter(take=ply["n_take"], king=ply["n_king"], pair=ply["n_pair"])
        assert len(state.actions()) == ply["n_actions"]
        state = state.play(" ".join(ply["action"]))
        assert list(state.scores.values()) == ply["got"]
        hands = state.to_data()["hand"]
        assert [len(hands.get(str(p), ())) for p in game.players] == ply["hand_sizes"]
        assert len(state.to_data()["pyramid"]) == ply["pyramid"]
    assert state.is_over
    assert state.ended_by == {"pyramid": "empty-pyramid", "hand": "empty-hand"}[given["over"]]
    assert state.winners == tuple(p + 1 for p in given["winners"])


def test_a_player_sees_the_own_hand_and_what_others_took() -> None:
    state = load("smith").start(seed=1)
    dealt = state.to_data()["hand"]
    taken = next(action for action in state.actions() if action.id == "take")
    state = state.play(taken)
    card = taken.arguments["c"]
    first, second = (state.seen_by(p) for p in (1, 2))
    assert set(first["hand[viewer]"]) == {*dealt["1"], card}
    assert set(second["hand[viewer]"]) == set(dealt["2"])
    for seen in (first, second):
        assert seen["hand[p] & known"] == {"1": [card], "2": []}
        assert seen["size(hand[p])"] == {"1": 7, "2": 6}
        assert seen["size(aside[p])"] == {"1": 6, "2": 6}
        assert not {"hand", "aside", "pile"} & seen.keys()
    said = str(second)
    assert not any(f"'{c}'" in said for c in (*dealt["1"], *state.to_data()["aside"]["1"]))


def test_with_open_hands_every_hand_is_seen() -> None:
    state = load("smith", readings={"hands": "open", "own-offhand": "known"}).start(seed=1)
    seen = state.seen_by(1)
    assert seen["hand[p] & known"] == state.to_data()["hand"]
    assert seen["aside[viewer] & looked-into"] == state.to_data()["aside"]["1"]


# ---- the same game once more, by a few lines of its own


class ByHand:
    """Smith's cards without the library: cards as rank and suit, places as (row, column) from 0."""

    def __init__(
        self, cards: list[str], players: int, rows: int, top: int, offhand: bool, rules: dict[str, str]
    ) -> None:
        self.rules, self.top, self.mover, self.over, self.owed = rules, top, 0, False, False
        rest = list(cards)
        self.pyramid = {(r, c): rest.pop(0) for r in range(rows) for c in range(r + 1)}
        share = len(rest) // players
        dealt = [rest[p * share : (p + 1) * share] for p in range(players)]
        half = share // 2 if offhand else 0
        self.hands = [set(cards[: share - half]) for cards in dealt]
        self.aside = [set(cards[share - half :]) for cards in dealt]
        self.left_over = len(rest) - share * players
        self.got = [0] * players
        self.taken: set[str] = set()

    def rank(self, card: str) -> int:
        return "A23456789TJQK".index(card[0]) + 1

    def on(self, card: str) -> set[str] | None:
        """The cards that lie on a card of the pyramid; None if it is not there."""
        for (r, c), here in self.pyramid.items():
            if here == card:
                return {self.pyramid[p] for p in ((r + 1, c), (r + 1, c + 1)) if p in self.pyramid}
        return None

    def actions(self) -> set[str]:
        if self.over:
            return set()
        reach = self.hands[self.mover] | {c for c in self.pyramid.values() if not self.on(c)}
        known = self.hands[self.mover] | set(self.pyramid.values())
        collect = {f"king {c}" for c in reach if self.rank(c) == self.top}
        for a in known:
            for b in known:
                if self.rank(a) < self.rank(b) and self.rank(a) + self.rank(b) == self.top:
                    both = a in reach and b in reach
                    if self.rules["cascade"] == "chained":
                        both = (
                            both or (a in reach and self.on(b) == {a}) or (b in reach and self.on(a) == {b})
                        )
                    collect |= {f"pair {a} {b}"} if both else set()
        take = {f"take {c}" for c in self.pyramid.values() if not self.on(c)}
        return collect if collect and self.rules["must-collect"] == "forced" else collect | take

    def play(self, action: str) -> None:
        kind, *cards = action.split()
        self.pyramid = {place: c for place, c in self.pyramid.items() if c not in cards}
        hand = self.hands[self.mover]
        if kind == "take":
            hand |= set(cards)
            self.taken |= set(cards)
        else:
            hand -= set(cards)
            self.got[self.mover] += len(cards)
        self.owed = kind == "pair" and cards[0][1] == cards[1][1]
        if not hand:
            for p in range(len(self.hands)):
                if p == self.mover or self.rules["offhand"] == "together":
                    self.hands[p] |= self.aside[p]
                    self.aside[p] = set()
        looked = self.rules["end-check"] == "action" or not self.owed
        self.over = looked and (not self.pyramid or not self.hands[self.mover])
        if not self.over and not self.owed:
            self.mover = (self.mover + 1) % len(self.hands)
        self.over = self.over or not self.actions()  # an action is owed, and there is none

    def ended_by(self) -> str:
        """The end that was reached, by the words of the ruleset."""
        return "empty-pyramid" if self.hands[self.mover] else "empty-hand"

    def seen_by(self, viewer: int) -> dict[str, Any]:
        """What a player sees of what is hidden, by the words of the ruleset; players count from 0."""
        everything = self.rules["hands"] == "open"
        known = [hand if everything else hand & self.taken for hand in self.hands]
        return {
            "hand[viewer]": self.hands[viewer],
            "hand[p] & known": {str(p): cards for p, cards in enumerate(known, 1)},
            "size(hand[p])": {str(p): len(hand) for p, hand in enumerate(self.hands, 1)},
            "size(aside[p])": {str(p): len(aside) for p, aside in enumerate(self.aside, 1)},
            "aside[viewer] & looked-into": self.aside[viewer]
            if self.rules["own-offhand"] == "known"
            else set(),
            "size(pile)": self.left_over,
        }

    def winners(self) -> tuple[int, ...]:
        best = [p + 1 for p, got in enumerate(self.got) if got == max(self.got)]
        ender = self.mover + 1
        alone = len(best) > 1 and (ender in best or self.rules["tie"] == "ender")
        return (ender,) if alone else tuple(best)


RULES = {
    "must-collect": ("free", "forced"),
    "cascade": ("before", "chained"),
    "end-check": ("action", "turn"),
    "tie": ("among", "ender"),
    "offhand": ("together", "own"),
    "hands": ("hidden", "open"),
    "own-offhand": ("covered", "known"),
}
OPEN = {"mover", "over", "pyramid", "collected", "taken", "again"}


def some_game(rng: random.Random) -> tuple[State, ByHand]:
    """A deal of the game under parameters and readings drawn at random, here and by hand."""
    rules = {name: rng.choice(readings) for name, readings in RULES.items()}
    players, offhand = rng.randint(2, 4), rng.random() < 0.7
    while True:
        rows, suits, top = rng.randint(2, 7), rng.randint(1, 4), rng.choice([13, 13, rng.randint(3, 13)])
        deck = [rank + suit for suit in "CDHS"[:suits] for rank in "A23456789TJQK"[:top]]
        if len(deck) >= rows * (rows + 1) // 2 + players:
            break
    cards = rng.sample(deck, len(deck))
    parameters = {"rows": rows, "suits": suits, "top-rank": top, "with-offhand": offhand}
    game = load("smith", players=players, parameters=parameters, readings=rules)
    return game.start(chance=[cards[::-1]]), ByHand(cards, players, rows, top, offhand, rules)


@pytest.mark.sampled(2)
@pytest.mark.parametrize("seed", range(16 if not os.environ.get("RULESPEC_SLOW") else 400))
def test_a_random_game_under_random_readings(seed: int) -> None:
    rng = random.Random(seed)
    state, other = some_game(rng)
    while not other.over:
        assert state.to_move == other.mover + 1
        actions = {str(action) for action in state.actions()}
        assert actions == other.actions()
        for p in range(len(other.hands)):
            assert gathered(state.seen_by(p + 1)) == other.seen_by(p)
        collecting = sorted(a for a in actions if not a.startswith("take"))
        action = rng.choice(collecting if collecting and rng.random() < 0.7 else sorted(actions))
        state = state.play(action)
        other.play(action)
        assert list(state.scores.values()) == other.got
    assert state.is_over
    assert (state.ended_by, state.winners) == (other.ended_by(), other.winners())


def test_two_cards_of_one_rank_are_no_pair() -> None:
    """The parameter's words had it otherwise where the middle rank, taken twice, adds up to the highest."""
    game = load("smith", parameters={"rows": 2, "top-rank": 12})
    state = game.position({"pyramid": {"1.1": "QC"}, "hand": {"1": ["5C", "6C", "6D", "7H"], "2": ["AC"]}})
    assert [str(action) for action in state.actions() if action.id == "pair"] == ["pair 5C 7H"]


@pytest.mark.parametrize("must_collect", ["free", "forced"])
def test_an_action_that_is_owed_and_cannot_be_had_ends_the_game(must_collect: str) -> None:
    """Play ended as stuck, and not because the pyramid was gone."""
    game = load("smith", readings={"end-check": "turn", "must-collect": must_collect})
    given = {"hand": {"1": ["2S", "4D"], "2": ["2C"]}, "pyramid": {"7.1": "4S", "7.2": "9S"}}
    state = game.position({"mover": 1, **given}, seed=0).play("pair 4S 9S")
    assert (state.is_over, state.ended_by, state.winners) == (True, "empty-pyramid", (1,))
    kings = {**given, "hand": {"1": ["2S", "KD"], "2": ["2C"]}}
    state = game.position({"mover": 1, **kings}, seed=0).play("pair 4S 9S")
    assert [str(action) for action in state.actions()] == ["king KD"]
    assert state.play("king KD").ended_by == "empty-pyramid"


def gathered(seen: dict[str, Any]) -> dict[str, Any]:
    """What is seen of what is hidden, with sets for lists."""
    assert seen.keys() >= OPEN
    return {key: sets(value) for key, value in seen.items() if key not in OPEN}


def sets(value: Any) -> Any:
    """Data with sets for lists."""
    if isinstance(value, dict):
        return {key: sets(item) for key, item in value.items()}
    return set(value) if isinstance(value, list) else value


@pytest.mark.parametrize("seed", range(8))
def test_what_a_player_does_not_know_makes_no_difference_to_what_that_player_sees(seed: int) -> None:
    """Cards that are unknown to the viewer change places, and everything shown stays as it was."""
    rng = random.Random(seed)
    state, _ = some_game(rng)
    game = state.game
    for _ in range(rng.randint(0, 12)):
        if not state.is_over:
            state = state.play(rng.choice(state.moves))
    data, viewer = state.to_data(), rng.choice(game.players)
    known = {*data["taken"], *(data["hand"].get(str(viewer), ()))}
    known |= (
        {c for hand in data["hand"].values() for c in hand} if game.readings["hands"] == "open" else set()
    )
    known |= {*data["aside"].get(str(viewer), ())} if game.readings["own-offhand"] == "known" else set()
    unknown = [c for where in ("hand", "aside") for cards in data[where].values() for c in cards]
    unknown = [c for c in [*unknown, *data["pile"]] if c not in known]
    others = dict(zip(unknown, rng.sample(unknown, len(unknown)), strict=True))
    swapped = {
        where: {p: [others.get(c, c) for c in cards] for p, cards in data[where].items()}
        for where in ("hand", "aside")
    }
    pile = [others.get(c, c) for c in data["pile"]]
    again = game.position({**data, **swapped, "pile": pile})
    assert again.seen_by(viewer) == state.seen_by(viewer)
    assert again.known_to(viewer) == state.known_to(viewer)
    assert again.sizes_known_to(viewer) == state.sizes_known_to(viewer)
    if state.to_move == viewer:
        assert again.actions() == state.actions()
