"""Independent SMT-LIB solvers that confirm refutations.

Each gets the text of a question, and reports whether it has a model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib.metadata import version
from importlib.util import find_spec

from rulespec.budgets import ForkedCall
from rulespec.solver.engines import NoEngine


def _bitwuzla(text: str) -> str:
    """The output of Bitwuzla for a question in SMT-LIB."""
    import bitwuzla

    parser = bitwuzla.Parser(bitwuzla.TermManager(), bitwuzla.Options())
    parser.parse(text, parse_only=True, parse_file=False)
    return str(parser.bitwuzla().check_sat())


def _cvc5(text: str) -> str:
    """The output of cvc5 for a question in SMT-LIB."""
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "question")

    def outputs() -> Iterator[str]:
        while not (command := parser.nextCommand()).isNull():
            yield str(command.invoke(solver, parser.getSymbolManager())).strip()

    return "".join(outputs())


def _z3(text: str) -> str:
    """The answer of Z3 to a question in SMT-LIB."""
    import z3

    solver = z3.Then("simplify", "sat").solver()
    solver.from_string(text)
    return str(solver.check())


SOLVERS: dict[str, tuple[str, str, Callable[[str], str]]] = {
    "bitwuzla": ("Bitwuzla", "bitwuzla", _bitwuzla),
    "cvc5": ("cvc5", "cvc5", _cvc5),
    "z3": ("Z3", "z3-solver", _z3),
}
"""For each module: its name in words, its package, and the function that calls it."""


class SecondSolver:
    """A second solver. Raises NoEngine if it is not installed."""

    def __init__(self, name: str) -> None:
        if name not in SOLVERS:
            raise NoEngine(f"there is no solver `{name}`; there are {', '.join(SOLVERS)}")
        if find_spec(name) is None:
            raise NoEngine(f"{name} is not installed: pip install 'rulespec[check]'")
        called, package, self._ask = SOLVERS[name]
        self.name = f"{called} {version(package)}"
        """Its name and version."""

    def has_model(self, text: str, seconds: float) -> bool | None:
        """True if a question in SMT-LIB has a model; None if the solver fails or is too slow."""
        with ForkedCall(lambda: self._ask(text), alone=True) as copy:
            try:
                answer = copy.result(seconds)
            except Exception:  # of any kind that the solver raises
                return None
        return {"sat": True, "unsat": False}.get(answer or "")
