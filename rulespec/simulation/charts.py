"""Statistics of many games as one SVG picture: histograms, shares with their intervals, ranges of scores.

It needs no script and no font of its own, and follows the reader's light or dark mode.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from html import escape
from itertools import groupby

from ..core.intervals import Estimate, Measure, Share

WIDTH, LEFT, RIGHT = 720, 150, 80
"""The width of the picture, and the margins to the left and right of its bars."""
ROW, HEAD, TALL = 24, 34, 150
"""The heights of a bar with its space, of a heading, and of the histogram."""
MOST_BINS = 60

STYLE = """
.rs-plot{font:13px system-ui,sans-serif;max-width:100%;height:auto;--ink:#1c1b19;--muted:#6f6a62;
--line:#b9b2a5;--bar:#7ea6d4;--mean:#c4520a;--paper:#fffdf8}
@media (prefers-color-scheme:dark){.rs-plot{--ink:#f1ede4;--muted:#a39c90;--line:#5b564d;--bar:#3f6ea5;
--mean:#ff9d5c;--paper:#24221f}}
.rs-plot text{fill:var(--ink)}.rs-plot .m{fill:var(--muted)}.rs-plot .h{font-weight:600}
.rs-plot .t{font-size:17px;font-weight:600}.rs-plot .e{text-anchor:end}.rs-plot .c{text-anchor:middle}
.rs-plot .b{fill:var(--bar)}.rs-plot .p{fill:var(--paper)}.rs-plot .a{stroke:var(--line)}
.rs-plot .w{stroke:var(--ink);stroke-width:1.5}.rs-plot .d{stroke:var(--mean);stroke-width:2}
"""


Panel = tuple[str, int, Iterable[str]]
"""A part of the picture: heading, height, elements."""


def picture(title: str, games: int, how: str, panels: Iterable[Panel]) -> str:
    """A chart of games as a complete SVG document; `how` says how they were played."""
    parts: list[str] = []
    at = 30
    parts.append(_text(16, at, title, "t"))
    at += 20
    parts.append(_text(16, at, f"{games:,} games, {how}", "m"))
    for heading, height, drawn in panels:
        at += HEAD
        parts.append(_text(16, at, heading, "h"))
        at += 10
        parts += [f'<g transform="translate(0 {at})">', *drawn, "</g>"]
        at += height
    height = at + 16
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rs-plot" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img">'
        f"<title>{escape(title)}: {games:,} games</title><style>{STYLE}</style>"
        f'<rect class="p" width="{WIDTH}" height="{height}"/>{"".join(parts)}</svg>\n'
    )


def histogram(heading: str, m: Measure) -> Panel:
    """A histogram of a measure, with its mean."""
    return heading, TALL + 24, _histogram(m)


def bars(
    heading: str, values: Mapping[str, Estimate | Share], most: float = 1.0, percent: bool = True
) -> Panel:
    """A bar for each value, with its interval, on a scale from 0 to `most`."""
    return heading, ROW * len(values), _bars(values, most, percent)


def ranges(heading: str, measures: Mapping[object, Measure]) -> Panel:
    """The distribution of each player's measure."""
    return heading, ROW * len(measures) + 20, _ranges(measures)


def _histogram(m: Measure) -> Iterator[str]:
    """Histogram of the lengths of games, in bins of equal width."""
    size = -(-(m.most - m.least + 1) // MOST_BINS)
    binned = groupby(sorted(m.histogram), key=lambda value: (value - m.least) // size)
    bins = {number: sum(m.histogram[value] for value in values) for number, values in binned}
    count = (m.most - m.least) // size + 1
    room, top = WIDTH - 2 * 16, max(bins.values())
    step = room / count
    for number, games in bins.items():
        high = games / top * TALL
        low = m.least + number * size
        span = f"{low}" if size == 1 else f"{low} to {low + size - 1}"
        box = _box(16 + number * step, TALL - high, max(step - 1, 1), high)
        yield f"<g>{box}<title>{span}: {games:,} games</title></g>"
    at = 16 + (m.mean.value - m.least + 0.5) / size * step
    yield _line(at, 0, at, TALL, "d")
    yield _line(16, TALL, WIDTH - 16, TALL, "a")
    yield _text(16, TALL + 16, f"{m.least:,}")
    yield _text(WIDTH - 16, TALL + 16, f"{m.most:,}", "e")


def _bars(values: Mapping[str, Estimate | Share], most: float, percent: bool) -> Iterator[str]:
    """Yield the parts of a bar chart, with intervals as whiskers."""
    scale = (WIDTH - LEFT - RIGHT) / (most or 1.0)
    for number, (name, found) in enumerate(values.items()):
        at = number * ROW
        yield _text(LEFT - 8, at + 15, _shorten(name), "e")
        yield _box(LEFT, at + 3, found.value * scale, 16)
        if found.low is not None and found.high is not None:
            yield from _whisker(LEFT + max(found.low, 0.0) * scale, LEFT + found.high * scale, at + 11)
        words = f"{found.value:.1%}" if percent else f"{found.value:.2f}"
        yield _text(WIDTH - 16, at + 15, words, "e")


def _ranges(scores: Mapping[object, Measure]) -> Iterator[str]:
    """The distribution of each player's scores: the middle nine tenths, the middle half and the mean."""
    low, high = min(m.least for m in scores.values()), max(m.most for m in scores.values())
    scale = (WIDTH - LEFT - RIGHT) / max(high - low, 1)

    def place(value: float) -> float:
        return LEFT + (value - low) * scale

    for number, (player, m) in enumerate(scores.items()):
        at = number * ROW
        ends = [place(m.quantiles[q].value) for q in (0.05, 0.25, 0.75, 0.95)]
        yield _text(LEFT - 8, at + 15, _shorten(f"player {player}"), "e")
        yield from _whisker(ends[0], ends[3], at + 11)
        yield _box(ends[1], at + 3, max(ends[2] - ends[1], 2), 16)
        yield _line(place(m.mean.value), at + 1, place(m.mean.value), at + 21, "d")
        yield _text(WIDTH - 16, at + 15, f"{m.mean.value:.2f}", "e")
    bottom = len(scores) * ROW
    yield _line(LEFT, bottom, WIDTH - RIGHT, bottom, "a")
    yield _text(LEFT, bottom + 16, f"{low:,}", "c m")
    yield _text(WIDTH - RIGHT, bottom + 16, f"{high:,}", "c m")


def _whisker(low: float, high: float, at: float) -> Iterator[str]:
    yield _line(low, at, high, at, "w")
    yield _line(low, at - 4, low, at + 4, "w")
    yield _line(high, at - 4, high, at + 4, "w")


def _box(x: float, y: float, width: float, height: float) -> str:
    return f'<rect class="b" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}"/>'


def _line(x: float, y: float, to_x: float, to_y: float, kind: str) -> str:
    return f'<line class="{kind}" x1="{x:.1f}" y1="{y:.1f}" x2="{to_x:.1f}" y2="{to_y:.1f}"/>'


def _text(x: float, y: float, words: str, kind: str = "") -> str:
    return f'<text x="{x:g}" y="{y:g}" class="{kind}">{escape(words)}</text>'


def _shorten(name: str) -> str:
    return name if len(name) <= 20 else name[:19] + "…"
