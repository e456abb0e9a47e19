"""The JSON documents that commands print with `--json`, declared once.

A document is a typed dictionary, or a dataclass that `publish` turns into data. `rulespec.cli.json_schema`
makes the published schemas of these declarations: the names and types of the keys, their docstrings as
descriptions. No command loads this module.
"""

# Without `from __future__ import annotations`: `NotRequired` is read when a class is made.

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from rulespec.solver.surveys.report import Survey

from ..core.verdicts import Verdict
from ..play.contrasts import ContrastingPlay
from ..play.records.traces import Step
from ..play.refusal import Refusal
from ..simulation.result import Simulation

Standing = Literal["decided", "checked", "stamped", ""]


class Extends:
    """Metadata of an annotation: the keys of a stored dataclass, and those of a typed dictionary."""

    def __init__(self, stored: type, more: type) -> None:
        self.stored, self.more = stored, more


class EvidenceDocument(TypedDict):
    """A piece of evidence of a verdict, with its sentence."""

    kind: str
    text: str
    data: dict[str, Any]


class VerdictSentences(TypedDict):
    """The sentences about a verdict, and its standing in this run."""

    outcome: Literal["proved", "refuted", "bounded", "estimated", "undecided", "conditional", "unchecked"]
    """`conditional`: decided if the claims in `rests_on` hold, which were not checked here. `unchecked`:
    stored, and not checked here, so it says nothing."""
    statement: str
    """The answer as a sentence that says no more than was proved."""
    evidence: list[EvidenceDocument]
    notes: list[str]
    """Warnings and remarks, in sentences."""
    standing: Standing
    """The source of the verdict in this run: decided now, a stored one checked now, or one checked by an
    earlier run of this installation; empty if there is none."""
    rests_on: dict[str, Standing]
    """The claims that it rests on, with the standing of each."""


Described = Annotated[dict[str, Any], Extends(Verdict, VerdictSentences)]
"""A verdict with its sentences: see `Verdict.json_data`."""


class BookVerdict(TypedDict):
    """A verdict as the site shows it."""

    ruleset: str
    claim: str
    outcome: Literal["proved", "refuted", "bounded", "estimated", "undecided", "unchecked"]
    """`unchecked` for a stored verdict that this program has not checked; only checked verdicts are shown."""
    statement: str
    """Empty unless the verdict was checked."""
    checked: bool
    """True if it passed a check by this program, in this run or before."""


class UnprovedClaim(TypedDict):
    """A claim without a verdict."""

    ruleset: str
    claim: str


class CheckRow(TypedDict):
    """The result of checking a stored verdict."""

    ruleset: str
    claim: str
    setting: str
    """The differences from the defaults, in words."""
    result: Literal["passed", "FAILED", "not checked"]
    text: str


class BookDocument(TypedDict):
    """The output of `book`."""

    verdicts: list[BookVerdict]
    unproved: list[UnprovedClaim]
    """The claims without a verdict, except those about one deal."""
    checks: list[CheckRow]
    site: str | None
    """The folder of the site; null if no page was written, and an old site is unchanged."""


class CertificateRow(TypedDict):
    """The result of certifying a verdict."""

    ruleset: str
    claim: str
    setting: str
    """The differences from the defaults, in words."""
    result: Literal["certified", "not certified", "has one"]
    text: str


class CertifyDocument(TypedDict):
    """The output of `certify`."""

    certificates: list[CertificateRow]


class UnfitExample(TypedDict):
    """An inherited example that does not apply to the settings of a variant."""

    clause: str
    example: str
    why: str
    """The failure under the settings of the variant."""


class PlaceDocument(TypedDict):
    """A range of text in a file, with a note on it."""

    file: str
    line: int
    """Counted from 1."""
    column: int
    """Counted from 1."""
    end_line: int
    end_column: int
    """Exclusive."""
    note: str


class DiagnosticDocument(TypedDict):
    """A fault or a warning, with the places that it is about."""

    code: str
    """Stable: name.unknown, example.refused."""
    severity: Literal["error", "warning"]
    message: str
    clause: NotRequired[str]
    help: NotRequired[str]
    spans: list[PlaceDocument]
    """The first is the place it is about."""


class CheckDocument(TypedDict):
    """The output of `check`."""

    checked: list[str]
    rulesets: int
    pages: int
    examples: int
    unfit: list[UnfitExample]
    """Inherited examples about settings that the variant lacks; they were not run."""
    unreached: list[str]
    """Settings, in words, that no random play covered."""
    ignored: list[str]
    """Files of folders that are neither rulesets nor pages."""
    dropped: int
    """Inherited examples that fail and are dropped by the variant."""
    unchanged: int
    """Shipped rulesets that passed before and whose inputs have not changed since."""
    diagnostics: list[DiagnosticDocument]


class TellingDocument(TypedDict):
    """A passage of a rulebook page that expresses a sentence of a document."""

    page: str
    """The variant whose page it is; empty for the page of the ruleset itself."""
    anchor: str
    heading: str
    span: str
    """Words of the page that tell the sentence."""


