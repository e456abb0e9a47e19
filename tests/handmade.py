"""Small games built by hand from core nodes, for tests that must not wait for a ruleset to be read.

    nim         two players, a reaction, an end, winners by who acted last
    ziggurat    one player, a shuffle, a hidden pile, a hand, two tiers, `can`, scores
    race        two players, a die rolled when a turn begins, a weighted draw, passing, extra turns, a fault
    trail       one player, a chain of steps, a closure over a relation, recursion, an optional key

Formal text given with `said` is where a message finds its words.
"""

from __future__ import annotations

from collections.abc import Callable

from building import (
    YES,
    Text,
    add,
    assign,
    at_most,
    block,
    both,
    call,
    const,
    domain,
    either,
    equal,
    every,
    function,
    game,
    get,
    is_none,
    less,
    local,
    no,
    number,
    part,
    read,
    requirement,
    seats,
    some,
    sub,
    word,
    word_type,
)

from rulespec.core import nodes as n
from rulespec.core.game import (
    Action,
    Chain,
    Choice,
    End,
    Game,
    Layer,
    Outcome,
    Reaction,
    Sight,
    Turn,
)
from rulespec.core.types import (
    BOOL,
    Enum,
    List,
    Map,
    Optional,
    Record,
    Set,
    integers,
)


def nim(heaps: tuple[int, ...] = (1, 2), most: int = 2) -> Game:
    """Nim: take 1 to `most` from one heap; who takes the last thing wins. A reaction counts emptied heaps.

    With heaps (1, 2): 3 first plies; 1, 2, 3 sequences by hand are in the tests of perft.
    """
    player, mover, over, after = seats(2)
    said = Text()
    heap = Enum("Heap", range(len(heaps)), "Heap", tuple("abcdef"[: len(heaps)]))
    size = integers(0, max(heaps), "Size")
    count = integers(1, most, "Count")
    left = n.StateVar("left", Map(heap, size), const(Map(heap, size), heaps))
    gone = n.StateVar("gone", integers(0, len(heaps)), number(0))
    k, h, x = n.Var("n", count), n.Var("h", heap), n.Var("x", heap)
    there = said("left[h]", read(get(left), local(h)))
    enough = said("n <= left[h]", at_most(local(k), there))
    empty = function("empty", (x,), BOOL, said("left[x] = 0", equal(read(get(left), local(x)), number(0))))
    y = n.Var("y", heap)
    empties = n.Size(integers(0, len(heaps)), n.Select(Set(heap), y, domain(heap), call(empty, local(y))))
    take = Action(
        "take", "Take some things from one heap.",
        (Choice(k, domain(count)), Choice(h, domain(heap))),
        ("take ", local(k), " from ", local(h)),
        (requirement("enough", enough, "The heap has that many.", "take"),),
        assign(left, sub(there, local(k)), local(h)),
    )  # fmt: skip
    viewer = n.Var("player", player)
    return game(
        "nim", 2, (left, gone), (take,), player=player, mover=mover, over=over,
        turn=Turn(n.NOTHING_DONE, YES, after, "end"),
        outcome=Outcome(viewer, None, n.SetOf(Set(player), (get(mover),)), (), ()),
        types=(heap, size, count), functions=(empty,),
        reactions=(Reaction("emptied", less(get(gone), empties), assign(gone, add(get(gone), number(1)))),),
        ends=(End("cleared", "All heaps are empty.", every(x, domain(heap), call(empty, local(x)))),),
        diagram=(Layer("square", ((x, domain(heap)),), None,
                       {"across": local(x), "up": number(0), "label": read(get(left), local(x))}),),
        said=said,
    )  # fmt: skip


