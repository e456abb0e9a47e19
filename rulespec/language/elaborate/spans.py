"""Places of expressions and effects in files, each computed on demand."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from lark import Token

from ...core import nodes as n
from ...core.diagnostics import Span
from ..documents.yaml import Scalar as Text
from ..syntax.parser import Syntax, span_of

Node = n.Expr | n.Effect


class Spans(Mapping[Node, Span]):
    """Places by node; the first one noted for a node stays."""

    def __init__(self) -> None:
        self._noted: dict[Node, Span | tuple[Text, Syntax | Token]] = {}
        self.legality_tests: list[n.Can] = []
        """The nodes `can`, in the order in which they were noted."""

    def note(self, node: Node, text: Text, part: Syntax | Token) -> None:
        """Note the part of a text from which a node was made."""
        self._noted.setdefault(node, (text, part))
        if isinstance(node, n.Can):
            self.legality_tests.append(node)

    def note_span(self, node: Node, span: Span) -> None:
        """Note the place of a node."""
        self._noted.setdefault(node, span)

    def __getitem__(self, node: Node) -> Span:
        noted = self._noted[node]
        return noted if isinstance(noted, Span) else span_of(*noted)

    def __contains__(self, node: object) -> bool:
        return node in self._noted

    def __iter__(self) -> Iterator[Node]:
        return iter(self._noted)

    def __len__(self) -> int:
        return len(self._noted)
