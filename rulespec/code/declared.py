"""The constants of a game that kernels use, as text beside its code; see `rulespec.kernels.game`."""

from __future__ import annotations

from .write import Written


def declared(written: Written) -> str:
    """The sizes of states and actions, the numbers of the actions that are no player's, and where things
    lie.
    """
    program, actions = written.program, len(written.rows.actions)
    over, mover = (program.offsets[program.game.state[name]][1] for name in ("over", "mover"))
    players = program.game.player.values
    lines = [
        f"WIDTH, CELLS, WORDS = {written.width}, {program.state_cells}, {len(program.words)}",
        f"ACTIONS, SETTING_UP, SETTLING = {actions}, {actions}, {actions + 1}",
        f"OVER_AT, MOVER_AT, ENDED_AT, FAULT_AT = {over}, {mover}, ENDED, FAULT",
        f"FIRST_PLAYER, LAST_PLAYER = {players[0]}, {players[-1]}",
    ]
    return "\n".join(lines) + "\n"
