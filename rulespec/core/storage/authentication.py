"""Authentication of files that this installation keeps: a keyed digest of a name and a content.

The key is in the state folder, in a file that only the user can read. Files from anybody else, or under
another name, have another digest. Nothing that runs or counts as checked is read from the disk without it:
see docs/reference/others-files.md.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from contextlib import suppress
from functools import lru_cache
from pathlib import Path

from .atomic_files import write_bytes
from .private_folders import state_folder, unsafe, warn
from .safe_reading import read_private

KEY_FILE = "key"
KEY_SIZE = 32
SIZE = 32
"""The number of bytes of a digest."""


def authenticate(name: str, content: bytes) -> bytes:
    """The keyed digest of a content under a name.

    The name includes everything that the content is for: its origin and its program. Without a key that
    outlasts the process (`has_key`) the digest holds in this process only.
    """
    head = name.encode("utf-8", "surrogatepass")
    total = hashlib.blake2b(len(head).to_bytes(8, "big") + head, key=_key()[0], digest_size=SIZE)
    total.update(content)
    return total.digest()


def verify(name: str, content: bytes, digest: bytes) -> bool:
    """True if this installation made the digest, for this name and content."""
    return hmac.compare_digest(authenticate(name, content), digest)


def has_key() -> bool:
    """True if the key outlasts the process, so that files can be verified later."""
    return _key()[1]


def _key() -> tuple[bytes, bool]:
    """The key, and True if it is stored on disk."""
    return _key_of(state_folder())


@lru_cache(maxsize=8)
def _key_of(folder: Path | None) -> tuple[bytes, bool]:
    """The key in a folder, created if missing, and True; without a safe folder a temporary key and False."""
    reason = "the user has no home folder, and RULESPEC_STATE names none"
    if folder is not None:
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            reason = unsafe(folder)
            if not reason:
                return _kept_key(folder / KEY_FILE), True
        except OSError as error:
            reason = f"{folder} cannot be written ({error.strerror})"
        warn(f"nothing is kept between runs: {reason}")
    return secrets.token_bytes(KEY_SIZE), False


def _kept_key(path: Path) -> bytes:
    """The key in a file; a key that others could read, or that is invalid, is replaced. Raises OSError.

    If two processes create it at the same time, files of one of them are made anew later.
    """
    with suppress(OSError):
        key = read_private(path, KEY_SIZE)
        if len(key) == KEY_SIZE:
            return key
    write_bytes(path, secrets.token_bytes(KEY_SIZE), private=True)
    return read_private(path, KEY_SIZE)
