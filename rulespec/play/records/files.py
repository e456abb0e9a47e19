"""Records of plays: the choices and the outcomes of chance, enough to replay them.

A record is JSON text of at most 5 MB. Nothing in it is trusted: replaying goes through the rules ply by ply
and refuses what they refuse. A full record also contains the changes that every player saw at each ply and
the legal actions after it, and replaying compares them, too.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from typing import Any

from ...core.diagnostics import Diagnostic, Label, Report, RulesetError, Source, Span, abbreviate
from ..chance import ChanceError
from ..errors import IllegalAction, PositionError
from ..examples import changed_parameters, changed_readings
from ..face import Game, State, load
from .accounts import account, differences
from .json_lines import lines
from .json_places import Entry, scan

VERSION = 1
"""The version of the format, under the key `record`."""

MOST_BYTES = 5_000_000
LONGEST_SHOWN = 200
"""Maximum length of an action in a message."""


@dataclass(frozen=True)
class Record:
    """A play of one game.

    `ruleset` is the name or path that `load` takes, `digest` that of the rules it was played by (empty in a
    full record, which is compared by its accounts and not by the wording of the rules). `players`,
    `parameters` and `readings` are the settings, the latter two if they differ from the defaults. `given` is
    the position it began from, None for an ordinary start.
    """

    ruleset: str
    digest: str
    players: int
    plays: tuple[str, ...]
    chance: tuple[str, ...] = ()
    parameters: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, Any] | None = None
    outcome: Mapping[str, Any] | None = None
    """The outcome at the end: `ended`, `scores`, `winners`. Replaying checks each that is given."""
    accounts: tuple[Mapping[str, Any], ...] = ()
    """In a full record, the accounts of the start and of each ply (see `accounts`)."""
    spans: Mapping[str | int, Span] = field(default_factory=dict, compare=False, repr=False)
    """The places in the file of keys, and of plays by their number from 1."""

    def load(self) -> Game:
        """The game it was played in. Raises RulesetError if that cannot be loaded."""
        return load(self.ruleset, self.players, self.parameters, self.readings)

    def to_data(self) -> dict[str, Any]:
        """The record as plain data, without empty keys."""
        start, *after = self.accounts or ({},)
        plays: list[Any] = [*self.plays]
        if start:
            plays = [{"play": play, **said} for play, said in zip(self.plays, after, strict=True)]
        data = {
            "record": VERSION, "ruleset": self.ruleset, "digest": self.digest, "players": self.players,
            "parameters": dict(self.parameters), "readings": dict(self.readings), "given": self.given,
            "chance": list(self.chance), "start": start, "plays": plays, "outcome": self.outcome,
        }  # fmt: skip
        always = {"record", "ruleset", "players", "plays"}
        return {key: value for key, value in data.items() if value or key in always}

    def to_json(self) -> str:
        """The record as text, each play on a line of its own; a full record has an entry on each line."""
        data = self.to_data()
        plays = ",\n  ".join(lines(play, 2) for play in data["plays"])
        entries = (
            f'"{key}": ' + (f"[\n  {plays}\n ]" if key == "plays" and plays else lines(value, 1))
            for key, value in data.items()
        )
        return "{\n " + ",\n ".join(entries) + "\n}\n"


def record(state: State, full: bool = False) -> Record:
    """The record of the play that led to a state; a full one has an account of every ply."""
    game, course, plays = state.game, [*states(state)], []
    accounts = [account(course[0])] if full else []
    for before, after in pairwise(course):
        plays.append(before.notation(after.plays[-1]))
        if full:
            accounts.append(account(after, before))
    return Record(
        game.name, "" if full else game.core.digest, game.core.players, tuple(plays), state.chance,
        changed_parameters(game), changed_readings(game), state.origin, outcome(state), tuple(accounts),
    )  # fmt: skip


def outcome(state: State) -> dict[str, Any]:
    """The result of a play in a state, in the form of a record."""
    return {
        "ended": state.ended_by,
        "scores": {str(player): score for player, score in state.scores.items()},
        "winners": list(state.winners),
    }


def states(state: State) -> Iterator[State]:
    """The states of the play that led to a state, from its first, replayed."""
    if state.origin is None:
        at = state.game.start(chance=state.chance)
    else:
        at = state.game.position(state.origin, chance=state.chance)
    yield at
    for action in state.plays:
        at = at.play(action)
        yield at


def replay(record: Record, game: Game | None = None) -> Iterator[State]:
    """The states of a recorded play, from the one it began in, each reached by a legal action.

    Args:
        record: the record of a play.
        game: the game to play it in; by default the one that the record names.

    Raises:
        RulesetError: the rules differ from those the play was recorded by, they refuse a ply, or the play
            went or ended otherwise.

    Example:
        >>> import rulespec
        >>> state = rulespec.load("tic-tac-toe").start().play(4)
        >>> [at.to_move for at in replay(state.record())]
        [1, 2]
    """
    game = game or record.load()
    if record.digest and record.digest != game.core.digest:
        raise _failure(
            record, "digest",
            f"this was played by other rules of `{record.ruleset}` (digest {record.digest[:12]}, now "
            f"{game.core.digest[:12]})", "digest",
        )  # fmt: skip
    state = _guarded(record, "given", 0, partial(_opening, record, game))
    yield state
    _check_account(record, 0, state, None)
    for number, text in enumerate(record.plays, 1):
        before, state = state, _guarded(record, number, number, partial(state.play, text))
        yield state
        _check_account(record, number, state, before)
    _check_end(record, state)


def _opening(record: Record, game: Game) -> State:
    """The state in which a record begins: set up by chance, or given."""
    if record.given is None:
        return game.start(chance=record.chance)
    return game.position(record.given, chance=record.chance)


def _guarded(record: Record, place: str | int, number: int, step: Callable[[], State]) -> State:
    """The result of a step of a record. Raises RulesetError at the step's place if it is illegal."""
    where = _where(number)
    try:
        return step()
    except IllegalAction as error:
        said = "; ".join(map(str, error.refusals))
        message = f"{where}, `{abbreviate(error.action, LONGEST_SHOWN)}`: {said}"
        raise _failure(record, "illegal", message, place, error.clauses) from None
    except PositionError as error:
        raise _failure(record, "given", "; ".join(error.problems.values()), "given") from None
    except ChanceError as error:
        raise _failure(record, "chance", f"{where}: {error}", "chance") from None


