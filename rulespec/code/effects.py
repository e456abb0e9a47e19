"""Effects as code: statements that change the state, and end the function with a number on a fault."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ..core import nodes as n
from ..core.types import List, Map, Optional, Scalar, Set, Type, fits
from .body import Body
from .loops import elements, some_of
from .operators.plain import fitted
from .program import in_words
from .vals import Env, Known, Val, plus, sum_of, times

Handler = Callable[..., None]


def perform(w: Body, e: n.Effect, env: Env) -> None:
    """Write the statements of an effect."""
    HANDLERS[type(e)](w, e, env)


def _assign(w: Body, e: n.Assign, env: Env) -> None:
    keys = [w.value(key, env) for key in e.path]
    val = w.value(e.value, env)
    depth = w.depth
    place: Type = e.target.type
    at, position = w.program.offsets[e.target][0], ""
    for key in keys:
        if isinstance(place, Map):
            found, sure = w.index(key, place.keys)
            position = found if sure else w.fresh(Val(place.keys, (found,)), "place").text
            inside = f"{position} >= 0"
            at = sum_of(at, times(position, w.program.size(place.of)))
            place = place.of
        else:
            assert isinstance(place, List) and place.of is not None
            number = w.atom(key.text)
            sure, inside = False, f"1 <= {number} <= s[{at}]"
            at = sum_of(at, number)
            place = place.of
        if not sure:
            w.line(f"if {inside}:")
            w.depth += 1
    _store(w, e, place, at, position, val)
    w.depth = depth


def _store(w: Body, e: n.Assign, place: Type, at: str, position: str, val: Val) -> None:
    if not fits(e.value.type, place):
        val = w.atoms(val) if not isinstance(val.type, Map) else val
        _check(w, e, place, val)
    var = e.target
    program = w.program
    if not program.has_planes(var.type):
        w.put(place, at, fitted(w, place, val) if isinstance(place, Set | Map) else val)
    elif e.path:
        w.line(f"{w.functions.storing(var)}(s, b, {position}, {val.text})")
    else:
        assert isinstance(var.type, Map)
        val = w.atoms(fitted(w, place, val))
        i = w.local("i")
        with w.block(f"for {i} in range({len(var.type.keys.values)})"):
            w.line(f"{w.functions.storing(var)}(s, b, {i}, {w.element(val, i).text})")


def _check(w: Body, e: n.Assign, place: Type, val: Val) -> None:
    """End the play where a place does not hold a value."""
    fault = f"return {w.functions.fault(e)}"
    if isinstance(place, Scalar | Optional):
        scalar = place.of if isinstance(place, Optional) else place
        if scalar is None:
            held = f"{val.text} == NONE"
        else:
            held = w.inside(val, scalar)
            if held == "True":
                return
            held = f"({val.text} == NONE or {held})" if isinstance(place, Optional) and val.none else held
        with w.block(f"if not {held}" if held.startswith("(") else f"if not ({held})"):
            w.line(fault)
    elif isinstance(place, Set):
        allowed = w.codes.mask(place.of, place.of.values if place.of else ())
        for k, word in enumerate(val.texts):
            keep = w.program.word(allowed[k]) if k < len(allowed) else "ZERO"
            with w.block(f"if {word} & ~{keep} != ZERO"):
                w.line(fault)
    elif isinstance(place, List):
        with w.block(f"if {val.texts[1]} > {place.cap}"):
            w.line(fault)
        mine = val.type.of  # type: ignore[attr-defined]
        if place.of is not None and mine is not None and not mine.within(place.of):
            i = w.local("i")
            with w.block(f"for {i} in range({val.texts[1]})"):
                x = w.fresh(Val(mine, (f"s[{sum_of(val.texts[0], i)}]",)), "x")
                with w.block(f"if not ({w.inside(x, place.of)})"):
                    w.line(fault)
    else:
        assert isinstance(place, Map)
        i = w.local("i")
        with w.block(f"for {i} in range({len(place.keys.values)})"):
            _check(w, e, place.of, w.atoms(w.element(w.atoms(val), i)))


def _block(w: Body, e: n.Block, env: Env) -> None:
    for item in e.items:
        perform(w, item, env)


def _when(w: Body, e: n.When, env: Env) -> None:
    known = w.known(e.cond, env)
    if known is not None:
        perform(w, e.then if known.value else e.otherwise, env)
        return
    cond = w.cond(e.cond, env)
    with w.block(f"if {cond}"):
        perform(w, e.then, env)
    if not (isinstance(e.otherwise, n.Block) and not e.otherwise.items):
        with w.block("else"):
            perform(w, e.otherwise, env)


def _for_each(w: Body, e: n.ForEach, env: Env) -> None:
    source = e.source
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


def _bind(w: Body, e: n.Bind, env: Env) -> None:
    known = w.known(e.value, env)
    if known is not None and isinstance(e.value.type, Scalar | Optional):
        perform(w, e.body, {**env, e.var: Known(known.value)})
        return
    val = w.value(e.value, env)
    perform(w, e.body, {**env, e.var: w.copied(e.value.type, val)})


def _draw(w: Body, e: n.Draw, env: Env) -> None:
    of = e.var.type
    assert isinstance(of, Scalar) and isinstance(e.source.type, Set | List)
    known = w.known(e.source, env)
    number, x = w.local("number"), w.local(e.var)
    if known is not None and known.value and e.weight is None and isinstance(e.source.type, Set):
        codes = [w.codes.code(of, v) for v in sorted(known.value)]
        w.line("drawn(c)")
        number = f"pick(c, {len(codes)})"
        in_row = codes == list(range(codes[0], codes[0] + len(codes)))
        table = "" if in_row else some_of(w, of, codes)
        w.line(f"{x} = {plus(number, codes[0]) if in_row else f'{table}[{number}]'}")
        perform(w, e.body, {**env, e.var: Val(of, (x,))})
        return
    if isinstance(e.source.type, List) or e.weight is not None or known is not None:
        listed = _listed(w, e, env)
        first, count = listed.texts
        if e.weight is not None:
            _weighted(w, e, env, listed, x)
        else:
            _drawn_from(w, count)
            w.line(f"{number} = pick(c, {count})")
            w.line(f"{x} = s[{sum_of(first, number)}]")
    else:
        words = w.fresh(w.value(e.source, env), "among").texts
        count = w.atom(" + ".join(f"count({word})" for word in words) or "0", "count_")
        _drawn_from(w, count)
        w.line(f"{number} = pick(c, {count})")
        w.line(f"{x} = 0")
        with w.block(f"while {number} >= 0"):
            w.lowest(words, x, w.codes.base(of))
            w.line(f"{number} -= 1")
    perform(w, e.body, {**env, e.var: Val(of, (x,))})
    w.depth -= 1


def _drawn_from(w: Body, total: str) -> None:
    """Begin a draw, if there is anything to draw from; what follows stands under that condition."""
    w.line(f"if {total} > 0:")
    w.depth += 1
    w.line("drawn(c)")


def _listed(w: Body, e: n.Draw | n.Shuffle, env: Env) -> Val:
    """The elements to draw from as a list of their own."""
    of = e.source.type.of  # type: ignore[attr-defined]
    cap = e.source.type.cap if isinstance(e.source.type, List) else len(of.values) if of else 0
    at = w.slot(List(of, cap))
    count = w.local("count_")
    w.line(f"{count} = 0")
    with elements(w, n.Var("x", of or e.var.type), e.source, env) as x:
        w.line(f"s[{sum_of(str(at), count)}] = {x.text}")
        w.line(f"{count} += 1")
    return Val(List(of, cap), (str(at), count))


def _weighted(w: Body, e: n.Draw, env: Env, listed: Val, x: str) -> None:
    assert e.weight is not None
    first, count = listed.texts
    cap = listed.type.cap  # type: ignore[attr-defined]
    of = e.var.type
    weights = w.slot(List(None, cap))
    total, i, at = w.local("total"), w.local("i"), w.local("at")
    w.line(f"{total} = 0")
    with w.block(f"for {i} in range({count})"):
        w.line(f"{x} = s[{sum_of(first, i)}]")
        found = w.atoms(w.value(e.weight, {**env, e.var: Val(of, (x,))}))
        text = found.text
        if found.none:
            text = w.fresh(Val(found.type, (f"0 if {text} == NONE else {text}",)), "weight").text
        with w.block(f"if {text} < 0"):
            w.line(f"return {w.functions.fault(e)}")
        w.line(f"s[{sum_of(str(weights), i)}] = {text}")
        w.line(f"{total} += {text}")
    _drawn_from(w, total)
    w.line(f"{at} = pick(c, {total})")
    w.line(f"{i} = 0")
    with w.block(f"while {at} >= s[{sum_of(str(weights), i)}]"):
        w.line(f"{at} -= s[{sum_of(str(weights), i)}]")
        w.line(f"{i} += 1")
    w.line(f"{x} = s[{sum_of(first, i)}]")


def _shuffle(w: Body, e: n.Shuffle, env: Env) -> None:
    """Like the interpreter's: from the last place down, each exchanged with one up to itself."""
    listed = _listed(w, e, env)
    first, count = listed.texts
    i, j, kept = w.local("i"), w.local("j"), w.local("kept")
    w.line("drawn(c)")
    with w.block(f"for {i} in range({count} - 1, 0, -1)"):
        w.line(f"{j} = pick(c, {i} + 1)")
        w.line(f"{kept} = s[{sum_of(first, i)}]")
        w.line(f"s[{sum_of(first, i)}] = s[{sum_of(first, j)}]")
        w.line(f"s[{sum_of(first, j)}] = {kept}")
    perform(w, e.body, {**env, e.var: Val(e.var.type, listed.texts)})


