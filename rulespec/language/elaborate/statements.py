"""Statements to effects: control, named effects, chance; the table of all statements."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.numbers import number_of
from ...core.traversal import assignments, reads_state
from ..syntax.habits import CALLS
from ..syntax.parser import Syntax
from ..work_limit import EXPRESSION
from .declarations import parameters
from .domains import bindings
from .expressions import condition, expression, expression_of_type
from .folding import FALSE, TRUE, negation
from .lvalues import bind
from .narrowing import independent_of
from .rolls import names_anew, new_names, roll_or_draw, several, shuffle, uses
from .updates import add, add_within, assign, move_item, move_part, put_under, remove, remove_part, swap
from .world import Declaration, Faulty, Frame, World, declares, mismatch, same_family

MOST_RUNS = 2_000
"""Maximum number of inlined calls of named effects in a ruleset."""

MOST_DEEP = 50
"""Maximum nesting of named effects."""

TURN_TO = "turn-to"
"""The variable of the player to whom an effect gives the turn, until that turn begins (see `lowering`)."""

OVER = {"phase": "phase-over", "round": "round-over"}
"""The flags that a phase or a round is over, during the ply."""

ROLLS = ("roll_stmt", "weigh_stmt", "draw_stmt")
"""Statements that may bind new names."""

Statement = Callable[[Frame, Syntax], n.Effect]


def effects(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of statements in order (`stmts`, `block` or an `effect_text`)."""
    statements = [cast(Syntax, c) for c in tree.children]
    if len(statements) == 1 and statements[0].data == "stmts":
        return effects(frame, statements[0])
    done: list[n.Effect] = []
    failed: Faulty | None = None
    frame.world.meter.spend(EXPRESSION * len(statements))
    for i, statement in enumerate(statements):
        if statement.data == "let_stmt":
            word, value_tree = statement.children
            value = expression(frame, cast(Syntax, value_tree), None)
            var = n.Var(str(word), value.type)
            rest: Syntax = Tree("stmts", [*statements[i + 1 :]], tree.meta)
            body = effects(frame.bound(var), rest) if statements[i + 1 :] else n.NOTHING_DONE
            done.append(frame.put(n.Bind(var, value, body), statement))
            break
        if statement.data in ROLLS and names_anew(frame, statement):
            following: Syntax = Tree("stmts", [*statements[i + 1 :]], tree.meta)
            _must_be_read(frame, statement, following)
            go_on = partial(_effects_of, following)
            done.append(frame.put(roll_or_draw(frame, statement, go_on), statement))
            break
        try:
            done.append(frame.put(STATEMENTS[statement.data](frame, statement), statement))
        except Faulty as fault:  # the statements after it may have faults of their own
            failed = failed or fault
            continue
        stores = assignments(done[-1])
        for store in stores:  # a `move` stores twice, and either store may fault
            frame.put(store, statement)
        if frame.facts:
            targets = (store.target for store in stores)
            frame = replace(frame, facts=independent_of(frame.facts, targets))
    if failed is not None:
        raise failed
    return done[0] if len(done) == 1 else n.Block(tuple(done))


def _effects_of(tree: Syntax, frame: Frame) -> n.Effect:
    return effects(frame, tree) if tree.children else n.NOTHING_DONE


def _must_be_read(frame: Frame, statement: Syntax, following: Syntax) -> None:
    """Report a new name for a roll that nothing reads, since it may be a misspelt variable."""
    for word in new_names(frame, statement):
        if not uses(following, word):
            states = (d.name for d in frame.world.declared.values() if d.kind == "state")
            help = frame.world.report.nearest(word, states)
            frame.fail("roll.unread", f"nothing reads `{word}` after this", word, help=help)


# ---- control


def _if(frame: Frame, tree: Syntax) -> n.Effect:
    cond_tree, block, *rest = (cast(Syntax, c) for c in tree.children if c is not None)
    cond = condition(frame, cond_tree)
    then = effects(frame.knowing(cond), block)
    otherwise: n.Effect = n.NOTHING_DONE
    if rest:
        part, fails = rest[0], frame.knowing(negation(cond))
        otherwise = (
            _if(fails, part) if part.data == "else_if" else effects(fails, cast(Syntax, part.children[0]))
        )
    if isinstance(cond, n.Const):
        return then if cond.value else otherwise
    return n.When(cond, then, otherwise)


def _for(frame: Frame, tree: Syntax) -> n.Effect:
    binders, block = (cast(Syntax, c) for c in tree.children)
    # The stores of one round may undo a fact from before the loop.
    lasting = replace(frame, facts=tuple(fact for fact in frame.facts if not reads_state(fact)))
    inner, found = bindings(lasting, binders)
    body = effects(inner, block)
    for var, source, where in reversed(found):
        if where is FALSE:
            return n.NOTHING_DONE
        body = n.ForEach(var, source, body if where is TRUE else n.When(where, body, n.NOTHING_DONE))
    return body


