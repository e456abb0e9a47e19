"""`python -m benchmarks tokens`: the length of rules in tokens, beside other projects' sources.

A token is a word (hyphens join its parts), a number, a text in quotation marks, or a sign of one or two
characters; comments do not count. A ruleset counts with the formal texts of its rules, without its libraries,
a Ludii file with what stands before its metadata, without shared definitions, and C++ with all its files.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import cast

from rulespec.core.diagnostics import Report, Source
from rulespec.language import shipped_rulesets
from rulespec.language.documents.rule_texts import formal_texts_of
from rulespec.language.documents.yaml import Mapping, read
from rulespec.language.documents.yaml import Sequence as Items

from .report import Table

TOKEN = re.compile(
    r'(?P<comment>//[^\n]*|/\*.*?\*/)|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*(?:-\w+)*|\d+(?:\.\d+)?\w*'
    r"|:=|->|::|<=|>=|==|!=|&&|\|\||\+\+|--|<<|>>|\.\.|[^\s\w]",
    re.DOTALL,
)
REMARK = re.compile(r"(?m)(^|\s)#[^\n]*")
"""A comment in the formal text of a ruleset."""
LUDII, CPP = (".lud",), (".cc", ".h")
COLUMNS = ("game", "rulespec", "Ludii", "to Ludii", "OpenSpiel", "to OpenSpiel")
WORDS = (
    "Tokens of the formal text of a shipped ruleset (without its libraries), of Ludii's description of the "
    "same game (without metadata and shared definitions) and of its C++ in OpenSpiel (sources and headers, "
    "with observations), and the ratios. A token is a word, a number, a text in quotation marks, or a sign; "
    "comments do not count. A dash: not compared."
)


def count_tokens(text: str) -> int:
    """The number of tokens of a text.

    Example:
        >>> count_tokens('bar-men: 0..15  // hit')
        5
    """
    return sum(found.lastgroup is None for found in TOKEN.finditer(text))


def formal_tokens(path: Path) -> int:
    """The tokens of the formal texts of a ruleset's rules."""
    return sum(count_tokens(REMARK.sub(" ", text)) for text in formal_texts(path))


def formal_texts(path: Path) -> Iterable[str]:
    """The formal texts of the rules of a ruleset."""
    root = cast(Mapping, read(Source(str(path), path.read_text("utf-8")), Report()))
    for rule in cast(Items, root.entries["rules"]).items:
        yield from (text.formal for _, text, _ in formal_texts_of(cast(Mapping, rule)))


def foreign_tokens(paths: Sequence[Path]) -> int:
    """The tokens of other projects' files."""
    return sum(count_tokens(path.read_text("utf-8").partition("(metadata")[0]) for path in paths)


def measure(named: Iterable[tuple[str, Sequence[Path]]]) -> Table:
    """The table of the games, each with the files of other projects."""
    table = Table("Length of rules", WORDS, COLUMNS)
    for name, paths in named:
        own = formal_tokens(shipped_rulesets()[name])
        row = [name, f"{own:,}"]
        for ending in (LUDII, CPP):
            others = [path for path in paths if path.suffix in ending]
            count = foreign_tokens(others)
            row += [f"{count:,}", f"{own / count:.2f}"] if others else ["–", "–"]
        table.rows.append(row)
    return table


def main(argv: list[str]) -> int:
    """Print the table, or put it on a page."""
    parser = argparse.ArgumentParser(prog="benchmarks tokens", description=__doc__)
    parser.add_argument("game", nargs="+", metavar="GAME[=FILE,FILE]", help="a game, and others' files of it")
    parser.add_argument("--versions", default="", metavar="TEXT", help="which versions the files are of")
    parser.add_argument("--write", type=Path, metavar="FILE", help="put the table on this page")
    arguments = parser.parse_args(argv)
    split = (given.partition("=") for given in arguments.game)
    table = measure((name, [*map(Path, filter(None, files.split(",")))]) for name, _, files in split)
    print(table.text())
    if arguments.write:
        from .__main__ import write_tables

        write_tables(arguments.write, {table.title: table.markdown(arguments.versions)})
    return 0
