"""The colours and strokes of drawings, for light and dark, screen and print, without any script.

Things that lie on a table (cards, dominoes, dice) keep their colours in the dark; the board follows the page.
Pieces differ in lightness and by a sign as well as in hue, so that they work on grey paper and for readers
who do not see all colours.
"""

from __future__ import annotations

from .table import SIZES

LIGHT = {
    "ink": "#1d1b18", "muted": "#6a645b", "line": "#b5aa97", "frame": "#6b5f4c", "ground": "#f3ecdf",
    "paper": "#fffdf8", "new": "#a8005f", "hl": "#d97706",
    "v2": "#ead9b6", "v3": "#dcc08a", "v4": "#d2af70",
    "t1": "#d3e3f4", "t2": "#fadccb", "t3": "#cfe6d3", "t4": "#ecdcf1", "t5": "#f8ecb8", "t6": "#d0ecec",
    "t7": "#f5cfcf", "t8": "#dccfb6", "t9": "#fffdf8", "t10": "#8f8a82",
    "s1": "#174f92", "s2": "#e0812b", "s3": "#3bb07d", "s4": "#9a53ad", "s5": "#f2cd3c", "s6": "#63b8d8",
    "s7": "#cb3540", "s8": "#77716a", "s9": "#fffdf8", "s10": "#22201d",
}  # fmt: skip
"""Colours by name: `tN` fills a square of tone N, `sN` a piece of it, `vN` ground on level N."""

DARK = {
    "ink": "#f1ede4", "muted": "#aca496", "line": "#5e574b", "frame": "#8c8270", "ground": "#2a2722",
    "paper": "#35322d", "new": "#ff8ac6", "hl": "#f5a83c",
    "v2": "#463a22", "v3": "#584722", "v4": "#6c5522",
    "t1": "#1f3b5a", "t2": "#5d341a", "t3": "#234a35", "t4": "#452c50", "t5": "#544712", "t6": "#174a55",
    "t7": "#5e2127", "t8": "#4a4234", "t9": "#d9d4c9", "t10": "#100f0e",
    "s1": "#5b9be0", "s2": "#ee9a4d", "s3": "#4dbd8b", "s4": "#c187d1", "s5": "#f2d453", "s6": "#86cde6",
    "s7": "#d9505a", "s8": "#a29b91", "s9": "#f7f3ea", "s10": "#171513",
}  # fmt: skip

OBJECTS = {
    "face": "#fdf8ec", "fi": "#1d1b18", "fm": "#6a645b", "seam": "#a89c86", "side": "#7d725f",
    "red": "#ad1a29", "back": "#2f5583", "weave": "#8fb0d6",
    "f2": "#f6e3b4", "f3": "#ebc983", "f4": "#dcae5c",
    "p1": "#d3e3f4", "p2": "#fadccb", "p3": "#cfe6d3", "p4": "#ecdcf1", "p5": "#f8ecb8", "p6": "#d0ecec",
    "p7": "#f5cfcf", "p8": "#d8d0c0", "p9": "#fffdf8", "p10": "#8f8a82",
}  # fmt: skip
"""Colours that are the same in light and dark: `fN` a face on level N, `pN` a face of tone N."""

INKS = dict.fromkeys((1, 4, 7, 8, 10), "#fffdf8") | dict.fromkeys((2, 3, 5, 6, 9), "#1d1b18")
DARK_INKS = dict.fromkeys(range(1, 10), "#171513") | {10: "#f7f3ea"}
"""The colour of writing on a piece of each tone."""

TONES = 8
"""The number of tones besides 0; higher numbers begin again at 1."""
NAMED = {
    "blue": 1, "orange": 2, "brown": 2, "green": 3, "purple": 4, "violet": 4, "yellow": 5, "gold": 5,
    "teal": 6, "turquoise": 6, "cyan": 6, "red": 7, "grey": 8, "gray": 8, "silver": 8, "white": 9,
    "black": 10,
}  # fmt: skip
"""The tones of words for colours; those of white and black are beyond the range of numbers."""
ALL_TONES = max(NAMED.values())
LEVELS: int = SIZES["LEVELS"]
"""The highest level with a shade of its own; higher ones share it."""

