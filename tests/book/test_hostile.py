"""A stranger's ruleset, and a stranger's verdicts on it, can put nothing but text on a page."""

from __future__ import annotations

import shutil
from html.parser import HTMLParser
from pathlib import Path

import pytest
from answering import numbers_of

from rulespec.book.examples.fences import forget
from rulespec.book.site import build
from rulespec.core.digest import of_claim
from rulespec.core.verdicts import PROVED, Evidence, Store, Verdict, options_of
from rulespec.core.verdicts.stamps import Stamps
from rulespec.play.face import Game, load

RULESET = Path(__file__).with_name("hostile.yaml")
BOOK = Path(__file__).with_name("hostile-book.yaml")
PLAY = 'put <img src=x onerror=alert(15)> {} <i>1.{} "quoted" [a](javascript:x)'
WORDS = "</p><script>alert(30)</script> [x](javascript:alert(31)) ![y](http://evil.example/y.png)"

PAGE = """\
# A page

```rulespec
ruleset: ../hostile.yaml
prose: '<script>alert(32)</script> [x](javascript:alert(33))'
given: {{lies: {{'<i>1.2': '<b>'}}}}
legal:
- '{0}'
refused:
  play: '{1}'
  by: vacant
play:
- '{0}'
show: [diagram, actions, scores]
```
"""


class Seen(HTMLParser):
    """What a page is made of: its elements with their attributes, and the text of its scripts."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[str] = []
        self._inside = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, {name: value or "" for name, value in attrs}))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside in ("script", "style"):
            self.scripts.append(data)


def verdicts(game: Game) -> Store:
    """A store whose every text is hostile, with a play in hostile notation."""
    store, core = Store(), game.core
    state = game.start(seed=0)
    while not state.is_over:
        state = state.play(state.actions()[0])
    record = store.keep({"chance": [], "plays": [str(action) for action in state.plays]})
    for name, claim in core.claims.items():
        evidence = (
            Evidence("play", {"record": record})
            if name == "filled"
            else Evidence("strategies", {"choices": [WORDS], "is": "0", "plans": []})
        )
        found = Verdict(
            core.id, name, claim.kind, PROVED, (evidence,), WORDS, 1.0, core.digest,
            of_claim(claim), core.players, options_of(claim), numbers=numbers_of(claim.kind, PROVED),
        )  # fmt: skip
        store.put(found)
    return store


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A site with the rulebook of the hostile ruleset and a page with an example of it."""
    folder = tmp_path_factory.mktemp("hostile")
    ruleset = folder / "hostile.yaml"
    shutil.copy(RULESET, ruleset)
    shutil.copy(BOOK, folder / BOOK.name)
    verdicts(load(str(ruleset))).write(folder / "verdicts.json.gz")
    (folder / "docs").mkdir()
    page = PAGE.format(PLAY.format("<script>", 1), PLAY.format("<script>", 2))
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    rulesets = f"{{rulespec: {{rulesets: [{RULESET.name}, {BOOK.name}]}}}}"
    config = f"site_name: x\ntheme: rulespec\nplugins: [search, {rulesets}]\n"
    (folder / "mkdocs.yml").write_text(config, encoding="utf-8")
    forget()
    stamps = Stamps(folder / "state")
    for verdict in Store.read(folder / "verdicts.json.gz"):
        stamps.add(verdict, WORDS)
    return build(folder / "mkdocs.yml", stamps=stamps)


def pages(site: Path) -> list[tuple[Path, Seen]]:
    """Every page, taken apart."""
    found = []
    for path in site.rglob("*.html"):
        seen = Seen()
        seen.feed(path.read_text(encoding="utf-8"))
        found.append((path, seen))
    return found


def test_no_script_style_or_picture_of_the_author_runs(site: Path) -> None:
    assert len(pages(site)) >= 4
    for path, seen in pages(site):
        assert not {"img", "iframe", "object", "embed", "base", "style"} & {t for t, _ in seen.elements}
        sources = [a["src"] for tag, a in seen.elements if tag == "script" and "src" in a]
        assert all(source.partition("?")[0].endswith(".js") and ":" not in source for source in sources), path
        assert not any("alert(" in text for text in seen.scripts), path


def test_no_attribute_is_a_script(site: Path) -> None:
    for path, seen in pages(site):
        for tag, attributes in seen.elements:
            for name, value in attributes.items():
                assert not name.startswith("on"), (path, tag, name)
                if name in ("href", "src", "action", "xlink:href", "formaction"):
                    assert value.partition(":")[0].strip().lower() not in (
                        "javascript",
                        "data",
                        "http",
                        "https",
                    )


def test_the_words_are_there_as_words(site: Path) -> None:
    def words(name: str) -> str:
        return (site / "rulebooks" / name / "index.html").read_text(encoding="utf-8")

    for name, numbers in (
        ("hostile-exact", (1, 7, 9, 11, 14, 16, 17, 18, 20, 21, 22, 23, 25, 30)),
        ("hostile", (1, 9, 11, 14, 16, 17, 20, 21, 22, 23, 25)),
        ("hostile-book", (20, 22, 23, 24, *range(40, 58))),
    ):
        shown = words(name)
        for number in numbers:
            assert f"&lt;script&gt;alert({number})&lt;/script&gt;" in shown, (name, number)
        assert "<em>b</em>" not in shown
    assert "[link](javascript:alert(9))" in words("hostile")
    assert "<strong>&lt;script&gt;alert(49)&lt;/script&gt;</strong>" in words("hostile-book")
    index = (site / "index.html").read_text(encoding="utf-8")
    assert "&lt;script&gt;alert(32)&lt;/script&gt; [x](javascript:alert(33))" in index