class SourceDocument(TypedDict):
    """The coverage of one document by its source map and the rulebook."""

    document: str
    map: str
    """The file of the source map."""
    read: bool
    """True if the document itself was read."""
    sentences: int
    accounted: int
    """Of these, the number for which the map accounts as they stand."""
    became: dict[str, int]
    """Sentences by the kinds of things made from them; one may count for several kinds."""
    because: dict[str, int]
    """Sentences that are no rule, by reason."""
    told: int
    """Sentences that a span of the rulebook page tells."""
    where: dict[str, list[TellingDocument]]
    """For each sentence the spans of the rulebook page that tell it; empty if there is none."""


class RuleCounts(TypedDict):
    """The numbers of rules."""

    all: int
    ours: int
    """Those that come from no document."""


class CoverageDocument(TypedDict):
    """The output of `coverage`."""

    ruleset: str
    covered: bool
    """True if every sentence and every rule is accounted for."""
    documents: list[SourceDocument]
    rules: RuleCounts
    diagnostics: list[DiagnosticDocument]


class PartChange(TypedDict):
    """A difference within a rule, a claim, a ruling or a parameter."""

    part: str
    """The part that differs, such as prose or a piece of formal text; empty if there is only one."""
    before: str
    after: str


class ChangeDocument(TypedDict):
    """A difference between two rulesets."""

    kind: Literal["players", "parameter", "ruling", "rule", "claim"]
    id: str
    how: Literal["added", "removed", "changed"]
    parts: list[PartChange]


class PlayRecord(TypedDict):
    """A play by its outcomes of chance and its actions."""

    chance: list[str]
    plays: list[str]


class DiffDocument(TypedDict):
    """The output of `diff`."""

    game: str
    other: str
    changes: list[ChangeDocument]
    verdict: NotRequired[Described]
    play: NotRequired[PlayRecord | None]
    """With --prove: a play of the first game that leads to a difference."""
    simulations: NotRequired[list[Simulation]]
    """With --simulate: the results of the games of both rulesets."""


class ErrorContent(TypedDict):
    """A message, and the faults behind it."""

    message: str
    diagnostics: list[DiagnosticDocument]


class ErrorDocument(TypedDict):
    """The output of any command for wrong input."""

    error: ErrorContent


class RulesetOutline(TypedDict):
    """A shipped ruleset in short."""

    name: str
    title: str
    summary: str
    players: list[int]
    """The numbers of players."""
    extends: list[str]
    """From the first ruleset to the nearest."""


class ListDocument(TypedDict):
    """The output of `list`."""

    rulesets: list[RulesetOutline]


class BreakDocument(TypedDict):
    """A change of one clause, and the first check that detected it."""

    clause: str
    where: str
    """The key of the clause whose text was changed."""
    file: str
    line: int
    column: int
    was: str
    becomes: str
    """The text that replaces it; `true` for a condition that was dropped."""
    noticed: Literal["example", "claim", "text", "late", "unnoticed"]
    """Detected by an example, by a claim, by the reading of the text (it has no meaning), by nothing
    within the time, or by nothing."""
    by: str
    """The example (`clause.example`) or claim that detected it; else empty."""
    alike: bool
    """True if the rules under the default settings are nevertheless the same."""


class MutateDocument(TypedDict):
    """The output of `mutate`."""

    breaks: list[BreakDocument]


class PerftDocument(TypedDict):
    """The output of `perft`."""

    counts: dict[str, int]
    """Sequences of exactly that many actions, by depth."""


class TracedPlay(TypedDict):
    """A play that is evidence about a claim, ply by ply."""

    claim: str
    readings: dict[str, str]
    chance: list[str]
    """All outcomes of chance, in notation."""
    steps: list[Step]
    reasons: list[str]
    """The reasons why the end of the play decides the claim."""


class EffectDocument(TypedDict):
    """The effect of a ruling on the answer to a claim."""

    claim: str
    ruling: str
    alone: dict[str, str]
    """The outcome for each reading, with all else at its default."""
    values: dict[str, str]
    """The value for each reading that has one."""
    changes: bool | None
    """True if the answer depends on the reading; null if that is unknown."""
    play: ContrastingPlay | None


class UnkeptAction(TypedDict):
    """An action that may break an invariant, with a position in which it does."""

    claim: str
    readings: dict[str, str]
    action: str
    position: dict[str, Any] | None
    """Every state variable before the ply, in a possibly unreachable position; null if formulas leave too
    much open."""
    step: dict[str, Any] | None
    """The ply, as in plays."""
    reasons: list[str]


class UnaskedClaim(TypedDict):
    """A claim that was not asked."""

    claim: str
    why: str
    advice: str
    """A command that asks it."""