_SHAPES = """
.rs-diagram{max-width:100%;height:auto;
font-family:system-ui,-apple-system,"Segoe UI",Roboto,"Liberation Sans",Arial,sans-serif}
.rs-diagram text{fill:var(--rs-ink);text-anchor:middle;dominant-baseline:central}
.rs-diagram .g{fill:var(--rs-ground);stroke:var(--rs-line);stroke-width:1}
.rs-diagram .q{fill:var(--rs-paper);stroke:var(--rs-line);stroke-width:1}
.rs-diagram .fr{fill:none;stroke:var(--rs-frame);stroke-width:4;stroke-linecap:square}
.rs-diagram .pt{fill:var(--rs-ground);stroke:var(--rs-frame);stroke-width:1.5}
.rs-diagram .o{fill:none;stroke:var(--rs-ink);stroke-width:1.8;stroke-dasharray:5 3.5}
.rs-diagram .oo{fill:none;stroke:var(--rs-paper);stroke-width:3.6;stroke-opacity:.8}
.rs-diagram .e{fill:var(--rs-side);stroke:var(--rs-side);stroke-width:1.5;stroke-linejoin:round}
.rs-diagram .f{fill:var(--rs-face);stroke:var(--rs-fi);stroke-width:1.2;stroke-linejoin:round}
.rs-diagram .l{stroke:none}
.rs-diagram .d{stroke:var(--rs-seam);stroke-width:1.6;fill:none}
.rs-diagram .p{stroke:var(--rs-fi);stroke-width:6.4;stroke-linecap:round;fill:none}
.rs-diagram .k{fill:var(--rs-muted);font-size:10px;text-anchor:start}
.rs-diagram .k.fi{fill:var(--rs-fm)}
.rs-diagram .m{text-anchor:end;fill:var(--rs-fm);font-size:8px}
.rs-diagram .fi{fill:var(--rs-fi);font-weight:600}
.rs-diagram .r{fill:var(--rs-fi);font-size:14.5px;font-weight:700;text-anchor:start;letter-spacing:-1.4px}
.rs-diagram .rr{font-size:12.5px}
.rs-diagram .u{fill:var(--rs-red);stroke:none}
.rs-diagram .w{fill:var(--rs-fi);stroke:none}
.rs-diagram .bk{fill:var(--rs-back);stroke:none}
.rs-diagram .bl{fill:none;stroke:var(--rs-weave);stroke-width:.8}
.rs-diagram .s{fill:var(--rs-s8);stroke:var(--rs-ink);stroke-width:1.2;stroke-linejoin:round}
.rs-diagram .i{fill:var(--rs-i8);font-weight:600}
.rs-diagram .ri{fill:none;stroke:#888;stroke-opacity:.45;stroke-width:1.5}
.rs-diagram .mo{fill:none;stroke-opacity:.8;stroke-width:1.8;stroke-linejoin:round}
.rs-diagram .a{stroke:var(--rs-ink);stroke-width:3.6;fill:none;stroke-linecap:round;stroke-linejoin:round}
.rs-diagram .aa{stroke:var(--rs-ink);stroke-width:6;fill:none;stroke-linecap:round;stroke-linejoin:round}
.rs-diagram .ap{stroke:var(--rs-paper);stroke-width:7}
.rs-diagram .y{stroke:var(--rs-ink);stroke-width:2.4;stroke-dasharray:1 5}
.rs-diagram .j{stroke:var(--rs-frame);stroke-width:3}
.rs-diagram .z{fill:var(--rs-paper);stroke:var(--rs-ink);stroke-width:2;stroke-linecap:round}
.rs-diagram .hl{fill:var(--rs-hl);fill-opacity:.22;stroke:var(--rs-hl);stroke-width:3}
.rs-diagram .bn{fill:var(--rs-ink);stroke:var(--rs-paper);stroke-width:1.5}
.rs-diagram .br{fill:var(--rs-muted)}
.rs-diagram .bc{fill:var(--rs-ink);stroke:var(--rs-paper);stroke-width:1.5}
.rs-diagram .bt{fill:var(--rs-paper);font-size:11px;font-weight:700}
.rs-diagram .c,.rs-diagram .ct{text-anchor:start;fill:var(--rs-muted);font-size:13px}
.rs-diagram .ct{fill:var(--rs-ink)}
.rs-diagram .h{opacity:.9}
.rs-diagram .h .f,.rs-diagram .h .s{stroke-dasharray:5 3.5;stroke-width:1.8}
.rs-diagram .h .s{fill-opacity:.45}
.rs-diagram .n .f,.rs-diagram .n .q,.rs-diagram .n .g,.rs-diagram .n .s{stroke:var(--rs-new);stroke-width:3}
.rs-diagram .n .g{stroke-width:2}
"""


