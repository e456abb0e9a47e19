"""Content: the pages of a ruleset, from its book or from its rules.

In: a loaded game with its verdicts as data (`published`). Out: pages as Markdown and HTML (`page`), the
rulebook (`pages`) and the exact text (`exact`). It knows no site but for addresses (`linking`). Order of
the files: `published`, `readings`, `claims`, `page`, `playing`, `assurances`, `sources`, `chapters`,
`generated`, `changes`, `pages`, `exact`, `contents`, `linking`.
"""
