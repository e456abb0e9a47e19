"""Random rulesets: small games that use every part of the language, with nothing in their claims yet.

A game is made as text, as an author writes it, so that reading it is put to the test as well. What is made is
well typed nearly always; what is refused all the same is thrown away by the caller.
"""

from __future__ import annotations

import random
from collections.abc import Sequence

from .direction import ANY, Direction
from .effects import EffectWriter
from .outline import HUES, Outline, Place


def _block(text: Sequence[str], indent: int) -> str:
    return "|\n" + "\n".join(" " * indent + line for line in text)


SPOTS = ((1, 2), (1, 2, 3), (1, 3), (2, 3), (1, 2, 4))
MANY_SPOTS = ((1, 2, 3, 4), (1, 2, 3, 5), (1, 2, 3, 4, 5))


PLAYERS = ("one player", "one player", "two players", "two players", "two players", "three players")
ENDED = 0.6
"""The share of games that have a clock, of those of which each play is to end."""
AHEAD = 0.25
"""The share of games in which a condition speaks of the position after an action."""
WIDE = 0.06
"""The share of games whose states take several words."""


def generated(
    rng: random.Random, name: str, scale: int = 0, direction: Direction = ANY
) -> tuple[str, Outline]:
    """The text of a random ruleset without claims, and what its claims may speak of; see `Outline.scale`."""
    players = [p for p in PLAYERS if p in direction.uses] or [p for p in PLAYERS if p not in direction.lacks]
    ends = "a position that comes back" in direction.lacks
    outline = Outline(
        players={"one player": 1, "two players": 2, "three players": 3}[rng.choice(players)],
        spots=rng.choice(MANY_SPOTS if scale > 1 else SPOTS),
        hues=HUES[: rng.randint(2, 3)],
        ruling=rng.random() < 0.25,
        scale=scale,
        direction=direction,
        clock=rng.randint(2, 4) if ends and rng.random() < ENDED else 0,
    )
    # A draw that leaves all others as they are.
    wide = random.Random(f"{rng.getstate()[1][:9]} wide").random()
    outline.wide = direction.wants("a state of several words", WIDE, wide)
    declarations = _declarations(rng, outline)
    writer = EffectWriter(rng, outline)
    declarations += _functions(rng, outline)
    chance = direction.wants("chance in a ply", 0.15 if scale > 1 else 0.35, rng.random())
    dealt = direction.wants("chance in the setup", float(chance), rng.random())
    declarations += _named_effects(rng, outline)
    rules = [_rule("parts", "What there is.", f"  formal: {_block(declarations, 4)}")]
    if outline.ruling:
        rules.append(
            _rule("limit", "A limit.", "  question: How far?\n  readings:\n    near: One.\n    far: Two.")
        )
    if direction.wants("chance in the setup", 0.4, rng.random()):
        rules.append(_rule("setting-up", "Before play.", f"  setup: {_block(_setup(writer, dealt), 4)}"))
    rules += [
        _action(rng, outline, f"act{number}", chance) for number in range(rng.randint(1 + scale, 4 + scale))
    ]
    if rng.random() < 0.3:
        writer.askable = ()
        rules.append(
            _rule(
                "after",
                "It follows.",
                f"  reaction: {_one_line(writer.truth(1))}\n  do: {_block(writer.effect(0, False), 4)}",
            )
        )
    writer.askable = outline.actions if rng.random() < 0.3 else ()
    if rng.random() < 0.2:
        rules.append(_law(rng, outline))
    ends = rng.choice((0, 0, 1) if scale else (0, 1, 1, 2))
    rules += [_rule(f"done{i}", "It is over.", f"  end: {_one_line(_far(writer))}") for i in range(ends)]
    if outline.wide:
        rules.append(_rule("been-there", "It is over.", "  end: size(been) > 2"))
    ahead = random.Random(f"{rng.getstate()[1][:9]} ahead")  # a draw that leaves all others as they are
    if direction.wants("After", AHEAD, ahead.random()):
        rules = _looking_ahead(ahead, outline, rules)
    rules.append(_turn(rng, writer, chance))
    rules.append(_outcome(rng, outline, writer))
    if any(p.hidden for p in outline.state) and rng.random() < 0.7:
        rules.append(_sight(rng, outline))
    head = f"rulespec: 1\nid: {name}\ntitle: A random game\nplayers: {outline.players}\nrules:\n"
    return head + "\n".join(rules) + "\n", outline