def ziggurat(hand_size: int = 1, top: int = 1) -> Game:
    """A strip of four squares and a second tier of two over its middle: three dominoes of 0 to 1 fit.

    A half above is greater than the half under it. Places are drawn from a shuffled pile;
    `skip` (send the hand back under the pile) is allowed only when nothing can be placed, once.
    """
    player, mover, over, after = seats(1)
    said = Text()
    pip = integers(0, top, "Pip")
    domino = Record(
        "Domino", tuple((a, b) for a in pip.values for b in pip.values if a <= b), "Domino",
        (("low", pip), ("high", pip)), (0, "-", 1),
    )  # fmt: skip
    places = (*((1, c) for c in range(1, 5)), (2, 2), (2, 3))
    cell = Record("Cell", places, "Cell", (("tier", integers(1, 2)), ("col", integers(1, 4))), (0, ".", 1))
    pairs = tuple((a, b) for a in places for b in places if a[0] == b[0] and abs(a[1] - b[1]) == 1)
    slot = Record("Slot", pairs, "Slot", (("low", cell), ("high", cell)), (0, "/", 1))
    cap = len(domino.values)
    pips = n.StateVar("pips", Map(cell, Optional(pip)), const(Map(cell, Optional(pip)), (None,) * 6))
    hand = n.StateVar("hand", Set(domino), const(Set(domino), frozenset()))
    pile = n.StateVar("pile", List(domino, cap), const(List(domino, cap), ()), hidden=True)
    skips = n.StateVar("skips", integers(0, 1), number(0))

    c, s, d = n.Var("c", cell), n.Var("s", slot), n.Var("d", domino)
    below = function("below", (c,), Optional(cell), static=True)
    below.body = n.Make(Optional(cell), cell, (sub(part(local(c), 0), number(1)), part(local(c), 1)))
    s2 = n.Var("s", slot)
    cells = function(
        "cells", (s2,), Set(cell), n.SetOf(Set(cell), (part(local(s2), 0), part(local(s2), 1))), True
    )
    d3, s3, c3 = n.Var("d", domino), n.Var("s", slot), n.Var("c", cell)
    half = function("half", (d3, s3, c3), pip, static=True)
    half.body = n.If(pip, equal(local(c3), part(local(s3), 0)), part(local(d3), 0), part(local(d3), 1))

    def over_cells(body: Callable[[n.Expr], n.Expr], text: str) -> n.Expr:
        b = n.Var("c", cell)
        return said(text, every(b, call(cells, local(s)), body(local(b))))

    def lies(where: n.Expr) -> n.Expr:
        return read(get(pips), where)

    def under(where: n.Expr) -> n.Expr:
        return said("pips[below(c)]", lies(call(below, where)))

    def rises(b: n.Expr) -> n.Expr:
        low = said("c.tier = 1", equal(part(b, 0), number(1)))
        there = said("half(d, s, c)", call(half, local(d), local(s), b))
        return either(low, said("pips[below(c)] < half(d, s, c)", less(under(b), there)))

    vacant = over_cells(lambda b: is_none(lies(b)), "every c in cells(s) satisfies pips[c] is none")
    rising = over_cells(rises, "every c in cells(s) satisfies c.tier = 1 or pips[below(c)] < half(d, s, c)")
    one_way = either(
        said("d.low != d.high", no(equal(part(local(d), 0), part(local(d), 1)))),
        said("s.low < s.high", less(part(local(s), 0), part(local(s), 1))),
    )
    b = n.Var("c", cell)
    lay = n.ForEach(
        b, call(cells, local(s)), assign(pips, call(half, local(d), local(s), local(b)), local(b))
    )
    kept = n.Difference(Set(domino), get(hand), n.SetOf(Set(domino), (local(d),)))
    top_card = n.Item(Optional(domino), get(pile), n.Size(integers(0, cap), get(pile)))
    shorter = n.Slice(
        List(domino, cap), get(pile), number(1), sub(n.Size(integers(0, cap), get(pile)), number(1))
    )
    fill = block(
        assign(hand, n.Union(Set(domino), get(hand), n.SetOf(Set(domino), (top_card,)))),
        assign(pile, shorter),
    )
    place = Action(
        "place", "Lay a domino of the hand.",
        (Choice(d, said("hand", get(hand))), Choice(s, domain(slot))),
        ("place ", local(d), " ", local(s)),
        (requirement("vacant", vacant, "Both squares are free.", "place"),
         requirement("ascending", rising, "A half never rests on an equal or greater one."),
         requirement("one-way", one_way, "A double lies one way only.")),
        block(lay, assign(hand, kept), fill),
    )  # fmt: skip
    x = n.Var("x", domino)
    back = n.Concat(List(domino, 2 * cap), n.Collect(List(domino, cap), x, get(hand), local(x)), get(pile))
    skip = Action(
        "skip", "Send the hand back under the pile.", (), ("skip",),
        (requirement("nothing-fits", said("not can place", no(n.Can(BOOL, "place", ()))), clause="skip"),
         requirement("once", said("skips = 0", equal(get(skips), number(0))), clause="skip")),
        block(assign(pile, back), assign(hand, const(Set(domino), frozenset())), fill,
              assign(skips, add(get(skips), number(1)))),
    )  # fmt: skip
    deal = n.Var("deal", List(domino, cap))
    viewer, who = n.Var("viewer", player), n.Var("player", player)
    e = n.Var("c", cell)
    laid = n.Select(Set(cell), e, domain(cell), no(is_none(lies(local(e)))))
    full = every(e, domain(cell), no(is_none(lies(local(e)))))
    return game(
        "ziggurat", 1, (pips, hand, pile, skips), (place, skip), player=player, mover=mover, over=over,
        setup=n.Shuffle(deal, domain(domino), block(assign(pile, local(deal)), *[fill] * hand_size)),
        turn=Turn(n.NOTHING_DONE, YES, after, "end"),
        outcome=Outcome(
            who, n.Size(integers(0, 6), laid), None, (),
            ((full, "Builder"), (less(number(2), n.Size(integers(0, 6), laid)), "Apprentice")),
        ),
        types=(pip, domino, cell, slot), functions=(below, cells, half),
        ends=(End("complete", "Every square is covered.", full),),
        sights=(Sight(viewer, (), n.Size(integers(0, cap), get(pile)), "size(pile)"),),
        diagram=(Layer("square", ((e, domain(cell)),), None, {
            "across": part(local(e), 1), "up": part(local(e), 0), "label": lies(local(e))}),),
        said=said,
    )  # fmt: skip


