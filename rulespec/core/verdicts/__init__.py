"""Verdicts on claims: their form, their evidence as data, their sentences, and their store.

In: a game with its claims (`core.game`), and the results of a solver. Out: verdicts as plain data that
anybody can read, and sentences about them. It knows no method, no engine and no judge:
`rulespec.solver.evidence` decides whether a verdict is right.

In order: `answer_form` (the form of an answer to each kind of claim) -> `evidence_data` (types of stored
data) -> `wording`, `evidence_wording` (sentences) -> `verdict` -> `store`, `store_file` (verdicts on disk) ->
`properties` (the table of claim kinds), `lemmas`, `ruling_effects`; `stamps`, `release_stamps` and
`current_verdicts` remember checks; `packed_answers` packs long rows of letters.
"""

from .answer_form import InvalidAnswer
from .store import Store, StoreError, beside, verdict_from
from .verdict import VALUES, Verdict, options_of, parameters_of, readings_of, says_less, setting_text
from .verdict_data import (
    BOUNDED,
    CONDITIONAL,
    ESTIMATED,
    OUTCOMES,
    PROVED,
    REFUTED,
    STRENGTH,
    UNCHECKED,
    UNDECIDED,
    Evidence,
)

__all__ = [
    "BOUNDED", "CONDITIONAL", "ESTIMATED", "OUTCOMES", "PROVED", "REFUTED", "STRENGTH", "UNCHECKED",
    "UNDECIDED", "VALUES", "Evidence", "InvalidAnswer", "Store", "StoreError", "Verdict", "beside",
    "options_of", "parameters_of", "readings_of", "says_less", "setting_text", "verdict_from",
]  # fmt: skip
