"""The code of every operator: one handler for each kind of expression."""

from __future__ import annotations

from collections.abc import Mapping

from ...core import nodes as n
from ...machine.building import intersection, inverted, union
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
    n.And: p.junction(True),
    n.Or: p.junction(False),
    n.If: p.if_,
    n.Let: p.let,
    n.Equal: p.equals,
    n.Less: p.ordered("<"),
    n.AtMost: p.ordered("<="),
    n.Add: p.calculated("+"),
    n.Sub: p.calculated("-"),
    n.Mul: p.calculated("*"),
    n.Div: p.divided("//"),
    n.Mod: p.divided("%"),
    n.Make: p.make,
    n.Field: p.field,
    n.IsNone: p.is_none,
    n.Otherwise: p.otherwise,
    n.Narrow: p.narrow,
    n.Tabulate: c.tabulate,
    n.Read: c.read,
    n.SetOf: c.set_of,
    n.Member: c.member,
    n.Union: c.of_sets(union),
    n.Intersection: c.of_sets(intersection),
    n.Difference: c.of_sets(lambda a, b: intersection(a, inverted(b))),
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
