"""Running the examples of a ruleset: their statements about legal, refused and true things must hold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ..core import nodes as n
from ..core.diagnostics import Diagnostic, Label, RulesetError, Span, nearest
from ..core.evaluate import evaluate
from ..core.examples import Example
from ..core.game import ABSENT
from ..core.traversal import conjuncts
from .blame import causes, changes, definitions, events_of, places_of_outcome, with_definitions
from .errors import IllegalAction, PositionError, UnknownAction
from .explain import Explainer
from .face import Game, State
from .position import STUCK
from .refusal import Reason, Refusal

FAILURE = "example."
"""The beginning of the codes of faults for failed examples."""


def examples(game: Game) -> list[Example]:
    """The examples of all rules, in the order of reading."""
    return [example for rule in game.core.rules for example in rule.examples]


def run_examples(game: Game) -> list[Diagnostic]:
    """Run every example of a ruleset; return the failures."""
    return [failure for example in examples(game) for failure in run_example(game, example)]


OTHER = "it asks for settings that this ruleset does not have"


@dataclass(frozen=True)
class Trial:
    """The result of running one example.

    `failures` are empty if it holds; `game` and `example` are those of the game in which it was run. For an
    inherited example, `dropped` is True if it fails and the ruleset drops it, and `unfit` says why its
    settings do not exist in the ruleset, or exist only in a ruleset below.
    """

    game: Game
    example: Example
    failures: tuple[Diagnostic, ...] = ()
    dropped: bool = False
    unfit: str = ""

    @property
    def holds(self) -> bool:
        """True if it was run without failures."""
        return not (self.failures or self.dropped or self.unfit)


def try_example(game: Game, example: Example) -> Trial:
    """Run one example.

    From the position `given`, or the start by `seed` (0 if there is none): everything `legal` is legal,
    everything in `only` is and no other action of its kind, everything `refused` is refused by the clause it
    names, then `play` is played in order, `then` holds, and `winners` have won.

    An inherited example is tried with the ruleset's own settings first. If it fails there, it is tried with
    the settings that it was written for, if the ruleset still has them; a ruleset that only changes settings
    leaves these to the one below.
    """
    if not example.inherited:
        return run_under(game, example, example.settings)
    here = run_under(game, example, example.own) if example.own != ABSENT else None
    if here is not None and here.holds:
        return here
    there = here
    if here is None or example.settings != example.own:
        why = (
            here.failures[0].message.partition(": ")[2] if here is not None else "it asks for other settings"
        )
        if example.repeated or example.settings == ABSENT:
            return Trial(game, example, unfit=why)
        there = run_under(game, example, example.settings)
        if there.holds:
            return there
        if any(not fault.code.startswith(FAILURE) for fault in there.failures):
            return Trial(game, example, unfit=why)
    assert there is not None
    return replace(there, failures=(), dropped=True) if example.drops else there


def trial_to_show(game: Game, example: Example) -> Trial:
    """Run one example for readers, as `try_example`; if unfit, under the settings it was written for."""
    tried = try_example(game, example)
    if not tried.unfit or example.settings == ABSENT:
        return tried
    there = run_under(game, example, example.settings)
    return there if there.holds else tried


def run_example(game: Game, example: Example) -> list[Diagnostic]:
    """Failures of an example, see `try_example`; none if it holds, is dropped or is unfit."""
    return [*try_example(game, example).failures]


def run_under(game: Game, example: Example, settings: Mapping[str, Any] | None) -> Trial:
    """Run an example under some settings. If these give a faulty game, its faults are the failures."""
    try:
        found = _as_asked(game, example, settings)
    except RulesetError as error:
        return Trial(game, example, error.diagnostics)
    if found is None:
        return Trial(game, example, (failure(example, "missing", "is not there with its own settings"),))
    game, example = found
    try:
        state = begin(game, example.data)
    except PositionError as error:
        return Trial(
            game, example, tuple(failure(example, "given", text) for text in error.problems.values())
        )
    except ValueError as error:
        named = example.data.get("position")
        key = "given" if named is None or named in game.core.positions else "position"
        return Trial(game, example, (failure(example, key, str(error)),))
    return Trial(game, example, tuple(_run(state, example)))


def _run(state: State, example: Example) -> Iterator[Diagnostic]:
    """Yield the failures of an example, in a state after its setup."""
    data, first, game = example.data, state, state.game
    for key in ("legal", "only"):
        for text in _listed(data.get(key)):
            refusals = state.why_not(text)
            if refusals:
                yield failure(
                    example, key, f"`{text}` should be legal: {_joined(refusals)}", *_at(state, refusals)
                )
    yield from _others(state, example)
    for refused in _listed(data.get("refused")):
        yield from _check_refused(state, example, refused)
    plays = _listed(data.get("play"))
    for number, text in enumerate(plays, 1):
        try:
            state = state.play(text, then=plays[number] if number < len(plays) else "")
        except IllegalAction as error:
            by = f" by player {state.to_move}" if len(game.players) > 1 and not state.is_over else ""
            words = f"play {number}, `{text}`{by}: {_joined(error.refusals)}"
            yield failure(example, "play", words, *_at(state, error.refusals))
            return
        if state.fault is not None:
            at = [Label(state.fault.span)] if state.fault.span else []
            yield failure(example, "fault", f"play {number}, `{text}`: {state.fault}", *at)
            return
    then = data.get("then")
    if n.is_expression(then):
        yield from _then(first, state, plays, example, then)
    yield from _winners(first, state, plays, example)


def _others(state: State, example: Example) -> Iterator[Diagnostic]:
    """A failure for each legal action that is missing from `only` although its kind is there."""
    listed = []
    for text in _listed(example.data.get("only")):
        try:
            listed.append(state.find(text))
        except UnknownAction:
            return  # it was told already that this is not legal
    kinds = {action.id for action in listed}
    moves = {action.move for action in listed}
    others = [f"`{a}`" for a in state.actions() if a.id in kinds and a.move not in moves] if kinds else []
    if others:
        more = f" and {len(others) - 4} more" if len(others) > 4 else ""
        yield failure(example, "only", f"legal too: {', '.join(others[:4])}{more}")


def _check_refused(state: State, example: Example, refused: Any) -> Iterator[Diagnostic]:
    """Yield a failure if an action is legal, or is not refused by the expected clause."""
    text, by = (refused["play"], refused.get("by")) if isinstance(refused, Mapping) else (refused, None)
    refusals = state.why_not(text)
    if not refusals:
        why, at = _reasons_it_holds(state, text, str(by)) if by is not None else ("", ())
        yield failure(example, "refused", f"`{text}` should be refused, but it is legal{why}", *at)
    elif any(r.kind == "unknown" for r in refusals):
        yield failure(example, "refused", f"`{text}`: {_joined(refusals)}")
    elif by is not None and not any(str(by) in r.names for r in refusals):
        said = f"`{text}` should be refused by `{by}`, but it is {_joined(refusals)}"
        yield failure(example, "refused", said, *_at(state, refusals))
    elif state.game.machine.seen is not None and [r.kind for r in refusals] == ["requirement"]:
        state.game.machine.seen.add(("refused", f"{refusals[0].clause}.{refusals[0].id}"))


def _at(state: State, refusals: Sequence[Refusal]) -> list[Label]:
    """The conditions that refused an action, or that ended the game before."""
    reasons = [reason for refusal in refusals for reason in refusal.reasons]
    over = {refusal.id for refusal in refusals if refusal.kind == "over"}
    ends = [end.condition for end in state.game.core.ends if end.id in over]
    reasons += [reason for condition in ends for reason in _why(state, condition)]
    return _places(state, reasons)


def _places(state: State, reasons: Sequence[Reason]) -> list[Label]:
    """The conditions of reasons, and the definitions that they call."""
    places = [Label(reason.span) for reason in reasons if reason.span]
    return with_definitions(places, [*definitions(state.game.core, reasons, state.situation)])


def _why(state: State, condition: n.Expr) -> Sequence[Reason]:
    """The reasons for the value of a condition in a state."""
    return Explainer(state.game.core, state.situation).reasons(condition, {})


def _reasons_it_holds(state: State, text: str, by: str) -> tuple[str, Sequence[Label]]:
    """The reasons why the named condition holds for an action, as the end of a sentence, and their places."""
    move = state.find(text).move
    env, game = state.game.machine.bind(move), state.game.core
    explainer = Explainer(game, state.situation)
    bound = game.actions[move.action].requirements
    named = [r for r in bound if by in (r.id, r.clause, f"{r.clause}.{r.id}")]
    reasons = [reason for r in named for reason in explainer.reasons(r.condition, env)]
    if not reasons:
        return f": nothing called `{by}` binds it", ()
    held = "; ".join(map(str, reasons))
    return f": `{by}` holds, because {held}", _places(state, reasons)


def _then(
    first: State, state: State, plays: Sequence[str], example: Example, then: n.Expr
) -> Iterator[Diagnostic]:
    """Yield a failure, with its likely causes, if the condition at the end is false."""
    situation = state.game.machine.situation(state.position)
    situation.spend_on(1, then)
    if not evaluate(then, {}, situation):
        over = f" (over by `{state.ended_by}`)" if state.is_over else ""
        words = f"at the end{over}, " + "; ".join(map(str, _why(state, then)))
        starts = not plays and "given" not in example.data and "position" not in example.data
        places = _stored_first(state, example, then) if starts else _causes(first, state, plays, then)
        yield failure(example, "then", words, *places)


def _causes(first: State, state: State, plays: Sequence[str], condition: n.Expr) -> list[Label]:
    """The places that led to a condition that is false after a play."""
    machine, actions = state.game.machine, [action.id for action in state.plays[len(first.plays) :]]
    events = events_of(machine, lambda: _replay(first, plays))
    tested = events_of(machine, lambda: evaluate(condition, {}, machine.situation(state.position)))
    return causes(state.game.core, condition, machine.situation(state.position), actions, events, tested)


def _stored_first(state: State, example: Example, condition: n.Expr) -> list[Label]:
    """The places of the setup that stored what the false parts of a condition read."""
    game, situation = state.game, state.game.machine.situation(state.position)
    events = events_of(game.machine, lambda: begin(game, example.data))
    wrong = [part for part in conjuncts(condition) if not evaluate(part, {}, situation)]
    return [label for part in wrong for label in changes(game.core, part, "", events)]


def _replay(state: State, plays: Sequence[str]) -> None:
    for number, text in enumerate(plays, 1):
        state = state.play(text, then=plays[number] if number < len(plays) else "")


def _winners(first: State, state: State, plays: Sequence[str], example: Example) -> Iterator[Diagnostic]:
    """A failure unless exactly the named players have won; an empty list names nobody."""
    if "winners" not in example.data:
        return
    named, core = {str(player) for player in _listed(example.data["winners"])}, state.game.core
    won = [str(player) for player in state.winners]
    if not state.is_over:
        ends = [reason.span for end in core.ends for reason in _why(state, end.condition)]
        labels = [Label(span, "this does not hold") for span in ends if span]
        labels += [label for end in core.ends[:1] for label in _causes(first, state, plays, end.condition)]
        words = "at the end the game is not over, so nobody has won"
        yield failure(example, "winners", words, *labels)
    elif named != {*won}:
        how = "nobody can act" if state.ended_by == STUCK else f"by `{state.ended_by}`"
        words = f"won by {' and '.join(won) or 'nobody'}; it ended {how}"
        yield failure(example, "winners", words, *places_of_outcome(core))


def begin(game: Game, data: Mapping[str, Any]) -> State:
    """The state in which an example begins: a `position` by name, what is `given` (over it), or the start.

    Raises ValueError (PositionError) if there is none.
    """
    seed, given, name = data.get("seed", 0), data.get("given"), data.get("position")
    if name is not None:
        if name not in game.core.positions:
            advice = nearest(str(name), game.core.positions)
            raise ValueError(f"there is no position `{name}`" + (f"; {advice}" if advice else ""))
        named = game.core.positions[name]
        given = {**named, **given} if isinstance(given, Mapping) else named if given is None else given
    if given is None:
        return game.start(seed=seed)
    legal = [text for key in ("legal", "only", "play") for text in _listed(data.get(key))]
    return game.position(given, seed=seed, then=legal[0] if legal else "")


def settings_that_hold(game: Game, example: Example) -> list[Mapping[str, Any] | None]:
    """The settings under which an example holds: those it was written for, and the ruleset's own."""
    asked = [example.settings, *([example.own] if example.own != example.settings else [])]
    return [one for one in asked if one != ABSENT and run_under(game, example, one).holds]


