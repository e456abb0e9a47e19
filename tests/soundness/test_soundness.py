"""A short campaign of random games: no method of the solver contradicts the interpreter's brute force."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator
from pathlib import Path

import pytest
import yaml

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.storage import code_cache
from rulespec.core.storage.source_digest import source_digest
from rulespec.core.traversal import nodes_within
from rulespec.core.verdicts.properties import KINDS_WITHOUT_TEXT, PROPERTIES
from rulespec.core.verdicts.stamps import CHECKS
from rulespec.language import load
from rulespec.language.claims import OPTIONS
from rulespec.language.documents.ruleset_shape import CLAIM
from rulespec.solver.evidence import inequalities
from rulespec.solver.methods.table import METHODS
from soundness import brute_force, coverage
from soundness.campaign import run
from soundness.claiming import WAYS
from soundness.coverage import used
from soundness.deciding import FORGED, known_truths
from soundness.direction import ANY, Direction
from soundness.mutants import ROOT, place_of
from soundness.planted import FAULTS, Fault
from soundness.shrink import smaller, written
from soundness.space import Space, TooLarge
from soundness.trial import DIRECTIONS, MEANINGS, ruleset

DECISIONS = 20
"""As many are made from the fixed seed, and as many from another one for each state of the program."""
FIRST = (89, 0, 26, 66, 61, 36, 3, 8, 16, 21)
"""The numbers of few games that have all parts of the language in them; the others come after them."""
COVERING = 90
"""The number of games among which each part of the language must occur."""
HERE = Path(__file__).parent
OF_THE_TRUTH = ("truth", "brute_force", "positions", "best_play", "two_games", "deals", "space")
"""The modules that say what is true."""


@pytest.fixture(autouse=True)
def _as_in_a_campaign(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(code_cache, "cache_folder", lambda: None)
    monkeypatch.setattr(inequalities, "FEWEST_FACTS", 1)


@pytest.mark.parametrize("base", ["given", source_digest(*CHECKS)[:8]], ids=["fixed", "of this program"])
def test_no_method_contradicts_the_truth(base: str) -> None:
    decided: Counter[tuple[str, str]] = Counter()
    wrong = run((f"{base}-{number}" for number in range(10_000)), DECISIONS, decided)
    words = [
        f"python -m soundness --again {one.seed}: {one.claim} by {one.method}: {one.text}" for one in wrong
    ]
    assert not wrong, "\n".join(words)
    assert decided.total() >= DECISIONS


class Covering:
    """Random games that are made as they are looked at, those with much of the language first."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._made = folder, list[tuple[str, Game]]()
        self._numbers = iter(dict.fromkeys([*FIRST, *range(COVERING)]))

    def __iter__(self) -> Iterator[tuple[str, Game]]:
        """Yield each game with its text."""
        yield from self._made
        for number in self._numbers:
            text = ruleset(f"covering-{number}", self._folder)
            if text:
                path = self._folder / f"game-{number}.yaml"
                path.write_text(text.replace("id: random-game", f"id: game-{number}"), "utf-8")
                self._made.append((text, load(path)))
                yield self._made[-1]

    def missing(
        self, wanted: Collection[object], parts: Callable[[str, Game], Iterable[object]]
    ) -> set[object]:
        """Return what is wanted and is a part of none of the games."""
        left = {*wanted}
        for text, game in self:
            left -= {*parts(text, game)}
            if not left:
                break
        return left


@pytest.fixture(scope="module")
def rulesets(tmp_path_factory: pytest.TempPathFactory) -> Covering:
    return Covering(tmp_path_factory.mktemp("rulesets"))


def test_every_operator_and_effect_occurs(rulesets: Covering) -> None:
    def parts(_: str, game: Game) -> set[object]:
        return {type(node) for root in _roots(game) for node in nodes_within(root)}

    assert rulesets.missing([*n.EXPRESSIONS, *n.EFFECTS], parts) == set()


