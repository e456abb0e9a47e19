"""Faults in games made of others, and in expressions in another form that mean the same."""

from __future__ import annotations

from .fault import Fault

_WORDS = "tests/solver/formulas/test_equivalences.py"
_REDUCTIONS = "tests/solver/reductions/test_reductions.py"
_LINEAR = "tests/solver/formulas/test_linear_forms.py"

_IN_OTHER_WORDS = (
    Fault(
        "solver/formulas/linear/equivalences.py",
        "n.Const(of, value), e.body) for value in of.values]",
        "n.Const(of, value), e.body) for value in of.values[1:]]",
        "A condition on all values of a type is asked of each of them.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/linear/equivalences.py",
        "if isinstance(e, n.Or) else [e]",
        "if isinstance(e, n.Or | n.And) else [e]",
        "One of several conditions suffices only where they are joined by `or`.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/linear/equivalences.py",
        "(NO, YES) if isinstance(e, n.And) else (YES, NO)",
        "(NO, YES)",
        "`or` is true where one part is, not false where one part is.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/linear/equivalences.py",
        'return ("bound", bound[::-1].index(e.var)) if',
        'return ("bound", 0) if',
        "Bound names with different binders are different.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/linear/equivalences.py",
        "for x in held) if isinstance(held, tuple) else held",
        "for x in held) if isinstance(held, tuple) else None",
        "Operators read what their slots say, such as a variable of the state.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/dependencies.py",
        'changed_by(effects_of_plies(game, [action])) | {game.mover, game.state["over"]}',
        "changed_by(effects_of_plies(game, [action]))",
        "A ply changes whose turn it is, and whether play is over.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/dependencies.py",
        "*(r.effect for r in game.reactions), game.turn.begin]",
        "game.turn.begin]",
        "What follows an action changes the state, too.",
        (_WORDS,),
    ),
    Fault(
        "solver/formulas/dependencies.py",
        "*(r.effect for r in game.reactions), game.turn.begin]",
        "*(r.effect for r in game.reactions)]",
        "What happens when a turn begins changes the state, too.",
        (_WORDS,),
    ),
)

_OTHER_GAMES = (
    Fault(
        "solver/reductions/influence.py",
        "actions, actions, asked, watch_all=True)",
        "actions, actions, [], watch_all=True)",
        "A variable that a claim asks for is told apart.",
        (_REDUCTIONS,),
    ),
    Fault(
        "solver/reductions/influence.py",
        ", watch_all=True)",
        ")",
        "A variable that may fault ends plays, however many values it has.",
        ("tests/solver/claims/test_influence.py",),
    ),
    Fault(
        "solver/evidence/game_graph.py",
        "asked = [e for e in judged if e is not None] if",
        "asked = [] if",
        "A variable on which it depends who has won is told apart in best play.",
        ("tests/solver/claims/test_influence.py",),
    ),
    Fault(
        "solver/evidence/optimum.py",
        "scale.rank(bound) >= scale.size - 1",
        "scale.rank(bound) >= scale.size - 2",
        "Within the last rank there is any value, within none before.",
        ("tests/solver/claims/test_influence.py",),
    ),
    Fault(
        "solver/evidence/positions.py",
        "write_down(self.played, ",
        "write_down(self.case.game, ",
        "A play of a reduction is written down as it goes in the game.",
        ("tests/solver/claims/test_influence.py",),
    ),
    Fault(
        "solver/reductions/remembering.py",
        "n.Block((*noted, a.effect))",
        "n.Block((a.effect, *noted))",
        "Numbers are noted before an action changes them.",
        (_REDUCTIONS,),
    ),
    Fault(
        "solver/reductions/remembering.py",
        "held[0] if len(held) == 1 else n.And(BOOL, held)",
        "held[0]",
        "None of several numbers falls.",
        (_REDUCTIONS,),
    ),
    Fault(
        "solver/reductions/generalisation.py",
        "return self.numbers.get(of_expression(node))",
        "return next(iter(self.numbers.values()))",
        "A variable stands for its own number only, not for others of the type.",
        (_REDUCTIONS,),
    ),
    Fault(
        "solver/reductions/restriction.py",
        "able = [a for a in game.actions.values() if not breaks_bounds(a, most)]",
        "able = [a for a in game.actions.values() if not most]",
        "An action that need not lift a counter past its bound may be taken.",
        (_REDUCTIONS,),
    ),
)

_LINEAR_FORMS = (
    Fault(
        "solver/formulas/linear/linear_forms.py",
        "optional = [e for e in operands if isinstance(e.type, Optional)]",
        "optional: list[n.Expr] = []",
        "A sum one part of which is none is none, and adds nothing.",
        (_LINEAR,),
    ),
    Fault(
        "solver/formulas/linear/linear_forms.py",
        "for level in range(t.lo + 1, t.hi + 1):",
        "for level in range(t.lo + 1, t.hi):",
        "A number reaches as many levels as it is above its least value.",
        (_LINEAR,),
    ),
    Fault(
        "solver/formulas/linear/linear_forms.py",
        "self.gather(e.b, factor if isinstance(e, n.Add) else -factor, both)",
        "self.gather(e.b, factor, both)",
        "What is subtracted is not added.",
        (_LINEAR,),
    ),
    Fault(
        "solver/formulas/linear/linear_forms.py",
        "against = n.Not(BOOL, e.cond)",
        "against = e.cond",
        "The other branch counts where the condition fails.",
        (_LINEAR,),
    ),
    Fault(
        "solver/formulas/linear/linear_forms.py",
        "return Total(taken.base - isinstance(e, n.Less), tuple(taken.facts))",
        "return Total(taken.base, tuple(taken.facts))",
        "What is less is less by one at least.",
        (_LINEAR,),
    ),
    Fault(
        "solver/formulas/linear/linear_forms.py",
        "inner = _Place((*at.under, *conditions), (*at.about, item))",
        "inner = _Place(at.under, (*at.about, item))",
        "A sum adds what its elements are, and no others.",
        (_LINEAR,),
    ),
)

