"""Symmetry reduction: one representative of each orbit of states is stored; counts and plays are unfolded.

This is sound only if the successors of a state's image are the images of its successors, and if the start,
dealt in all ways, is its own image. Nothing is assumed: the start is compared; the rules were proved to
commute beforehand (`shown`), or each representative is compared with all its images. Questions about states
must have the same answer for all images, which is tested once for each question.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from fractions import Fraction
from math import inf
from typing import Any, Protocol

from rulespec.code.execution.instance import Instance
from rulespec.code.packed_rows.fields import RowFields
from rulespec.code.packed_rows.images import NoRowImage, image_tables
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.kernels.symmetries import CHANCE, UNLIKE

from .states import BuiltinQuestion, Question, Row, ScoreOf

BATCH = 1 << 16
"""Number of states whose images are computed at a time."""


class PackedStates(Protocol):
    """Packed states to be folded, with their game and its code."""

    game: Game
    instance: Instance
    names: dict[str, Any]
    """The functions of the kernel by name."""
    rows: Any
    after: tuple[Any, Any]
    """Room for the states after a ply."""

    @property
    def layout(self) -> RowFields:
        """The fields of a row."""

    @property
    def states(self) -> int:
        """The number of states."""

    @property
    def scratch(self) -> tuple[Any, ...]:
        """Scratch rows for two states."""

    def starts(self) -> list[tuple[int, int]]:
        """The numbers of the states in which plays begin, each with its odds."""

    def begin_again(self, rows: Sequence[Row]) -> dict[Row, int]:
        """Replace the states in which plays begin by other rows."""

    def scan(self, question: Question, first: int = 0, last: int | None = None) -> Any:
        """The answers to a question for states by number."""

    def scan_rows(self, question: Question, rows: Any, first: int, last: int) -> Any:
        """The answers to a question for states by their rows."""


class NotSymmetric(Exception):
    """Raised if the successors of a state and of its image differ: the number of the state, and the symmetry.

    With `begins`, play begins in the state and not in its image, or with another frequency.
    """

    def __init__(self, number: int, symmetry: Symmetry, begins: bool = False) -> None:
        super().__init__("an image is unlike its state")
        self.number, self.symmetry, self.begins = number, symmetry, begins


class NotInvariant(Exception):
    """Raised if a question has different answers in images of one state; the text is the question."""


class SymmetryReduction:
    """The symmetry reduction of a state space; it has no effect without symmetries.

    `elements` are all symmetries of the group, the identity first. If it only `watches`, states are compared
    with their images, and all are stored. Raises NoRowImage if symmetries cannot be applied to states.
    """

    def __init__(self, space: PackedStates, elements: Sequence[Symmetry], shown: bool, watches: bool) -> None:
        self.space, self.elements, self.shown = space, tuple(elements), shown
        self.folds = bool(elements) and not watches
        instance = space.instance
        self.tables = self.of_rows(space.layout)
        """The arguments of the kernel: the chunks, the tables, and room for images."""
        nothing = instance.numbers([0, 1, 0]), instance.words([]), self.tables[2]
        self.keeping = self.tables if self.folds else nothing
        """The arguments for code that stores one state for all its images, if symmetries are to be folded."""
        self._compared = instance.numbers([0, 0])
        self._even: dict[Question, float] = {BuiltinQuestion.ENDED: inf, BuiltinQuestion.FAULTED: inf}
        """For each question, the number of leading states known to answer it like their images."""

    def of_rows(self, layout: RowFields) -> tuple[Any, ...]:
        """The arguments of the kernel for rows of a layout; see `tables`."""
        instance = self.space.instance
        chunks, turned = image_tables(layout, self.elements) if self.elements else ([0, 1, 0], [])
        room = instance.room("words", 2 * layout.width)
        return instance.numbers(chunks), instance.words(turned), room

    def least(self, row: Any) -> Any:
        """Replace a row by its representative, in place."""
        self.space.names["fold"](row, self.keeping)
        return row

    def begin(self) -> None:
        """Fold the states in which plays begin. Raises NotSymmetric if their images differ in frequency."""
        if not self.elements:
            return
        space = self.space
        rows = self._split(space.rows[: space.states * space.layout.width])
        images = [self._split(self.images(place, 0, space.states)) for place in range(len(self.elements))]
        often: defaultdict[tuple[int, ...], Fraction] = defaultdict(Fraction)
        for number, odds in space.starts():
            often[rows[number]] += Fraction(1, odds)
        for element, turned in zip(self.elements, images, strict=True):
            for number, (row, image) in enumerate(zip(rows, turned, strict=True)):
                if often.get(image, 0) != often[row]:
                    raise NotSymmetric(number, element, begins=True)
        if self.folds:
            space.begin_again([min(same) for same in zip(*images, strict=True)])

    def compare(self, upto: int) -> int:
        """Compare states below a number with their images, unless `shown`; raises NotSymmetric.

        Returns the status of the kernel, 0 when done. Raises NoRowImage for actions with chance.
        """
        if not self.elements or self.shown:
            return 0
        space = self.space
        known = upto, space.rows, space.scratch, self.tables
        code = int(space.names["compare"](*known, *space.after, self._compared))
        if code == CHANCE:
            raise NoRowImage("chance in what an action does")
        if code == UNLIKE:
            raise NotSymmetric(int(self._compared[0]), self.elements[int(self._compared[1])])
        return code

    def even(self, question: Question, upto: int) -> None:
        """Raise NotInvariant unless all images of each state below a number answer a question alike."""
        if not self.folds:
            return
        space = self.space
        while (first := int(min(upto, self._even.get(question, 0)))) < upto:
            last = min(upto, first + BATCH)
            places = range(len(self.elements))
            images = (self.images(place, first, last) for place in places)
            if len({space.scan_rows(question, rows, 0, last - first).tobytes() for rows in images}) > 1:
                raise NotInvariant(question)
            self._even[question] = last

    def compare_ends(self) -> None:
        """Compare the winners and scores of all ends with those of images; raises NotSymmetric."""
        for first in range(0, self.space.states, BATCH):
            self._compare_ends(first, min(first + BATCH, self.space.states))

    def _compare_ends(self, first: int, last: int) -> None:
        """Raise NotSymmetric unless images of ends from `first` to before `last` answer alike."""
        space, player = self.space, self.space.game.player
        scored = space.game.outcome.score is not None
        ended = [i for i, x in enumerate(space.scan(BuiltinQuestion.ENDED, first, last)) if x]
        if not ended:
            return
        winners = space.scan(BuiltinQuestion.WINNERS, first, last).tolist()
        for place, element in enumerate(self.elements):
            becomes = {p: element.one(player, p) for p in player.values}
            won = [sum(1 << int(to) for p, to in becomes.items() if x >> int(p) & 1) for x in winners]
            wanted: list[tuple[Sequence[int], Question]] = [(won, BuiltinQuestion.WINNERS)]
            wanted += [
                (space.scan(ScoreOf(p), first, last), ScoreOf(to)) for p, to in becomes.items() if scored
            ]
            images = self.images(place, first, last)
            for held, question in wanted:
                other = space.scan_rows(question, images, 0, last - first)
                if (unlike := next((i for i in ended if held[i] != other[i]), None)) is not None:
                    raise NotSymmetric(first + unlike, element)

    def images(self, place: int, first: int, last: int) -> Any:
        """The rows of the images of some states under the symmetry at an index."""
        space = self.space
        out = space.instance.room("vast words", (last - first) * space.layout.width)
        space.names["turn_all"](first, last, space.rows, place, self.tables, out)
        return out

    def _split(self, flat: Any) -> list[tuple[int, ...]]:
        """Split consecutive rows into separate ones."""
        words = iter(flat)
        return list(zip(*[words] * self.space.layout.width, strict=True))

    def sizes(self, first: int, last: int) -> Sequence[int]:
        """The number of images of each state."""
        instance = self.space.instance
        notes = instance.room("vast numbers", last - first)
        if not self.folds:
            return [1] * (last - first)
        self.space.names["orbit_sizes"](first, last, self.space.rows, self.tables, notes)
        return notes.tolist()
