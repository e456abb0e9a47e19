"""Makes the families and stories of this folder importable by name, and games of rulesets.

Garbage is collected after each module: claims are decided in copies of this process, and the more memory it
has, the longer it takes to make one.
"""

import gc
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec.core.game import Game

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture(scope="module", autouse=True)
def _tidied() -> Iterator[None]:
    yield
    gc.collect()


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    """The game of a ruleset whose text is the parameter, from its first rule on."""
    from stories import made

    return made(tmp_path, request.param)
