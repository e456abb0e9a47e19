"""Elements that are held in variables over a loop are those of the arrays, whatever else touches them."""

from __future__ import annotations

import textwrap
from dataclasses import replace
from typing import Any

import pytest

from rulespec.kernels import kit
from rulespec.machine import form as f
from rulespec.machine.array_facts import annotate_arrays
from rulespec.machine.passes.pipeline import optimise
from rulespec.machine.traversal import nodes_of

from .evaluating import Evaluator
from .running import Run, translated

LEAST = {"s": 6, "b": 4}
SPANS = {"PAIR": ("s", (2, 2)), "NEXT": ("s", (3, 2)), "WIDE": ("s", (2, 4)), "TWIN": ("b", (1, 2))}
APART = {"_sum", "_add", "_both", "_swapped", "_changed"}
BEFORE = """
PAIR = 2
NEXT = 3
WIDE = 2
TWIN = 1
TWO = table([2, 1])
THREE = masks([1, 2, 3])


def _sum(s: Numbers, b: Words) -> int:
    return s[0] * 100 + s[1] * 10 + s[3]


def _add(s: Numbers, b: Words, x: int) -> None:
    s[0] += x
    s[3] += 2 * x


def _both(s: Numbers, t: Numbers, x: int) -> int:
    t[0] = 50 + x
    total = 0
    for i in range(20):
        total += s[0] + i * x
        t[0] += x
        total += s[0] * 3
        total -= s[0] + s[0] * x
    return total


def _swapped(s: Numbers, b: Words, x: int) -> tuple[int, int]:
    s[0] += x
    return s[0] + x, x


def _changed(s: Numbers, x: int) -> int:
    s[0] += 2
    return x


def _changed_here(s: Numbers, x: int) -> int:
    s[0] += 2
    return x


def _halved(x: int) -> int:
    if x > 3:
        x -= 3
    return x


def _counted(s: Numbers, x: int) -> int:
    for i in range(x + 5):
        s[i % 3] += 1
        s[(i + 1) % 3] += s[i % 2]
        if i == x:
            return i
    return 0


def _found(s: Numbers, x: int) -> int:
    for i in range(30):
        s[1] += 1
        if i == x:
            return s[1] + i
    return 0


"""
TEXTS = {
    "elements at known places": """
        for i in range(n):
            s[2] += i
            s[3] += s[2]
            total += s[2] - s[3]
        """,
    "a call reads": """
        for i in range(n):
            s[0] += i
            s[1] += 3
            total += _sum(s, b)
            s[0] += 2
            s[1] *= 3
        """,
    "a call changes": """
        for i in range(n):
            s[0] += i
            _add(s, b, i)
            s[0] *= 3
            s[0] += total
            total += s[0]
        """,
    "a call changes and gives results": """
        for i in range(n):
            s[0] += i
            x, y = _swapped(s, b, i)
            s[0] *= 3
            s[0] += x + y
            total += s[0]
        """,
    "a call in a condition": """
        while _sum(s, b) < 900 and total < 30:
            s[0] += 1
            s[1] += s[0]
            s[1] -= s[0] - 1
            total += 1
        """,
    "a loop is left": """
        for i in range(30):
            s[0] += 1
            s[1] += s[0]
            if i == n:
                return s[0] + 7
            s[0] += 1
        """,
    "a loop within is left": """
        for i in range(30):
            s[0] += 1
            for j in range(30):
                s[1] += s[0]
                if i + j == n:
                    return s[0] * s[1]
        """,
    "a body that is put in the place of its call": """
        for i in range(n):
            s[1] += 1
            total += _found(s, i)
            s[1] += 1
        """,
    "a body left from a loop in which an element waits": """
        for i in range(n):
            s[0] += i
            s[1] += s[0]
            s[0] += _counted(s, i)
            s[1] += s[0] * 3
            total += s[0] + s[1]
            s[0] += 1
        """,
    "any index is read": """
        for i in range(n):
            s[0] += i
            s[1] += 2
            total += s[i % 3]
            s[0] += s[1] + total
        """,
    "any index is changed": """
        for i in range(n):
            s[0] += i
            s[1] += s[0]
            s[i % 3] += 5
            s[0] += s[1]
            s[1] += s[0]
        """,
    "an index in a loop within": """
        for i in range(n):
            s[0] += i
            s[1] += s[0]
            for j in range(total % 5):
                s[j % 3] += s[(j + 1) % 3]
                s[2 - j % 3] += 1
            s[0] += s[1] + 1
            total += s[0]
        """,
    "an index within two elements": """
        for i in range(n):
            s[PAIR + i % 2] += i
            s[2] += 1
            s[3] += s[PAIR + (i + 1) % 2]
            total += s[PAIR + i % 2] - s[3]
        """,
    "bits added to one of two words": """
        for i in range(n):
            b[TWIN + i % 2] |= BIT[2 * i] | b[TWIN + (i + 1) % 2]
            b[TWIN + (i + i // 2) % 2] |= BIT[i + 20]
            total += as_number(b[1]) - 3 * as_number(b[2])
        """,
    "an index within more, beside one of them": """
        for i in range(n):
            s[WIDE + i % 3] += i
            s[2] += 1
            s[4] += s[WIDE + (i + 1) % 2]
            total += s[2]
        """,
    "one array by two names": """
        total += _both(s, s, n)
        """,
    "two arrays by two names": """
        total += _both(s, t, n) + s[0] + t[0]
        """,
    "a call in an expression changes": """
        for i in range(n):
            s[0] += i
            s[1] = s[0] + _changed(s, i)
            total += s[1] + s[0]
        """,
    "a choice by a body that changes": """
        for i in range(n):
            s[0] += i
            s[1] = s[0] if _changed_here(s, i) == n - 1 else s[0] + 5
            total += s[1] + s[0]
        """,
    "an argument that changes": """
        for i in range(n):
            s[0] += i
            _add(s, b, _changed_here(s, i))
            total += s[0] + s[3]
            s[0] += s[0] * 2 - s[3]
        """,
    "what the steps go up to changes": """
        for i in range(_changed(s, n)):
            s[0] += i
            s[1] += s[0]
            s[0] += 1
            total += s[0]
        """,
    "a parameter that is set": """
        for i in range(n):
            total += _halved(i) * 10 + i
        """,
    "an index that is known only as changed": """
        for i in range(n):
            s[0] += i
            s[1] += s[0]
            s[2] += s[1]
            s[i % 3] = total
            total += s[0] + s[1]
            s[0] += s[2] + 1
        """,
    "indices within two elements that share one": """
        for i in range(n):
            s[PAIR + i % 2] += i
            total += s[PAIR + i % 2] + s[PAIR + 1]
            s[NEXT + i % 2] += 5
            total += s[NEXT + (i + 1) % 2] + s[NEXT]
        """,
    "steps changed on the way": """
        for i in range(4):
            s[i] += n
            i = 2
            s[i] += 1
        """,
    "few steps left early": """
        for i in range(4):
            s[i] += n
            if s[i] > 3:
                break
            if s[i] > 1:
                continue
            s[1] += i
        """,
    "few steps, the function left": """
        for i in range(4):
            s[i] += n
            if s[i] == 1:
                continue
            if s[i] > 3:
                return i
        """,
    "a table that a formula gives": """
        for i in range(2):
            total += TWO[i] * n + TWO[n % 2] + as_number(BIT[n % 9])
            total += as_number(THREE[n % 3])
        """,
}  # fmt: skip


