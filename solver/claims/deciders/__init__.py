"""Ways of deciding a claim, a module each: by looking at states, by looking for plays, by formulas, by sums.

In: a case. Out: the strongest answer that this way allows; none for a kind of claim that it does not decide.
"""
