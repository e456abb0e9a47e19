"""The code of every operator: one handler for each kind of expression."""

from __future__ import annotations

from collections.abc import Mapping

from ...core import nodes as n
from ..body import Handler
from . import calls
from . import collections as c
from . import plain as p
from . import repetition as r

HANDLERS: Mapping[type[n.Expr], Handler] = {
    n.Const: p.const,
    n.Domain: p.domain,
    n.Local: p.local,
    n.Get: p.get,
    n.Not: p.not_,
    n.And: p.junction("and"),
    n.Or: p.junction("or"),
    n.If: p.if_,
    n.Let: p.let,
    n.Equal: p.equal,
    n.Less: p.ordered("<"),
    n.AtMost: p.ordered("<="),
    n.Add: p.arithmetic("+"),
    n.Sub: p.arithmetic("-"),
    n.Mul: p.arithmetic("*"),
    n.Div: p.division("//"),
    n.Mod: p.division("%"),
    n.Make: p.make,
    n.Field: p.field,
    n.IsNone: p.is_none,
    n.Otherwise: p.otherwise,
    n.Narrow: p.narrow,
    n.Tabulate: c.tabulate,
    n.Read: c.read,
    n.SetOf: c.set_of,
    n.Member: c.member,
    n.Union: c.of_sets("|"),
    n.Intersection: c.of_sets("&"),
    n.Difference: c.of_sets("& ~"),
    n.ListOf: c.list_of,
    n.Item: c.item,
    n.Slice: c.slice_,
    n.Top: c.end(True),
    n.Rest: c.end(False),
    n.Concat: c.concat,
    n.Size: r.size,
    n.All: r.quantified(True),
    n.Any: r.quantified(False),
    n.Sum: r.sum_,
    n.Best: r.best,
    n.First: r.first,
    n.Select: r.select,
    n.Image: r.image,
    n.Collect: r.collect,
    n.Fold: r.fold,
    n.Follow: r.follow,
    n.Reach: r.reach,
    n.Call: calls.call,
    n.Can: calls.can,
}
