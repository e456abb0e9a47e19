"""Settings of all tests: no example has a deadline, for nothing that is timed belongs in a test.

Random examples follow from the tests, so the same tree gives the same result each time; a sixteenth as many
are made as each test names, but two at least. `make examples` makes all, and others each time.

Of a test with the mark `sampled(3)` every third case is run; all of them by `make cases`, and where a test is
named (`FILE::TEST`). Where the samples begin differs from test to test, so that none leaves out the same
rulesets as another.

Caches lie in a folder of this run, so that tests do not depend on earlier ones. Output has the width of lines
without a terminal. Signals have their default handlers, even if the tests were started with Ctrl-C ignored
(`nohup`, `&`). Commands that run in processes of their own find the modules compiled. The garbage collector
runs as seldom as in the command line, and passes over what is loaded to list the tests.
So have the frames of nested calls their room.
"""

import gc
import os
import signal
from collections import Counter
from collections.abc import Iterator
from zlib import crc32

import pytest
from _pytest.main import pytest_runtestloop as run_all
from hypothesis import settings

from rulespec.cli.running import COLLECTED_AFTER
from rulespec.core.cpython import with_room

settings.register_profile("fresh", deadline=None)
settings.register_profile("untimed", settings.get_profile("fresh"), derandomize=True)
settings.load_profile("untimed")
SLOW = bool(os.environ.get("RULESPEC_SLOW"))
SHARE = int(os.environ.get("RULESPEC_SHARE_OF_EXAMPLES", "8" if SLOW else "16"))
"""One of so many examples is made, unless the profile is `fresh`."""


def pytest_configure() -> None:
    """Collect as seldom as the command line does: a tenth of the time of the tests."""
    gc.set_threshold(*COLLECTED_AFTER)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Take samples, and make fewer examples than tests name; the tests of one function share its settings."""
    if not SLOW and not any("::" in name for name in config.args):
        whole, items[:] = [*items], sampled(items)
        config.hook.pytest_deselected(items=[item for item in whole if item not in {*items}])
    if config.getoption("--hypothesis-profile") == "fresh":
        return
    for test in {item.obj for item in items if isinstance(item, pytest.Function)}:
        named = getattr(test, "_hypothesis_internal_use_settings", None)
        if named is not None:
            fewer = settings(named, max_examples=max(2, named.max_examples // SHARE))
            test._hypothesis_internal_use_settings = fewer


def sampled(items: list[pytest.Item]) -> list[pytest.Item]:
    """The cases that a run takes: of a test with the mark `sampled(n)` every n-th, of others all."""
    places, taken = Counter[str](), list[pytest.Item]()
    for item in items:
        mark, name = item.get_closest_marker("sampled"), item.nodeid.partition("[")[0]
        if mark is None or (places[name] + crc32(name.encode())) % mark.args[0] == 0:
            taken.append(item)
        places[name] += 1
    return taken


def pytest_collection_finish() -> None:
    """Hold the garbage collector off the games that the tests are parametrised with."""
    gc.collect()
    gc.freeze()


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Give the frames of all tests room, as every command has."""
    return with_room(run_all, session)


@pytest.fixture(scope="session", autouse=True)
def _own_folders(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(os.environ, "RULESPEC_CACHE", str(tmp_path_factory.mktemp("cache")))
        patch.setitem(os.environ, "RULESPEC_STATE", str(tmp_path_factory.mktemp("state")))
        for name in ("COLUMNS", "LINES", "PYTHONDONTWRITEBYTECODE"):
            patch.delenv(name, raising=False)
        yield


@pytest.fixture(scope="session", autouse=True)
def _own_signals() -> Iterator[None]:
    usual = {signal.SIGINT: signal.default_int_handler, signal.SIGTERM: signal.SIG_DFL}
    before = {number: signal.signal(number, handler) for number, handler in usual.items()}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)
