"""Sites: a wrong example stops the build before a page is written, and a site asks nothing of other hosts."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from handmade import all_games
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, PluginError
from sites import asks_another_host

from rulespec.book import plugin
from rulespec.book.configuration.site_configuration import BookError
from rulespec.book.examples import fences
from rulespec.book.site import build as build_site
from rulespec.core.diagnostics import Diagnostic, RulesetError
from rulespec.core.examples import Example
from rulespec.core.game import Game as CoreGame
from rulespec.core.game import Parameter, Reading, Rule, Ruling
from rulespec.core.types import integers
from rulespec.play.examples import run_examples
from rulespec.play.face import Game, load

HOSTILE = '<img src=x onerror=alert(1)> *bold* [link](javascript:x) {#id} "quoted" & more'

RIGHT = """\
# Nim

```rulespec
ruleset: nim
given: {left: {a: 1, b: 2}}
refused:
  play: take 2 from a
  by: enough
```
"""


def dressed(bare: CoreGame) -> CoreGame:
    """A game built by hand with rules to read, some of them hostile."""
    readings = (Reading("first", HOSTILE), Reading("second", "Another."))
    ruling = Ruling("open", f"Which? {HOSTILE}", readings, "first", asked=("take",))
    refused = {"given": {"left": {"a": "1", "b": "2"}}, "refused": {"play": "take 2 from a", "by": "enough"}}
    take = Rule(
        "take", "action", "", f"Take some. {HOSTILE}", ("play-1",), HOSTILE,
        formal=(("do", f"left[h] := 0\n\n{HOSTILE}"),), requirements=(("enough", HOSTILE),),
        examples=(Example("one", "take", "Too many.", refused),),
    )  # fmt: skip
    rules = (take, Rule("open", "ruling", HOSTILE, "Words.", (), "", (), ruling=ruling))
    size = Parameter("size", integers(1, 9), 2, 3, HOSTILE)
    return replace(
        bare,
        rules=rules,
        title=HOSTILE,
        summary=HOSTILE,
        author=HOSTILE,
        rulings={"open": ruling},
        parameters={"size": size},
    )


@pytest.fixture(autouse=True)
def handmade(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rulesets are the games built by hand: by name, or by the stem of a file."""

    def handmade_load(name: str, *settings: object) -> Game:
        games = {key: dressed(game) for key, game in all_games().items()}
        stem = Path(name).stem
        if stem not in games:
            raise RulesetError([Diagnostic("ruleset.unknown", f"no ruleset is called `{name}`")])
        return Game(games[stem], name)

    monkeypatch.setattr(fences, "load", handmade_load)
    fences.forget()


def site(folder: Path, pages: dict[str, str], strict: bool = False) -> Path:
    """Build a site of these pages, with the rulebook of nim; where it was built."""
    (folder / "docs").mkdir()
    (folder / "nim").mkdir()
    (folder / "nim" / "nim.yaml").write_text("rulespec: 1\n")
    for name, text in pages.items():
        (folder / "docs" / name).write_text(text, encoding="utf-8")
    (folder / "mkdocs.yml").write_text(
        "site_name: Test\nplugins:\n- search\n- rulespec: {rulesets: [nim]}\n"
        f"theme: {{name: null, custom_dir: {Path(plugin.__file__).parent / 'theme'}}}\n"
        "validation: {anchors: warn}\n"
    )
    build(load_config(str(folder / "mkdocs.yml"), strict=strict))
    return folder / "site"


def test_a_right_site_is_built(tmp_path: Path) -> None:
    built = site(tmp_path, {"index.md": RIGHT + "\n[its rule](rulebooks/nim.md#take)\n"}, strict=True)
    assert "<svg" in (built / "index.html").read_text()
    rulebook = (built / "rulebooks" / "nim" / "index.html").read_text()
    exact = (built / "rulebooks" / "nim-exact" / "index.html").read_text()
    for anchor in ("take", "take.enough", "open"):
        assert f'id="{anchor}"' in rulebook, anchor
        assert f'id="{anchor}"' in exact, anchor
    assert 'id="setting-size"' in exact
    assert 'id="rulings"' in exact
    assert "take 2 from a</code> is refused" in exact
    assert "Not allowed: <code>take 2 from a</code>" in rulebook
    assert 'href="#take"' in rulebook, "a refusal leads to its rule"


