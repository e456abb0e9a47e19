"""Names and docstrings keep the rules of the project's English that a program can check.

The rules hold for `rulespec` and `solver`. Exceptions are counted for each room and may only become fewer.
`PYTHONPATH=tests python -m test_words` prints the tables of exceptions as they are.
"""

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

import pytest

TOP = Path(__file__).resolve().parent.parent
SLACK = 10
"""By how many a table may exceed what is found before it must be made smaller."""

CLAUSE = re.compile(r"(What|Whatever|Whether|Who|Whoever|How|However)\b")
"""Docstrings that begin so name a thing by a clause, in place of a noun or a verb."""

IRREGULAR = frozenset(
    "begun bent bought bound broken brought built caught chosen come dealt done drawn driven fallen fed felt "
    "forgotten fought found given gone grown heard held hidden kept known laid left lent lost made meant met "
    "paid proven ridden said seen sent shown sold sought spent spoken spun stuck struck sunk swept taken "
    "taught thought thrown told understood undone unseen unsaid won worn wound written".split()
)
NO_PARTICIPLES = frozenset(
    ["bed", "bleed", "breed", "exceed", "feed", "need", "proceed", "seed", "shed", "speed"]
)
"""Words that end in `ed` and are nouns or verbs."""
ALLOWED = frozenset(["bound", "Bound"])
"""Participles that the field uses as a noun or a predicate, so that a name may be one."""

CLAUSES: dict[str, int] = {
    "rulespec/code": 7,
}
PARTICIPLES: dict[str, int] = {
    "rulespec/browser": 1,
    "rulespec/code": 28,
    "rulespec/kernels": 3,
    "rulespec/simulation": 1,
}
UNDOCUMENTED: dict[str, int] = {
    "rulespec/code": 33,
}


RAISED = re.compile(r"\b[Rr]aises?\s+((?:[A-Z]\w+(?:, and |, | and | or )?)+)")
"""The errors that a docstring names."""
ELSEWHERE = frozenset(["PluginError"])
"""Errors of other packages that docstrings may name."""


class Name(NamedTuple):
    """A module, class, function or attribute with its docstring."""

    room: str
    place: str
    name: str
    doc: str | None
    kind: str


def is_participle(name: str) -> bool:
    """Tell whether a name is one word, and that word a past participle."""
    word = name.lower()
    if not word.isalpha() or (name[1:] != name[1:].lower()):
        return False
    return (word.endswith("ed") and word not in NO_PARTICIPLES) or word in IRREGULAR


def _attributes(body: list[ast.stmt]) -> Iterator[tuple[str, str, int]]:
    """Yield the assignments that a string follows: name, string and line."""
    for before, after in pairwise(body):
        if not (isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant)):
            continue
        if isinstance(after.value.value, str) and isinstance(before, ast.Assign | ast.AnnAssign):
            target = before.targets[0] if isinstance(before, ast.Assign) else before.target
            yield ast.unparse(target), after.value.value, after.lineno


def _walk(node: ast.Module | ast.ClassDef, room: str, path: str, methods: bool) -> Iterator[Name]:
    for name, doc, line in _attributes(node.body):
        yield Name(room, f"{path}:{line}", name, doc, "attribute")
    for one in node.body:
        place = f"{path}:{getattr(one, 'lineno', 1)}"
        if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef):
            yield Name(room, place, one.name, ast.get_docstring(one), "method" if methods else "function")
        elif isinstance(one, ast.ClassDef):
            yield Name(room, place, one.name, ast.get_docstring(one), "class")
            yield from _walk(one, room, path, True)


