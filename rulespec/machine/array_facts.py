"""Facts about arrays that a function's code does not show: minimum sizes, and ranges of indices."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from . import form as f
from .rewriting import Rewriter
from .traversal import PARTS


def annotate_arrays(
    function: f.Function, least: Mapping[str, int], spans: Mapping[str, tuple[str, f.Span]]
) -> f.Function:
    """Annotate a function with facts about its array parameters.

    least: the minimum size of an array, by the name of the parameter. spans: by the name of a constant, an
    array and the span of its elements that contains every index to which the constant is added.
    """
    taken = {name for name, t in function.parameters if t.is_array}
    sizes = tuple((name, size) for name, size in least.items() if name in taken)
    return replace(function, least=sizes, body=_Annotator(spans).body(function.body))


class _Annotator(Rewriter):
    def __init__(self, spans: Mapping[str, tuple[str, f.Span]]) -> None:
        self.spans = spans

    def expr(self, node: f.Expr) -> f.Expr:
        if type(node) not in PARTS:
            return node
        made: f.Expr = self.parts(node)
        if isinstance(made, f.Load):
            within = self.within(made.array, made.index)
            return replace(made, within=within) if within else made
        return made

    def statement(self, node: f.Statement) -> f.Body:
        made = self.parts(node)
        if isinstance(made, f.Store):
            within = self.within(made.array, made.index)
            return (replace(made, within=within) if within else made,)
        return (made,)

    def within(self, array: f.Expr, index: f.Expr) -> f.Span | None:
        """The span of elements that contains an index; None if it is unknown."""
        found = [self.spans[name] for name in summed_constants(index) if name in self.spans]
        if len(found) == 1 and isinstance(array, f.Local) and array.name == found[0][0]:
            return found[0][1]
        return None


def summed_constants(index: f.Expr) -> Iterator[str]:
    """The names of the constants added in an index."""
    if isinstance(index, f.Const) and index.name:
        yield index.name
    elif isinstance(index, f.Binary) and index.op in ("+", "-"):
        yield from summed_constants(index.left)
        if index.op == "+":
            yield from summed_constants(index.right)
