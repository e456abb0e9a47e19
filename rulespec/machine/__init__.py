"""The machine: a small typed form, its translation to WebAssembly, and running it.

It knows no game. From the inside out: `form` (the nodes), `walking` and `rewriting` (going through them) ->
`evaluating` (what follows beforehand), `joining` and `building` (writing it), `listing` (showing it),
`remembering` and `numbering` (results of a state), `marking` (facts about arrays) -> `units`, `expressions`
and `subset` (Python functions in the subset to the form, and functions that have it, as one module) ->
`unread`, `caching`, `inlining`, `folding`, `effects`, `reading`, `outlining` and `registers` with
`branchless`, in the order of `optimising` (the same in less time) -> `narrowing` and `pairing` (tables in few
bytes, two of their words at once), `binary`, `instructions` and `encode` (the form to the bytes of a module)
-> `memory` and `runtime` (arrays in linear memory, calls).
"""