class ProveDocument(TypedDict):
    """The output of `prove`."""

    verdicts: list[Described]
    plays: list[TracedPlay]
    """The plays that show that a claim fails; with --steps or --draw every play that is evidence."""
    rulings: list[EffectDocument]
    """The effect of each ruling on a claim that was asked under several readings."""
    unkept: list[UnkeptAction]
    """With --why: actions that may break a claim."""
    unasked: list[UnaskedClaim]
    """Claims that were not asked, with the reason."""
    checks: list[CheckRow]
    """Checks of reused stored verdicts that had no stamp."""


class FormalDocument(TypedDict):
    """A piece of the formal text of a rule."""

    what: str
    text: str


class RuleDocument(TypedDict):
    """A rule with its words and its formal text."""

    id: str
    kind: str
    heading: str
    prose: str
    source: list[str]
    requirements: dict[str, str]
    formal: list[FormalDocument]


class ConsequencesDocument(TypedDict):
    """The consequences of a reading of a ruling for the claims."""

    ruling: str
    reading: str
    changed: list[str]
    """The claims whose answer changes."""
    sampled: list[str]
    """The claims that were estimated from random games."""
    same: list[str]
    """The claims whose answer does not change."""
    unsettled: list[str]
    """The claims that are open under one of the readings."""
    unchecked: list[str]
    """The claims whose stored verdicts were not checked here."""
    unasked: list[str]
    """The claims without a verdict under this reading."""
    sentences: list[str]


class ShowDocument(TypedDict):
    """The output of `show`."""

    id: str
    title: str
    summary: str
    extends: list[str]
    digest: str
    """Of everything that has a meaning."""
    players: int
    parameters: dict[str, str]
    """In notation."""
    fitting: list[dict[str, str]]
    """The combinations of values of parameters that satisfy the conditions between them; empty if there
    are no conditions, or too many combinations to try."""
    readings: dict[str, str]
    """The chosen reading of each ruling."""
    rules: list[RuleDocument]
    claims: dict[str, str]
    code: NotRequired[str]
    """The rules as code, with --code; `rules` is empty then."""
    names: NotRequired[dict[str, str]]
    """With --code: the meanings of names in the code, in words of the ruleset."""
    consequences: NotRequired[list[ConsequencesDocument]]
    """With --rule, of a ruling: the changes under each reading except the chosen one."""


class SolveDocument(TypedDict):
    """The output of `solve`."""

    verdict: Described
    play: PlayRecord | None


class OtherDocument(TypedDict):
    """An action other than the next step."""

    action: str
    outcome: Literal["possible", "no longer", "open"]
    clauses: list[str] | None
    """Rules and their requirements that exclude it; null if none were found in time."""
    minimal: bool
    """True if without any one of these it would not be excluded."""


class HintDocument(TypedDict):
    """The output of `hint`."""

    outcome: Literal["possible", "no longer", "open"]
    statement: str
    """The verdict on the claim, from the position on."""
    numbers: dict[str, int]
    step: str | None
    forced: bool
    """True if the goal cannot be reached after any other action."""
    play: list[str]
    """A play to the goal, in notation; it begins with the step."""
    others: list[OtherDocument]


class GeneratedDocument(TypedDict):
    """A puzzle that was made."""

    seed: str
    measures: dict[str, int]


class GenerateDocument(TypedDict):
    """The output of `generate`."""

    claim: str
    deals: list[GeneratedDocument]


class WhyDocument(TypedDict):
    """The output of `why`."""

    action: str
    legal: bool
    refusals: list[Refusal]


class PlayDocument(TypedDict):
    """The output of `play`."""

    plays: list[str]
    """Actions in notation."""
    chance: list[str]
    """Outcomes of chance in notation."""
    over: bool
    ended_by: str | None
    """The end that was reached, `stuck` or `fault`."""
    scores: dict[str, int]
    """By player."""
    winners: list[str]
    titles: dict[str, str]
    """By player."""


class ReplayDocument(TypedDict):
    """The output of `replay`."""

    legal: bool
    plies: int
    """Number of actions that were legal."""
    over: NotRequired[bool]
    ended_by: NotRequired[str | None]
    """The end that was reached, `stuck` or `fault`."""
    scores: NotRequired[dict[str, int]]
    """By player."""
    winners: NotRequired[list[str]]
    titles: NotRequired[dict[str, str]]
    """By player."""
    diagnostics: list[DiagnosticDocument]


class RecheckDocument(TypedDict):
    """The output of `recheck`."""

    checks: list[CheckRow]


DOCUMENTS: dict[str, Any] = {
    "book": BookDocument, "certify": CertifyDocument, "check": CheckDocument, "coverage": CoverageDocument,
    "diff": DiffDocument, "error": ErrorDocument, "generate": GenerateDocument, "hint": HintDocument,
    "list": ListDocument, "mutate": MutateDocument, "perft": PerftDocument, "play": PlayDocument,
    "prove": ProveDocument, "recheck": RecheckDocument, "replay": ReplayDocument, "show": ShowDocument,
    "simulate": Simulation, "solve": SolveDocument, "survey": Survey, "why": WhyDocument,
}  # fmt: skip
"""The document of each command; `error` is that of wrong input, whatever the command."""
