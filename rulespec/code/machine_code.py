"""A cache of Numba's machine code between runs: one file for each function and signature.

Numba's own cache finds files by the path of the source and trusts their contents. This one names files by a
digest of everything that a function was compiled from, and verifies them when it reads (see `core.cache`).
"""

from __future__ import annotations

import hashlib
import os
import pickle
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.serialize import dumps

from ..core.cache import cache_folder, read_cached, write_cached


class MachineCode(_Cache):  # type: ignore[misc]
    """The cache of one function; the name of its module is a digest of its text and of all that it calls."""

    def __init__(self, function: Callable[..., Any], module: str) -> None:
        self._stem = f"{module}.{function.__name__}"

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for a signature; None if it is not cached or is damaged."""
        path = self._path(sig, target_context.codegen())
        content = None if path is None else read_cached(path)
        if path is None or content is None:
            return None
        target_context.refresh()
        try:
            made = CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # of any kind: the code is compiled again
            return None
        with suppress(OSError):
            os.utime(path)  # `tidy` removes files by their last use
        return made

    def save_overload(self, sig: Any, data: Any) -> None:
        """Cache the code for a signature, unless it is not relocatable or there is no cache folder."""
        path = self._path(sig, data.codegen)
        if path is not None and not data.lifted and not data.library.has_dynamic_globals:
            write_cached(path, dumps(data._reduce()))

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        about = hashlib.sha256(repr((str(sig), codegen.magic_tuple())).encode()).hexdigest()
        return None if folder is None else folder / f"{self._stem}.{about[:16]}"

    def enable(self) -> None:
        """Without effect: the cache is always enabled."""

    disable = flush = enable
