"""Content: the pages of a ruleset, from its book or from its rules.

In: a loaded game with its verdicts as data (`published_verdicts`). Out: pages as Markdown and HTML (`page`),
the rulebook (`pages`) and the exact text (`exact`). It knows only the addresses of a site (`linking`). Order
of the files: `published_verdicts`, `readings`, `claims`, `page`, `playing`, `assurances`, `sources`,
`chapters`, `default_chapters`, `changes`, `pages`, `exact`, `contents`, `linking`.
"""
