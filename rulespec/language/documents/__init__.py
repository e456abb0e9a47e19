"""Files of rulesets as trees with exact places: what may stand where, what a variant makes of its base.

In: YAML files. Out: one merged document, whose values know the file they stand in, or every fault of its
structure. It reads no formal text and knows no types.

In order: `yaml` (text to a tree) -> `shapes` (kinds of values, and one walk that checks a tree) ->
`ruleset_shape` (the keys of a ruleset) -> `ruleset_files` (where rulesets lie) -> `variants` (the merged
document) -> `outlines` (heads of rulesets, read without the rest).
"""
