"""Files of rulesets as trees with exact places: the allowed structure, and the changes of a variant to its
base.

In: YAML files. Out: one merged document, whose values know the file they stand in, or every fault of its
structure. It reads no formal text and knows no types.

In order: `yaml` (text to a tree) -> `shapes` (kinds of values, and one walk that checks a tree) ->
`ruleset_shape` (the keys of a ruleset) -> `ruleset_files` (the files of rulesets) -> `variants` (the merged
document) -> `outlines` (heads of rulesets, read without the rest).
"""
