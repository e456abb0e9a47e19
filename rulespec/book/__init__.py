"""Publishing: from a game, its positions and its verdicts to drawings and pages.

In: a core game, values of its state, verdicts as data, Markdown files with fenced examples. Out: drawings,
executed examples, and a built site. It knows no solver: proofs come as data. Everything from a ruleset is
escaped before it reaches a page.

Order of the rooms: `drawing` -> `configuration` -> `examples` -> `content` -> `output` -> `plugin` (for
mkdocs) -> `site` (as `rulespec book` builds it).
"""