def test_every_part_of_the_language_is_used(rulesets: Covering) -> None:
    def parts(text: str, game: Game) -> set[str]:
        try:
            space = Space(game, 600, 4_000)
        except TooLarge:
            return set()
        return used(text, space, known_truths(space))

    wanted = coverage.ALL - {"a deal by itself", "more than 300 positions"}
    assert rulesets.missing(wanted, parts) == set()


def _roots(game: Game) -> Iterator[n.Expr | n.Effect]:
    """The formal text of a game, definitions included."""
    roots = [game.setup, game.turn.begin, game.turn.over, game.turn.next]
    roots += [part for action in game.actions.values() for part in (action.effect, *_required(action))]
    roots += [part for reaction in game.reactions for part in (reaction.condition, reaction.effect)]
    roots += [end.condition for end in game.ends]
    roots += [claim.condition for claim in game.claims.values() if claim.condition is not None]
    seen = set[n.Function]()
    while roots:
        root = roots.pop()
        yield root
        called = {node.function for node in nodes_within(root) if isinstance(node, n.Call)} - seen
        seen |= called
        roots += [function.body for function in called]


def _required(action: object) -> list[n.Expr]:
    return [requirement.condition for requirement in action.requirements]  # type: ignore[attr-defined]


def test_every_kind_and_option_of_claim_occurs(rulesets: Covering) -> None:
    def parts(text: str, _: Game) -> set[str]:
        claims = yaml.safe_load(text)["claims"]
        return {key for claim in claims for key in claim} | {claim.get("kind") for claim in claims}

    wanted = {*CLAIM.keys, *KINDS_WITHOUT_TEXT, *OPTIONS} - {"source", "lemma", "answer"}
    assert rulesets.missing(wanted, parts) == set()


def test_every_kind_of_claim_has_its_truth_and_its_methods(rulesets: Covering) -> None:
    def parts(_: str, game: Game) -> set[str]:
        return {claim.kind for claim in game.claims.values()}

    assert rulesets.missing(brute_force.KINDS.keys(), parts) == set()
    of_others = {"winnable", "every_deal", "share_of_deals"}
    of_methods = {kind for method in METHODS.values() for kind in method.kinds}
    assert of_methods == brute_force.KINDS.keys() - of_others
    assert brute_force.KINDS.keys() == PROPERTIES.keys()


def test_the_truth_is_found_without_the_solver() -> None:
    for name in OF_THE_TRUTH:
        tree = ast.parse((HERE / f"{name}.py").read_text("utf-8"))
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert not node.level or (node.module or "") in OF_THE_TRUTH or not node.module, (
                    name,
                    node.module,
                )
                assert node.module or {alias.name for alias in node.names} <= {*OF_THE_TRUTH}
                names = [node.module or ""] if not node.level else []
            assert not any(f"{one}.".startswith(("rulespec.solver.", "soundness.")) for one in names), name
            assert not any(one.startswith("rulespec.code") for one in names), name


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.condition)
def test_each_planted_fault_has_its_place(fault: Fault) -> None:
    assert place_of(fault).is_relative_to(ROOT)


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.condition)
def test_each_planted_fault_names_what_there_is(fault: Fault) -> None:
    assert {*fault.methods} <= {*METHODS, MEANINGS, FORGED}
    for name in fault.tests:
        file, _, test = name.partition("::")
        assert f"def {test}" in (ROOT / file).read_text("utf-8")
    _names_what_there_is(fault.direction or ANY)


@pytest.mark.parametrize("direction", [direction for _, direction in DIRECTIONS])
def test_each_direction_names_what_there_is(direction: Direction) -> None:
    _names_what_there_is(direction)


def _names_what_there_is(direction: Direction) -> None:
    assert {*direction.claims} <= WAYS.keys()
    assert {*direction.uses, *direction.lacks} <= coverage.OF_GAMES


def test_what_is_wrong_is_made_smaller() -> None:
    tree = {"rules": [{"id": "a", "that": "(x + (y * 2))"}, {"id": "b", "do": "one\n  two\nthree"}]}
    assert smaller(tree, lambda other: "three" in written(other)) == {"rules": [{"do": "three"}]}
    assert written({"rules": [{"id": "a", "do": "x := 1"}]}) == "rules:\n  - id: a\n    do: |\n      x := 1\n"
