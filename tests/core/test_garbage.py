"""The collector of garbage is off for a while only."""

from __future__ import annotations

import gc

import pytest

from rulespec.core.cpython import without_collector


def test_the_collector_is_on_again_behind_it_also_after_an_error() -> None:
    assert gc.isenabled()
    with pytest.raises(ValueError, match="broken"), without_collector():
        with without_collector():
            assert not gc.isenabled()
        assert not gc.isenabled()
        raise ValueError("broken")
    assert gc.isenabled()


def test_a_collector_that_was_off_stays_off() -> None:
    gc.disable()
    try:
        with without_collector():
            pass
        assert not gc.isenabled()
    finally:
        gc.enable()
