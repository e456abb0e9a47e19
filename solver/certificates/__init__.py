"""An independent checker of an engine's refutations.

In: a formula as clauses and the proof an engine wrote beside its answer. Out: the confirmation that the proof
is sound, or a refusal that names the step. Standard library only; knows no game, no engine and none of the
code that made the clauses, so that it can be read in one sitting and trusted by itself.

`python -m rulespec.solver.certificates FORMULA.cnf PROOF.lrat` checks files.
"""
