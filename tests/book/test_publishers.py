"""Sites of others: what their author may rely on, with our theme and others, with mkdocs and ProperDocs."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from tempfile import gettempdir

import pytest
import yaml
from mkdocs.commands.build import build
from mkdocs.config import load_config
from mkdocs.exceptions import Abort, PluginError
from texts import COUNTDOWN

from rulespec.book.configuration.site_configuration import BookError
from rulespec.book.content.claims import ShownClaims, section
from rulespec.book.content.dated_changes import NONE_YET, changes_by_day
from rulespec.book.content.linking import plain_title
from rulespec.book.content.published_verdicts import PublishedVerdicts
from rulespec.book.examples.fences import check_files, forget
from rulespec.book.site import build as build_site
from rulespec.cli import main
from rulespec.core.verdicts import beside
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.language import load as read_game
from rulespec.play.face import load
from rulespec.play.records.files import read_record
from rulespec.solver.claims import prove
from rulespec.sources.revisions import NoRevision, game_at, revisions

PAGE = """\
# Ours

```rulespec
ruleset: countdown
given: {left: 1}
refused: {play: take 2, by: enough}
```
"""
"""A page that names the site's own ruleset by its id."""


def project(folder: Path, page: str = PAGE, theme: str = "rulespec", title: str = "Countdown") -> Path:
    """A folder with one ruleset and one page; its configuration."""
    (folder / "docs").mkdir()
    (folder / "games" / "countdown").mkdir(parents=True)
    text = COUNTDOWN.replace("title: Countdown", f"title: {json.dumps(title)}")
    (folder / "games" / "countdown" / "ruleset.yaml").write_text(text, encoding="utf-8")
    (folder / "docs" / "index.md").write_text(page, encoding="utf-8")
    config = folder / "mkdocs.yml"
    config.write_text(
        f"site_name: Ours\ntheme: {theme}\nuse_directory_urls: false\n"
        "plugins: [search, {rulespec: {rulesets: [games]}}]\n",
        encoding="utf-8",
    )
    forget()
    return config


def files(folder: Path) -> dict[str, bytes]:
    """The content of a folder."""
    return {str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.rglob("*")) if f.is_file()}


def test_a_failing_build_of_mkdocs_leaves_the_old_site_as_it_was(tmp_path: Path) -> None:
    """mkdocs emptied the folder before the first page was read, so a slip in a rule took the site away."""
    config = project(tmp_path)
    (tmp_path / "docs" / "gone.md").write_text("# Gone\n", encoding="utf-8")
    build(load_config(str(config)))
    before = files(tmp_path / "site")
    assert "gone.html" in before
    (tmp_path / "docs" / "gone.md").unlink()
    (tmp_path / "docs" / "index.md").write_text(PAGE.replace("by: enough", "by: nothing"), encoding="utf-8")
    with pytest.raises((Abort, PluginError)):
        build(load_config(str(config)))
    assert files(tmp_path / "site") == before
    (tmp_path / "docs" / "index.md").write_text(PAGE + "\nMore.\n", encoding="utf-8")
    build(load_config(str(config)))
    after = files(tmp_path / "site")
    assert b"More." in after["index.html"]
    assert "gone.html" not in after
    assert [p.name for p in tmp_path.iterdir() if p.name.startswith(".")] == []


