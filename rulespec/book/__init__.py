"""Publishing: from a game, its positions and its verdicts to drawings and pages.

In: a core game, values of its state, verdicts read as data, Markdown files with fenced examples. Out:
drawings, examples that were run, and a built site. It knows no solver: what was proved comes as data.
Everything that a ruleset says is escaped before it reaches a page.

Order of the rooms: `drawing` -> `configuration` -> `examples` -> `content` -> `output` -> `plugin` (for
mkdocs) -> `site` (as `rulespec book` builds it).
"""
