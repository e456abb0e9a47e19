"""Colours of drawings: enough contrast in light and dark, and pieces that differ for every reader."""

from __future__ import annotations

from itertools import combinations

import pytest

from rulespec.book.drawing.style import DARK, DARK_INKS, INKS, LIGHT, OBJECTS, TONES, stylesheet
from rulespec.book.drawing.symbols import SYMBOLS

THEMES = {"light": (LIGHT, INKS), "dark": (DARK, DARK_INKS)}
RGB = tuple[float, float, float]


def linear(colour: str) -> RGB:
    """The linear components of a colour in sRGB."""
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return r, g, b


def luminance(rgb: RGB) -> float:
    return 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of WCAG 2.2, from 1 to 21."""
    dark, light = sorted((luminance(linear(one)), luminance(linear(other))))
    return (light + 0.05) / (dark + 0.05)


SEEN = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "protanopia": (
        (0.152286, 1.052583, -0.204868),
        (0.114503, 0.786281, 0.099216),
        (-0.003882, -0.048116, 1.051998),
    ),
    "deuteranopia": (
        (0.367322, 0.860646, -0.227968),
        (0.280085, 0.672501, 0.047413),
        (-0.011820, 0.042940, 0.968881),
    ),
    "tritanopia": (
        (1.255528, -0.076749, -0.178779),
        (-0.078411, 0.930809, 0.147602),
        (0.004733, 0.691367, 0.303900),
    ),
}
"""Linear colours as they are seen: G. Machado, M. Oliveira, L. Fernandes (2009), severity 1.0."""


def lab(rgb: RGB) -> RGB:
    """A colour in CIELAB under D65."""
    r, g, b = rgb
    xyz = (
        (0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505,
        0.2126 * r + 0.7152 * g + 0.0722 * b,
        (0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089,
    )
    x, y, z = (max(v, 0) ** (1 / 3) if v > 0.008856 else 7.787 * v + 16 / 116 for v in xyz)
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def difference(one: str, other: str, eyes: str) -> float:
    """How different two colours are (CIE 1976); 2 is just seen, 10 at a glance."""
    seen = []
    for colour in (one, other):
        rgb = linear(colour)
        r, g, b = (sum(f * c for f, c in zip(row, rgb, strict=True)) for row in SEEN[eyes])
        seen.append(lab((r, g, b)))
    return sum((a - b) ** 2 for a, b in zip(*seen, strict=True)) ** 0.5


@pytest.mark.parametrize("theme", THEMES)
def test_words_can_be_read(theme: str) -> None:
    table, inks = THEMES[theme]
    grounds = ["ground", "paper", "v2", "v3", "v4", *(f"t{i}" for i in range(1, TONES + 1))]
    for ground in grounds:
        assert contrast(table["ink"], table[ground]) >= 4.5, ground
    for tone, ink in inks.items():
        assert contrast(ink, table[f"s{tone}"]) >= 4.5, f"what stands on a piece of tone {tone}"
    for face in ["face", "f2", "f3", "f4", *(f"p{i}" for i in range(1, TONES + 1))]:
        assert contrast(OBJECTS["fi"], OBJECTS[face]) >= 4.5, face
        assert contrast(OBJECTS["red"], OBJECTS[face]) >= (4.5 if face == "face" else 3), "large signs"


@pytest.mark.parametrize("theme", THEMES)
def test_lines_and_pieces_are_seen(theme: str) -> None:
    table, _ = THEMES[theme]
    for ground in ("ground", "v2", "v3", "v4"):
        assert contrast(table["ink"], table[ground]) >= 3, "the edge of every piece and of dashes"
        assert contrast(table["new"], table[ground]) >= 3, "the edge of new things"
    assert contrast(table["frame"], table["ground"]) >= 3
    assert contrast(table["new"], OBJECTS["face"]) >= (3 if theme == "light" else 1.8)


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("eyes", SEEN)
def test_pieces_of_different_tones_differ_for_every_reader(theme: str, eyes: str) -> None:
    table, _ = THEMES[theme]
    tones = {tone: table[f"s{tone}"] for tone in (1, 2, 3, 5, 7, 9, 10)}
    for (one, colour), (other, another) in combinations(tones.items(), 2):
        assert difference(colour, another, eyes) >= 10, (one, other)


def test_the_first_two_tones_differ_on_grey_paper() -> None:
    for one, other in ((1, 2), (1, 5), (7, 5), (9, 10), (1, 3), (7, 3)):
        assert contrast(LIGHT[f"s{one}"], LIGHT[f"s{other}"]) >= 1.7, (one, other)


def test_each_tone_has_a_sign_of_its_own() -> None:
    signs = [SYMBOLS[f"disc{tone}"] for tone in range(1, TONES + 1)]
    assert len({sign.split('<path class="mo')[1].split('d="')[1] for sign in signs}) == TONES


def test_the_style_follows_the_themes_that_say_so() -> None:
    style = stylesheet()
    for said in ("[data-theme=dark]", "[data-bs-theme=dark]", "[data-md-color-scheme=slate]"):
        assert said in style
    assert style.count(DARK["ground"]) == 2, "the system's choice and the page's"
    dark_block = style[style.index("[data-theme=dark]") :]
    assert (
        dark_block.index(DARK["ground"])
        < dark_block.index("@media print")
        < dark_block.index(LIGHT["ground"])
    )
