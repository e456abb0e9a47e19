"""The types of a game for scripts: codes of values, their notations, and the parts of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..code import TooLarge
from ..code.codes import Codes
from ..core.notation import write
from ..core.types import Bag, Enum, Int, List, Map, Optional, Record, Rows, Scalar, Set, Truth, Type, Value
from ..players.comparing import kind

MOST_TEXTS = 40_000
"""Maximum number of notations of values in a bundle."""


class Types:
    """The types used in a bundle, each once, in plain JSON.

    Every type has its `name`. A scalar has `family`, `codes` in ascending order (or `first` and `count` if
    they are consecutive), and `texts`, their notations; without `texts` a number is its own digits. `things`
    is the kind of the things that they name (see `players.comparing`), `also` are further accepted texts,
    with codes; `plain` is set if JSON has the value itself. A record has the types of its `fields`, and for
    each value the codes of its `parts`; the rows of a table of sets, or of values that may be none, have the
    type `of` the `members`, the codes of those of each row, and are `many` if they are sets, like a list that
    stands for a set. Other kinds are
    `optional`, `set`, `list` and `map`, with the numbers of the types in `of`.
    """

    def __init__(self, codes: Codes) -> None:
        self._codes = codes
        self._numbers: dict[tuple[str, str, str], list[tuple[Type, int]]] = {}
        self._texts = 0
        self.listed: list[dict[str, Any]] = []

    def number(self, t: Type) -> int:
        """The number of a type in the list, to which it is added if it is missing.

        Raises TooLarge if there are too many values.
        """
        joint = f"{t.joint} {t.ascending}" if isinstance(t, List) else ""
        # Words in a template are equal as types, whatever the words.
        texts = t.letters if isinstance(t, Int) else t.members if isinstance(t, Enum) else ""
        alike = self._numbers.setdefault((str(t), joint, "\n".join(texts)), [])
        for other, number in alike:
            if other is t or other == t:
                return number
        made = self._describe(t)
        self.listed.append(made)
        alike.append((t, len(self.listed) - 1))
        return len(self.listed) - 1

    def _describe(self, t: Type) -> dict[str, Any]:
        """A type as data for pages."""
        name = str(t)
        if isinstance(t, Scalar):
            return {"kind": "scalar", "name": name, **self._scalar(t)}
        if isinstance(t, Optional):
            return {"kind": "optional", "name": name, "of": self._of(t.of)}
        if isinstance(t, Set):
            words, base = self._codes.words(t.of), self._codes.base(t.of) if t.of is not None else 0
            return {"kind": "set", "name": name, "of": self._of(t.of), "words": words, "base": base}
        if isinstance(t, List):
            made = {"kind": "list", "name": name, "of": self._of(t.of), "cap": t.cap, "joint": t.joint}
            return made | {"many": True} if t.ascending else made
        assert isinstance(t, Map)
        keys, of = self.number(t.keys), self.number(t.of)
        return {"kind": "map", "name": name, "keys": keys, "of": of, "bag": isinstance(t, Bag)}

    def _of(self, t: Scalar | None) -> int:
        return -1 if t is None else self.number(t)

    def _scalar(self, t: Scalar) -> dict[str, Any]:
        """A scalar type as data for pages, with its codes and notations. Raises TooLarge."""
        codes = self._codes.codes(t)
        in_row = codes[-1] - codes[0] + 1 == len(codes)
        made: dict[str, Any] = {"family": t.family, "things": kind(t)}
        made |= {"first": codes[0], "count": len(codes)} if in_row else {"codes": list(codes)}
        if isinstance(t, Int) and not t.letters:
            return made | {"plain": True}
        self._texts += len(codes)
        if self._texts > MOST_TEXTS:
            raise TooLarge(f"its types have more than {MOST_TEXTS:,} values with a notation")
        texts = [write(t, value) for value in t.values]
        made["texts"] = texts
        also = [[text, code] for text, code in _further(t, codes) if text not in texts]
        if also:
            made["also"] = also
        if isinstance(t, Truth):
            made["plain"] = True
        if isinstance(t, Record):
            made["fields"] = [[name, self.number(kind)] for name, kind in t.fields]
            kinds = [kind for _, kind in t.fields]
            pairs = (zip(kinds, value, strict=True) for value in t.values)
            made["parts"] = [[self._codes.code(kind, part) for kind, part in pair] for pair in pairs]
        if isinstance(t, Rows) and isinstance(t.of, Set | Optional) and (of := t.of.of) is not None:
            made |= {"of": self.number(of), "many": isinstance(t.of, Set)}
            made["members"] = [[self._codes.code(of, value) for value in _members(row)] for row in t.rows]
        return made


def _members(row: Value) -> Sequence[Value]:
    """The elements of a set in order, or the value that may be none, if there is one."""
    return sorted(row) if isinstance(row, frozenset) else [] if row is None else [row]


def _further(t: Scalar, codes: Sequence[int]) -> list[tuple[str, int]]:
    """Accepted texts besides the notations of values."""
    named: dict[type[Scalar], Any] = {
        Enum: lambda value: t.members[value],  # type: ignore[attr-defined]
        Int: str,
        Truth: lambda value: "true" if value else "false",
    }
    name = named.get(type(t))
    return [(name(value), code) for value, code in zip(t.values, codes, strict=True)] if name else []