def text_of(name: str) -> str:
    body = textwrap.indent(textwrap.dedent(TEXTS[name]).strip(), "    ")
    head = "def run(s: Numbers, t: Numbers, b: Words, n: int) -> int:\n    total = 0\n"
    return f"{BEFORE}{head}{body}\n    return total\n"


def module_of(text: str) -> f.Module:
    """The module of a text, in which what is known is marked and some functions stay apart."""
    module = translated(text, constants=SPANS)
    functions = {
        name: replace(annotate_arrays(x, LEAST, SPANS), apart=name in APART)
        for name, x in module.functions.items()
    }
    return replace(module, functions=functions)


def in_python(text: str, *arguments: Any) -> Any:
    names: dict[str, Any] = dict(vars(kit)) | {"Numbers": list, "Words": list}
    exec(text, names)  # noqa: S102 - of this file
    return names["run"](*arguments)


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("n", [0, 1, 2, 5, 9])
def test_the_same(name: str, n: int) -> None:
    text = text_of(name)
    run = Run(module_of(text))
    s, t, b = [1, 0, 2, 1, 3, 0], [4, 5, 6], [1, 2, 3, 4]
    arrays = run.array(f.NUMBERS, s), run.array(f.NUMBERS, t), run.array(f.WORDS, b)
    found = run.run(*arrays, n)
    assert found == in_python(text, s, t, b, n)
    assert [x.tolist() for x in arrays] == [s, t, b]


def number(value: int) -> f.Const:
    return f.Const(f.NUMBER, value)


def plus(*parts: f.Expr) -> f.Expr:
    first, *others = parts
    for other in others:
        first = f.Binary(f.NUMBER, "+", first, other)
    return first


S, T, N = f.Local(f.NUMBERS, "s"), f.Local(f.NUMBERS, "t"), f.Local(f.NUMBER, "n")


def at(array: f.Expr, place: int) -> f.Load:
    return f.Load(f.NUMBER, array, number(place))


