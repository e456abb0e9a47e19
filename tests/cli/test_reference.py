"""The page about the command line says what the commands take, and pages show no others."""

from __future__ import annotations

import argparse
import re
import shlex
from pathlib import Path

import pytest

from rulespec.cli.commands import COMMANDS
from rulespec.cli.parsing import Parser, parse, parser

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "reference" / "cli.md"


def taken(command: Parser) -> dict[str, str]:
    """What a command takes, as the page writes it, with its help."""
    found = {}
    for action in command._actions:
        if isinstance(action, argparse._HelpAction):
            continue
        label = action.option_strings[0] if action.option_strings else str(action.metavar)
        if action.option_strings and action.nargs != 0:
            choices = action.choices or ()
            label += f" {action.metavar or '{' + ','.join(map(str, choices)) + '}'}"
        found[label] = str(action.help)
    return found


def shown() -> list[str]:
    """The commands in fences of all pages, each as far as it is one of ours."""
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
    fences = [
        text for page in pages for text in re.findall(r"(?ms)^```\w*\n(.*?)^```$", page.read_text("utf-8"))
    ]
    found = re.findall(r"(?m)^(?:\$ )?rulespec (\w.*)$", "\n".join(fences))
    return [*dict.fromkeys(re.split(r" [<>|] ", line)[0] for line in found)]


def sections() -> dict[str, str]:
    """The text of the page under each heading."""
    parts = re.split(r"(?m)^## (\w+)$", PAGE.read_text("utf-8"))
    return dict(zip(parts[1::2], parts[2::2], strict=True))


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_lists_what_a_command_takes(name: str) -> None:
    subparsers = next(a for a in parser()._actions if isinstance(a, argparse._SubParsersAction))
    rows = dict(re.findall(r"(?m)^\| `([^`]+)` \| (.*) \|$", sections()[name]))
    assert rows == taken(subparsers.choices[name])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_page_says_what_the_help_says(name: str) -> None:
    said = " ".join(sections()[name].replace("`", "").split())
    assert said.startswith(COMMANDS[name].text.replace("`", ""))
    for example in COMMANDS[name].examples:
        assert example in said


def test_the_page_has_no_other_commands() -> None:
    assert [*sections()] == [*COMMANDS]


@pytest.mark.parametrize("line", [line for c in COMMANDS.values() for line in c.examples])
def test_the_examples_are_right(line: str) -> None:
    assert parse(shlex.split(line)[1:]).command in COMMANDS


@pytest.mark.parametrize("line", shown())
def test_commands_on_pages_are_such_as_are_taken(line: str) -> None:
    words = shlex.split(line, comments=True)
    assert parse(words).command == words[0]


def test_the_page_about_json_lists_every_schema() -> None:
    page = (ROOT / "docs" / "reference" / "json.md").read_text("utf-8")
    listed = {name for row in re.findall(r"(?m)^\| (`.*`) \|", page) for name in re.findall(r"`(\w+)`", row)}
    assert listed == {file.stem for file in (ROOT / "rulespec" / "cli" / "schemas").glob("*.json")}


def test_an_option_that_takes_many_words_may_stand_before_others() -> None:
    """`--out` after `--pdf stout smith` made the games words of the command."""
    asked = parse(["book", "--pdf", "stout", "smith", "--out", "site"])
    assert (asked.pdf, asked.new, asked.out) == (["stout", "smith"], [], "site")
    assert parse(["book", "--out", "site", "--pdf"]).pdf == []
