"""Documents that rules are taken from, and the use of each of their sentences.

In: the text of a document, a ruleset, and the source map beside it. Out: the sentences that are accounted for
and those that are not. From a document only the places and digests of its sentences are stored. The author
decides what a sentence means; nothing here guesses.

In order: `sentences` (a document cut into sentences), `alignment` (two texts side by side) -> `citations`
(the citations in a ruleset) -> `source_maps` (the files) -> `passages` (of the rulebook) -> `coverage` (all
of it compared) -> `draft` (maps written), `quick_check` (a fast test for `check`). `revisions` gives the
rulesets of earlier days.
"""
