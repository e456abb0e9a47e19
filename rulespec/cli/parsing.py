"""From words to arguments: the parser of the whole command line, its help and its advice."""

from __future__ import annotations

import argparse
import shutil
import sys
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import NoReturn

from .commands import COMMANDS

MOST_COLUMNS = 100
"""Maximum width of help and results, however wide the terminal is."""

STATUS = """\
exit status:
  0  all held
  1  a claim, an example or a map fails, an action is illegal
  2  the input or the usage is wrong
  3  something is undecided, or there was nothing to check"""


class ArgumentsError(Exception):
    """Raised for arguments that a command does not take; the message has advice."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors are one line with advice, not the whole usage."""

    def error(self, message: str) -> NoReturn:
        """Raise ArgumentsError."""
        raise ArgumentsError(f"{self.prog}: {message}\n`{self.prog} --help` says what it takes")


def parser(names: Iterable[str] = tuple(COMMANDS)) -> Parser:
    """The parser of the command line, for all commands or some."""
    from .. import __version__

    top = Parser(
        prog="rulespec",
        description="Rules of games as data: check them, play them, prove things about them, publish them.",
        epilog="`rulespec COMMAND --help` gives details and examples.\n\n" + STATUS,
        formatter_class=_Formatter,
        allow_abbrev=False,
    )
    top.add_argument("--version", action="version", version=f"rulespec {__version__}")
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=Parser)
    for name in names:
        command = COMMANDS[name]
        examples = "examples:\n" + "\n".join(f"  {line}" for line in command.examples)
        command.add(
            commands.add_parser(
                name,
                help=command.summary,
                description=command.text,
                epilog=f"{examples}\n\n{STATUS}",
                formatter_class=_Formatter,
                allow_abbrev=False,
            )
        )
    return top


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """Parse the arguments of one call. Without any, print the help and exit with status 2.

    Raises ArgumentsError if they are wrong.
    """
    top = parser(argv[:1] if argv and argv[0] in COMMANDS else COMMANDS)
    if not argv:
        top.print_help(sys.stderr)
        sys.exit(2)
    name, rest = argv[0], argv[1:]
    if name.startswith("-"):
        return top.parse_args(argv)
    if name not in COMMANDS:
        top.error(f"there is no command `{name}`{_near(name, COMMANDS)}")
    inner = _command(top, name)
    arguments, unknown = top.parse_known_args([name, *_options_first(inner, rest)])
    if unknown:
        advice = _near(unknown[0].split("=")[0], _options(inner)) if unknown[0].startswith("-") else ""
        inner.error(f"`{unknown[0]}` is not understood{advice}")
    return arguments


def _options_first(inner: Parser, words: Sequence[str]) -> list[str]:
    """The words reordered with options first, because argparse loses optional words after an option."""
    takes = _options(inner)
    options: list[str] = []
    plain: list[str] = []
    left = list(words)
    while left:
        word = left.pop(0)
        if word == "--":
            return [*options, "--", *plain, *left]
        if not word.startswith("-") or word == "-":
            plain.append(word)
            continue
        needs = takes.get(word, 0) is None
        if needs and not left:
            return [*options, *plain, word]
        options += [word, left.pop(0)] if needs else [word]
        while takes.get(word) == "*" and left and not left[0].startswith("-"):
            options.append(left.pop(0))
    return options + plain


def _near(word: str, known: Iterable[str]) -> str:
    found = get_close_matches(word, [*known], n=1, cutoff=0.6)
    return f"; did you mean {found[0]}?" if found else ""


def _command(top: Parser, name: str) -> Parser:
    found = next(a for a in top._actions if isinstance(a, argparse._SubParsersAction))
    inner: Parser = found.choices[name]
    return inner


def _options(inner: Parser) -> dict[str, int | str | None]:
    """The options of a command, and the number of words that each takes; None means one."""
    return {option: action.nargs for action in inner._actions for option in action.option_strings}


class _Formatter(argparse.HelpFormatter):
    """Fills the description, leaves the lines of examples as they are."""

    def __init__(self, prog: str) -> None:
        width = min(shutil.get_terminal_size().columns, MOST_COLUMNS) - 2
        super().__init__(prog, max_help_position=28, width=max(width, 30))

    def _fill_text(self, text: str, width: int, indent: str) -> str:
        if "\n" not in text:
            return super()._fill_text(text, width, indent)
        return "\n".join(indent + line for line in text.splitlines())