def _rule(name: str, prose: str, body: str) -> str:
    return f"- id: {name}\n  prose: {prose}\n{body}"


def _one_line(text: str) -> str:
    return _block([text], 4)


def _declarations(rng: random.Random, outline: Outline) -> list[str]:
    spots = outline.spots
    whole = spots == tuple(range(spots[0], spots[-1] + 1))
    gaps = "" if whole else f" where i != {next(i for i in range(1, 9) if i not in spots)}"
    lines = [
        f"type Spot = {'i in ' if gaps else ''}{spots[0]}..{spots[-1]}{gaps}",
        f"type Hue = one of {', '.join(outline.hues)}",
        'type Pair = {row: 1..2, col: 1..2} where row <= col as "{row}:{col}"',
    ]
    kinds = (
        "num",
        "num",
        "num",
        "bool",
        "hue",
        "spot",
        "set spot",
        "map num",
        "map hue",
        "list hue",
        "list hue",
        "pair",
        "pair",
        "set spot",
        "set hue",
    )
    hidden = 0.4 if "hidden state" in outline.direction.uses else 0.12
    hidden = 0 if "hidden state" in outline.direction.lacks else hidden
    more = rng.randint(1 + outline.scale, 4 + outline.scale)
    for number, kind in enumerate(["num", *rng.sample(kinds, more)]):
        low = rng.choice((0, 0, 0, -1, -2, 1))
        place = Place(
            f"v{number}",
            kind,
            low,
            low + rng.randint(1, 4 + 2 * outline.scale),
            optional=kind in ("num", "map num", "map hue", "hue") and rng.random() < (0.35 if number else 0),
            hidden=rng.random() < hidden and outline.players > 1,
        )
        outline.state.append(place)
        secret = "hidden " if place.hidden else ""
        lines.append(f"{secret}state {place.name}: {_type(place)} = {_first(rng, place, outline)}")
    if outline.clock:
        lines.append(f"state clock: 0..{outline.clock} = 0")
    if outline.wide:
        lines.append("state been: set of 0..63 = {}")
    return lines


def _type(place: Place) -> str:
    low = str(place.lo) if place.lo >= 0 else f"0 - {-place.lo}"
    number = f"{low}..{place.hi}" + ("?" if place.optional else "")
    hue = "Hue" + ("?" if place.optional else "")
    return {
        "num": number,
        "bool": "Bool",
        "hue": hue,
        "spot": "Spot",
        "pair": "Pair",
        "set spot": "set of Spot",
        "set hue": "set of Hue",
        "map num": f"map Spot -> {number}",
        "map hue": f"map Spot -> {hue}",
        "list hue": "list of Hue up to 3",
    }[place.kind]


def _first(rng: random.Random, place: Place, outline: Outline) -> str:
    match place.kind:
        case "num" | "map num":
            value = place.lo if rng.random() < 0.7 else rng.randint(place.lo, place.hi)
            return (
                "none"
                if place.optional and rng.random() < 0.5
                else str(value)
                if value >= 0
                else f"0 - {-value}"
            )
        case "bool":
            return rng.choice(("true", "false"))
        case "hue" | "map hue":
            return "none" if place.optional else rng.choice(outline.hues)
        case "spot":
            return str(rng.choice(outline.spots))
        case "pair":
            return "Pair(1, 1)"
        case "set spot":
            return rng.choice(("{}", "Spot", f"{{{outline.spots[0]}}}"))
        case "set hue":
            return rng.choice(("{}", "{}", f"{{{outline.hues[0]}}}"))
        case _:
            return rng.choice(("[]", f"[{rng.choice(outline.hues)}]", f"[{', '.join(outline.hues[:2])}]"))


def _functions(rng: random.Random, outline: Outline) -> list[str]:
    lines = []
    for number in range(rng.choice((0, 1, 1, 2))):
        low = rng.randint(0, 1)
        high = low + rng.randint(0, 2)
        writer = EffectWriter(rng, outline, (Place("q", "num", low, high),))
        name = f"f{number}"
        lines.append(f"define {name}(q: {low}..{high}) = {writer.number(2)}")
        outline.functions.append((name, low, high))
    if rng.random() < 0.15:
        writer = EffectWriter(rng, outline, (Place("q", "num", 0, 2),))
        first, further = writer.number(1), writer.number(1)
        lines.append(
            f"define falls(q: 0..2 falling): 0..9 = if q = 0 then max(0, min(9, {first}))"
            f" else max(0, min(9, {further} + (falls(q - 1) otherwise 0)))"
        )
        outline.functions.append(("falls", 0, 2))
    return lines


