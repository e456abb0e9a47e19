"""Optimisations of a module, which preserve its behaviour.

In comes a module in the form, out goes a module with the same entries. Nothing here knows WebAssembly or
games.

Order of files: `memory_effects` (the elements that functions read and change), `state_versions`,
`memoisation`, `inlining`, `constant_folding`, `load_hoisting`, `scalar_replacement`, then `pipeline`, which
applies them in turn.
"""
