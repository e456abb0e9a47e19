"""Machine code that Numba made, kept between runs: one file for each function and types of its arguments.

Numba's own files are found by the place of a source and read without a look at them. These are found by a
digest of everything that a function was made from, and are read only if they are whole (see `core.cache`).
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

from ..core.cache import cache_folder, keep, kept


class MachineCode(_Cache):  # type: ignore[misc]
    """The cache of one function of a module whose name stands for its whole text and all that it calls."""

    def __init__(self, function: Callable[..., Any], module: str) -> None:
        self._stem = f"{module}.{function.__name__}"

    @property
    def cache_path(self) -> str:
        """The folder."""
        return str(cache_folder() or "")

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The code for some types of arguments; None where it was not kept, or is damaged."""
        path = self._path(sig, target_context.codegen())
        content = None if path is None else kept(path)
        if path is None or content is None:
            return None
        target_context.refresh()
        try:
            made = CompileResult._rebuild(target_context, *pickle.loads(content))
        except Exception:  # whatever is wrong with it, it is made anew
            return None
        with suppress(OSError):
            os.utime(path)  # so that it is not tidied away
        return made

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the code for some types of arguments, where it can be."""
        path = self._path(sig, data.codegen)
        if path is not None and not data.lifted and not data.library.has_dynamic_globals:
            keep(path, dumps(data._reduce()))

    def _path(self, sig: Any, codegen: Any) -> Path | None:
        folder = cache_folder()
        about = hashlib.sha256(repr((str(sig), codegen.magic_tuple())).encode()).hexdigest()
        return None if folder is None else folder / f"{self._stem}.{about[:16]}"

    def enable(self) -> None:
        """It is never disabled."""

    disable = flush = enable