def race(goal: int = 4, purse: int = 3) -> Game:
    """Two runners; a die of 1 to 3 is rolled when a turn begins. `run` needs the exact number at the goal.

    `bet` draws a prize (1 with odds 1, 2 with odds 2, 0 never) into a purse that holds at most `purse`:
    past it the play ends with a fault. After a roll of 1 the runner goes on. Who can do nothing passes.
    """
    player, mover, over, after = seats(2)
    said = Text()
    spot, die = integers(0, goal, "Spot"), integers(1, 3, "Die")
    prize = integers(0, 2, "Prize")
    at = n.StateVar("at", Map(player, spot), const(Map(player, spot), (0, 0)))
    roll = n.StateVar("roll", Optional(die), const(Optional(die), None))
    won = n.StateVar("won", Map(player, integers(0, purse)), const(Map(player, integers(0, purse)), (0, 0)))
    mine = said("at[mover]", read(get(at), get(mover)))
    beyond = add(mine, get(roll))
    r, w = n.Var("roll", die), n.Var("prize", prize)
    fits = said("at[mover] + roll <= goal", at_most(beyond, const(spot, goal)))
    begin = n.Draw(r, domain(die), None, assign(roll, local(r)))
    run = Action(
        "run", "Run as far as the die says.", (), ("run",),
        (requirement("exact", fits, clause="run"),),
        assign(at, beyond, get(mover)),
    )  # fmt: skip
    richer = add(read(get(won), get(mover)), local(w))
    bet = Action(
        "bet", "Draw a prize instead of running, with a roll of 3.", (), ("bet",),
        (requirement("three", said("roll = 3", equal(get(roll), number(3))), clause="bet"),),
        n.Draw(w, domain(prize), local(w), assign(won, richer, get(mover))),
    )  # fmt: skip
    who = n.Var("p", player)
    q = n.Var("q", player)
    there = some(q, domain(player), equal(read(get(at), local(q)), number(goal)))
    return game(
        "race", 2, (at, roll, won), (run, bet), player=player, mover=mover, over=over,
        turn=Turn(begin, no(equal(get(roll), number(1))), after, "pass"),
        outcome=Outcome(who, read(get(at), local(who)), None, ((True, read(get(won), local(who))),), ()),
        types=(spot, die, prize), ends=(End("home", "A runner is at the goal.", there),),
        said=said,
    )  # fmt: skip


