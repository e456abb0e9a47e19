"""Tutorial, how to prove and how it works, done as they say: files saved, commands run, output compared."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec.cli.parsing import parse

DOCS = Path(__file__).resolve().parents[2] / "docs"
FENCE = re.compile(r"(?ms)^(?P<marks>`{3,})(?P<info>[a-z]+)\n(?P<body>.*?)^(?P=marks)$")
NAMED = re.compile(r"as `([\w./-]+)`:\s*$")
MISSING = "…"
LONG = () if os.environ.get("RULESPEC_SLOW") else ("rulespec prove sacred-alignment-small rising --no-store",)
"""Commands that take half a minute, which only `make agreement` runs."""


class Reader:
    """Somebody who does what the page says, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        script = folder / "bin" / "rulespec"
        script.parent.mkdir()
        script.write_text(f'#!/bin/sh\nexec {sys.executable} -m rulespec "$@"\n')
        script.chmod(0o755)
        path = os.pathsep.join([str(script.parent), os.environ["PATH"]])
        self.env = {**os.environ, "PATH": path, "COLUMNS": "76", "LINES": "50"}

    def save(self, name: str, text: str) -> None:
        """Save a file."""
        (self.folder / name).parent.mkdir(exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def add(self, name: str, text: str) -> None:
        """Add pieces to a file: each after the line that it begins with, or at the end."""
        whole = (self.folder / name).read_text(encoding="utf-8")
        for piece in filter(str.strip, re.split(rf"(?m)^{MISSING}\n", text)):
            first, _, rest = piece.partition("\n")
            whole = (
                whole.replace(f"{first}\n", piece, 1)
                if f"{first}\n" in whole and rest
                else whole + f"\n{piece}"
            )
        self.save(name, whole)

    def replace(self, name: str, text: str) -> None:
        """Replace an entry of a list by another one of its id; by nothing where that is all there is."""
        whole = (self.folder / name).read_text(encoding="utf-8")
        first, _, rest = text.partition("\n")
        entry = re.compile(rf"(?ms)^{re.escape(first)}\n.*?(?=^\S|^$|\Z)")
        assert len(entry.findall(whole)) == 1, first
        self.save(name, entry.sub(lambda _: text if rest else "", whole))

    def run(self, command: str) -> str:
        """Run a command; all it prints."""
        done = subprocess.run(
            ["sh", "-c", command], cwd=self.folder, env=self.env, capture_output=True, text=True, check=False
        )
        assert "Traceback" not in done.stderr, done.stderr
        return done.stdout


def steps(name: str) -> Iterator[tuple[str, str, str]]:
    """The fences of a page: what they are, their body, and the text before them."""
    page = (DOCS / name).read_text(encoding="utf-8")
    before = 0
    for fence in FENCE.finditer(page):
        yield fence["info"], fence["body"], page[before : fence.start()]
        before = fence.end()


def commands(body: str) -> Iterator[tuple[str, str]]:
    """The commands of a console, each with what it printed."""
    for part in re.split(r"(?m)^\$ ", body)[1:]:
        command, _, output = part.partition("\n")
        yield command, output


def like(said: str, printed: str) -> bool:
    """Whether an output is as a page says, where `…` stands for anything."""
    pattern = ".*?".join(map(re.escape, said.strip().split(MISSING)))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


def follow(page: str, folder: Path, ruleset: str) -> int:
    """Do what a page says about a ruleset in a folder; how many commands it had."""
    reader, ran = Reader(folder), 0
    for info, body, before in steps(page):
        if "Remove the claim `first-forced` again" in before:
            reader.replace(ruleset, "- id: first-forced\n")
        name = NAMED.search(before)
        if info in ("yaml", "markdown") and name:
            reader.save(name[1], body)
        elif info == "yaml":
            (reader.add if body.startswith(MISSING) else reader.replace)(ruleset, body)
        elif info == "console":
            for command, output in commands(body):
                printed = reader.run(command) if command not in LONG else output
                assert like(output, printed), f"$ {command}\n{printed}"
                ran += 1
    return ran


def test_the_tutorial_is_true(tmp_path: Path) -> None:
    assert follow("tutorial.md", tmp_path, "kayles.yaml") >= 9
    final = (tmp_path / "kayles.yaml").read_text(encoding="utf-8")
    assert final == (DOCS / "games" / "kayles.yaml").read_text(encoding="utf-8"), (
        "the copy that the page runs"
    )
    assert (tmp_path / "site" / "rulebooks" / "kayles.html").is_file()


def test_the_page_on_proving_is_true(tmp_path: Path) -> None:
    assert follow("how-to/prove.md", tmp_path, "river.yaml") == 5


def test_the_page_on_how_it_works_is_true(tmp_path: Path) -> None:
    assert follow("how-it-works.md", tmp_path, "") == 4
    (claim,) = [body for info, body, _ in steps("how-it-works.md") if info == "text"]
    ruleset = DOCS.parent / "rulesets" / "sacred-alignment" / "ruleset.yaml"
    assert claim in ruleset.read_text(encoding="utf-8")


README = DOCS.parent / "README.md"


def test_the_readme_is_true() -> None:
    text = README.read_text(encoding="utf-8")
    (python,) = re.findall(r"(?ms)^```python\n(.*?)^```$", text)
    done = subprocess.run([sys.executable, "-c", python], capture_output=True, text=True, check=True)
    assert "illegal by" in done.stdout
    assert text.index("make rulebook") < text.index("make test") < text.index("## "), "on the first screen"
    for link in re.findall(r"\]\(([^)#:]+)\)", text):
        assert (README.parent / link).exists(), link
    for line in re.findall(r"(?m)^(rulespec .*?)(?:  +#.*)?$", text):
        assert parse(shlex.split(line)[1:]).command


@pytest.mark.parametrize(
    ("said", "printed", "alike"),
    [("a …\nb", "a 1.2 s\nb\n", True), ("a …\nb", "a\nc", False), ("[…]", "[x]", True), ("a", "ab", False)],
)
def test_an_output_is_compared_to_the_end(said: str, printed: str, alike: bool) -> None:
    assert like(said, printed) is alike
