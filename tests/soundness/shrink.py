"""Smaller rulesets of which the same is wrong: parts are taken away as long as it stays so.

A ruleset is a tree of mappings, lists and texts. Tried are each entry left out, each line of a text left out
with those deeper below it, and each part of a text in brackets replaced by something plain or by a part of
its own.
"""

from __future__ import annotations

import copy
import random
import re
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import yaml

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load

from .deciding import FORGED, ONE_DEAL, USUAL, deals_of, decisions, known_truths, of_deals, usual
from .forging import passing_forgeries
from .resources import splitting
from .space import Space, TooLarge
from .trial import MOST, MOST_EDGES, NAME, Disagreement, meanings_differ

Tree = dict[str, Any]
SECONDS = 60.0
"""Of processor time that shrinking takes at most."""
PLAIN = ("1", "0", "true", "false", "none", "Spot", "Hue")


def shrunk(text: str, one: Disagreement) -> str:
    """The text of a ruleset of which the same is wrong as of another, with as little in it as was found."""
    tree: Tree = yaml.load(text, yaml.BaseLoader)  # noqa: S506
    wanted = kind_of(one)
    return written(smaller(tree, lambda other: wanted in _wrong(written(other), one), SECONDS))


def smaller(tree: Tree, fails: Callable[[Tree], bool], seconds: float = SECONDS) -> Tree:
    """A tree that still `fails` with parts of it taken away, greedily, for so many seconds."""
    until, changed = time.process_time() + seconds, True
    while changed:
        changed = False
        for candidate in reductions(tree):
            if time.process_time() > until:
                return tree
            if fails(candidate):
                tree, changed = candidate, True
                break
    return tree


def kind_of(one: Disagreement) -> str:
    """The way in which something is wrong: the error that was raised, or what was contradicted."""
    last = one.text.strip().rpartition("\n")[2]
    if "Traceback" in one.text:
        return last.partition(":")[0]
    if one.method == FORGED:
        return "forged"
    return "evidence" if "Its evidence does not pass" in one.text else "answer"


def _wrong(text: str, one: Disagreement) -> set[str]:
    """The ways in which what a method says of a claim is wrong in a ruleset."""
    with tempfile.TemporaryDirectory(prefix="soundness-") as folder, splitting(one.open_choices):
        path = Path(folder) / f"{NAME}.yaml"
        path.write_text(text, "utf-8")
        try:
            game = load(path)
            if not one.claim:
                return {kind_of(found) for found in meanings_differ(game)}
            if one.claim not in game.claims:
                return set()
            space = Space(game, MOST, MOST_EDGES)
            truths, loader = known_truths(space), partial(load, path)
            asked = (one.claim, one.method)
            found = decisions(space, truths, only=asked)
            if one.method.endswith(ONE_DEAL):
                found = of_deals(space, deals_of(space), only=asked)
            if one.method == FORGED:
                told = passing_forgeries(space, truths, random.Random(FORGED))
                return {"forged" for claim, _, problem in told if problem and claim.id == one.claim}
            if one.method == USUAL:
                found = (d for d in usual(space, truths, loader) if d.claim == one.claim)
            return {kind_of(Disagreement(d.claim, d.kind, d.name, d.wrong)) for d in found if d.wrong}
        except (RulesetError, TooLarge, RecursionError):
            return set()


# ---- what to try


def reductions(tree: Any) -> Iterator[Any]:
    """Trees with one part taken away or made plainer, those with the largest part away first."""
    for path in sorted(_paths(tree), key=len):
        box, key = _at(tree, path)
        yield _changed(tree, path, None)
        if isinstance(box[key], str):
            for text in _plainer(box[key]):
                yield _changed(tree, path, text)


def _paths(tree: Any) -> Iterator[tuple[Any, ...]]:
    inner = tree.items() if isinstance(tree, dict) else enumerate(tree) if isinstance(tree, list) else ()
    for key, part in inner:
        yield (key,)
        for rest in _paths(part):
            yield (key, *rest)


def _at(tree: Any, path: tuple[Any, ...]) -> tuple[Any, Any]:
    for key in path[:-1]:
        tree = tree[key]
    return tree, path[-1]


def _changed(tree: Any, path: tuple[Any, ...], text: str | None) -> Any:
    made = copy.deepcopy(tree)
    box, key = _at(made, path)
    if text is None:
        del box[key]
    else:
        box[key] = text
    return made


def _plainer(text: str) -> Iterator[str]:
    lines = text.split("\n")
    for i in range(len(lines) if len(lines) > 1 else 0):
        deep = len(lines[i]) - len(lines[i].lstrip())
        last = next((j for j in range(i + 1, len(lines)) if _depth(lines[j]) <= deep), len(lines))
        yield "\n".join([*lines[:i], *lines[last:]])
    for first, last in _brackets(text):
        inner = [text[a : b + 1] for a, b in _brackets(text) if first < a and b < last]
        for part in (*PLAIN, *sorted(inner, key=len)[:4]):
            if len(part) < last + 1 - first:
                yield text[:first] + part + text[last + 1 :]
    for found in re.finditer(r" (?:and|or) ", text):
        if "(" not in text:
            yield text[: found.start()]
            yield text[found.end() :]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip())


def _brackets(text: str) -> Iterator[tuple[int, int]]:
    """Where round brackets open and close, the widest pairs first."""
    waiting, found = list[int](), list[tuple[int, int]]()
    for i, sign in enumerate(text):
        if sign == "(":
            waiting.append(i)
        elif sign == ")" and waiting:
            found.append((waiting.pop(), i))
    yield from sorted(found, key=lambda pair: pair[0] - pair[1])


# ---- as text


def written(tree: Any) -> str:
    """A tree as an author writes it."""
    return "\n".join(_lines(tree)) + "\n"


def _lines(tree: Any) -> Iterator[str]:
    if isinstance(tree, list):
        for part in tree:
            lines = [*_lines(part)] if not isinstance(part, str) else [part]
            yield from (f"{'  ' if i else '- '}{line}" for i, line in enumerate(lines))
        return
    for key, part in tree.items():
        if isinstance(part, str):
            yield from _entry(key, part)
        elif part:
            yield f"{key}:"
            yield from (f"  {line}" for line in _lines(part))


def _entry(key: str, text: str) -> Iterator[str]:
    if re.fullmatch(r"[\w ().,!?-]*[\w.)]", text) and text == text.strip():
        yield f"{key}: {text}"
    else:
        yield f"{key}: |"
        yield from (f"  {line}" for line in text.rstrip("\n").split("\n"))
