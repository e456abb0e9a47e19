"""The colours and strokes of drawings, for light and dark, screen and print, without any script."""

from collections.abc import Iterable

LIGHT = {
    "ink": "#1c1b19", "muted": "#6f6a62", "line": "#b9b2a5", "ground": "#f4f0e8", "paper": "#fffdf8",
    "side": "#8d8577", "new": "#c4520a",
    "v2": "#f8e8c4", "v3": "#efcd8e", "v4": "#e3b062",
    "t1": "#dbe8f6", "t2": "#fbe0d2", "t3": "#dcefd9", "t4": "#efe0f3", "t5": "#fbeebb", "t6": "#d5efee",
    "t7": "#f8d3d3", "t8": "#e3e1dc", "t9": "#fffdf8", "t10": "#8f8a82",
    "s1": "#2563a8", "s2": "#b8471b", "s3": "#34762f", "s4": "#7b3f94", "s5": "#8f6c00", "s6": "#0d6f6e",
    "s7": "#b5202f", "s8": "#55524c", "s9": "#fffdf8", "s10": "#1c1b19",
}  # fmt: skip
"""Colours by name: `tN` fills a square of tone N, `sN` a piece of it, `vN` what stands on level N."""

DARK = {
    "ink": "#f1ede4", "muted": "#a39c90", "line": "#5b564d", "ground": "#24221f", "paper": "#35322d",
    "side": "#0d0c0b", "new": "#ff9d5c",
    "v2": "#51462f", "v3": "#71592a", "v4": "#8d6a20",
    "t1": "#203a56", "t2": "#5a2d1b", "t3": "#264524", "t4": "#44294f", "t5": "#4c3f0d", "t6": "#16403f",
    "t7": "#5a1f24", "t8": "#43403a", "t9": "#d9d4c9", "t10": "#0d0c0b",
    "s1": "#7db2ec", "s2": "#f09468", "s3": "#84c97c", "s4": "#cd95e3", "s5": "#e2bf4c", "s6": "#63c7c3",
    "s7": "#f0757b", "s8": "#bab4a8", "s9": "#f1ede4", "s10": "#0d0c0b",
}  # fmt: skip

TONES = 8
"""How many tones there are besides 0; higher numbers begin again at 1."""
NAMED = {
    "blue": 1, "orange": 2, "brown": 2, "green": 3, "purple": 4, "violet": 4, "yellow": 5, "gold": 5,
    "teal": 6, "turquoise": 6, "cyan": 6, "red": 7, "grey": 8, "gray": 8, "silver": 8, "white": 9,
    "black": 10,
}  # fmt: skip
"""The tones of words for colours; those of white and black lie beyond what numbers reach."""
ALL_TONES = max(NAMED.values())
LEVELS = 4
"""The highest level with a shade of its own; higher ones share it."""

_SHAPES = """
.rs-diagram{font-family:system-ui,sans-serif;max-width:100%;height:auto}
.rs-diagram text{fill:var(--rs-ink);text-anchor:middle;dominant-baseline:central}
.rs-diagram .q{fill:var(--rs-paper);stroke:var(--rs-line);stroke-width:1}
.rs-diagram .g{fill:var(--rs-ground);stroke:var(--rs-line);stroke-width:1}
.rs-diagram .o{fill:none;stroke:var(--rs-muted);stroke-width:1.2;stroke-dasharray:3 3}
.rs-diagram .e{fill:var(--rs-side);stroke:var(--rs-side);stroke-width:1.5;stroke-linejoin:round}
.rs-diagram .f{fill:var(--rs-paper);stroke:var(--rs-ink);stroke-width:1.5;stroke-linejoin:round}
.rs-diagram .l{stroke:none}
.rs-diagram .d{stroke:var(--rs-line);stroke-width:1.5;fill:none}
.rs-diagram .p{stroke:var(--rs-ink);stroke-width:6;stroke-linecap:round;fill:none}
.rs-diagram .k{fill:var(--rs-muted);font-size:10px;text-anchor:start}
.rs-diagram .m{text-anchor:middle}
.rs-diagram .s{fill:var(--rs-s8);stroke:var(--rs-ink);stroke-width:1}
.rs-diagram text.i{fill:var(--rs-paper)}
.rs-diagram .t9+text.i{fill:#1c1b19}
.rs-diagram .t10+text.i{fill:#fffdf8}
.rs-diagram .a{stroke:var(--rs-ink);stroke-width:3;fill:none;stroke-linecap:round;stroke-linejoin:round}
.rs-diagram .y{stroke:var(--rs-muted);stroke-width:2;stroke-dasharray:1 5}
.rs-diagram .z{fill:var(--rs-paper);stroke:var(--rs-ink);stroke-width:1.8;stroke-linecap:round}
.rs-diagram .b{stroke:var(--rs-muted);stroke-width:2}
.rs-diagram .c{text-anchor:start;fill:var(--rs-muted);font-size:13px}
.rs-diagram .n .f,.rs-diagram .n .q,.rs-diagram .n .g,.rs-diagram .n .s{stroke:var(--rs-new);stroke-width:3}
"""


SCHEMES = {
    "light": ("data-theme=light", "data-bs-theme=light", "data-md-color-scheme=default"),
    "dark": ("data-theme=dark", "data-bs-theme=dark", "data-md-color-scheme=slate"),
}
"""How a page says light or dark: in our theme, in those of Bootstrap and mkdocs, in Material."""


def _said(scheme: Iterable[str]) -> str:
    return ",".join(f"[{attribute}] .rs-diagram" for attribute in scheme)


def _colours(table: dict[str, str]) -> str:
    return "".join(f"--rs-{name}:{colour};" for name, colour in table.items())


def stylesheet() -> str:
    """The style sheet of drawings: it may stand in a page once, or in each drawing that stands alone.

    Dark follows the reader's system unless the page says otherwise, as each theme does; paper is light.
    """
    light, dark = _colours(LIGHT), _colours(DARK)
    tones = "".join(
        f".rs-diagram .t{i}{{fill:var(--rs-t{i})}}.rs-diagram .s.t{i}{{fill:var(--rs-s{i})}}"
        f".rs-diagram .a.t{i}{{fill:none;stroke:var(--rs-s{i})}}.rs-diagram text.t{i}{{fill:var(--rs-s{i})}}"
        for i in range(1, ALL_TONES + 1)
    )
    shades = "".join(f".rs-diagram .v{i}{{fill:var(--rs-v{i})}}" for i in range(2, LEVELS + 1))
    bright, dim = (_said(SCHEMES[scheme]) for scheme in ("light", "dark"))
    return (
        f".rs-diagram{{{light}}}"
        f"@media (prefers-color-scheme:dark){{.rs-diagram{{{dark}}}}}"
        f"{bright}{{{light}}}{dim}{{{dark}}}"
        f"@media print{{.rs-diagram,{dim}{{{light}}}}}"
        + _also_shared("".join(_SHAPES.splitlines()) + shades + tones)
    )


def _also_shared(sheet: str) -> str:
    """The rules for the marks of a drawing, made to match also where another drawing uses a run of them."""
    return sheet.replace(".rs-diagram ", ":is(.rs-diagram,.rs-run) ")
