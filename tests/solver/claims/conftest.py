"""Makes the families and stories of this folder importable by name, and games of rulesets.

Garbage is collected after each module: claims are decided in copies of this process, and the more memory it
has, the longer it takes to make one. What is left then stays, and is passed over the next time.
"""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from rulespec.core.game import Game

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module", autouse=True)
def _tidied() -> Iterator[None]:
    yield
    gc.collect()
    gc.freeze()


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    """The game of a ruleset whose text is the parameter, from its first rule on."""
    from stories import made

    return made(tmp_path, request.param)


@pytest.fixture
def stored(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """For each answer by exploration, how many states were stored and how many positions they stand for."""
    from rulespec.solver.evidence.positions import Positions

    found: list[tuple[int, int]] = []
    answer = Positions.answer

    def noted(self: Positions, *args: Any, **options: Any) -> Any:
        found.append((self.states.seen_count, self.seen_count))
        return answer(self, *args, **options)

    monkeypatch.setattr(Positions, "answer", noted)
    return found
