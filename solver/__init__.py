"""What follows from the rules: claims decided, with evidence that somebody who does not trust us can check.

In: core games, and deals of them. Out: verdicts, plays that the interpreter takes, and proofs. Knows no
YAML, no pages and no terminal.

`formulas` (rules as clauses) with `engines`, `explore` (all states) and `search` (plays) are the means;
`pairs` puts two games side by side. `claims` decides by them, and goes through evidence again; `certify`
keeps proofs, which `certificates` checks by itself. `surveys` asks of many deals, `deep` what in a ruleset
is idle, and `mutations` what nobody notices when it is broken.
"""