_CASES = "tests/solver/formulas/test_linear_cases.py"

_LINEAR_CASES = (
    Fault(
        "solver/formulas/linear/linear_cases.py",
        "join = _cases_of_all if isinstance(e, n.And) == holds else _cases_of_any",
        "join = _cases_of_all",
        "Where one of several conditions holds, each of them is a case.",
        (_CASES,),
    ),
    Fault(
        "solver/formulas/linear/linear_cases.py",
        "return _cases_of_all(sides) if holds else _cases_of_any(sides)",
        "return _cases_of_all(sides)",
        "Of two numbers that differ either may be the greater.",
        (_CASES,),
    ),
    Fault(
        "solver/formulas/linear/linear_cases.py",
        "return [[_total_of(e if holds else other(BOOL, b, a))]]",
        "return [[_total_of(e)]]",
        "A comparison that does not hold says the contrary.",
        (_CASES,),
    ),
    Fault(
        "solver/formulas/linear/linear_cases.py",
        "found.add(literal if total.facts[0].weight > 0 else _negate(literal))",
        "found.add(literal)",
        "A fact of negative weight does not hold where the sum would be negative with it.",
        (_CASES,),
    ),
    Fault(
        "solver/formulas/linear/linear_cases.py",
        "total.base + max(0, total.facts[0].weight) == 0:",
        "total.base <= 0:",
        "A fact surely holds only where the sum would be negative without it.",
        (_CASES,),
    ),
    Fault(
        "solver/formulas/linear/linear_cases.py",
        "if any(_negate(literal) in fixed for literal in key):",
        "if any(literal in fixed for literal in key):",
        "A fact counts for nothing only where one of its conditions surely fails.",
        (_CASES,),
    ),
    Fault(
        "solver/evidence/linear_combination.py",
        "base += t * row.base",
        "base += row.base",
        "What a sum begins with is added as often as the sum.",
        (_CASES,),
    ),
)

_COUNTED = ("tests/solver/reductions/test_counter_abstraction.py",)
_ABSTRACTION = "solver/reductions/counter_abstraction.py"
_BOUNDS = "solver/reductions/counter_bounds.py"
_SIZES = "solver/evidence/sizes.py"

_ABSTRACTED = (
    Fault(
        _ABSTRACTION,
        "return held if not changed & self._read_by_sources else frozenset()",
        "return held",
        "A thing is in its set until the set changes.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "return [] if self.bounds.facts.free(e) else [of_expression(e)]",
        "return [of_expression(e)]",
        "Digests do not tell local names apart.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "digests == self._digest(before) and any((var, digest) in held for digest in digests)",
        "digests == self._digest(before)",
        "What is not in a set is not removed from it.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "if not found.is_exact:",
        "if False:",
        "Play ends by rules that are known to hold.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "game.turn.begin is not n.NOTHING_DONE:",
        "False:",
        "The first turn has begun in the values of the start.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        'elif var in read and var is not self.game.state["over"]:',
        "elif False:",
        "Who begins may depend on the deal where players pass.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "asked.append(self.bounds.some_in(choice.source).low)",
        "pass",
        "Without a thing to choose, an action is not legal.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "self.bounds.condition(r.condition).high for r in",
        "self.bounds.condition(r.condition).low for r in",
        "An action may be legal with some things.",
        _COUNTED,
    ),
    Fault(
        _ABSTRACTION,
        "first = n.Or(BOOL, (asked.low,",
        "first = n.Or(BOOL, (asked.high,",
        "Either effect may follow where a condition is open.",
        _COUNTED,
    ),
    Fault(
        _BOUNDS,
        "return Between(e, any_of([e, self.may_be_stuck]))",
        "return exactly(e)",
        "Play may be over because nobody can act.",
        _COUNTED,
    ),
    Fault(
        _BOUNDS,
        "if x.is_exact else Between(no(x.high), high)",
        "if True else Between(no(x.high), high)",
        "The negation of what is open is open.",
        _COUNTED,
    ),
    Fault(
        _BOUNDS,
        "asks = any(isinstance(node, n.Can | n.After) for node in nodes_with_definitions(e))",
        "asks = False",
        "More actions are legal in the abstraction.",
        _COUNTED,
    ),
    Fault(
        _BOUNDS,
        "return Between(_either(a.low, b.low, True), plus(a.high, b.high))",
        "return Between(_either(a.low, b.low, True), _either(a.high, b.high, True))",
        "Two sets may have nothing in common.",
        _COUNTED,
    ),
    Fault(
        _BOUNDS,
        "return Between(minus(a.low, b.high), a.high)",
        "return Between(minus(a.low, b.high), minus(a.high, b.low))",
        "What is taken away need not be there.",
        _COUNTED,
    ),
    Fault(
        _BOUNDS,
        "return Between(zero, n.Sum(t, body.var, domain, inner.high))",
        "return Between(zero, inner.high)",
        "Sets of several players are counted together.",
        _COUNTED,
    ),
    Fault(
        _SIZES,
        " if seen.exhaustive else None",
        "",
        "A goal is out of reach once all positions are seen.",
        _COUNTED,
    ),
)

FAULTS = (*_IN_OTHER_WORDS, *_OTHER_GAMES, *_LINEAR_FORMS, *_LINEAR_CASES, *_ABSTRACTED)