SCHEMES = {
    "light": (
        "[data-theme=light]", "[data-bs-theme=light]", "[data-md-color-scheme=default]",
        "body:not([data-md-color-scheme]):has(>.md-header)", "body.wy-body-for-nav",
    ),
    "dark": ("[data-theme=dark]", "[data-bs-theme=dark]", "[data-md-color-scheme=slate]"),
}  # fmt: skip
"""Selectors of pages that are light or dark independently of the reader's system.

They are those of our theme, Bootstrap and mkdocs, Material (light without a palette), and Read the Docs.
"""


def _colours(table: dict[str, str], inks: dict[int, str]) -> str:
    named = table | {f"i{tone}": ink for tone, ink in inks.items()}
    return "".join(f"--rs-{name}:{colour};" for name, colour in named.items())


def stylesheet() -> str:
    """The style sheet of drawings; it stands once in a page, or in each drawing that is a file of its own.

    Dark follows the reader's system unless the page overrides it, as each theme can; paper is light.
    """
    light, dark = _colours(LIGHT, INKS), _colours(DARK, DARK_INKS)
    tones = "".join(
        f".rs-diagram .t{i}{{fill:var(--rs-t{i})}}.rs-diagram .f.t{i}{{fill:var(--rs-p{i})}}"
        f".rs-diagram .s.t{i}{{fill:var(--rs-s{i})}}.rs-diagram .i.t{i}{{fill:var(--rs-i{i})}}"
        f".rs-diagram .mo.t{i}{{fill:none;stroke:var(--rs-i{i})}}"
        f".rs-diagram .a.t{i}{{fill:none;stroke:var(--rs-s{i})}}"
        f".rs-diagram text.t{i}:not(.i){{fill:var(--rs-ink)}}"
        for i in range(1, ALL_TONES + 1)
    )
    shades = "".join(
        f".rs-diagram .v{i}{{fill:var(--rs-v{i})}}.rs-diagram .f.v{i}{{fill:var(--rs-f{i})}}"
        for i in range(2, LEVELS + 1)
    )
    bright, dim = (",".join(SCHEMES[scheme]) for scheme in ("light", "dark"))
    return (
        f":root{{{_colours(OBJECTS, {})}{light}}}"
        f"@media (prefers-color-scheme:dark){{:root{{{dark}}}}}"
        f"{bright}{{{light}}}{dim}{{{dark}}}"
        f"@media print{{:root,{dim}{{{light}}}}}"
        + _also_shared("".join(_SHAPES.splitlines()) + shades + tones)
    )


def _also_shared(sheet: str) -> str:
    """The rules for the marks of a drawing, extended to runs of marks shared with other drawings."""
    return sheet.replace(".rs-diagram ", ":is(.rs-diagram,.rs-run) ")
