"""The machine: a small typed form, its translation to WebAssembly, and running it.

In come functions in the form, written with `builder` or translated from a subset of Python, out go functions
that Python calls. Nothing here knows games or rules.

Order of files: `form` (the nodes), `traversal` and `rewriting` (walks over them), `constant_evaluation`,
`builder` (writing them), `state_memoisation`, `listing` (nodes as text), `array_facts`; the rooms `passes`
(optimisation), `subset` (Python to nodes), `webassembly` (nodes to bytes); `memory` and `runtime` (arrays in
linear memory, calls).
"""
