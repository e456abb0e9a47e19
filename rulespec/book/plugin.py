"""The mkdocs plugin: rulebook pages from rulesets, examples executed, and no page at all if one fails.

Verification is in `fences` and `pages`; this only passes files on and collects faults.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from html import unescape
from pathlib import Path
from typing import Any

from mkdocs.config import Config, config_options
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.plugins import BasePlugin, event_priority
from mkdocs.structure.files import File, Files, InclusionLevel
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage

from ..browser.scripts import player
from ..budgets import watchdog
from ..core.diagnostics import Diagnostic, Report, RulesetError, Source
from ..core.verdicts import Store, StoreError, beside
from ..core.verdicts.current_verdicts import Current
from ..core.verdicts.release_stamps import ReleaseStamps
from ..core.verdicts.stamps import Stamps
from ..language.documents.ruleset_files import display_path, home, source_of, written_id
from ..play.face import Game
from .configuration.limits import check_front_matter
from .configuration.policy import check_policy
from .configuration.ruleset_files import ruleset_files
from .content import contents, exact, pages, puzzles
from .content.dated_changes import changes_by_day
from .content.linking import ELEMENT, PLAYER, PRINT_STYLE, RECORDS, SCRIPT, STYLE, Linking, plain_title
from .content.page import Links, Page
from .content.playing import Playing
from .content.published_verdicts import PublishedVerdicts
from .drawing.style import stylesheet
from .examples import render
from .examples.fences import ExecutedFence, default_game, execute, forget
from .examples.markdown import RulespecExtension
from .examples.scan import scan_text
from .output import search
from .output.aside import Aside
from .output.making import PageOrder, make_pages
from .output.offline import digests, keep_small_site, with_digests
from .output.page_cache import PageCache
from .output.sharing import share_runs
from .output.sheet import with_sheet

BESIDE = (exact.SUFFIX, puzzles.SUFFIX)
"""The suffixes of the pages beside a rulebook, which are not in the navigation."""
ASSETS = Path(__file__).parent / "assets"


_CARDS = re.compile(r"^<!-- rulebooks -->$", re.MULTILINE)
"""A line of a page that is replaced by cards of all games."""
_PLAY = re.compile(r"^<!-- play: ([\w-]+) -->$", re.MULTILINE)
"""A line of a page that is replaced by the player of a game of the site."""
_CHANGES = re.compile(r"^<!-- changes: ([\w-]+)(?: since (\S+))? -->$", re.MULTILINE)
"""A line of a page that is replaced by the changes of a game of the site by day, or since an earlier file."""
_ROW = re.compile(r"^(<table>.*?</table>)", re.DOTALL | re.MULTILINE)
"""A table of Markdown, which stands at the beginning of a line."""
_FOLDER = re.compile(r"[\w-][\w.-]*(/[\w-][\w.-]*)*")
"""A folder of the site: names without a leading dot, so that nothing leads out of it."""


class RulebookConfig(Config):
    """The options of the plugin in `mkdocs.yml`."""

    rulesets = config_options.ListOfItems(config_options.Type(str), default=[])
    """Ruleset files, or folders that are searched for them, beside the configuration file."""
    pages = config_options.Type(str, default="rulebooks")
    """The folder of the site for the rulebook pages."""
    trust = config_options.Type(str, default="")
    """The page of the site about trust in verdicts; each checked verdict links to it."""
    player = config_options.Type(bool, default=True)
    """False for pages on which no game can be played."""


class RulebookPlugin(BasePlugin[RulebookConfig]):
    """Adds a page for each ruleset, runs all fenced examples, and stops the build if anything is wrong."""

    def __init__(self) -> None:
        self.extension = RulespecExtension()
        self.games: list[Game] = []
        self.published: dict[str, PublishedVerdicts] = {}
        self.groups: dict[str, str] = {}
        """The heading under which each game is listed."""
        self.faulty: dict[str, Path] = {}
        """Rulesets that cannot be read, by the ids that they give."""
        self.faults: list[Diagnostic] = []
        self.stamps: Stamps | None = None
        """The stamps of checked verdicts; by default those of the user's state folder."""
        self.found = self.executed = 0
        """The numbers of examples found in files and rulesets, and of examples that were run and shown."""
        self.index = search.Index()
        self._shown: SitePage | None = None
        self.entries: list[contents.Entry] = []
        self.contents: dict[str, str] = {}
        """The HTML of each rulebook page, by the name of the page."""
        self.dirty = self.serving = False
        """True if mkdocs writes only the changed pages, and if it serves the site to its author."""
        self.aside: Aside | None = None
        self.digests: dict[str, str] = {}
        """The digests of files, by their places in a site whose pages are kept by a service worker."""

    def on_startup(self, *, command: str, dirty: bool) -> None:
        """Remember the command with which mkdocs builds."""
        self.dirty, self.serving = dirty, command == "serve"

    def on_config(self, config: MkDocsConfig) -> MkDocsConfig:
        """Reset, read the rulesets, and add the plugin's parts to the configuration. Raises PluginError."""
        forget()
        if not _FOLDER.fullmatch(self.config.pages):
            raise PluginError(f"`pages: {self.config.pages}` is no folder of the site")
        self.games, self.published, self.groups, self.faulty, self.faults = [], {}, {}, {}, []
        self.found = self.executed = 0
        self.index, self.contents = search.Index(), {}
        self.extension = RulespecExtension()
        ours = (RulespecExtension, "rulespec")
        kept = [e for e in config.markdown_extensions if e != "rulespec" and not isinstance(e, ours[0])]
        attributes = [] if "attr_list" in kept else ["attr_list"]
        config.markdown_extensions = [*kept, *attributes, self.extension]  # type: ignore[list-item]
        config.extra_css = [*[c for c in config.extra_css if c != STYLE], STYLE]
        if SCRIPT not in map(str, config.extra_javascript):
            config.extra_javascript = [*config.extra_javascript, SCRIPT]
        if self.serving and "policy" in config.theme:
            config.theme["policy"] = ""  # mkdocs puts a script into each page that it serves
            config.theme["offline"] = False
        check_policy(config)
        folder = _folder(config)
        stamps, released = self.stamps or Stamps(), ReleaseStamps(home())
        for entry in self.config.rulesets:
            for path in ruleset_files([folder / entry]):
                self.groups.setdefault(str(path), contents.group_of(path, folder / entry))
        for path in self.files(folder):
            self._read(path, stamps, released)
        return config

    def on_pre_build(self, *, config: MkDocsConfig) -> None:
        """Write the site into a folder aside; a dirty build changes it in place."""
        self.aside = None if self.dirty else Aside(config)

    @event_priority(-100)
    def on_post_build(self, *, config: MkDocsConfig) -> None:
        """Put the complete site in place, without a sitemap if it has no address."""
        if not config.site_url:
            for name in ("sitemap.xml", "sitemap.xml.gz"):
                Path(config.site_dir, name).unlink(missing_ok=True)
        if config.theme.get("offline"):
            keep_small_site(Path(config.site_dir), self.digests)
        if self.aside is not None:
            self.aside.finish()

    def on_build_error(self, *, error: Exception) -> None:
        """Leave the old site as it is."""
        if self.aside is not None:
            self.aside.drop()

    def on_serve(self, server: Any, *, config: MkDocsConfig, builder: Any) -> Any:
        """Rebuild the site when a ruleset changes."""
        folder = _folder(config)
        for entry in self.config.rulesets:
            if (folder / entry).exists():
                server.watch(str(folder / entry))
        return server

    def files(self, folder: Path) -> list[Path]:
        """The ruleset files that the configuration in a folder names."""
        return ruleset_files(folder / entry for entry in self.config.rulesets)

    def _read(self, path: Path, stamps: Stamps, released: ReleaseStamps) -> None:
        watchdog.step()
        try:
            game = default_game(str(path))
            store = Store.read(beside(path))
            current = Current(game.sources)
            self.published[game.name] = PublishedVerdicts(store, stamps.of, current, released.of)
            self.games.append(game)
        except RulesetError as error:
            self.faulty[written_id(path)] = path
            self.faults += error.diagnostics
        except StoreError as error:
            self.faults.append(Diagnostic("verdict.store", str(error)))

    @event_priority(100)
    def on_nav(self, nav: Navigation, config: MkDocsConfig, files: Files) -> Navigation:
        """Stop before mkdocs reads a page that is not UTF-8 text or too large, or copies a pipe or device.

        The YAML at the head of a page is checked too, because mkdocs constructs it without limits.
        """
        report = Report()
        for file in files:
            path = Path(file.abs_src_path or "")
            if not _is_text(file.src_uri):
                report.error("file.name", f"the name of `{display_path(path)}` is no text in UTF-8")
            if file.abs_src_path and file.is_documentation_page():
                source = source_of(path, report)
                if source is not None:
                    check_front_matter(source, report)
            elif file.abs_src_path and not path.is_file():
                message = f"`{display_path(path)}` cannot be read: it is not a regular file"
                report.error("file.missing", message)
        self.faults += report.diagnostics
        if report.count:
            self._stop()
        return nav

    @event_priority(-50)
    def on_files(self, files: Files, config: MkDocsConfig) -> Files:
        """Add the rulebook pages, their index, and the style sheet and script of drawings."""
        self.games = contents.in_order(self.games, self.groups)
        cache = PageCache(_folder(config), self._setting(config))
        linking, taken = self._linking(config, files), {file.dest_uri for file in files}
        index = File.generated(config, f"{self.config.pages}/index.md", content="")
        listing = bool(self.games) and self._take(index, "the list of rulebooks", taken)
        wanted = {game.name: [*self._wanted(game, linking, taken)] for game in self.games}
        pages = iter(make_pages([one for pair in wanted.values() for one in pair], cache))
        self.entries = [
            self._add_pages(game, [next(pages) for _ in wanted[game.name]], linking) for game in self.games
        ]
        if listing:
            text = contents.index(self.entries, linking.link(index.src_uri))
            files.append(File.generated(config, index.src_uri, content=text))
        config.nav = linking.navigation(config.nav, self.groups)
        style = stylesheet()
        if self.config.player:
            style += (ASSETS / "player.css").read_text(encoding="utf-8")
            element = (ASSETS / Path(ELEMENT).name).read_text(encoding="utf-8")
            files.append(File.generated(config, ELEMENT, content=element))
            files.append(File.generated(config, PLAYER, content=player()))
        for address, after in ((STYLE, style), (SCRIPT, ""), (PRINT_STYLE, "")):
            text = (ASSETS / Path(address).name).read_text(encoding="utf-8") + after
            files.append(File.generated(config, address, content=text))
        return files

    def _linking(self, config: MkDocsConfig, files: Files) -> Linking:
        ours = self.config
        return Linking(self.games, ours.pages, ours.trust, ours.player, config, files)

    def _setting(self, config: MkDocsConfig) -> Iterator[str]:
        """Everything in the configuration and in other games on which a page depends."""
        addresses, player = str(config.use_directory_urls), str(self.config.player)
        yield from (self.config.pages, self.config.trust, addresses, player)
        for game in self.games:
            yield from (game.name, game.id, game.title)

    def _wanted(self, game: Game, linking: Linking, taken: set[str]) -> Iterator[PageOrder]:
        """The pages to make for a game: its rulebook, its exact text, and its puzzles if there are any.

        There are none if another page has their place.
        """
        published, base = self.published[game.name], linking.base_of(game)
        addresses = [linking.address(game, suffix) for suffix in _suffixes(game)]
        places = [File.generated(linking.config, address, content="") for address in addresses]
        if not all(self._take(place, f"the page of the game `{game.id}`", taken) for place in places):
            return
        makers: tuple[Callable[[Links], Page], ...] = (
            lambda links: pages.rulebook(game, published, links, base),
            lambda links: exact.exact(game, published, links),
            lambda links: puzzles.puzzles(game, links),
        )
        for address, make in zip(addresses, makers, strict=False):
            yield PageOrder(game, published, Path(address).stem, linking.links(game, address), make)

    def _take(self, file: File, what: str, taken: set[str]) -> bool:
        """Reserve the place of a page in the site; False, with a fault reported, if another page has it."""
        if file.dest_uri in taken:
            message = f"{what} and another page would both be `{file.dest_uri}`: rename one of them"
            self.faults.append(Diagnostic("page.twice", message))
            return False
        taken.add(file.dest_uri)
        return True

    def _add_pages(self, game: Game, made: Sequence[Page], linking: Linking) -> contents.Entry:
        """Add the rulebook of a game and its exact text to the site; returns its entry in the contents."""
        published, group = self.published[game.name], self.groups.get(game.name, "")
        files, config = linking.files, linking.config
        for page, suffix in zip(made, _suffixes(game), strict=False):
            address = linking.address(game, suffix)
            shown = InclusionLevel.NOT_IN_NAV if suffix else InclusionLevel.UNDEFINED
            files.append(File.generated(config, address, content=page.markdown, inclusion=shown))
            for file, text in page.records.items():
                beside = f"{self.config.pages}/{RECORDS}/{file}"
                if beside not in files.src_uris:  # both pages of a game have its player
                    files.append(File.generated(config, beside, content=text))
            self.faults += page.faults
            self.executed += page.executed
        if not made:
            return contents.Entry(game, published)
        self.found += sum(len(rule.examples) for rule in game.core.rules)
        return contents.Entry(game, published, made[0].picture, group)

    def on_page_markdown(self, markdown: str, page: SitePage, config: MkDocsConfig, files: Files) -> str:
        """Run the fences of a page, and insert their results and the cards of games."""
        watchdog.step()
        self.extension.expect(self._execute(page.file))
        self.extension.page = page.file.src_uri
        link = self._linking(config, files).link(page.file.src_uri)
        markdown = _PLAY.sub(lambda found: self._place(found[1], page.file.src_uri, config, files), markdown)
        markdown = _CHANGES.sub(lambda found: self._changes(found[1], found[2], page.file), markdown)
        return _CARDS.sub(lambda _: contents.cards(self.entries, link, brief=True), markdown)

    def _game(self, name: str, address: str) -> Game | None:
        """A game that the page at an address requests; None, with a fault, if it is not in the site."""
        game = next((one for one in self.games if one.id == name), None)
        if game is None:
            words = f"`{address}` asks for `{name}`, a game that is not here"
            self.faults.append(Diagnostic("page.play", words))
        return game

    def _changes(self, name: str, since: str | None, file: File) -> str:
        """The changes of a game for the page in a file; empty if the site does not have the game."""
        game = self._game(name, file.src_uri)
        if game is None:
            return ""
        folder = Path(file.abs_src_path).parent if file.abs_src_path else Path.cwd()
        try:
            return "\n\n".join(changes_by_day(game, folder / since if since else None))
        except RulesetError as error:
            self.faults += error.diagnostics
            return ""

    def _place(self, name: str, address: str, config: MkDocsConfig, files: Files) -> str:
        """HTML for playing a game on the page at an address; empty if the site lacks the game."""
        game = self._game(name, address)
        if game is None:
            return ""
        start = game.start(seed=0)
        poster = render.drawing(start, seat=render.seat_of(start)) if game.core.diagram else ""
        links = self._linking(config, files).links(game, address)
        return "".join(Playing(game, Page(""), links).block((), poster))

    def _execute(self, file: File) -> list[ExecutedFence]:
        report = Report()
        where = Path(file.abs_src_path) if file.abs_src_path else None
        found = scan_text(Source(display_path(where) if where else file.src_uri, file.content_string), report)
        own = self.faulty | {game.id: Path(game.name) for game in self.games}
        done = [execute(fence, where.parent if where else Path.cwd(), own=own) for fence in found]
        self.faults += report.diagnostics
        self.faults += [fault for one in done for fault in one.faults]
        self.found += len(found)
        return done

    def on_page_content(self, html: str, *, page: SitePage, config: MkDocsConfig, files: Files) -> str:
        """Describe the page, add it to the search index, and make its tables scrollable."""
        page.title = plain_title(str(page.title or ""))
        page.meta.setdefault("description", search.description_of(html))
        in_book = page.file.src_uri.startswith(f"{self.config.pages}/")
        name = Path(page.file.src_uri).stem
        for_players = in_book and not name.endswith(BESIDE)
        self.index.add(page.url, unescape(page.title), html, for_players)
        if in_book:
            self.contents[name] = html
        html = _ROW.sub(r'<div class="rs-table">\1</div>', html).replace("<th></th>", "<td></td>")
        return html if in_book else share_runs(html, "run-")

    def on_page_context(self, context: Any, page: SitePage, config: MkDocsConfig, nav: Navigation) -> None:
        """Begin a step of the watchdog; the page of an exact text is navigated like its rulebook."""
        watchdog.step()
        self._shown = self._rulebook_of(page, nav.pages)
        if self._shown is not None:
            self._shown.active = True

    def _rulebook_of(self, page: SitePage, pages: Iterable[SitePage]) -> SitePage | None:
        """The rulebook to which a page such as an exact text belongs; None for any other page."""
        name, folder = page.file.src_uri, f"{self.config.pages}/"
        suffix = next((one for one in BESIDE if name.endswith(f"{one}.md") and name.startswith(folder)), "")
        if not suffix:
            return None
        wanted = name.replace(f"{suffix}.md", ".md")
        return next((other for other in pages if other.file.src_uri == wanted), None)

    def on_post_page(self, output: str, page: SitePage, config: MkDocsConfig) -> str:
        """Define the shapes of the drawings once on each page, and restore the navigation."""
        if self._shown is not None:
            self._shown.active, self._shown = False, None
        return with_digests(with_sheet(output), page.file.dest_uri, self.digests)

    @event_priority(100)
    def on_env(self, env: Any, config: MkDocsConfig, files: Files) -> None:
        """Complete the search index; if there are faults, stop before any page is written and report all."""
        if config.theme.get("rulespec_search"):
            files.append(File.generated(config, search.ADDRESS, content=self.index.script()))
        self.executed += self.extension.shown
        self.faults += self.extension.faults
        if not self.faults and self.found != self.executed:
            message = f"examples found: {self.found}, executed and shown: {self.executed}"
            self.faults.append(Diagnostic("fence.count", message))
        if self.faults:
            self._stop()
        self.digests = digests(files) if config.theme.get("offline") else {}

    def _stop(self) -> None:
        """Raise a PluginError that lists all faults."""
        ordered = sorted(dict.fromkeys(self.faults), key=Diagnostic.sort_key)
        count = "one fault" if len(ordered) == 1 else f"{len(ordered)} faults"
        raise PluginError(f"no page was written: mend {count} first\n{render.faults(ordered)}")


def _suffixes(game: Game) -> tuple[str, ...]:
    """The suffixes of the names of a game's pages, its rulebook first."""
    return ("", exact.SUFFIX, *((puzzles.SUFFIX,) if puzzles.file_of(game).is_file() else ()))


def _folder(config: MkDocsConfig) -> Path:
    """The folder of a configuration."""
    return Path(config.config_file_path).parent if config.config_file_path else Path.cwd()


def _is_text(name: str) -> bool:
    """False for the name of a file whose bytes are no UTF-8, which no address can contain."""
    return not any("\ud800" <= letter <= "\udfff" for letter in name)