def _as_asked(
    game: Game, example: Example, settings: Mapping[str, Any] | None
) -> tuple[Game, Example] | None:
    """The game under some settings, and the example as it reads there; None if it does not exist there."""
    if settings is None:
        return game, example
    other = game.under(**settings)
    if other.machine.meter is not None:
        other.machine.meter.spend(sum(len(rule.examples) for rule in other.core.rules))
    same = next((e for e in examples(other) if (e.clause, e.id) == (example.clause, example.id)), None)
    return (other, same) if same else None


def changed_parameters(game: Game) -> dict[str, Any]:
    """The parameters that differ from their defaults, as plain data."""
    return {p.id: game.parameters[p.id] for p in game.core.parameters.values() if p.value != p.default}


def changed_readings(game: Game) -> dict[str, str]:
    """The rulings whose chosen reading is not the default."""
    return {r.id: r.chosen for r in game.core.rulings.values() if r.chosen != r.readings[0].id}


def _listed(data: Any) -> Sequence[Any]:
    if data is None:
        return ()
    return data if isinstance(data, list | tuple) else (data,)


def _joined(refusals: tuple[Any, ...]) -> str:
    return "; ".join(map(str, refusals))


def failure(example: Example, kind: str, text: str, *causes: Label) -> Diagnostic:
    """The fault that a statement of an example is false, with the places of its causes if these are known."""
    at = _place(example, kind)
    if kind in ("legal", "only", "refused") and example.data.get("play"):
        text = f"before its play, {text}"
    labels = (Label(at), *causes) if at else causes
    return Diagnostic(f"{FAILURE}{kind}", f"example `{example.id}`: {text}", labels, clause=example.clause)


def _place(example: Example, key: str) -> Span | None:
    """The line of a key of an example; the place of the example if it has no such line."""
    if (span := example.span) is not None:
        keys = [span.source.line(line).rstrip() for line in range(span.line, span.end_line + 1)]
        indents = [len(text) - len(text.lstrip(" -")) for text in keys]
        for line, (text, indent) in enumerate(zip(keys, indents, strict=True), span.line):
            if indent == indents[0] and text[indent:].startswith(f"{key}:"):
                return Span(span.source, line, indent + 1, line, len(text) + 1)
    return example.span
