"""A browser and the built site, one of each for all tests of pages.

Chromium is Debian's (`make chromium`); pages reach the server of the site and no other host.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from zlib import crc32

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect, sync_playwright
from shipped_games import base_rulesets

from rulespec.book import plugin
from rulespec.book.configuration.ruleset_files import ruleset_files
from rulespec.book.content import playing
from rulespec.book.examples import fences
from rulespec.book.output.pdf import ARGUMENTS, chromium
from rulespec.book.site import Printing, build
from rulespec.browser.bundle import script as as_script
from rulespec.browser.scripts import script
from rulespec.browser.site import bundle_script
from rulespec.core.verdicts import Verdict
from rulespec.core.verdicts.current_verdicts import Current
from rulespec.core.verdicts.stamps import Stamps
from rulespec.language import shipped_rulesets
from rulespec.language.documents.ruleset_files import written_id
from rulespec.play.examples import changed_parameters, changed_readings
from rulespec.play.face import Game

GAMES = ("sacred-alignment", "leistiko", "stout", "smith")
"""The four games that this project is about."""
OPENED = (
    *GAMES, "sacred-alignment-small", "stout-lucky",
    "breakthrough", "connect-four", "kuhn-poker", "nim", "tic-tac-toe",
)  # fmt: skip
"""The games whose tables tests open on the site."""
SHOWN = (
    *OPENED, "breakthrough-small", "leistiko-small", "whist",
)  # fmt: skip
"""The games that the site has: those that tests open, and one with tricks."""
SLOW = bool(os.environ.get("RULESPEC_SLOW"))
"""True for the site with all games (`make agreement`); the same templates make their pages."""
PRINTED = GAMES if SLOW else ("leistiko",)
"""The games whose rulebooks the site has on paper, too."""
RULESETS = sorted(shipped_rulesets()) if SLOW else base_rulesets()
"""The rulesets that the page plays beside the interpreter; variants are played by `make agreement`."""
CARRYING = "sacred-alignment"
"""The game from whose figures tests go on, under whatever settings they are."""
SKIPPING = "RULESPEC_NO_BROWSER"
"""Set to 1 in the environment, it asks for no test in a browser."""
ROOT = Path(__file__).resolve().parents[2]
WITHOUT = (
    "WebUIOmniboxPopup", "WebUIOmniboxAimPopup", "WebUIOmniboxFullPopup",
    "AimEnabled", "AvoidCorsURLLoaderRestartOnRedirect", "AvoidUnnecessaryBeforeUnloadCheckSync",
    "HttpsFirstBalancedModeAutoEnable", "HttpsUpgrades", "LensOverlay", "MediaRouter",
    "NetworkTimeServiceQuerying", "OptimizationHints", "PaintHolding", "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)  # fmt: skip
"""Features of Chromium that are off: pages of its own that it loads with each window, half of the work of a
small page, and those that Playwright has off, for only the last such argument counts."""
PATIENCE = 180_000
"""The milliseconds that a page may take for anything: on a busy machine, only what never comes is a fault."""
expect.set_options(timeout=PATIENCE)


class Checked(Stamps):
    """Stamps that let pages show stored verdicts with their plays: those of every third claim, or of all."""

    def of(self, verdict: Verdict) -> str | None:
        return "for the test of pages" if SLOW or crc32(verdict.claim.encode()) % 3 == 0 else None


class AllCurrent(Current):
    """Takes all stored verdicts under other settings for current ones: of one claim there are 578."""

    def __contains__(self, subject: tuple[str, ...]) -> bool:
        return True


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """This project's own site, built once, with the rulebooks of `PRINTED` on paper.

    It has the games of `SHOWN`, or all. Games that no test opens have empty scripts, and so have further
    settings of games other than `CARRYING`.
    """
    fences.forget()
    printing = None if os.environ.get(SKIPPING) == "1" else Printing(PRINTED)
    folder = tmp_path_factory.mktemp("site") / "site"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(playing, "bundle_script", _bundle_script)
        patch.setattr(plugin, "ruleset_files", _ruleset_files)
        if not SLOW:
            patch.setattr(plugin, "Current", AllCurrent)
        return build(ROOT / "mkdocs.yml", folder, stamps=Checked(), printing=printing)


def _ruleset_files(paths: Iterable[Path]) -> list[Path]:
    """The files of the rulesets at some paths that the site has."""
    return [path for path in ruleset_files(paths) if SLOW or written_id(path) in SHOWN]


def _bundle_script(key: str, game: Game) -> str:
    """The bundle of a game; an empty one for games and settings that no test opens."""
    is_default = not changed_parameters(game) and not changed_readings(game)
    is_opened = game.id in OPENED if is_default else game.id == CARRYING
    return bundle_script(key, game) if is_opened else as_script(key, {})


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        return


@pytest.fixture(scope="session")
def address(site: Path) -> Iterator[str]:
    """The address of a server of the site."""
    with served(site) as found:
        yield found


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Serve a folder; its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(_Quiet, directory=str(folder)))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:  # else a test that fails keeps the process for ever
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Chromium. Without it these tests fail; RULESPEC_NO_BROWSER=1 asks to skip them."""
    if os.environ.get(SKIPPING) == "1":
        pytest.skip("RULESPEC_NO_BROWSER=1 asks for no tests of pages in a browser")
    with sync_playwright() as playwright:
        arguments = [*ARGUMENTS, f"--disable-features={','.join(WITHOUT)}", "--renderer-process-limit=1"]
        started = playwright.chromium.launch(executable_path=chromium(), args=arguments)
        yield started
        started.close()


