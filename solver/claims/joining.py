"""Dependencies between checks: a verdict that rests on a failed one has not passed either."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rulespec.core.verdicts import Store, Verdict
from rulespec.core.verdicts.lemmas import helpers_of
from rulespec.solver.evidence.checks import Check

Key = tuple[str, str, str]


def with_helpers(verdicts: Sequence[Verdict], store: Store) -> list[Verdict]:
    """The verdicts, then all those in the store on which they rest."""
    found = {v.key: v for v in verdicts}
    waiting = list(verdicts)
    while waiting:
        for key, _ in _rests_on(waiting.pop()):
            under = store.by_key(key)
            if under is not None and key not in found:
                found[key] = under
                waiting.append(under)
    return list(found.values())


def revoke_unsupported(checks: Sequence[Check]) -> list[Check]:
    """The checks; one whose verdict rests on a verdict that did not pass becomes `not checked`.

    Verdicts that rest on each other, directly or through others, do not pass.
    """
    by_key = {check.verdict.key: check for check in checks}
    passed = set[Key]()

    def open_under(key: Key) -> str:
        """The first verdict under this one that has not passed, in words; empty if all have."""
        check = by_key[key]
        for under, name in _rests_on(check.verdict, check.rests_on):
            if under not in passed:
                return f"{name}, which {_why_open(by_key.get(under))}"
        return ""

    waiting = [key for key, check in by_key.items() if check.passed is True]
    while grown := [key for key in waiting if not open_under(key)]:
        passed.update(grown)
        waiting = [key for key in waiting if key not in passed]
    texts = {key: f"not checked: it rests on {open_under(key)}" for key in waiting}
    revoked = {key: replace(by_key[key], passed=None, text=text) for key, text in texts.items()}
    return [revoked.get(key, check) for key, check in by_key.items()]


def _why_open(check: Check | None) -> str:
    """The reason why a verdict was not taken over, as the end of a sentence."""
    if check is None or check.passed is None:
        return "was not gone through"
    return "has not passed either" if check.passed else "failed"


def _rests_on(verdict: Verdict, helped: Sequence[str] = ()) -> Iterator[tuple[Key, str]]:
    """The keys of the verdicts that one rests on, with names for messages; `helped` are further claims."""
    for claim in dict.fromkeys([*helpers_of(verdict), *helped]):
        yield (verdict.ruleset, claim, verdict.key[2]), f"`{claim}`"
