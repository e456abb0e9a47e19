"""Publishing: from a game, its positions and its verdicts to drawings and pages.

In: a core game, values of its state, verdicts read as data, Markdown files with fenced examples.
Out: drawings (`drawing`), examples that were found and run (`fences`), a Markdown extension that
renders them (`markdown`), rulebook pages (`pages`), a mkdocs plugin (`plugin`) and a built site (`site`).
It knows no solver: what was proved comes as data. Only `markdown`, `linking`, `plugin` and `site` import
other people's packages. Everything that a ruleset says is escaped before it reaches a page.

Drawings are made in `drawing`. Pages: `scan` -> `fences` -> `render` -> `claims`, `readings`, `sources` ->
`pages`, `contents` -> `making`, `linking` -> `plugin` -> `site`.
"""