def _where(number: int) -> str:
    return f"ply {number}" if number else "the start"


def _check_account(record: Record, number: int, state: State, before: State | None) -> None:
    """Compare a state with its account in a full record; reports all differences together.

    Raises RulesetError.
    """
    if not record.accounts:
        return
    where = f"{_where(number)}, `{record.plays[number - 1]}`" if number else _where(number)
    span = record.spans.get(number or "start")
    of, labels = differences(record.accounts[number], account(state, before)), (Label(span),) if span else ()
    found = [Diagnostic("record.account", f"{where}: {said}", labels) for said in of]
    if found:
        raise RulesetError(found)


def _check_end(record: Record, state: State) -> None:
    """Raise RulesetError if the play of a record ends differently from what it states."""
    if len(state.chance) < len(record.chance):
        extra = len(record.chance) - len(state.chance)
        raise _failure(record, "chance", f"{extra} chance outcomes were never drawn", "chance")
    found = outcome(state)
    for key, said in (record.outcome or {}).items():
        if found[key] != said:
            message = f"the record says {key}: {said}, but it is {found[key]}"
            raise _failure(record, "outcome", message, "outcome")


def _failure(
    record: Record, code: str, message: str, place: str | int, clauses: tuple[str, ...] = ()
) -> RulesetError:
    """The error for a fault at a place in a record."""
    span = record.spans.get(place)
    labels = (Label(span),) if span else ()
    return RulesetError([Diagnostic(f"record.{code}", message, labels, clause=", ".join(clauses))])


# ---- reading


def read_record(text: str, name: str = "record") -> Record:
    """The record that a text holds, as `Record.to_json` writes it.

    Args:
        text: JSON text of at most 5 MB; see the format in `docs/reference/records.md`.
        name: the name of the text in messages.

    Raises:
        RulesetError: with everything that is wrong with the text.

    Example:
        >>> import rulespec
        >>> state = rulespec.load("tic-tac-toe").start().play(4)
        >>> read_record(state.record().to_json()).plays
        ('put 2.2',)
    """
    source = Source(name, text)
    if len(text.encode()) > MOST_BYTES:
        start = Label(Span(Source(name, ""), 1, 1, 1, 1))
        raise RulesetError([Diagnostic("record.size", f"a record has at most {MOST_BYTES} bytes", (start,))])
    entries = scan(source)
    report = Report()
    if "deals" in entries and "record" not in entries:
        message = "this is a collection of puzzles, and no record"
        report.error("record.key", message, entries["deals"].key, help=f"one of them is `{name}#1`")
        report.raise_errors()
    for key, entry in entries.items():
        if key not in _KEYS:
            help = report.nearest(key, _KEYS)
            report.error("record.key", f"a record has no key `{key}`", entry.key, help=help)
        else:
            problem = _KEYS[key](entry.value)
            if problem:
                report.error("record.value", f"`{key}` {problem}", entry.span)
    needed = ("start",) if "start" in entries else ("digest",)
    for key in ("record", "ruleset", *needed, "players", "plays"):
        if key not in entries:
            report.error("record.key", f"the key `{key}` is missing", Span(source, 1, 1, 1, 2))
    if "plays" in entries:
        problem = _check_plays(entries["plays"].value, "start" in entries)
        if problem:
            report.error("record.value", f"`plays` {problem}", entries["plays"].span)
    report.raise_errors()
    return _record_of(entries)


