"""The bundle of a game: the module of WebAssembly that Python runs, and the data that a page needs to call
it.

A bundle is plain JSON in a script, because a page opened as a file may load nothing else.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Any, Protocol, runtime_checkable
from zlib import compress, decompress
from zlib import error as zlib_error

from ..code import GameCode, TooLarge, write
from ..code.execution.instance import encode_with_kernels
from ..code.execution.tree_search import FUNCTIONS, KERNEL, beside, constants
from ..code.extensions import Extension
from ..code.program import encode_state, in_words
from ..core.digest import exact
from ..core.game import Game as CoreGame
from ..core.game import Layer
from ..core.storage.code_cache import digest_of, read_code, write_code
from ..core.storage.source_digest import source_digest
from ..core.types import Map, scalar_of
from ..play.face import Game
from ..play.machine import Machine
from .about import about, chosen_types
from .draw_list import DrawList
from .faulting import Faulting
from .noting import Noting
from .observing import Observing
from .refusing import Refusing, refusals
from .titling import Counting, Titling, deal_counters, tie_counters
from .types import Types

FORMAT = 1
MOST_BYTES = 4_000_000
MOST_SENT = 100_000
"""Maximum size of a module in a page in bytes, raw and compressed."""
TABLES_AT = 16
"""The address of the first table of a module."""
LEFT_OUT = frozenset({"playouts"})
"""Entries of the code that no page calls."""
FIRST_LETTER = 35
"""The code of the character that stands for the byte 0 of a module; the others follow."""
_LETTERS = {
    byte: FIRST_LETTER + byte + (256 if byte > 91 or chr(FIRST_LETTER + byte) in "'<\\" else 0)
    for byte in range(256)
}
"""The characters for bytes: frequent ones have one byte in UTF-8, and none ends a text in a script."""
EXACT = 1 << 53
"""Whole numbers from here on are texts in JSON, because JavaScript numbers are not exact there."""


class NotForPages(ValueError):
    """Raised if a game cannot be played in a page. The text says why, in a sentence without its full stop."""


@runtime_checkable
class WithData(Protocol):
    """An extension with data in the bundle, under its name."""

    name: str

    def data(self, written: GameCode, types: Types) -> Any:
        """The data as plain JSON, once the code has been written."""


def bundle(game: Game, further: Sequence[Extension] = ()) -> dict[str, Any]:
    """Everything a page needs to play a game, as plain JSON. Raises NotForPages.

    `further` parts add functions, and data under their names. The code and its data are cached; the words
    about the game are always written anew.
    """
    core = game.core
    parts: tuple[Extension, ...] = (
        DrawList(), Noting("noted", core), Noting("told", core), Refusing(), Titling(core), Observing(core),
        Counting("counted", core.counters), Counting("tied", tie_counters(core)),
        Counting("asked", [*chain(*deal_counters(core).values())]), Faulting(), *further,
    )  # fmt: skip
    digest = _digest(core, parts)
    kept = _read(digest)
    if kept is None:
        kept = _write_code(core, parts)
        write_code(digest, compress(json.dumps(kept).encode(), 1))
    if isinstance(kept, str):
        raise NotForPages(kept)
    titles = [title for _, title in core.outcome.titles]
    about_it = about(game, kept.pop("choices"))
    return {"about": about_it, "refused": refusals(core), "titled": titles, **kept}


def _digest(core: CoreGame, parts: Sequence[Extension]) -> str:
    """A digest of everything on which the code of a bundle and its data depend."""
    asked = {f"{part.name} {i}": e for part in parts for i, e in enumerate(part.roots())}
    names = (part.name for part in parts)
    texts = [*map(_plain, core.diagram), *_words(core)]
    return digest_of("bundle", source_digest(__name__), exact(core, asked), *texts, *names)


def _plain(layer: Layer) -> str:
    """A layer of the drawing without its expressions."""
    words = [part if isinstance(part, str) else None for part in layer.text]
    parts = layer.mark, len(layer.binders), [*layer.attributes], sorted(layer.options.items())
    return repr((*parts, layer.action, words, layer.pictures))


def _words(core: CoreGame) -> Iterator[str]:
    """The sentences about actions, without the expressions in them."""
    for name, parts in core.presentation.sentences.items():
        yield repr((name, [part if isinstance(part, str) else None for part in parts]))
    for counter in core.counters:
        yield repr([part if isinstance(part, str) else None for part in counter.parts])


def _read(digest: str) -> dict[str, Any] | str | None:
    """The cached code and data, or the reason why there are none; None if nothing is cached."""
    try:
        found: dict[str, Any] | str = json.loads(decompress(read_code(digest) or b""))
    except (zlib_error, ValueError):
        return None
    return found if isinstance(found, str) or (isinstance(found, dict) and "layout" in found) else None


def _write_code(core: CoreGame, parts: Sequence[Extension]) -> dict[str, Any] | str:
    """The code of a game with its data, or the reason why there is none."""
    try:
        return _code(core, write(core, {}, parts), parts)
    except TooLarge as too_large:
        return f"it is too large for a page: {too_large}"


def script(key: str, data: dict[str, Any]) -> str:
    """A script, to be read as UTF-8, that stores a bundle at `rulespec.bundles[key]`.

    Nothing in a ruleset can end the text or the script that contains it.
    """
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    text = text.replace("\\", "\\\\").replace("'", "\\'").replace("<", "\\u003c")
    name = json.dumps(key).replace("<", "\\u003c")
    return (
        "(function(r){r.bundles=r.bundles||Object.create(null);"
        f"r.bundles[{name}]=JSON.parse('{text}')" + "})(globalThis.rulespec=globalThis.rulespec||{});\n"
    )


def _code(core: CoreGame, written: GameCode, parts: Sequence[Extension]) -> dict[str, Any]:
    """The compiled module of a game and the data for calling it. Raises TooLarge."""
    entries = tuple(entry for entry in written.entries if entry not in LEFT_OUT)
    module = encode_with_kernels(written, beside(written), (KERNEL,), entries, TABLES_AT, limited=True)
    _check_size("bytes", len(module.binary), MOST_BYTES)
    if len(module.binary) > MOST_SENT and len(compress(module.binary, 1)) > MOST_SENT:  # quick tests first
        _check_size("bytes compressed", len(compress(module.binary, 9)), MOST_SENT)
    types = Types(written.program.codes)
    choices = [[*map(types.number, chosen_types(action))] for action in core.actions.values()]
    data = {part.name: part.data(written, types) for part in parts if isinstance(part, WithData)}
    return {
        "format": FORMAT,
        "choices": choices,
        "layout": _layout(core, written, types),
        "types": types.listed,
        "functions": dict(zip(entries, module.entries, strict=False)) | {x: x for x in FUNCTIONS},
        "search": constants(written),
        "end": module.end,
        "wasm": module.binary.decode("latin-1").translate(_LETTERS),
        **data,
    }


def _check_size(unit: str, size: int, most: int) -> None:
    if size > most:
        raise TooLarge(f"its code takes {size:,} {unit}, and {most:,} are allowed")


def _layout(core: CoreGame, written: GameCode, types: Types) -> dict[str, Any]:
    """The places in the arrays of the module at which everything is stored."""
    program, rows = written.program, written.rows
    numbers, words = encode_state(program, Machine(core).initial().values)
    at = {var: place.at for var, place in program.offsets.items()}
    return {
        "state": [
            {
                "name": var.name, "type": types.number(var.type), "at": at[var], "words": in_words(var.type),
                "hidden": var.hidden, **({"planes": _planes(written, var)} if var in program.planes else {}),
            }
            for var in core.state.values()
        ],
        "numbers": program.state_cells, "words": program.state_words,
        "first": {
            "sizes": [len(numbers), len(words)], "numbers": _not_zero(numbers), "words": _not_zero(words)
        },
        "mover": at[core.mover], "over": at[core.state["over"]],
        "ended": written.constants["ENDED"], "fault": written.constants["FAULT"],
        "seats": [program.codes.code(core.player, seat) for seat in core.player.values],
        "setup": written.constants["SETUP"], "settle": written.constants["SETTLE"],
        "resume": written.constants["RESUME"],
        "width": written.width, "behind": _behind(core), "moves": rows.first_size,
        "rows": [[*_places(written, i)] for i in range(len(rows.actions))],
    }  # fmt: skip


def _places(written: GameCode, index: int) -> Iterator[list[int]]:
    """The place of each choice of an action in a row, and its size."""
    for choice, place in written.rows.places(index):
        yield [place, written.program.size(choice.chain.type) if choice.chain else 1]


def _planes(written: GameCode, var: Any) -> dict[str, int]:
    """The places of the bit sets for the values of a map, beginning with the value of code `first`.

    `none` is the number of the set of keys without a value, if there is one.
    """
    program, t = written.program, var.type
    assert isinstance(t, Map)
    of = scalar_of(t.of)
    assert of is not None
    place = program.planes[var].at
    return {
        "at": place, "size": program.plane_size(var), "first": program.codes.codes(of)[0],
        "each": program.codes.words(t.keys), "base": program.codes.base(t.keys),
        "none": program.value_planes(var) if program.has_none_plane(var) else -1,
    }  # fmt: skip


def _behind(game: CoreGame) -> int:
    """The maximum size of the data that a function appends to the row of an action."""
    sentences = game.presentation.sentences
    return max(
        4 * len(a.choices)
        + len(a.requirements)
        + max(len(a.written), len(sentences.get(a.id, ())))
        + len(a.secrets)
        + 1
        for a in game.actions.values()
    )


def _not_zero(values: Sequence[int]) -> list[list[int | str]]:
    return [[at, _json(x)] for at, x in enumerate(values) if x]


def _json(number: int) -> int | str:
    return number if -EXACT < number < EXACT or number & (EXACT - 1) == 0 else str(number)
