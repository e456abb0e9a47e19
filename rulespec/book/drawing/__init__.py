"""Drawing: from the layers of a ruleset and a position to a picture, as SVG or in characters.

In: a core game, values of its state, actions in it. Out: drawings (`diagram`), and the table of marks as
data, for the player's page. It knows no Markdown, no pages and no verdicts.

Each mark is an entry of `marks.toml`: the attributes of its layers, and its shapes, as formulas. Order of the
files: `scene` (marks as data), `primitives`, `formula`, `table`, `marks`, `style`, `symbols`; `layers` makes
scenes; `canvas`, `grouping`, `crowding`, `signs`, `rows`, `svg` draw them, `terminal` and `description` put
them in characters and words; `legend`; `diagram` is for callers.
"""