def _record_of(entries: Mapping[str, Entry]) -> Record:
    """The record in checked entries, with the places of its parts."""
    values = {key: entry.value for key, entry in entries.items() if key != "record"}
    spans: dict[str | int, Span] = {key: entry.span for key, entry in entries.items()}
    spans.update(enumerate(entries["plays"].items, 1))
    values.setdefault("digest", "")
    values["chance"] = tuple(values.get("chance", ()))
    plays, start = values.pop("plays"), values.pop("start", None)
    if start is not None:
        values["accounts"] = (start, *({k: v for k, v in ply.items() if k != "play"} for ply in plays))
        plays = [ply["play"] for ply in plays]
    return Record(**values, plays=tuple(plays), spans=spans)


def _check_text(value: Any) -> str:
    return "" if isinstance(value, str) and value else "takes a text"


def _check_texts(value: Any) -> str:
    ok = isinstance(value, list) and all(isinstance(v, str) for v in value)
    return "" if ok else "takes a list of texts"


def _check_plays(value: Any, full: bool) -> str:
    """The fault of the plays of a record; empty if they have the right form."""
    if not full:
        return _check_texts(value)
    mappings = isinstance(value, list) and all(isinstance(v, dict) for v in value)
    ok = mappings and all(isinstance(v.get("play"), str) for v in value)
    if not ok:
        return "takes a list of objects with `play`, for the record has a `start`"
    return next((problem for problem in map(_check_account_data, value) if problem), "")


def _check_account_data(value: Any) -> str:
    """The fault of the account of a ply; empty if it has the right form."""
    keys = {"play", "observed", "seen", "scores", "legal"}
    if not isinstance(value, dict) or not set(value) <= keys:
        return "takes accounts with observed, seen, scores, legal"
    seen, scores = value.get("seen", {}), value.get("scores", {})
    if not isinstance(seen, dict) or not all(isinstance(changes, dict) for changes in seen.values()):
        return "takes as `seen` for each player the names of what is seen, with values"
    if not isinstance(scores, dict):
        return "takes as `scores` players with their numbers"
    if not isinstance(value.get("observed", {}), dict):
        return "takes as `observed` players with an action"
    legal = value.get("legal", [])
    listing = isinstance(legal, dict) and isinstance(legal.get("number"), int)
    return (
        "" if listing or not _check_texts(legal) else "takes as `legal` a list of texts, or a number of them"
    )


def _check_mapping(value: Any) -> str:
    return "" if isinstance(value, dict) else "takes names with values"


def _check_readings(value: Any) -> str:
    ok = isinstance(value, dict) and all(isinstance(v, str) for v in value.values())
    return "" if ok else "takes rulings with their readings"


def _check_outcome(value: Any) -> str:
    known = {"ended", "scores", "winners"}
    return "" if isinstance(value, dict) and set(value) <= known else f"takes {', '.join(sorted(known))}"


def _check_players(value: Any) -> str:
    ok = isinstance(value, int) and not isinstance(value, bool) and value > 0
    return "" if ok else "takes a number of players"


def _version(value: Any) -> str:
    ok = value == VERSION and not isinstance(value, bool)
    return "" if ok else f"takes {VERSION}, the version of the format"


_KEYS: dict[str, Callable[[Any], str]] = {
    "record": _version,
    "ruleset": _check_text,
    "digest": _check_text,
    "players": _check_players,
    "parameters": _check_mapping,
    "readings": _check_readings,
    "given": _check_mapping,
    "chance": _check_texts,
    "start": _check_account_data,
    "plays": lambda value: "",  # what they are depends on whether there is a start
    "outcome": _check_outcome,
}
"""The check of each key: it returns the fault in words, or an empty text."""