def trail(length: int = 5) -> Game:
    """A token on a strip walks: a chain of steps to unvisited neighbours, at least two at a time.

    `rest` is allowed where no walk is; `mark` writes at a square that may be missing (which changes nothing).
    The game ends when every square that the token can still reach was visited.
    """
    player, mover, over, after = seats(1)
    said = Text()
    square = integers(1, length, "Square", "abcdefgh"[:length])
    here = n.StateVar("here", square, const(square, 1))
    seen = n.StateVar("seen", Set(square), const(Set(square), frozenset({1})))
    marks = n.StateVar(
        "marks", Map(square, integers(0, 3)), const(Map(square, integers(0, 3)), (0,) * length)
    )
    rests = n.StateVar("rests", integers(0, 1), number(0))
    steps = List(square, length)
    path, q = n.Var("path", steps), n.Var("q", square)
    last = n.Otherwise(
        square, n.Item(Optional(square), local(path), n.Size(integers(0, length), local(path))), get(here)
    )
    a, b = n.Var("a", square), n.Var("b", square)
    next_to = function(
        "next-to", (a, b), BOOL,
        either(equal(add(local(a), number(1)), local(b)), equal(add(local(b), number(1)), local(a))), True,
    )  # fmt: skip
    fresh = both(no(n.Member(BOOL, local(q), get(seen))), no(n.Member(BOOL, local(q), local(path))))
    goes_on = both(said("next-to(last(path), q)", call(next_to, last, local(q))), fresh)
    long = said("size(path) >= 2", at_most(number(2), n.Size(integers(0, length), local(path))))
    x = n.Var("x", square)
    walk = Action(
        "walk", "Walk over squares not yet seen.",
        (Choice(path, domain(square), None, Chain(q, goes_on, steps)),),
        ("walk ", local(path)), (requirement("far", long, "A walk is two squares or more.", "walk"),),
        n.Bind(a, last, block(
            n.ForEach(x, local(path), block(
                assign(seen, n.Union(Set(square), get(seen), n.SetOf(Set(square), (local(x),)))))),
            assign(here, local(a)))),
    )  # fmt: skip
    gap = n.Var("d", integers(0, 2, "Gap"))
    target = n.Narrow(Optional(square), add(get(here), local(gap)), square)
    room = said("marks[here] < 2", less(read(get(marks), get(here)), number(2)))
    more = add(n.Otherwise(integers(0, 3), read(get(marks), target), number(0)), number(1))
    mark = Action(
        "mark", "Mark the square here or ahead.", (Choice(gap, domain(integers(0, 2, "Gap"))),),
        ("mark ", n.If(word_type("here", "ahead"), equal(local(gap), number(0)), word("here"), word("ahead")),
         " ", local(gap)),
        (requirement("room", room, clause="mark"),),
        assign(marks, more, target),
    )  # fmt: skip
    rest = Action(
        "rest", "Do nothing, once.", (), ("rest",),
        (requirement("tired", said("not can walk", no(n.Can(BOOL, "walk", ()))), clause="rest"),
         requirement("once", equal(get(rests), number(0)), clause="rest")),
        assign(rests, add(get(rests), number(1))),
    )  # fmt: skip
    y, via = n.Var("y", square), n.Var("via", square)
    reached = n.Reach(
        Set(square), y, domain(square), n.SetOf(Set(square), (get(here),)), via,
        both(call(next_to, local(via), local(y)), no(n.Member(BOOL, local(y), get(seen)))),
    )  # fmt: skip
    alone = equal(n.Size(integers(0, length), reached), number(1))
    who = n.Var("p", player)
    down = function("down", (n.Var("k", integers(0, length)),), integers(0, length))
    k = down.params[0]
    smaller = call(down, sub(local(k), number(1)))
    down.falling = 0
    down.body = n.Otherwise(
        integers(0, length),
        n.If(integers(0, length), n.Member(BOOL, local(k), get(seen)), add(number(1), smaller), smaller),
        number(0),
    )
    return game(
        "trail", 1, (here, seen, marks, rests), (walk, mark, rest), player=player, mover=mover, over=over,
        turn=Turn(n.NOTHING_DONE, YES, after, "end"),
        outcome=Outcome(who, call(down, const(integers(0, length), length)), None, (), ()),
        types=(square,), functions=(next_to, down),
        ends=(End("shut-in", "Nothing new can be reached.", alone),),
        said=said,
    )  # fmt: skip


def all_games() -> dict[str, Game]:
    """Every game of this file by name."""
    return {g.id: g for g in (nim(), ziggurat(), race(), trail())}