def test_the_page_on_what_to_believe_must_be_there(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    site(tmp_path, {"index.md": RIGHT, "trust.md": "# Trust"})
    config = tmp_path / "mkdocs.yml"
    text = config.read_text("utf-8")
    config.write_text(text.replace("[nim]}", "[nim], trust: trust.md}"), "utf-8")
    build(load_config(str(config)))
    config.write_text(text.replace("[nim]}", "[nim], trust: ../secret.md}"), "utf-8")
    with pytest.raises((Abort, PluginError)):
        build(load_config(str(config)))
    assert "`trust: ../secret.md` is no page of the site" in caplog.text


def test_what_a_ruleset_says_stays_text(tmp_path: Path) -> None:
    built = site(tmp_path, {"index.md": RIGHT})
    rulebook = (built / "rulebooks" / "nim" / "index.html").read_text()
    assert "<img" not in rulebook
    assert "&lt;img src=x onerror=alert(1)&gt; *bold* [link](javascript:x) {#id}" in rulebook
    assert 'href="javascript' not in rulebook
    assert "<em>bold" not in rulebook
    for page in built.rglob("*.html"):
        assert "<img" not in page.read_text(), page


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        (RIGHT.replace("by: enough", "by: cleared"), "index.md:7: error[example.refused]"),
        (RIGHT.replace("```rulespec", "```rulspec"), "index.md:3:1: error[fence.name]"),
        (RIGHT.replace("ruleset: nim", "ruleset: nothing"), "index.md:4:10: error[file.missing]"),
    ],
)
def test_a_wrong_example_stops_the_build_before_a_page_is_written(
    tmp_path: Path, wrong: str, said: str, strict: bool, caplog: pytest.LogCaptureFixture
) -> None:
    with pytest.raises((Abort, PluginError)):
        site(tmp_path, {"index.md": wrong, "other.md": "# Another\n"}, strict=strict)
    assert said.partition(":")[0] in caplog.text
    assert said.partition(": ")[2] in caplog.text
    assert not list((tmp_path / "site").rglob("*.html"))


def test_every_fault_is_named_at_once(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    wrong = RIGHT.replace("by: enough", "by: cleared")
    with pytest.raises((Abort, PluginError)):
        site(tmp_path, {"index.md": wrong, "other.md": wrong + RIGHT.replace("```rulespec", "```rulspec")})
    assert len(re.findall(r"error\[", caplog.text)) == 3


ALLOWED = re.compile(r"http://www\.w3\.org/|http-equiv")


def test_a_built_site_asks_nothing_of_other_hosts(tmp_path: Path) -> None:
    built = site(tmp_path, {"index.md": RIGHT})
    files = [f for f in built.rglob("*") if f.suffix in (".html", ".css", ".js", ".svg")]
    assert len(files) > 5
    for file in files:
        text = file.read_text(encoding="utf-8")
        assert not asks_another_host(text), file
        if file.suffix in (".html", ".css"):
            assert "http" not in ALLOWED.sub("", text), file


ROOT = Path(__file__).resolve().parents[2]


def test_a_site_that_is_not_built_says_why(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(RIGHT.replace("by: enough", "by: cleared"), encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: x\ntheme: rulespec\nplugins: [rulespec]\n", encoding="utf-8"
    )
    with pytest.raises(BookError, match=r"index\.md:7:3: error\[example\.refused\]"):
        build_site(tmp_path / "mkdocs.yml")
    assert not (tmp_path / "site").exists() or not list((tmp_path / "site").rglob("*.html"))


def test_a_page_that_loses_an_example_stops_the_build(tmp_path: Path) -> None:
    hook = "def on_page_markdown(markdown, **_):\n    return markdown.replace('```rulespec', '```yaml')\n"
    (tmp_path / "hook.py").write_text(hook, encoding="utf-8")
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(RIGHT, encoding="utf-8")
    config = "site_name: x\ntheme: rulespec\nplugins: [rulespec]\nhooks: [hook.py]\n"
    (tmp_path / "mkdocs.yml").write_text(config, encoding="utf-8")
    with pytest.raises(BookError, match=r"examples in the file: 1, in the page made of it: 0"):
        build_site(tmp_path / "mkdocs.yml")


def test_the_variant_of_the_page_is_the_one_that_runs() -> None:
    variant = (ROOT / "docs" / "variants" / "level.yaml").read_text(encoding="utf-8")
    assert f"```yaml\n{variant}```" in (ROOT / "docs" / "how-to" / "variant.md").read_text(encoding="utf-8")
    assert variant.count("\n") <= 30


@pytest.mark.parametrize("path", sorted((ROOT / "docs").glob("*/*.yaml")), ids=lambda path: path.stem)
def test_rulesets_of_the_pages_hold_their_examples(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    assert [d.render() for d in run_examples(load(str(path)))] == []


def test_links_are_right_without_folders_for_pages(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text(RIGHT, encoding="utf-8")
    (tmp_path / "nim.yaml").write_text("rulespec: 1\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: x\ntheme: rulespec\nuse_directory_urls: false\n"
        "plugins: [{rulespec: {rulesets: [nim.yaml]}}]\n",
        encoding="utf-8",
    )
    built = build_site(tmp_path / "mkdocs.yml")
    assert 'href="nim.html"' in (built / "rulebooks" / "index.html").read_text(encoding="utf-8")


def test_no_rule_can_have_an_id_of_the_theme() -> None:
    """A rule called `found` had the id of the list of search results."""
    template = (Path(plugin.__file__).parent / "theme" / "main.html").read_text("utf-8")
    found = re.findall(r'\bid="([^"]*)"', template)
    assert "rs--found" in found
    assert [name for name in found if _NAME.fullmatch(name)] == []


_NAME = re.compile(r"[A-Za-z_]\w*(-[A-Za-z]\w*)*")
"""An id of a rule; a heading's has no two hyphens side by side either."""