@pytest.fixture(scope="module")
def player_page(browser: Browser) -> Iterator[Page]:
    """A page with the scripts of the player and nothing else."""
    context = new_context(browser, dark=False, phone=False)
    page = context.new_page()
    page.goto("about:blank")
    page.add_script_tag(content=script())
    yield page
    context.close()


@dataclass
class Seen:
    """A page in a browser, with everything wrong that happened on it."""

    page: Page
    wrong: list[str] = field(default_factory=list)


Opener = Callable[..., Seen]


@pytest.fixture
def opened(browser: Browser, address: str) -> Iterator[Opener]:
    """Opens pages of the site by their path: `opened("index.html", dark=True, phone=True)`."""
    contexts: list[BrowserContext] = []

    def open_page(
        path: str, dark: bool = False, phone: bool = False, script: bool = True, touch: bool = False
    ) -> Seen:
        context = new_context(browser, dark, phone, script, touch)
        contexts.append(context)
        seen = watched(context, address)
        seen.page.add_init_script(NO_CHANCE)
        seen.page.goto(path if "://" in path else f"{address}/{path}")
        return seen

    yield open_page
    for context in contexts:
        context.close()


def new_context(
    browser: Browser, dark: bool, phone: bool, script: bool = True, touch: bool = False, offline: bool = False
) -> BrowserContext:
    """A fresh browser window without history; only with `offline` do its pages keep anything by a worker."""
    context = browser.new_context(
        viewport={"width": 390, "height": 844} if phone else {"width": 1280, "height": 800},
        color_scheme="dark" if dark else "light",
        java_script_enabled=script,
        has_touch=touch,
        reduced_motion="reduce",
    )
    context.set_default_timeout(PATIENCE)
    if not offline:
        context.add_init_script("delete Navigator.prototype.serviceWorker")
    return context


def watched(context: BrowserContext, address: str) -> Seen:
    """A page that asks other hosts in vain, and notes what goes wrong."""
    seen = Seen(context.new_page())

    def only_ours(route: Route) -> None:
        if route.request.url.startswith((address, "file://", "data:")):
            route.continue_()
        else:
            seen.wrong.append(f"asks another host: {route.request.url}")
            route.abort()

    context.route("**/*", only_ours)
    seen.page.on("console", lambda m: seen.wrong.append(f"{m.type}: {m.text}") if m.type in BAD else None)
    seen.page.on("pageerror", lambda error: seen.wrong.append(f"error: {error}"))
    seen.page.on("response", lambda r: seen.wrong.append(f"{r.status}: {r.url}") if r.status >= 400 else None)
    return seen


BAD = ("error", "warning")
NO_CHANCE = "crypto.getRandomValues = (array) => array.fill(3)"
"""Pages begin with the same chance each time."""
