"""Marks made of the numbers that the code of a drawing gives, as the script of a page makes them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rulespec.book.scene import Mark, Part, Piece, Scene, arranged
from rulespec.book.style import TONES
from rulespec.browser.know import ALL, Knowledge
from rulespec.browser.picture import Pictures
from rulespec.code import Runner, write
from rulespec.code.runner import Node
from rulespec.core.game import Game
from rulespec.kernels.kit import FULL, NONE
from rulespec.play.position import Move

Value = Any
"""A code, or several of them."""
Fields = dict[str, tuple[int, Value]]
"""The values of a mark by name, each with the number of its type."""


class Drawer:
    """The scenes of a game by its code, which is written with the functions of the drawing."""

    def __init__(self, game: Game) -> None:
        self.game, self.knowledge = game, Knowledge(game)
        self.pictures = Pictures(game, self.knowledge)
        self.written = write(game, {}, (self.knowledge, self.pictures))
        self.runner = Runner(self.written)
        self.data = self.pictures.data()
        self._m, self._r = self._numbers(64), self._numbers(self.written.width)

    def node(self, values: Mapping[str, Any]) -> Node:
        """A position, given its state variables by name."""
        return self.runner.node([values[name] for name in self.game.state])

    def scene(self, node: Node, viewer: int = ALL, moves: Sequence[Move] = ()) -> Scene:
        """The scene of a position and of actions in it, for a viewer."""
        runner = self.runner
        cells, words = runner._state(node)
        if self.knowledge.data()["hides"]:
            runner.names["know"](cells, words, viewer)
        marks = [*self._made("picture", cells, words)]
        for option, move in enumerate(moves, 1):
            row = self._row(move)
            self._r[: len(row)] = row
            marks += self._made("pictured", cells, words, self._r, 0, option=option)
        return arranged(self.game.title, marks)

    def _made(self, name: str, cells: Any, words: Any, *more: Any, option: int = 0) -> Iterator[Mark]:
        while (found := self.runner.names[name](cells, words, self._m, *more)) == FULL:
            self._m = self._numbers(2 * len(self._m))
        numbers = iter([int(x) for x in self._m[:found]])
        for layer in numbers:
            mark = self._mark(layer, numbers, option)
            if mark is not None:
                yield mark

    def _mark(self, number: int, numbers: Iterator[int], option: int) -> Mark | None:
        layer = self.data["layers"][number]
        said: Fields = {}
        texts: list[str] = []
        for name, face, *signs in layer["fields"]:
            held: Value = [next(numbers) for _ in range(next(numbers))] if signs else next(numbers)
            if name == "text":
                texts.append(
                    self._joined(face, held, signs) if isinstance(held, list) else self._text(face, held)
                )
            else:
                said[name] = face, held
        at = self._place(layer, said, "across", "up")
        if layer["in"] or (at is None and layer["mark"] != "hand"):
            return None
        x, y = at or (0.0, 0.0)
        parts = iter(texts)
        caption = "".join(next(parts) if part is None else part for part in layer["text"])
        face, shown = said.get("count") or said.get("label") or (-1, NONE)
        joined = self._shown(said, "joins")
        suit, rank = self._card(face, shown)
        size = self._number(said, "size")
        return Mark(
            layer["mark"], number, x, y, level=self._number(said, "level") or 0,
            shade=self._number(said, "shade") or 0, tone=self._tone(*said["tone"]) if "tone" in said else 0,
            label=self._text(face, shown), corner=self._shown(said, "corner"),
            number=self._counted(face, shown), sides=self._sides(face), suit=suit, rank=rank,
            size=1.0 if size is None else size / 100, joins=joined or None,
            to=self._place(layer, said, "to-across", "to-up"), via=self._course(layer, said),
            items=self._pieces(layer, said), looks=frozenset(layer["looks"]), text=" ".join(caption.split()),
            name=self._shown(said, "name"), option=option, fixed=layer["fixed"],
        )  # fmt: skip

    def _place(self, layer: Any, said: Fields, x: str, y: str) -> tuple[float, float] | None:
        column, row = self._number(said, x), self._number(said, y)
        return None if column is None or row is None else (column * layer["across"], -row * layer["up"])

    def _course(self, layer: Any, said: Fields) -> tuple[tuple[float, float], ...]:
        if "via-across" not in said or "via-up" not in said:
            return ()
        columns, rows = said["via-across"][1], said["via-up"][1]
        return tuple((a * layer["across"], -b * layer["up"]) for a, b in zip(columns, rows, strict=False))

    def _pieces(self, layer: Any, said: Fields) -> tuple[Piece, ...]:
        if "items" not in said:
            return ()
        face, row = said["items"]
        tones = said.get("tones", (face, row if layer["own"] else []))
        asked = [self._tone(tones[0], code) for code in tones[1]] if tones[0] >= 0 else []
        asked += [0] * (len(row) - len(asked))
        backs = self._number(said, "backs") or 0
        found = tuple(self._piece(face, code, tone) for code, tone in zip(row, asked, strict=False))
        return found + (Piece(""),) * (backs - len(found))

    def _piece(self, face: int, code: int, tone: int) -> Piece:
        parts = self._listed(face, "parts", code) or []
        shown = self._counted(face, code), self._sides(face), tuple(Part(*part) for part in parts)
        return Piece(self._text(face, code), tone, *shown, *self._card(face, code))

    def _number(self, said: Fields, name: str) -> int | None:
        value = said.get(name, (-1, NONE))[1]
        return None if value == NONE else value

    def _shown(self, said: Fields, name: str) -> str:
        return self._text(*said[name]) if name in said else ""

    def _joined(self, face: int, codes: list[int], signs: list[str]) -> str:
        first, between, last = signs
        return first + between.join(self._text(face, code) for code in codes) + last

    def _text(self, face: int, code: Value) -> str:
        if code == NONE:
            return ""
        listed = self._listed(face, "texts", code)
        return str(code) if listed is None else listed

    def _counted(self, face: int, code: Value) -> int | None:
        return code if face >= 0 and "sides" in self.data["types"][face] and code != NONE else None

    def _sides(self, face: int) -> int:
        return self.data["types"][face].get("sides", 0) if face >= 0 else 0

    def _card(self, face: int, code: Value) -> tuple[str, str]:
        return tuple(self._listed(face, "cards", code) or ("", "")) if code != NONE else ("", "")

    def _tone(self, face: int, code: int) -> int:
        if code == NONE:
            return 0
        listed = self._listed(face, "tones", code)
        if listed is not None:
            return listed
        return (code - 1) % TONES + 1 if code > 0 else 0

    def _listed(self, face: int, look: str, code: Value) -> Any:
        held = self.data["types"][face] if face >= 0 else {}
        return held[look][code - held["first"]] if look in held else None

    def _row(self, move: Move) -> list[int]:
        """An action as a row of the buffer."""
        program, rows = self.written.program, self.written.rows
        index = [action.id for action in rows.actions].index(move.action)
        row = [index] + [0] * (rows.width - 1)
        for (choice, place), value in zip(rows.places(index), move.args, strict=True):
            flat = program.flat(choice.chain.type if choice.chain else choice.var.type, value)
            row[place : place + len(flat)] = flat
        return row

    def _numbers(self, size: int) -> Any:
        return self.runner.instance.room("numbers", size)
