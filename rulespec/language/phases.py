"""Phases and rounds: a game in parts, lowered to state, requirements and reactions.

In: the keys `phases` and `rounds` of rules. Out: variables (`phase`, and `trick` for the rounds of a rule
`trick`), a requirement for each action that only some phases allow, and reactions that end one part and begin
the next. These come after those of the author: first the rounds within a phase, then the phase, then the
rounds of the game.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from collections.abc import Mapping as Given
from dataclasses import dataclass, field
from functools import partial

from ..core import nodes as n
from ..core.diagnostics import Label, Report
from ..core.game import End, Reaction, Requirement
from ..core.types import BOOL, Int, Scalar
from .documents.rule_texts import formal_texts_of
from .documents.shapes import text_of, words
from .documents.yaml import Mapping
from .documents.yaml import Scalar as Text
from .elaborate.arithmetic import arithmetic
from .elaborate.expressions import condition
from .elaborate.folding import FALSE, TRUE, conjunction, disjunction, maybe_none, negation, number
from .elaborate.statements import OVER, TURN_TO
from .elaborate.world import Faulty, World
from .lowering import declare_generated, generated_expression, generated_state
from .rules import Rules, id_of

PHASE, DONE = "phase", "phases-over"
"""The variable of the present phase, and the flag that the last phase is over."""

_ENDS = re.compile(r"\bend\s+the\s+(phase|round)\b")


@dataclass
class Course:
    """The parts of a game in time, as its rules declare them."""

    rule: Mapping | None = None
    """The rule with the phases."""
    phases: dict[str, Mapping] = field(default_factory=dict)
    rounds: Mapping | None = None
    """The rule with the rounds of the game."""
    inner: dict[str, Mapping] = field(default_factory=dict)
    """The rules with the rounds of single phases, by phase."""

    @property
    def all_rounds(self) -> list[Mapping]:
        """Every rule with rounds."""
        return [*([self.rounds] if self.rounds is not None else []), *self.inner.values()]

    @property
    def parts(self) -> Iterator[Mapping]:
        """The text of each phase and of each kind of rounds."""
        yield from self.phases.values()
        yield from map(rounds_of, self.all_rounds)

    @property
    def last(self) -> str:
        """The phase after which there is no other."""
        return [*self.phases][-1] if self.phases else ""


def rounds_of(rule: Mapping) -> Mapping:
    """The rounds of a rule that has some."""
    held = rule.entries["rounds"]
    assert isinstance(held, Mapping)
    return held


def read_course(rules: list[Mapping], report: Report) -> Course:
    """The phases and rounds that rules declare; contradictory parts are reported and left out."""
    course = Course()
    for rule in rules:
        named = rule.entries.get("phases")
        if isinstance(named, Mapping):
            if course.rule is not None:
                first = Label(course.rule.keys["phases"].span, "first here")
                report.error("phases.twice", "a game has one list of phases", rule.keys["phases"].span, first)
                continue
            course.rule = rule
            course.phases = {key: of for key, of in named.entries.items() if isinstance(of, Mapping)}
    for rule in rules:
        if isinstance(rule.entries.get("rounds"), Mapping):
            _enter_rounds(course, rule, report)
    return course


def _enter_rounds(course: Course, rule: Mapping, report: Report) -> None:
    place = rule.keys["rounds"].span
    within = rounds_of(rule).entries.get("in")
    other = next((key for key in ("reaction", "end") if key in rule.entries), "")
    if other:
        message = f"rounds have reactions and ends of their own, so `{other}` belongs in another rule"
        report.error("rounds.rule", message, rule.keys[other].span)
    elif isinstance(within, Text) and within.value not in course.phases:
        help = report.nearest(within.value, course.phases) or "list the phases under `phases` of a rule"
        report.error("rounds.phase", f"there is no phase `{within.value}`", within.span, help=help)
    elif isinstance(within, Text):
        if within.value in course.inner:
            report.error("rounds.twice", f"the phase `{within.value}` has rounds already", place)
        course.inner.setdefault(within.value, rule)
    elif course.rounds is not None:
        help = "rounds within a phase say so: `in: …`"
        report.error("rounds.twice", "the game has rounds already", place, help=help)
    else:
        course.rounds = rule


# ---- variables


def declare_course(world: World, rules: list[Mapping]) -> None:
    """Declare the variables that phases and rounds need."""
    course = read_course(rules, world.report)
    texts = [(rule, text) for rule in rules for _, text, _ in formal_texts_of(rule)]
    ended: dict[str, tuple[Mapping, Text]] = {}
    for rule, text in texts:
        for found in _ENDS.finditer(text.formal):
            ended.setdefault(found[1], (rule, text))
    if course.rule is not None and course.phases:
        at = course.rule.keys["phases"]
        declare_generated(world, f"type Phase = one of {', '.join(course.phases)}", course.rule, at)
        declare_generated(world, f"state {PHASE}: Phase = {next(iter(course.phases))}", course.rule, at)
        if course.rounds is None and "then" not in course.phases[course.last].entries:
            declare_generated(world, f"state {DONE}: Bool = false", course.rule, at)
    for rule in course.all_rounds:
        name, limit = id_of(rule), rounds_of(rule).entries.get("number")
        if isinstance(limit, Text):
            declare_generated(world, f"state {name}: 1..({limit.formal}) = 1", rule, limit)
            if rule is course.rounds:
                declare_generated(world, f"state {name}-last: Bool = false", rule, limit)
            else:
                ended.setdefault("phase", (rule, limit))
        if any(re.search(rf"\b{name}-starter\b", text.formal) for _, text in texts):
            place = rule.keys["rounds"]
            declare_generated(world, f"state {name}-starter: Player = 1", rule, place)
    for part, (rule, text) in ended.items():
        if any(course.all_rounds if part == "round" else course.phases):
            declare_generated(world, f"state {OVER[part]}: Bool = false", rule, text)
    first = next((of for of in course.parts if "first" in of.entries), None)
    if first is not None and TURN_TO not in world.declared:
        holder = course.rule or course.all_rounds[0]
        declare_generated(world, f"state {TURN_TO}: Player? = none", holder, first.keys["first"])


# ---- what is legal


def phase_requirements(rules: Rules) -> Given[str, Requirement]:
    """For each action allowed in some phases only, the requirement that the phase is right."""
    course = read_course(rules.rules, Report())
    declared = rules.world.declared.get(PHASE)
    if course.rule is None or declared is None or not declared.generated:
        return {}
    allowed: dict[str, list[str]] = {}
    for name, phase in course.phases.items():
        for word in words(phase.entries.get("legal")):
            if word.value in rules.world.actions:
                allowed.setdefault(word.value, []).append(name)
            else:
                help = rules.world.report.nearest(word.value, rules.world.actions)
                message = f"there is no action `{word.value}`"
                rules.world.report.error("name.action", message, word.span, help=help)
    made = _Maker(rules, course)
    return {action: made.requirement(action, phases) for action, phases in allowed.items()}


# ---- what happens


def course_reactions(rules: Rules, following: Callable[[], n.Expr]) -> Iterator[Reaction]:
    """The reactions that end rounds and phases and begin the next ones."""
    course = read_course(rules.rules, Report())
    maker = _Maker(rules, course, following)
    for phase, rule in course.inner.items():
        over = conjunction(maker.is_phase(phase), maker.over("round", rounds_of(rule), id_of(rule)))
        yield Reaction(id_of(rule), over, maker.end_of_round(rule, phase))
    if course.rule is not None:
        cases = [
            (conjunction(maker.is_phase(name), maker.over("phase", phase, id_of(course.rule))), name)
            for name, phase in course.phases.items()
        ]
        effect: n.Effect = n.NOTHING_DONE
        for over, name in reversed(cases):
            if over is not FALSE:
                effect = n.When(over, maker.end_of_phase(name), effect)
        asked = disjunction(*(over for over, _ in cases))
        if asked is not FALSE:
            yield Reaction(id_of(course.rule), asked, effect)
    if course.rounds is not None:
        over = maker.over("round", rounds_of(course.rounds), id_of(course.rounds))
        if over is not FALSE:
            yield Reaction(id_of(course.rounds), over, maker.end_of_round(course.rounds, ""))


def course_ends(rules: Rules) -> Iterator[End]:
    """The end of the game after its last round or last phase."""
    course = read_course(rules.rules, Report())
    for rule, name in (
        (course.rounds, f"{id_of(course.rounds)}-last" if course.rounds is not None else ""),
        (course.rule, DONE),
    ):
        var = generated_state(rules.world, name)
        if rule is not None and var is not None:
            yield End(id_of(rule), text_of(rule.entries.get("prose")), n.Get(BOOL, var))


def begin_course(rules: Rules) -> n.Effect:
    """The beginning of the first round and phase, after the setup."""
    course = read_course(rules.rules, Report())
    mover = n.Get(rules.world.player, rules.world.state["mover"])
    maker = _Maker(rules, course, lambda: mover)
    done = maker.begin_round(course.rounds) if course.rounds is not None else []
    if course.phases:
        done += maker.begin_phase(next(iter(course.phases)))
    return n.Block(tuple(done)) if done else n.NOTHING_DONE


class _Maker:
    """Generates the core of phases and rounds; faulty texts are reported and left out."""

    def __init__(self, rules: Rules, course: Course, following: Callable[[], n.Expr] = lambda: TRUE) -> None:
        self.rules, self.course, self._following = rules, course, following
        self._variable = partial(generated_state, rules.world)

    @property
    def _phases(self) -> n.StateVar:
        """The variable for the current phase. Raises Faulty."""
        var = self._variable(PHASE)
        if var is None:
            raise Faulty
        return var

    def is_phase(self, name: str) -> n.Expr:
        """The condition that a phase is current."""
        return n.Equal(BOOL, n.Get(self._phases.type, self._phases), self._phase(name))

    def _phase(self, name: str) -> n.Const:
        of = self._phases.type
        assert isinstance(of, Scalar)
        return n.Const(of, of.values[[*self.course.phases].index(name)])

    def requirement(self, action: str, phases: list[str]) -> Requirement:
        """The requirement that an action is in one of some phases."""
        rule = self.course.rule
        assert rule is not None
        named = f"is {phases[0]}" if len(phases) == 1 else "in {" + ", ".join(phases) + "}"
        asked = condition(*generated_expression(self.rules.world, f"{PHASE} {named}", rule.keys["phases"]))
        self.rules.world.spans.note_span(asked, rule.keys["phases"].span)
        return Requirement(id_of(rule), id_of(rule), text_of(rule.entries.get("prose")), asked)

    def over(self, part: str, of: Mapping, clause: str) -> n.Expr:
        """The condition that a phase or a round is over."""
        conditions: list[n.Expr] = []
        if isinstance(until := of.entries.get("until"), Text):
            never: n.Expr = FALSE
            conditions.append(self.rules.attempt(partial(self.rules.condition, until, clause), never))
        if (flag := self._variable(OVER[part])) is not None:
            conditions.append(n.Get(BOOL, flag))
        made = disjunction(*conditions)
        if n.is_expression(made) and made is not FALSE:
            self.rules.world.spans.note_span(made, (until or of).span)
        return made

    def _lowered(self, part: str) -> list[n.Effect]:
        """The effects that clear the flag of a part that is over."""
        flag = self._variable(OVER[part])
        return [n.Assign(flag, (), FALSE)] if flag is not None else []

    def _effect(self, of: Mapping, key: str, clause: str) -> list[n.Effect]:
        text = of.entries.get(key)
        if not isinstance(text, Text):
            return []
        nothing: n.Effect = n.NOTHING_DONE
        return [self.rules.attempt(partial(self.rules.effect, text, clause), nothing)]

    def _first(self, of: Mapping, clause: str) -> list[n.Effect]:
        """The effects that give the turn to the player who begins a round or phase."""
        text = of.entries.get("first")
        var = self._variable(TURN_TO)
        if not isinstance(text, Text) or var is None:
            return []
        asked = self.rules.attempt(partial(self.rules.asking, text, clause, var.type), None)
        if asked is None:
            return []
        kept = n.Otherwise(var.type, asked, n.Get(var.type, var)) if maybe_none(asked.type) else asked
        return [n.Assign(var, (), kept)]

    def begin_round(self, rule: Mapping) -> list[n.Effect]:
        """The beginning of a round: who is first, and its effects."""
        of, name = rounds_of(rule), id_of(rule)
        done = self._first(of, name)
        starter = self._variable(f"{name}-starter")
        if starter is not None:
            who = self._following()
            if (given := self._variable(TURN_TO)) is not None:
                who = n.Otherwise(starter.type, n.Get(given.type, given), who)
            done.append(n.Assign(starter, (), who))
        return [*done, *self._effect(of, "start", name)]

    def begin_phase(self, name: str) -> list[n.Effect]:
        """The beginning of a phase and of its first round."""
        assert self.course.rule is not None
        phase, clause = self.course.phases[name], id_of(self.course.rule)
        done = [*self._first(phase, clause), *self._effect(phase, "start", clause)]
        if (rule := self.course.inner.get(name)) is not None:
            counter = self._variable(id_of(rule))
            done += [n.Assign(counter, (), number(1))] if counter is not None else []
            done += self.begin_round(rule)
        return done

    def end_of_round(self, rule: Mapping, phase: str) -> n.Effect:
        """The end of a round, of a phase or of the game, and the beginning of the next round."""
        name = id_of(rule)
        done = [*self._lowered("round"), *self._effect(rounds_of(rule), "finish", name)]
        again = self.begin_round(rule)
        if not phase and self.course.phases:
            first = next(iter(self.course.phases))
            again += [n.Assign(self._phases, (), self._phase(first)), *self.begin_phase(first)]
        counter = self._variable(name)
        if counter is None or not isinstance(counter.type, Int):
            return n.Block((*done, self._unless_over(again)))
        now = n.Get(counter.type, counter)
        again.insert(0, n.Assign(counter, (), arithmetic("+", now, number(1))))
        flag = self._variable(OVER["phase"] if phase else f"{name}-last")
        last: n.Effect = n.Assign(flag, (), TRUE) if flag is not None else n.NOTHING_DONE
        more = n.Less(BOOL, now, number(counter.type.hi))
        return n.Block((*done, n.When(more, self._unless_over(again), last)))

    def end_of_phase(self, name: str) -> n.Effect:
        """The end of a phase, and the beginning of the next, or of the next round of the game."""
        assert self.course.rule is not None
        phase, clause = self.course.phases[name], id_of(self.course.rule)
        done = [*self._lowered("phase"), *self._effect(phase, "finish", clause)]
        var, then = self._phases, phase.entries.get("then")
        names = [*self.course.phases]
        if isinstance(then, Text):
            to = self.rules.attempt(partial(self.rules.asking, then, clause, var.type), None)
            if to is not None:
                begun: n.Effect = n.NOTHING_DONE
                for other in reversed(names):
                    begun = n.When(self.is_phase(other), _block(self.begin_phase(other)), begun)
                done.append(self._unless_over([n.Assign(var, (), to), begun]))
        elif name != self.course.last:
            following = names[names.index(name) + 1]
            change = n.Assign(var, (), self._phase(following))
            done.append(self._unless_over([change, *self.begin_phase(following)]))
        elif self.course.rounds is not None:
            done.append(self.end_of_round(self.course.rounds, ""))
        elif (flag := self._variable(DONE)) is not None:
            done.append(n.Assign(flag, (), TRUE))
        return n.Block(tuple(done))

    def _unless_over(self, effects: list[n.Effect]) -> n.Effect:
        """Effects that run unless one of the game's end conditions holds."""
        reached = []
        for name, _, _ in self.rules.having("end"):
            function = self.rules.law_function(name)
            if function is not None and not function.params:
                reached.append(n.Call(BOOL, function, ()))
        goes_on = negation(disjunction(*reached))
        body = _block(effects)
        return body if goes_on is TRUE or body is n.NOTHING_DONE else n.When(goes_on, body, n.NOTHING_DONE)


def _block(effects: list[n.Effect]) -> n.Effect:
    return effects[0] if len(effects) == 1 else n.Block(tuple(effects)) if effects else n.NOTHING_DONE