def test_a_page_names_the_rulesets_of_its_site_by_id(tmp_path: Path) -> None:
    config = project(tmp_path)
    build(load_config(str(config)))
    assert "is refused" in (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    checked = check_files([tmp_path / "docs"])
    assert [fault.render() for fault in checked.faults] == []
    assert len(checked.executed) == 1


@pytest.mark.parametrize(
    ("id", "page", "urls", "place"),
    [
        ("index", "", "false", "rulebooks/index.html"),
        ("index", "", "true", "rulebooks/index.html"),
        ("countdown", "rulebooks/countdown.md", "false", "rulebooks/countdown.html"),
        ("countdown", "rulebooks/countdown/index.md", "true", "rulebooks/countdown/index.html"),
        ("countdown", "rulebooks/countdown-exact.md", "true", "rulebooks/countdown-exact/index.html"),
        ("countdown", "rulebooks/index.md", "true", "rulebooks/index.html"),
    ],
)
def test_a_game_whose_page_has_the_place_of_another_is_a_fault(
    tmp_path: Path, id: str, page: str, place: str, urls: str
) -> None:
    """The list of rulebooks was written over the page of a game called `index`, without a word."""
    config = project(tmp_path)
    ruleset = tmp_path / "games" / "countdown" / "ruleset.yaml"
    ruleset.write_text(ruleset.read_text("utf-8").replace("id: countdown", f"id: {id}", 1), encoding="utf-8")
    (tmp_path / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    if page:
        (tmp_path / "docs" / page).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "docs" / page).write_text("# Mine\n", encoding="utf-8")
    config.write_text(config.read_text("utf-8").replace("urls: false", f"urls: {urls}"), encoding="utf-8")
    with pytest.raises(BookError, match=f"another page would both be `{place}`"):
        build_site(config)


class Server:
    """Notes what a server of mkdocs is asked to watch."""

    def __init__(self) -> None:
        self.watched: list[str] = []

    def watch(self, path: str) -> None:
        self.watched.append(path)


def test_a_server_of_mkdocs_watches_the_rulesets(tmp_path: Path) -> None:
    config = load_config(str(project(tmp_path)))
    server = Server()
    config.plugins.on_serve(server, config=config, builder=lambda: None)
    assert server.watched == [str(tmp_path / "games")]


def test_pages_that_mkdocs_serves_have_no_policy(tmp_path: Path) -> None:
    """Mkdocs puts a script into each page, which loads it anew after a change."""
    config = project(tmp_path)
    for command, has_policy in (("build", True), ("serve", False)):
        loaded = load_config(str(config))
        loaded.plugins.on_startup(command=command, dirty=False)
        build(loaded)
        text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
        assert ("Content-Security-Policy" in text) is has_policy, command


def test_a_record_to_download_names_the_game_and_no_path(tmp_path: Path) -> None:
    project(tmp_path)
    path = tmp_path / "games" / "countdown" / "ruleset.yaml"
    claim = "- id: emptied\n  prose: The last counter can be taken.\n  reachable: left = 0\n"
    path.write_text(path.read_text(encoding="utf-8") + claim, encoding="utf-8")
    prove(partial(read_game, path), store=beside(path))
    game = load(str(path))
    shown = ShownClaims(str)
    list(section(game, PublishedVerdicts(StoreFile(beside(path)).store, lambda verdict: "checked"), shown))
    assert shown.faults == []
    assert shown.records
    for text in shown.records.values():
        assert read_record(text).ruleset == "countdown"
        assert str(tmp_path) not in text


def test_titles_of_pages_reorder_nothing() -> None:
    assert plain_title("Game \u202eemaG\u202c &amp; \u2067more\u2069") == "Game emaG &amp; more"
    assert plain_title("Plain &amp; simple") == "Plain &amp; simple"


HOSTILE = "T </title><script>window.injected = 1</script>"


@pytest.mark.parametrize("theme", ["rulespec", "mkdocs", "material"])
def test_titles_inject_nothing(tmp_path: Path, theme: str) -> None:
    """Material writes a title without tags but with its entities undone, so `&lt;script&gt;` was a script."""
    page = PAGE.replace("# Ours", "# Ours &lt;/title&gt;&lt;script&gt;window.injected = 2&lt;/script&gt;")
    build(load_config(str(project(tmp_path, page, theme, HOSTILE))))
    for name in ("index.html", "rulebooks/countdown.html"):
        text = (tmp_path / "site" / name).read_text(encoding="utf-8")
        assert "<script>window.injected" not in text, name
        assert text.count("</title>") == 1, name


@pytest.mark.parametrize("builder", ["mkdocs", "properdocs"])
def test_both_builders_make_the_site(tmp_path: Path, builder: str) -> None:
    config = project(tmp_path)
    run = [sys.executable, "-m", builder, "build", "--strict", "--config-file", str(config)]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "<h1" in (tmp_path / "site" / "rulebooks" / "countdown.html").read_text(encoding="utf-8")


def test_a_new_project_is_checked_built_and_played(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "ours"
    assert main(["book", "new", str(folder)]) == 0
    monkeypatch.chdir(folder)
    forget()
    rules = "games/skittles/ruleset.yaml"
    checked, built = workflow_steps(folder)
    assert (checked(), built()) == (0, 0)
    assert NONE_YET in (folder / "site" / "changes.html").read_text(encoding="utf-8")
    assert "<svg" in (folder / "site" / "rulebooks" / "skittles.html").read_text(encoding="utf-8")
    assert main(["play", rules, "--player", "1=random", "--player", "2=random", "--seed", "1"]) == 0
    assert " wins." in capsys.readouterr().out
    assert main(["book", "new", str(folder)]) == 2, "what is there already is not written over"
    text = (folder / rules).read_text(encoding="utf-8")
    (folder / rules).write_text(text.replace("by: pair", "by: row"), encoding="utf-8")
    assert checked() == 1, "an example that does not hold stops the workflow"


def workflow_steps(folder: Path) -> list[Callable[[], int]]:
    """The commands of rulespec in the workflow of a project, as its shell runs them."""
    workflow = yaml.safe_load((folder / ".github" / "workflows" / "site.yml").read_text(encoding="utf-8"))
    steps = [step["run"] for step in workflow["jobs"]["build"]["steps"] if "run" in step]
    ours = f'rulespec() {{ "{sys.executable}" -m rulespec "$@"; }}'
    told = [["bash", "-e", "-c", f"{ours}\n{step}"] for step in steps if step.startswith("rulespec ")]
    return [partial(subprocess.call, step, cwd=folder) for step in told]


def test_the_changes_of_a_game_are_told_by_day(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "games" / "countdown.yaml"
    file.parent.mkdir()

    def write(day: str, text: str) -> None:
        file.write_text(text, encoding="utf-8")
        named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        for command in (["init", "-q"], ["add", "games"], [*named, "commit", "-qm", "Words"]):
            when = {**os.environ, "GIT_COMMITTER_DATE": f"{day}T12:00:00Z"}
            subprocess.run(["git", *command], cwd=tmp_path, check=True, env=when)

    write("2026-01-01", COUNTDOWN)
    write("2026-01-02", COUNTDOWN.replace("n <= left", "n <= <left"))
    write("2026-01-03", COUNTDOWN.replace("n <= left", "n <= left and n < 3"))
    write("2026-01-03", COUNTDOWN.replace("n <= left", "n <= left and n = 1"))
    told = "\n".join(changes_by_day(load(str(file))))
    days = re.findall(r"^## (\S+)", told, re.MULTILINE)
    assert days == ["2026\\-01\\-03", "2026\\-01\\-02"]
    assert told.count("cannot be compared") == 2 and "First version: 2026-01-01" in told
    earlier = file.with_name("earlier.yaml")
    earlier.write_text(COUNTDOWN.replace("never six", "never seven"), encoding="utf-8")
    (entry,) = [text for text in changes_by_day(load(str(file)), earlier) if text.startswith("<ul")]
    assert "rule take changed" in entry and "+ n &lt;= left and n = 1" in entry
    assert "claim never-six changed" in entry
    assert game_at(file, "HEAD~3").digest == read_game(str(earlier)).digest
    with pytest.raises(NoRevision, match="no such revision"):
        game_at(file, "HEAD~9")
    link = tmp_path / "link"
    link.symlink_to(file.parent)
    assert game_at(link / file.name, "HEAD~3").digest == game_at(file, "HEAD~3").digest


def test_a_revision_writes_no_file_elsewhere(tmp_path: Path) -> None:
    """A tree with the name `..`, which git does not check out, led out of the folder of the revision."""

    def git(*command: str, text: bytes = b"") -> str:
        named = ("-c", "user.name=A", "-c", "user.email=a@example.org")
        done = subprocess.run(
            ["git", *named, *command], input=text, cwd=tmp_path, check=True, capture_output=True
        )
        return done.stdout.decode().strip()

    def tree(*entries: tuple[str, str, str]) -> str:
        data = b"".join(f"{mode} {name}\0".encode() + bytes.fromhex(blob) for mode, name, blob in entries)
        return git("hash-object", "-t", "tree", "-w", "--stdin", "--literally", text=data)

    git("init", "-q")
    blob = git("hash-object", "-w", "--stdin", text=COUNTDOWN.encode())
    outside = f"escaped-{tmp_path.parent.name}-{tmp_path.name}.yaml"
    above = tree(("100644", outside, blob))
    commit = git("commit-tree", "-m", "Words", tree(("40000", "..", above), ("100644", "game.yaml", blob)))
    assert game_at(tmp_path / "game.yaml", commit).id == "countdown"
    assert not Path(gettempdir(), outside).exists()


def test_a_commit_with_a_damaged_date_has_no_day(tmp_path: Path) -> None:
    """The page of changes named the day `%cs`."""

    def git(*command: str, text: str = "") -> str:
        named = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        done = subprocess.run(
            ["git", *named, *command], input=text, cwd=tmp_path, check=True, capture_output=True, text=True
        )
        return done.stdout.strip()

    (tmp_path / "game.yaml").write_text(COUNTDOWN)
    git("init", "-q")
    git("add", "game.yaml")
    commit = f"tree {git('write-tree')}\nauthor x <x> 0 +0000\ncommitter x\n\nWords\n"
    git("reset", "--soft", git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", text=commit))
    assert revisions([tmp_path / "game.yaml"]) == []


@pytest.mark.parametrize("said", [["nwe", "x"], ["new"], ["new", "x", "y"]])
def test_a_project_needs_the_name_of_its_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: list[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["book", *said]) == 2
    assert [*tmp_path.iterdir()] == []


GALLERY = """\
# Ours

```rulespec
ruleset: countdown
show: [steps, clauses]
given: {left: 1}
refused: {play: take 2, by: enough}
play: [take 1]
```

<!-- rulebooks -->
"""


def test_a_page_has_plays_to_step_through_refusing_rules_and_cards_of_games(tmp_path: Path) -> None:
    build(load_config(str(project(tmp_path, GALLERY))))
    text = (tmp_path / "site" / "index.html").read_text(encoding="utf-8")
    assert text.count("<li value=") == 2, "the start and one action"
    assert 'class="rs-clause"' in text
    assert "n &lt;= left" in text
    assert '<a href="rulebooks/countdown.html">Countdown</a>' in text


def test_the_navigation_of_an_exact_text_is_open_at_its_rulebook(tmp_path: Path) -> None:
    config = project(tmp_path)
    config.write_text(config.read_text(encoding="utf-8") + NAV, encoding="utf-8")
    build(load_config(str(config)))
    at_game = '<a href="countdown.html" aria-current="page">'
    for name in ("countdown", "countdown-exact"):
        assert at_game in (tmp_path / "site" / "rulebooks" / f"{name}.html").read_text(encoding="utf-8")
    assert at_game not in (tmp_path / "site" / "rulebooks" / "index.html").read_text(encoding="utf-8")


NAV = "nav: [index.md, {Rulebooks: rulebooks/}]\n"