def run_of(
    body: f.Body, least: tuple[tuple[str, int], ...], variables: tuple[tuple[str, f.Type], ...]
) -> Run:
    """The function `run` of two arrays and a number."""
    taken = ("s", f.NUMBERS), ("t", f.NUMBERS), ("n", f.NUMBER)
    run = f.Function("run", taken, (f.NUMBER,), variables, body, least=least)
    return Run(f.Module({"run": run}, entries=("run",)))


def test_elements_that_an_array_may_not_have_stay_in_it() -> None:
    """Behind a short array another one lies. It was overwritten with what it held before the loop."""
    body = (
        f.For("i", number(0), plus(N, number(4)), 1, (
            f.If(f.Compare("<", N, number(0)), (
                f.Store(S, number(2), plus(at(S, 2), at(S, 2), at(S, 2))),
                f.Store(S, number(2), plus(at(S, 2), at(S, 2), at(S, 2))),
            ), ()),
            f.Store(T, plus(N, number(-1)), plus(number(1), f.Load(f.NUMBER, T, plus(N, number(-1))))),
        )),
        f.Return((at(T, 0),)),
    )  # fmt: skip
    run = run_of(body, (("s", 1),), (("i", f.NUMBER),))
    s, t = run.array(f.NUMBERS, [0]), run.array(f.NUMBERS, [0, 0, 0])
    assert run.run(s, t, 1) == 5
    assert t.tolist() == [5, 0, 0]


def test_an_array_of_which_nothing_is_known_may_be_any() -> None:
    body = (
        f.Set("any", f.Choose(f.NUMBERS, f.Compare("<", N, number(0)), T, S)),
        f.For("i", number(0), plus(N, number(2)), 1, (
            f.Store(S, number(0), plus(at(S, 0), at(S, 0), number(1))),
            f.Store(S, number(1), plus(at(S, 0), at(S, 1))),
            f.Store(f.Local(f.NUMBERS, "any"), number(0), plus(at(f.Local(f.NUMBERS, "any"), 0), number(9))),
        )),
        f.Return((plus(at(S, 0), at(S, 1)),)),
    )  # fmt: skip
    run = run_of(body, (("s", 2), ("t", 2)), (("i", f.NUMBER), ("any", f.NUMBERS)))
    s, t = run.array(f.NUMBERS, [1, 0]), run.array(f.NUMBERS, [1, 0])
    found, model = run.run(s, t, 1), [1, 0]
    for _ in range(3):
        model[0] += model[0] + 1
        model[1] += model[0]
        model[0] += 9
    assert found == sum(model)
    assert s.tolist() == model


def test_an_array_is_passed_once() -> None:
    run = Run(module_of(text_of("a call reads")))
    s, b = run.array(f.NUMBERS, [0] * 6), run.array(f.WORDS, [0] * 4)
    with pytest.raises(TypeError, match="twice"):
        run.run(s, s, b, 1)


def test_an_array_is_as_long_as_is_counted_on() -> None:
    run = Run(module_of(text_of("a call reads")))
    s, t, b = run.array(f.NUMBERS, [0] * 5), run.array(f.NUMBERS, [0]), run.array(f.WORDS, [0] * 4)
    with pytest.raises(TypeError, match="at least 6 elements"):
        run.run(s, t, b, 1)


def test_a_loop_without_calls_holds_its_elements() -> None:
    """The point of it all: nothing of the state is loaded or stored within the loop."""
    module = optimise(module_of(text_of("elements at known places")))
    (loop,) = [x for x in module.functions["run"].body if isinstance(x, f.For)]
    assert not [x for x in nodes_of(loop) if isinstance(x, f.Load | f.Store)]


@pytest.mark.parametrize(("least", "reads"), [(4, 1), (1, 2)])
def test_an_element_that_stays_is_read_once_where_it_is_there_in_any_case(least: int, reads: int) -> None:
    body = (
        f.If(f.Compare("<", number(0), N), (f.Return((plus(at(S, 3), at(T, 0), at(S, 3)),)),), ()),
        f.Return((number(7),)),
    )
    taken = ("s", f.NUMBERS), ("t", f.NUMBERS), ("n", f.NUMBER)
    run = f.Function("run", taken, (f.NUMBER,), (), body, least=(("s", least), ("t", 1)))
    module = optimise(f.Module({"run": run}, entries=("run",)))
    loads = [x for x in nodes_of(module.functions["run"].body) if x == at(S, 3)]
    assert len(loads) == reads
    s = [1, 2, 3, 4][:least]
    assert Evaluator(module).call("run", [s, [5], 0]) == (7,)
    assert Evaluator(module).call("run", [[1, 2, 3, 4], [5], 1]) == (13,)
