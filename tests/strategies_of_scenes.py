"""Random scenes: marks of every kind with any looks, pieces, options, refusals and news."""

from __future__ import annotations

from hypothesis import strategies as st

from rulespec.book.drawing.marks import MARKS
from rulespec.book.drawing.scene import Mark, Part, Piece, Scene, arrange, with_news

NUMBERS = st.integers(-4, 4)
PLACES = st.tuples(NUMBERS.map(lambda v: v / 2), NUMBERS.map(lambda v: v / 2))
TEXTS = st.sampled_from(["", "here it is", "<b> & \"c\" 'd'", "♠ 𝟙 é"])
LABELS = st.sampled_from(["", "3-4", "QH", "10", "𝟙"])
ITEMS = st.lists(
    st.builds(
        Piece, LABELS, st.integers(0, 10), st.sampled_from([None, *range(10)]), st.integers(2, 8),
        st.sampled_from([(), (Part("3", 3), Part("4", 4)), (Part("12", 12), Part("a"), Part("0", 0))]),
        st.sampled_from(["", "hearts", "clubs"]), st.sampled_from(["Q", "10"]),
    ),
    max_size=14,
).map(tuple)  # fmt: skip


@st.composite
def marks(draw: st.DrawFn) -> Mark:
    """A mark of any kind, with attributes that its kind takes."""
    kind = draw(st.sampled_from(sorted(MARKS)))
    option = draw(st.integers(0, 3))
    takes = MARKS[kind].attributes
    number = draw(st.integers(0, 12))
    return Mark(
        kind, draw(st.integers(0, 2)), *draw(PLACES), tone=draw(st.integers(0, 10)),
        level=draw(st.integers(0, 3)) if "level" in takes else 0,
        shade=draw(st.integers(0, 5)) if "shade" in takes else 0,
        label=draw(st.sampled_from(["", str(number)])) if "label" in takes else str(number),
        corner=draw(st.sampled_from(["", "3"])) if "corner" in takes else "",
        number=draw(st.sampled_from([number, None])), sides=draw(st.sampled_from([6, 8])),
        size=draw(st.sampled_from([0.5, 1.0])),
        suit=draw(st.sampled_from(["", "spades", "diamonds"])) if kind == "card" else "", rank="10",
        joins=draw(st.sampled_from([None, "a", "b"])), to=draw(PLACES) if "to-across" in takes else None,
        via=tuple(draw(st.lists(PLACES, max_size=3))) if "via-across" in takes else (),
        items=draw(ITEMS), looks=frozenset(draw(st.sets(st.sampled_from(sorted(MARKS[kind].looks))))),
        text=draw(TEXTS), name=draw(st.sampled_from(["", "a1", "b2"])), option=option,
        refused=bool(option) and draw(st.booleans()), fixed=not option and draw(st.booleans()),
    )  # fmt: skip


@st.composite
def boards(draw: st.DrawFn) -> list[Mark]:
    """Marks of one kind on neighbouring places: grounds, tiles of several squares, piles of them."""
    kind = draw(st.sampled_from(["square", "hexagon", "tile"]))
    size = draw(st.integers(1, 4))
    fixed = draw(st.booleans())
    places = [(float(x), float(y)) for y in range(size) for x in range(size) if draw(st.booleans())]
    return [
        Mark(
            kind, 0, x, y, level=draw(st.integers(0, 2)) if kind == "tile" else 0,
            tone=draw(st.integers(0, 1)), joins=draw(st.sampled_from("ab")), label=draw(LABELS),
            name=f"{x},{y}", fixed=fixed,
        )
        for x, y in places
    ]  # fmt: skip


@st.composite
def scenes(draw: st.DrawFn) -> Scene:
    """A scene of a board and of other marks, perhaps with news since another one."""
    listed = [*draw(boards()), *draw(st.lists(marks(), max_size=9))]
    scene = arrange(draw(TEXTS), listed)
    if draw(st.booleans()):
        return scene
    return with_news(scene, arrange("", [m for m in listed if draw(st.booleans())]))
