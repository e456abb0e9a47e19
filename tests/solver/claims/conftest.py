"""Makes the families and stories of this folder importable by name, and games of rulesets."""

import sys
from pathlib import Path

import pytest

from rulespec.core.game import Game

sys.path.insert(0, str(Path(__file__).parent))


@pytest.fixture
def game(request: pytest.FixtureRequest, tmp_path: Path) -> Game:
    """The game of a ruleset whose text is the parameter, from its first rule on."""
    from stories import made

    return made(tmp_path, request.param)
