"""Effects as code: statements that change the state, and end the function with a number on a fault."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from ..core import nodes as n
from ..core.game import Action
from ..core.traversal import assignments, conjuncts, nodes_with_definitions, nodes_within
from ..core.types import List, Map, Optional, Scalar, Set, Type, fits
from ..machine import form as f
from ..machine.builder import (
    TRUE,
    ZERO,
    as_type,
    between,
    bit,
    choose,
    compare,
    complement,
    count_bits,
    differ,
    either,
    equal,
    intersection,
    load,
    minus,
    negation,
    number,
    plus,
    times,
    union,
    word,
)  # fmt: skip
from .bindings import NONE, Env, Known, Macro, Val
from .body import B, Body, C, S
from .list_updates import ListUpdate, plan_update, reads_variable, single_element, write_update
from .loops import element_type, elements, plan_search, value_table
from .operators.plain import fitted
from .program import in_words

FEW_WORDS = 2
"""Up to this many words, a key is removed from all of them, without a test of which one has it."""


def perform(w: Body, e: n.Effect, env: Env) -> None:
    """Write the statements of an effect."""
    match e:
        case n.Assign():
            _assign(w, e, env)
        case n.Block():
            _block(w, e, env)
        case n.When():
            _when(w, e, env)
        case n.ForEach():
            _for_each(w, e, env)
        case n.Bind():
            _bind(w, e, env)
        case n.Draw():
            _draw(w, e, env)
        case n.Shuffle():
            _shuffle(w, e, env)
        case _:
            assert_never(e)


def _assign(w: Body, e: n.Assign, env: Env) -> None:
    keys = [w.value(key, env) for key in e.path]
    update = plan_update(w, e, env) if w.before_store is None else None
    val = None if update else w.value(e.value, env)
    depth = w.depth
    place: Type = e.target.type
    at: f.Expr = w.program.offsets[e.target].expr
    position: f.Expr = number(0)
    for key in keys:
        if isinstance(place, Map):
            position, inside = w.index(key, place.keys)
            beyond = times(position, w.program.size(place.of))
            at = plus(at, w.atom(beyond) if update else beyond)
            place = place.of
        else:
            assert isinstance(place, List) and place.of is not None
            position = w.atom(key.expr)
            inside = between(1, position, load(S, at))
            at = plus(at, position)
            place = place.of
        w.under(inside)
    if val is not None:
        _store(w, e, place, at, position, val)
    elif update is not None:
        _update(w, e, place, at, update)
    w.back(depth)


def _update(w: Body, e: n.Assign, place: Type, at: f.Expr, update: ListUpdate) -> None:
    """Write an assignment that changes a list in place."""
    assert isinstance(place, List)
    total = update.total(w)
    if not fits(e.value.type, place) and update.more is not None:
        _fault(w, e, None, compare(">", total, place.cap))
        if isinstance(update.more.type, List):
            _check_elements(w, e, place, update.more, None)
        elif place.of is not None:
            _check(w, e, Optional(place.of), update.more, None)
    write_update(w, at, update, total)


def _store(w: Body, e: n.Assign, place: Type, at: f.Expr, position: f.Expr, val: Val) -> None:
    """Write a store of a value, with a fault where it does not fit."""
    if not fits(e.value.type, place):
        val = w.atoms(val) if not isinstance(val.type, Map) else val
        fit = w.named("fit", 1) if w.before_store else None
        _check(w, e, place, val, fit)
        if fit is not None:
            w.under(as_type(fit, f.TRUTH))
    var = e.target
    if w.before_store is not None:
        w.before_store(e, place, at, position)
    if not w.program.has_inverse(var):
        w.put(place, at, fitted(w, place, val) if isinstance(place, Set | Map) else val)
    elif e.path:
        w.do(w.functions.storing(var, val.none, e is w.first_store), S, B, position, val.expr)
    else:
        assert isinstance(var.type, Map)
        val = w.atoms(fitted(w, place, val))
        i = w.name("i")
        with w.each(i, 0, len(var.type.keys.values)):
            element = w.element(val, i)
            w.do(w.functions.storing(var, element.none, False), S, B, i, element.expr)


def _check(w: Body, e: n.Assign, place: Type, val: Val, fit: f.Local | None) -> None:
    """End the play if a value does not fit a place, or add that condition to `fit`."""
    if isinstance(place, Scalar | Optional):
        scalar = place.of if isinstance(place, Optional) else place
        held = w.inside(val, scalar) if scalar is not None else equal(val.expr, NONE)
        if isinstance(place, Optional) and scalar is not None and val.none:
            held = either(equal(val.expr, NONE), held)
        if held != TRUE:
            _fault(w, e, fit, negation(held))
    elif isinstance(place, Set):
        allowed = w.codes.mask(place.of, place.of.values if place.of else ())
        for k, part in enumerate(val.parts):
            keep = word(allowed[k]) if k < len(allowed) else ZERO
            _fault(w, e, fit, differ(intersection(part, complement(keep)), 0))
    elif isinstance(place, List):
        _fault(w, e, fit, compare(">", val.parts[1], place.cap))
        _check_elements(w, e, place, val, fit)
    else:
        assert isinstance(place, Map)
        i = w.name("i")
        with w.each(i, 0, len(place.keys.values)):
            _check(w, e, place.of, w.atoms(w.element(w.atoms(val), i)), fit)


def _check_elements(w: Body, e: n.Assign, place: List, val: Val, fit: f.Local | None) -> None:
    """End the play if an element of a list does not fit, or add that condition to `fit`."""
    first, size = val.parts
    mine = val.type.of  # type: ignore[attr-defined]
    if place.of is not None and mine is not None and not mine.within(place.of):
        i = w.name("i")
        with w.each(i, 0, size):
            x = w.fresh(Val(mine, (load(S, plus(first, i)),)), "x")
            _fault(w, e, fit, negation(w.inside(x, place.of)))


def _fault(w: Body, e: n.Effect, fit: f.Local | None, condition: f.Expr) -> None:
    """End the play with a fault if a condition holds, or add that condition to `fit`."""
    with w.when(condition):
        if fit is None:
            w.give(w.functions.fault(e))
        else:
            w.set(fit, 0)


def _block(w: Body, e: n.Block, env: Env) -> None:
    for item in e.items:
        perform(w, item, env)


def _when(w: Body, e: n.When, env: Env) -> None:
    """Write a conditional effect; only one branch if the condition is known."""
    known = w.known(e.cond, env)
    if known is not None:
        perform(w, e.then if known.value else e.otherwise, env)
        return
    cond = w.cond(e.cond, env)
    with w.when(cond):
        perform(w, e.then, env)
    with w.otherwise():
        perform(w, e.otherwise, env)


def _for_each(w: Body, e: n.ForEach, env: Env) -> None:
    """Write a loop; its condition is tested for all elements at once where that is the same."""
    source, body = e.source, e.body
    if isinstance(body, n.When) and isinstance(source.type, Set) and _is_independent(body, e.var):
        # The bodies of earlier elements do not change the condition of a later one.
        with w.aside() as asked:
            looked = plan_search(w, n.Select(source.type, e.var, source, body.cond), [], env)
        if looked.words is not None and not looked.rest:
            w.body += asked
            with w.bits(looked.words, e.var, w.codes.base(element_type(looked.source))) as key:
                perform(w, body.then, {**env, e.var: Val(e.var.type, (key,))})
            return
    if isinstance(source.type, List) and w.known(source, env) is None:
        held = w.copied(source.type, w.value(source, env))
        kept = n.Var("listed", source.type)
        source, env = n.Local(source.type, kept), {**env, kept: held}
    elif isinstance(source.type, Set) and w.known(source, env) is None:
        # All conditions are asked before the first body changes anything.
        held = w.fresh(w.value(source, env), "those")
        kept = n.Var("listed", source.type)
        source, env = n.Local(source.type, kept), {**env, kept: held}
    with elements(w, e.var, source, env) as x:
        perform(w, e.body, {**env, e.var: x})


def _is_independent(body: n.When, key: n.Var) -> bool:
    """True if, of each variable it changes, a body reads and changes only the entry of one key."""

    def at_key(path: Sequence[n.Expr]) -> bool:
        return bool(path) and isinstance(path[0], n.Local) and path[0].var is key

    stored = assignments(body.then)
    changed = {x.target for x in stored}
    own = {x.map for x in nodes_within(body.cond) if isinstance(x, n.Read) and at_key((x.key,))}
    return (
        body.otherwise is n.NOTHING_DONE
        and all(at_key(x.path) for x in stored)
        and not any(
            isinstance(x, n.Can) or (isinstance(x, n.Get) and x.var in changed and x not in own)
            for x in nodes_with_definitions(body.cond)
        )
    )


def _bind(w: Body, e: n.Bind, env: Env) -> None:
    """Write a binding and its body; a known value needs no code."""
    known = w.known(e.value, env)
    if known is not None and isinstance(e.value.type, Scalar | Optional):
        perform(w, e.body, {**env, e.var: Known(known.value)})
        return
    if known is None and (single := single_element(e.value)) is not None:
        x = n.Var(e.var.name, single.type)
        held = Macro(n.ListOf(e.value.type, (n.Local(x.type, x),)), {x: w.atoms(w.value(single, env), x)})
        perform(w, e.body, {**env, e.var: held})
        return
    val = w.value(e.value, env)
    perform(w, e.body, {**env, e.var: w.copied(e.value.type, val)})


def _draw(w: Body, e: n.Draw, env: Env) -> None:
    """Write a draw and its body."""
    of = e.var.type
    assert isinstance(of, Scalar) and isinstance(e.source.type, Set | List)
    known = w.known(e.source, env)
    x, depth = w.name(e.var), w.depth
    if known is not None and known.value and e.weight is None and isinstance(e.source.type, Set):
        codes = [w.codes.code(of, v) for v in sorted(known.value)]
        w.do("drawn", C)
        among = w.call(f.NUMBER, "pick", C, len(codes))
        in_row = codes == list(range(codes[0], codes[0] + len(codes)))
        w.set(x, plus(among, codes[0]) if in_row else load(value_table(w, of, codes), among))
    elif isinstance(e.source.type, List) or e.weight is not None or known is not None:
        listed = _copy_elements(w, e, env)
        if e.weight is not None:
            _draw_by_weight(w, e, env, listed, x)
        else:
            w.set(x, load(S, plus(listed.parts[0], _drawn_from(w, listed.parts[1]))))
    else:
        words = w.fresh(w.value(e.source, env), "among").parts
        left = _drawn_from(w, w.atom(count_bits(*words), "size"))
        w.set(x, 0)
        with w.repeat(compare(">=", left, 0)):
            w.lowest(words, x, w.codes.base(of))  # type: ignore[arg-type]
            w.add(left, -1)
    _drawn(w, Val(of, (x,)))
    perform(w, e.body, {**env, e.var: Val(of, (x,))})
    w.back(depth)


def _drawn_from(w: Body, total: f.Expr) -> f.Local:
    """Draw one of `total` elements, if there are any; the statements that follow run only then."""
    w.under(compare(">", total, 0))
    w.do("drawn", C)
    return w.named("number", w.call(f.NUMBER, "pick", C, total))


def _copy_elements(w: Body, e: n.Draw | n.Shuffle, env: Env, at: f.Expr | None = None) -> Val:
    """Copy the elements to draw from into a list at a given or a new place."""
    of = e.source.type.of  # type: ignore[attr-defined]
    cap = e.source.type.cap if isinstance(e.source.type, List) else len(of.values) if of else 0
    at = number(w.slot(List(of, cap))) if at is None else at
    size = w.named("size", 0)
    with elements(w, n.Var("x", of or e.var.type), e.source, env) as x:
        w.store(S, plus(at, size), x.expr)
        w.add(size, 1)
    return Val(List(of, cap), (at, size))


def _draw_by_weight(w: Body, e: n.Draw, env: Env, listed: Val, x: f.Local) -> None:
    """Draw an element of a list with probabilities in proportion to weights."""
    assert e.weight is not None and isinstance(listed.type, List)
    (first, size), of = listed.parts, e.var.type
    weights = w.slot(List(None, listed.type.cap))
    total, i = w.named("total", 0), w.name("i")
    with w.each(i, 0, size):
        w.set(x, load(S, plus(first, i)))
        found = w.atoms(w.value(e.weight, {**env, e.var: Val(of, (x,))}))
        weight = found.expr
        if found.none:
            weight = w.named("weight", choose(equal(weight, NONE), 0, weight))
        _fault(w, e, None, compare("<", weight, 0))
        w.store(S, plus(weights, i), weight)
        w.add(total, weight)
    left = _drawn_from(w, total)
    w.set(i, 0)
    weight = load(S, plus(weights, i))
    with w.repeat(compare(">=", left, weight)):
        w.set(left, minus(left, weight))
        w.add(i, 1)
    w.set(x, load(S, plus(first, i)))


def _shuffle(w: Body, e: n.Shuffle, env: Env) -> None:
    """Shuffle as the interpreter does: from the last place down, swap each element with one up to it."""
    target = _shuffle_target(w, e, env)
    first, size = _copy_elements(w, e, env, None if target is None else plus(target, 1)).parts
    i, j, kept = w.name("i"), w.name("j"), w.name("kept")
    w.do("drawn", C)
    with w.each(i, minus(size, 1), 0, -1):
        w.set(j, w.call(f.NUMBER, "pick", C, plus(i, 1)))
        w.set(kept, load(S, plus(first, i)))
        w.store(S, plus(first, i), load(S, plus(first, j)))
        w.store(S, plus(first, j), kept)
    _drawn(w, Val(e.var.type, (first, size)))
    if target is not None:
        w.do("resize", S, target, size)
        w.begin_version()
        return
    perform(w, e.body, {**env, e.var: Val(e.var.type, (first, size))})


def _shuffle_target(w: Body, e: n.Shuffle, env: Env) -> f.Expr | None:
    """The list of the state in which the elements may be shuffled; None if they need a separate buffer.

    The list must take them without a fault, and nothing may read it while they are stored there.
    """
    match e.body:
        case n.Assign(target, path, n.Local(_, var)) if var is e.var and not reads_variable(e.source, target):
            pass
        case _:
            return None
    place: Type = target.type
    at: f.Expr = w.program.offsets[target].expr
    for key in path:
        if not isinstance(place, Map):
            return None
        position, inside = w.index(w.value(key, env), place.keys)
        if inside != TRUE:
            return None
        at = plus(at, w.atom(times(position, w.program.size(place.of))))
        place = place.of
    return at if isinstance(place, List) and fits(e.var.type, place) else None


def _drawn(w: Body, val: Val) -> None:
    for write in w.functions.drawn:
        write(w, val)


def vacant_store(action: Action) -> n.Effect | None:
    """The first effect of an action if it stores at a key of a map known to hold none, else None.

    The requirements of the action, or a definition that looks for such a key, show that it holds none.
    """
    effects = action.effect.items if isinstance(action.effect, n.Block) else (action.effect,)
    first = effects[0] if effects else None
    if not isinstance(first, n.Assign) or len(first.path) != 1:
        return None
    key = first.path[0]
    conds = [part for x in action.requirements for part in conjuncts(x.condition)]
    if isinstance(key, n.Call) and isinstance(found := key.function.body, n.First):
        key, conds = n.Local(found.var.type, found.var), [*conjuncts(found.body)]
    for cond in conds:
        match cond:
            case n.IsNone(_, n.Read(_, n.Get(_, var), n.Local(_, asked))):
                if var is first.target and isinstance(key, n.Local) and asked is key.var:
                    return first
    return None


def storing_function(
    w: Body, var: n.StateVar, place: f.Local, value: f.Local, none: bool, vacant: bool
) -> None:
    """Write the body of the function that stores a value in a map and updates the bit sets of its values.

    The value may be none if `none`; the position holds none before if `vacant`.
    """
    assert isinstance(var.type, Map) and not in_words(var.type)
    at = w.program.offsets[var].expr
    if var in w.program.planes:
        scalar = var.type.of.of if isinstance(var.type.of, Optional) else var.type.of
        assert isinstance(scalar, Scalar)
        of, each = var.type.keys, w.codes.words(var.type.keys)
        keys = w.codes.codes(of)
        if keys[-1] - keys[0] + 1 == len(keys):
            position = plus(place, keys[0] - w.codes.base(of))
        else:
            bits = [code - w.codes.base(of) for code in keys]
            position = load(w.program.table(bits, f"bit of {of}", f"the bit of each {of}"), place)
        position = w.atom(position, "bit")
        whole = f.Binary(f.NUMBER, ">>", position, number(6)) if each > 1 else number(0)
        rest = f.Binary(f.NUMBER, "&", position, number(63)) if each > 1 else position
        first = w.codes.codes(scalar)[0]
        # Two words both lose the key, without a look at which one has it: that takes no branch.
        few = each == 1 and w.program.plane_size(var) <= FEW_WORDS
        olds: Sequence[int | f.Expr] = (
            [NONE] * w.program.has_none_plane(var)
            if vacant
            else range(first, first + w.program.plane_size(var))
            if few
            else [w.named("old", load(S, plus(at, place)))]
        )
        for held in (*olds, value):
            depth = w.depth
            plane = plus(held, -first)
            if isinstance(var.type.of, Optional) and (none if held is value else not isinstance(held, int)):
                if w.program.has_none_plane(var):
                    plane = choose(equal(held, NONE), w.program.value_planes(var), plane)
                else:
                    w.under(differ(held, NONE))
            index = plus(w.program.planes[var].expr, times(plane, each), whole)
            other = bit(rest) if held is value else complement(bit(rest))
            w.store(B, index, (union if held is value else intersection)(load(B, index), other))
            w.back(depth)
    w.store(S, plus(at, place), value)
