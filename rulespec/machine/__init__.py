"""The machine: a small typed form, its translation to WebAssembly, and running it.

It knows no game. From the inside out: `form` (the nodes), `walking` and `rewriting` (going through them) ->
`building` (writing it), `listing` (showing it), `remembering` (results of a state), `marking` (facts about
arrays) -> `units`, `expressions` and `subset` (Python functions in the subset to the form, and functions
that have it, as one module) -> `unread`, `caching`, `inlining`, `folding`, `effects`, `reading` and
`registers`, in the order of `optimising` (the same in less time) -> `binary`, `instructions` and `encode`
(the form to the bytes of a module) -> `memory` and `runtime` (arrays in linear memory, calls).
"""