HANDLERS: Mapping[type[n.Effect], Handler] = {
    n.Assign: _assign,
    n.Block: _block,
    n.When: _when,
    n.ForEach: _for_each,
    n.Bind: _bind,
    n.Draw: _draw,
    n.Shuffle: _shuffle,
}


def storing_function(w: Body, var: n.StateVar) -> None:
    """The body of the function that stores a value in a map, at a position, and keeps its words."""
    assert isinstance(var.type, Map) and not in_words(var.type)
    at = w.program.offsets[var][0]
    if var in w.program.planes:
        scalar = var.type.of.of if isinstance(var.type.of, Optional) else var.type.of
        assert isinstance(scalar, Scalar)
        each = w.codes.words(var.type.keys)
        keys = w.codes.codes(var.type.keys)
        if keys[-1] - keys[0] + 1 == len(keys):
            bit = plus("place", keys[0] - w.codes.base(var.type.keys))
        else:
            bits = [code - w.codes.base(var.type.keys) for code in keys]
            of = var.type.keys
            bit = f"{w.program.table('table', bits, f'bit of {of}', f'the bit of each {of}')}[place]"
        bit = w.atom(bit, "bit")
        planes = w.program.planes[var]
        first = w.codes.codes(scalar)[0]
        for value, sign in (("old", "&= ~"), ("value", "|= ")):
            if value == "old":
                w.line(f"old = s[{at} + place]")
            word = sum_of(planes, times(plus(value, -first), each), f"({bit} >> 6)" if each > 1 else "0")
            step = f"b[{word}] {sign}BIT[{f'{bit} & 63' if each > 1 else bit}]"
            if isinstance(var.type.of, Optional):
                with w.block(f"if {value} != NONE"):
                    w.line(step)
            else:
                w.line(step)
    w.line(f"s[{at} + place] = value")
