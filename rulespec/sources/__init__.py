"""Documents that rules are taken from, and what became of every sentence of them.

In: the text of a document, a ruleset, and the source map that lies beside it. Out: what is accounted
for and what is not. Nothing of a document is ever kept but where its sentences stand and their digests.
What a sentence means is for the author to say; nothing here guesses at it.

In order: `sentences` (a document cut into sentences), `alignment` (two texts side by side) -> `citations`
(what parts of a ruleset cite) -> `source_maps` (the files) -> `passages` (of the rulebook) -> `coverage`
(all of it held together) -> `draft` (maps written), `quick_check` (a fast test for `check`).
"""
