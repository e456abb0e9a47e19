"""The transition relation of a game, unrolled over plies, and questions about it to an engine.

In: symbolic states, expressions and effects. Out: yes with a play, or no. It knows no claims and trusts no
model: callers replay its plays.

In order: `query` (gates sent to an engine) -> `transition_relation` (one ply) -> `transition_template` (a ply
that is stamped again) -> `variable_meanings` -> `bmc` (plies from a start) -> `question` (with granted
conditions) -> `one_ply` (changes by one ply), `smtlib` (a question as text).
"""
