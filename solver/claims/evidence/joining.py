"""Dependencies between checks: a verdict that rests on one that did not pass has not passed either."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from rulespec.core.verdicts import Store, Verdict, setting_text

from ..helping import helpers_of
from .checks import Check

Key = tuple[str, str, str]


def with_helpers(verdicts: Sequence[Verdict], store: Store) -> list[Verdict]:
    """The verdicts, followed by all those of the store on which they rest."""
    found = {v.key: v for v in verdicts}
    waiting = list(verdicts)
    while waiting:
        for key, _ in _rests_on(waiting.pop()):
            under = store.by_key(key)
            if under is not None and key not in found:
                found[key] = under
                waiting.append(under)
    return list(found.values())


def joined(
    checks: Sequence[Check], stores: Sequence[Store], vouched: Callable[[Verdict], bool]
) -> list[Check]:
    """The checks, revoked where a verdict rests on one that did not pass; `stores` are those of the verdicts.

    A verdict that was not checked here counts as passed if `vouched` is true of it.
    """
    by_key = {check.verdict.key: check for check in checks}
    before: dict[Key, Check] = {}
    while by_key != before:
        before = by_key
        by_key = {
            key: _resting(check, before, store, vouched)
            for (key, check), store in zip(before.items(), stores, strict=True)
        }
    return list(by_key.values())


def _resting(
    check: Check, checks: Mapping[Key, Check], store: Store, vouched: Callable[[Verdict], bool]
) -> Check:
    """A check, revoked if a verdict that it rests on has not passed."""
    named = _rests_on(check.verdict, check.rests_on) if check.passed is True else ()
    for key, name in named:
        under, verdict = checks.get(key), store.by_key(key)
        if under is not None and under.passed is True:
            continue
        if under is None and verdict is not None and vouched(verdict):
            continue
        gone = "was not gone through" if under is None or under.passed is None else "failed"
        return replace(check, passed=None, text=f"not checked: it rests on {name}, which {gone}")
    return check


def _rests_on(verdict: Verdict, helped: Sequence[str] = ()) -> Iterator[tuple[Key, str]]:
    """The keys of the verdicts that one rests on, with names for messages; `helped` are further claims."""
    for claim in dict.fromkeys([*helpers_of(verdict), *helped]):
        yield (verdict.ruleset, claim, verdict.key[2]), f"`{claim}`"
    for evidence in verdict.evidence:
        readings = evidence.data.get("readings")
        if evidence.kind == "same" and isinstance(readings, dict):
            setting = setting_text(verdict.players, verdict.parameters, readings)
            yield (verdict.ruleset, verdict.claim, setting), f"the verdict under {setting}"