def _named_effects(rng: random.Random, outline: Outline) -> list[str]:
    if rng.random() < 0.7:
        return []
    writer = EffectWriter(rng, outline, (Place("s", "spot"),))
    lines = ["to change(s: Spot):", *(f"  {line}" for line in writer.effects(rng.randint(1, 2), 1, False))]
    outline.effects.append("change")
    return lines


def _law(rng: random.Random, outline: Outline) -> str:
    """A law that binds an action with a spot as its choice, or every action."""
    bound = [name for name, kind in outline.actions if kind == "spot"]
    if bound and rng.random() < 0.7:
        writer = EffectWriter(rng, outline, (Place("a", "spot"),))
        lines = [f"  about: a in Spot\n  binds: [{rng.choice(bound)}]"]
    else:
        writer = EffectWriter(rng, outline)
        lines = ["  binds: [every-action]"]
    if rng.random() < 0.4:
        lines.append(f"  when: {_one_line(writer.truth(1))}")
    lines.append(f"  that: {_block([f'{writer.truth(1)} or {writer.truth(1)}'], 4)}")
    return _rule("order", "It must be so.", "\n".join(lines))


def _looking_ahead(rng: random.Random, outline: Outline, rules: list[str]) -> list[str]:
    """The rules with a requirement or a law that speaks of the position after an action without chance."""
    certain = [
        (at, *outline.actions[number])
        for number, at in enumerate(at for at, rule in enumerate(rules) if "\n  action: " in rule)
        if not any(word in rules[at] for word in ("roll ", "shuffle ", "can "))
    ]
    if not certain:
        return rules
    at, name, _ = rng.choice(certain)
    chosen = outline.choices[name]
    writer = EffectWriter(rng, outline, chosen)
    way = rng.random()
    if way < 0.4 and "\n  require:\n" in rules[at]:
        more = f"    ahead:\n      prose: It must hold then.\n      after: {_block([writer.truth(2)], 8)}\n"
        changed = rules[at].replace("\n  require:\n", f"\n  require:\n{more}")
        return [*rules[:at], changed, *rules[at + 1 :]]
    writer = EffectWriter(rng, outline)
    if way < 0.6:
        when = f"  when: {_one_line(writer.truth(1))}\n" if rng.random() < 0.5 else ""
        text = f"  binds: [{name}]\n{when}  after: {_one_line(writer.truth(2))}"
    else:
        given = ", ".join(writer.given(place) for place in chosen)
        asked = f"(({writer.truth(2)}) after {name}{f'({given})' if given else ''})"
        text = f"  binds: [every-action]\n  that: {_one_line(f'{writer.truth(1)} or {asked}')}"
    return [*rules, _rule("foresight", "One looks ahead.", text)]


def _setup(writer: EffectWriter, chance: bool) -> list[str]:
    lists = writer.places("list hue")
    if lists and chance and writer.rng.random() < 0.5:
        return [f"shuffle Hue into {writer.rng.choice(lists).name}"]
    return writer.effects(writer.rng.randint(1, 2), 1, chance)