@cache
def names() -> tuple[Name, ...]:
    """Return all modules, classes, functions and documented attributes of the project."""
    found: list[Name] = []
    for top in ("rulespec", "solver"):
        for path in sorted((TOP / top).rglob("*.py")):
            if top == "rulespec" and path.is_relative_to(TOP / "rulespec" / "solver"):
                continue
            parts = path.relative_to(TOP).parts
            room = "/".join(parts[:2]) if len(parts) > 2 else top
            tree = ast.parse(path.read_text(encoding="utf-8"))
            module = path.parent.name if path.stem == "__init__" else path.stem
            place = str(path.relative_to(TOP))
            found.append(Name(room, f"{place}:1", module, ast.get_docstring(tree), "module"))
            found += _walk(tree, room, place, False)
    return tuple(found)


def begins_with_a_clause(one: Name) -> bool:
    """Tell whether a docstring names its thing by a clause."""
    return CLAUSE.match(one.doc or "") is not None


def is_bare_participle(one: Name) -> bool:
    """Tell whether a public module, class, function or method has a participle as its name."""
    public = one.kind != "attribute" and not one.name.startswith("_")
    return public and one.name not in ALLOWED and is_participle(one.name)


def lacks_a_docstring(one: Name) -> bool:
    """Tell whether a public module, class or function has no docstring; methods may do without one."""
    return one.kind in ("module", "class", "function") and not one.name.startswith("_") and not one.doc


RULES = {
    "clauses": (begins_with_a_clause, CLAUSES),
    "participles": (is_bare_participle, PARTICIPLES),
    "undocumented": (lacks_a_docstring, UNDOCUMENTED),
}


@pytest.mark.parametrize("rule", RULES)
def test_exceptions_become_fewer(rule: str) -> None:
    breaks, allowed = RULES[rule]
    found = [one for one in names() if breaks(one)]
    counts = Counter(one.room for one in found)
    for room in sorted(counts | Counter(allowed)):
        places = "\n".join(f"  {one.place} {one.name}" for one in found if one.room == room)
        most = allowed.get(room, 0)
        assert counts[room] <= most, f"{rule} in {room}: {counts[room]}, and {most} are allowed:\n{places}"
        assert most <= counts[room] + SLACK, (
            f"{rule} in {room} are {counts[room]} by now: write so into the table"
        )


def test_docstrings_name_errors_that_exist() -> None:
    known = {one.name for one in names() if one.kind == "class"} | ELSEWHERE | set(dir(builtins))
    for one in names():
        for found in RAISED.findall(one.doc or ""):
            unknown = set(re.findall(r"[A-Z]\w+", found)) - known
            assert not unknown, f"{one.place} {one.name} names errors that do not exist: {sorted(unknown)}"


@pytest.mark.parametrize("name", ["told", "Checked", "kept", "asked"])
def test_a_participle_is_seen(name: str) -> None:
    assert is_participle(name)


@pytest.mark.parametrize("name", ["seed", "Verdict", "render_page", "is_closed", "StateSpace", "read"])
def test_other_names_are_none(name: str) -> None:
    assert not is_participle(name)


@pytest.mark.parametrize(
    ("doc", "found"),
    [
        ("Whether a claim holds.", True),
        ("How many there are.", True),
        ("Tell whether a claim holds.", False),
        ("Whole numbers of a type.", False),
        (None, False),
    ],
)
def test_a_clause_is_seen(doc: str | None, found: bool) -> None:
    assert begins_with_a_clause(Name("core", "core/x.py:1", "x", doc, "function")) is found


def test_docstrings_of_attributes_are_seen() -> None:
    body = ast.parse('LIMIT = 3\n"""How many there may be."""\nsize: int = 2\n"""The size."""\n').body
    assert [(name, doc) for name, doc, _ in _attributes(body)] == [
        ("LIMIT", "How many there may be."),
        ("size", "The size."),
    ]


if __name__ == "__main__":
    for rule, (breaks, _) in RULES.items():
        counts = Counter(one.room for one in names() if breaks(one))
        print(f"{rule.upper()} = {{  # {sum(counts.values())}")
        print("".join(f'    "{room}": {count},\n' for room, count in sorted(counts.items())) + "}")