@declares("to")
def _declared_effect(world: World, found: Declaration) -> None:
    """Elaborate a declared effect once, to find its faults even if nothing runs it."""
    home = found.frame(world, (found.name,))
    for var in parameters(home, cast("Syntax | None", found.tree.children[1]))[0]:
        home = home.bound(var)
    _body(home, found)


def _body(home: Frame, found: Declaration) -> n.Effect:
    """The body of a named effect, in a frame that binds its parameters."""
    older = found.older
    if older is not None:
        block = cast(Syntax, older.tree.children[2])
        home = replace(home, original_effect=lambda f: effects(replace(f, text=older.text), block))
    return effects(home, cast(Syntax, found.tree.children[2]))


def _run(frame: Frame, tree: Syntax) -> n.Effect:
    """Run a named effect, with its arguments bound to its parameters."""
    word, args_tree = cast(Token, tree.children[0]), tree.children[1]
    found = _effect(frame, word)
    home = found.frame(frame.world, (*frame.procedures, str(word)))
    params, _ = parameters(home, cast("Syntax | None", found.tree.children[1]))
    trees = [cast(Syntax, a) for a in cast(Syntax, args_tree).children] if args_tree is not None else []
    if len(trees) != len(params):
        words = f"`{word}` takes {number_of(len(params), 'argument')}, not {len(trees)}"
        frame.fail("call.arguments", words, tree)
    bound: list[tuple[n.Var, n.Expr]] = []
    for param, value_tree in zip(params, trees, strict=True):
        value = expression(frame, value_tree, param.type)
        if not same_family(value.type, param.type):
            message = f"`{param.name}` does not take this: {mismatch(value.type, param.type)}"
            frame.fail("type.argument", message, value_tree)
        bound.append((n.Var(param.name, value.type), value))
        home = home.bound(bound[-1][0])
    return bind(bound, _body(home, found))


def _effect(frame: Frame, word: Token) -> Declaration:
    """The declaration of the effect to be run, which must be faultless."""
    world = frame.world
    found = world.find(word)
    if found is None or found.kind != "to":
        names = (d.name for d in world.declared.values() if d.kind == "to")
        help = CALLS.get(word) or world.report.nearest(word, names)
        frame.fail("name.effect", f"there is no effect called `{word}`", word, help=help)
    if word in frame.procedures:
        help = "effects do not repeat themselves; use `for`"
        frame.fail("effect.circle", f"`{word}` leads back to itself", word, help=help)
    world.runs += 1
    if world.runs > MOST_RUNS or len(frame.procedures) >= MOST_DEEP:
        message = f"named effects run one another more than {MOST_RUNS:,} times or {MOST_DEEP} deep"
        frame.fail("size.effects", message, word, help="use `for`, or fewer effects inside effects")
    world.check_effect(found, word, frame)
    return found


def _original(frame: Frame, tree: Syntax) -> n.Effect:
    if frame.original_effect is None:
        frame.fail("name.original", "there is no original here: nothing was replaced", tree)
    return frame.original_effect(frame)


def _give_turn(frame: Frame, tree: Syntax) -> n.Effect:
    to = expression_of_type(frame, cast(Syntax, tree.children[0]), frame.world.player.with_none)
    return n.Assign(frame.world.get_state(Token("NAME", TURN_TO), frame), (), to)


def _end_part(frame: Frame, tree: Syntax) -> n.Effect:
    part = cast(Token, tree.children[0])
    if OVER[part] not in frame.world.declared:
        help = f"a rule states them under `{part}s`"
        frame.fail("course.part", f"this game has no {part}s", part, help=help)
    return n.Assign(frame.world.get_state(Token("NAME", OVER[part]), frame), (), TRUE)


def _nothing(frame: Frame, tree: Syntax) -> n.Effect:
    return n.NOTHING_DONE


STATEMENTS: dict[str, Statement] = {
    "assign": assign,
    "add_stmt": add,
    "add_up_to": add_within,
    "remove_stmt": remove,
    "remove_part": remove_part,
    "remove_down_to": add_within,
    "under_stmt": put_under,
    "swap_stmt": swap,
    "move_part": move_part,
    "move_item": move_item,
    "shuffle_stmt": shuffle,
    "roll_stmt": roll_or_draw,
    "weigh_stmt": roll_or_draw,
    "draw_stmt": roll_or_draw,
    "roll_many": several,
    "draw_many": several,
    "if_stmt": _if,
    "for_stmt": _for,
    "run_stmt": _run,
    "original_stmt": _original,
    "give_turn": _give_turn,
    "end_part": _end_part,
    "nothing_stmt": _nothing,
}