def _action(rng: random.Random, outline: Outline, name: str, chance: bool) -> str:
    choices: list[tuple[str, Place]] = []
    for x in ("a", "b")[: rng.choice((0, 1, 1, 2))]:
        kind = rng.choice(("spot", "spot", "hue", "num", "set", "hues", "bool", "chain"))
        match kind:
            case "spot":
                choices.append((f"{x} in Spot", Place(x, "spot")))
            case "hue":
                choices.append((f"{x} in Hue", Place(x, "hue")))
            case "bool":
                choices.append((f"{x} in Bool", Place(x, "bool")))
            case "num":
                choices.append((f"{x} in 1..2", Place(x, "num", 1, 2)))
            case "hues" if any(p.kind == "set hue" for p in outline.state):
                held = rng.choice([p.name for p in outline.state if p.kind == "set hue"])
                choices.append((f"{x} in {held}", Place(x, "hue")))
            case "chain":
                near = EffectWriter(rng, outline, (Place("y", "spot"),)).truth(1)
                text = f"{x} in chains of Spot up to 2 by y where {rng.choice((f'not (y in {x})', near))}"
                choices.append((text, Place(x, "list spot")))
            case _:
                sets = [p for p in outline.state if p.kind == "set spot"]
                source = rng.choice(sets).name if sets else "Spot"
                choices.append((f"{x} in {source}", Place(x, "spot")))
    names = [place for _, place in choices]
    writer = EffectWriter(rng, outline, names)
    writer.askable = outline.actions if rng.random() < 0.3 else ()
    texts = [_narrowed(rng, outline, text, names[: i + 1]) for i, (text, _) in enumerate(choices)]
    lines = [f"  action: {', '.join(texts) or '()'}", *_learned(rng, outline, names)]
    lines.append(f"  written: {name}" + "".join(f" {{{p.name}}}" for p in names))
    steady = _steady(rng, outline) if rng.random() < 0.6 + 0.1 * outline.scale else None
    if steady is not None:
        choice, need, done = steady
        chosen = (Place("a", "spot"),) if choice != "()" else ()
        lines = [f"  action: {choice}", *_learned(rng, outline, chosen)]
        names = "".join(f" {{{x}}}" for x in ("a", "b") if f"{x} in " in choice)
        lines.append(f"  written: {name}{names}")
        within = EffectWriter(rng, outline, chosen)
        extra = within.effect(1, chance) if rng.random() < 0.4 - 0.1 * outline.scale else []
        lines.append(_required(outline, need))
        lines.append(f"  do: {_block([done, *extra, *_ticks(outline)], 4)}")
        outline.actions.append((name, "spot" if choice != "()" else ""))
        outline.choices[name] = [Place(x, "spot") for x in ("a", "b") if f"{x} in " in choice]
        return _rule(name, "Do it.", "\n".join(lines))
    if outline.clock or rng.random() < 0.75:
        lines.append(_required(outline, _need(writer)))
    lines.append(f"  do: {_block([*writer.effects(rng.randint(1, 4), 2, chance), *_ticks(outline)], 4)}")
    outline.actions.append((name, choices[0][1].kind if choices else ""))
    outline.choices[name] = [place for _, place in choices]
    return _rule(name, "Do it.", "\n".join(lines))


def _required(outline: Outline, need: str) -> str:
    """The requirements of an action."""
    text = f"  require:\n    need:\n      prose: It must hold.\n      that: {_block([need], 8)}"
    if outline.clock:
        text += f"\n    in-time:\n      prose: It is not late.\n      that: clock < {outline.clock}"
    return text


def _ticks(outline: Outline) -> list[str]:
    """Effects of each action besides its own."""
    first = outline.state[0]
    been = [f"been := those i in 0..63 where i in been or i = {first.name} + {-first.lo}"]
    return ["add 1 to clock"] * bool(outline.clock) + been * outline.wide


def _narrowed(rng: random.Random, outline: Outline, text: str, names: Sequence[Place]) -> str:
    """A choice, perhaps with a condition on it; `names` are it and those before it."""
    if "chains of" in text or rng.random() < 0.75:
        return text
    return f"{text} where {EffectWriter(rng, outline, names).truth(1)}"


def _learned(rng: random.Random, outline: Outline, choices: Sequence[Place]) -> list[str]:
    """Which choices of an action the other players learn; it must be said where something is hidden."""
    if outline.players < 2 or not any(p.hidden for p in outline.state):
        return []
    found = []
    if rng.random() < 0.1:
        return ["  secret: action"]
    for choice in choices:
        shown = rng.choice(("", "", " shown to Player(1)", " shown to those p in Player where p = 2"))
        found.append(rng.choice((f"secret: {choice.name}{shown}", f"open: {choice.name}")))
    kept = [text.partition(": ")[2] for text in found if text.startswith("secret")]
    told = [text.partition(": ")[2] for text in found if text.startswith("open")]
    lines = [f"  secret: {_block(kept, 4)}"] if kept else []
    return lines + ([f"  open: {', '.join(told)}"] if told else [])


