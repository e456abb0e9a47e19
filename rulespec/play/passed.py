"""Examples that passed, so that a process that stays runs them again only when a text has changed.

To skip examples must not change what is printed. Those that fail are never skipped, so no message is lost.
The one other thing that an example does is spend steps: for those that are skipped, all steps of the checks
in which they passed are counted (`Skipped`). Past the limit of work, nothing may be skipped.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable
from typing import Any

MOST_KEPT = 20_000
"""The most examples that are kept."""

Check = tuple[str, int]
"""A check in which examples passed: a name of its own, and the steps that it took."""


class Passed:
    """The examples that passed, by digest of all that they rest on, each with its check."""

    def __init__(self) -> None:
        self.active = False
        """False in a process that ends with its command, which has nothing to skip."""
        self.new: dict[str, Check] = {}
        """Those that passed in this process."""
        self._checks: dict[str, Check] = {}

    def __len__(self) -> int:
        return len(self._checks)

    def check(self, digest: str | None) -> Check | None:
        """The check in which an example passed; None if there is none."""
        return self._checks.get(digest) if digest is not None and self.active else None

    def add(self, digests: Iterable[str], steps: int) -> None:
        """Add examples that passed in one check, which took so many steps."""
        self.new |= dict.fromkeys(digests, (secrets.token_hex(8), steps))

    def learn(self, data: Any) -> None:
        """Add the `new` ones of another process."""
        found = {str(digest): (str(name), int(steps)) for digest, (name, steps) in dict(data).items()}
        if len(self._checks) + len(found) > MOST_KEPT:
            self._checks.clear()
        self._checks |= found


class Skipped:
    """The examples that one check skips, and the most steps that they would take."""

    def __init__(self) -> None:
        self._checks = set[Check]()

    def add(self, check: Check) -> None:
        """Skip an example that passed in an earlier check."""
        self._checks.add(check)

    @property
    def steps(self) -> int:
        """The most steps of the skipped examples: all that the checks took in which they passed."""
        return sum(steps for _, steps in self._checks)


passed = Passed()
"""Those that this process may skip."""