def _steady(rng: random.Random, outline: Outline) -> tuple[str, str, str] | None:
    """The choice, requirement and effect of an action that changes one thing bit by bit, or None."""
    place = rng.choice(outline.state)
    lists = [p.name for p in outline.state if p.kind == "list hue"]
    match place.kind:
        case "set spot":
            if rng.random() < 0.7:
                return "a in Spot", f"a not in {place.name}", f"add a to {place.name}"
            if rng.random() < 0.5:
                asked = f"a in {place.name} and not (b in {place.name})"
                return "a in Spot, b in Spot", asked, f"remove a from {place.name}; add b to {place.name}"
            return f"a in {place.name}", f"size({place.name}) > 1", f"remove a from {place.name}"
        case "map num" if not place.optional:
            if rng.random() < 0.7:
                return "a in Spot", f"{place.name}[a] < {place.hi}", f"{place.name}[a] := {place.name}[a] + 1"
            return "a in Spot", f"{place.name}[a] > {place.lo}", f"{place.name}[a] := {place.name}[a] - 1"
        case "map hue" if place.optional:
            return "a in Spot", f"{place.name}[a] is none", f"{place.name}[a] := {rng.choice(outline.hues)}"
        case "num" if not place.optional and rng.random() < 0.3:
            low = f"0 - {-place.lo}" if place.lo < 0 else str(place.lo)
            added = f"min({place.hi}, {place.name} + (a - 2))"
            return "a in Spot", f"{place.name} + a - 2 >= {low}", f"{place.name} := {added}"
        case "num" if not place.optional:
            return "()", f"{place.name} < {place.hi}", f"{place.name} := {place.name} + 1"
        case "list hue" if len(lists) > 1:
            one, other = rng.sample(lists, 2)
            return "()", f"{one} is not empty and size({other}) < 3", f"move top of {one} onto {other}"
        case _:
            return None


def _need(writer: EffectWriter) -> str:
    """A requirement that a fair share of positions meet."""
    rng = writer.rng
    numbers = [p for p in writer.outline.state if p.kind == "num"]
    place = rng.choice(numbers)
    near = f"{place.name} {rng.choice(('<', '<=', '!='))} {place.hi}"
    return rng.choice(
        (near, f"({near} or {writer.truth(1)})", f"({near} and {writer.truth(1)})", writer.truth(2))
    )


def _far(writer: EffectWriter) -> str:
    """An end that is seldom reached at once."""
    rng = writer.rng
    place = rng.choice([p for p in writer.outline.state if p.kind == "num"])
    late = f"{place.name} {rng.choice(('=', '>='))} {place.hi}"
    return rng.choice((late, f"({late} and {writer.truth(1)})", writer.truth(2)))


def _turn(rng: random.Random, writer: EffectWriter, chance: bool) -> str:
    lines = [f"    stuck: {rng.choice(('end', 'end', 'pass'))}"]
    if rng.random() < (0.1 if writer.outline.scale else 0.25):
        lines.append(f"    begin: {_block(writer.effect(0, chance), 6)}")
    if rng.random() < 0.25:
        lines.append(f"    over: {_block([writer.truth(1)], 6)}")
    if rng.random() < 0.15:
        lines.append("    next: " + rng.choice(("mover", "after(mover)", "after(after(mover))")))
    return _rule("turns", "Turns.", "  turn:\n" + "\n".join(lines))


def _outcome(rng: random.Random, outline: Outline, writer: EffectWriter) -> str:
    within = writer.inside(Place("player", "num", 1, outline.players))
    within.askable = ()
    if rng.random() < 0.5:
        ties = f"\n  ties:\n  - most: {_block([within.number(1)], 6)}" if rng.random() < 0.4 else ""
        return _rule("points", "Points.", f"  score: {_block([within.number(2)], 4)}{ties}")
    return _rule(
        "victory",
        "Who wins.",
        f"  winners: {_block([f'those p in Player where {_winning(rng, writer)}'], 4)}",
    )


def _winning(rng: random.Random, writer: EffectWriter) -> str:
    return rng.choice(
        ("p = mover", "p != mover", f"p = mover and {writer.truth(1)}", "p = 1", writer.truth(1))
    )


def _sight(rng: random.Random, outline: Outline) -> str:
    hidden = rng.choice([p for p in outline.state if p.hidden])
    text = hidden.name if hidden.kind in ("num", "bool", "hue", "spot") else f"size({hidden.name})"
    if hidden.kind.startswith("map"):
        text = f"{hidden.name}[{outline.spots[0]}]"
    return _rule(
        "seeing", "What is seen.", f"  sees: {_block([f'{text} for p in Player where p = viewer'], 4)}"
    )
