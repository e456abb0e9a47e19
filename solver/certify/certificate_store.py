"""The certificate store: files beside the verdicts, named by digests of their content."""

from __future__ import annotations

import hashlib
import lzma
import re
from collections.abc import Container
from pathlib import Path

from rulespec.core.storage.atomic_files import (
    check_folder,
    make_folder,
    regular_files,
    remove_unfinished,
    write_bytes,
)
from rulespec.core.storage.safe_reading import read_bytes

from .certificate import BadEvidence, Certificate, Strategies

NAME = re.compile(r"[0-9a-f]{64}\.xz")
"""The name of a certificate's file."""
MOST_BYTES = 100_000_000
"""The largest certificate that is read, in bytes."""
MOST_MEMORY = 100_000_000
"""The most bytes that unpacking may take: a file says how many it needs before its contents."""


class CertificateStore:
    """The certificates for a store of verdicts, given by the path of the store."""

    def __init__(self, store: Path) -> None:
        self._folder = store.parent / "certificates"

    def _path(self, digest: str) -> Path:
        return self._folder / f"{digest}.xz"

    def keep(self, certificate: Certificate | Strategies) -> tuple[str, int]:
        """Store a certificate; returns its digest and its size in bytes."""
        text = certificate.text().encode("ascii")
        digest = hashlib.sha256(text).hexdigest()
        packed = lzma.compress(text)
        make_folder(self._folder)
        write_bytes(self._path(digest), packed)
        return digest, len(packed)

    def read(self, digest: object) -> Certificate:
        """The recorded answers with a digest; see `text`."""
        return Certificate.parse(self.text(digest))

    def strategies(self, digest: object) -> Strategies:
        """The strategies with a digest; see `text`."""
        return Strategies.parse(self.text(digest))

    def text(self, digest: object) -> str:
        """The certificate with a digest. Raises BadEvidence if it is missing, damaged or altered."""
        if not isinstance(digest, str) or not re.fullmatch("[0-9a-f]{64}", digest):
            raise BadEvidence("the name of its certificate is damaged")
        if not self._path(digest).is_file():
            raise BadEvidence("its certificate is missing")
        try:
            unpacking = lzma.LZMADecompressor(memlimit=MOST_MEMORY)
            text = unpacking.decompress(read_bytes(self._path(digest), MOST_BYTES, follow=False), MOST_BYTES)
        except (lzma.LZMAError, EOFError, OSError):
            raise BadEvidence("its certificate is damaged") from None
        if not unpacking.eof or hashlib.sha256(text).hexdigest() != digest:
            raise BadEvidence("its certificate is cut off, damaged or not the one that was stored")
        try:
            return text.decode("ascii")
        except UnicodeDecodeError:
            raise BadEvidence("its certificate is no text") from None

    def size(self) -> int:
        """The total size of the certificates in bytes."""
        return sum(path.stat().st_size for path in regular_files(self._folder, NAME))

    def size_of(self, digest: str) -> int:
        """The size of a certificate's file in bytes; raises OSError if it is missing."""
        return self._path(digest).stat().st_size

    def has(self, digest: object) -> bool:
        """True if a certificate exists, sound or not."""
        return isinstance(digest, str) and self._path(digest).is_file()

    def drop_but(self, used: Container[str]) -> None:
        """Remove unfinished files and all certificates that no verdict refers to; other files stay.

        Raises LinkError if the folder is a link, because the files behind it may belong to something else.
        """
        check_folder(self._folder)
        for path in regular_files(self._folder, NAME):
            if path.stem not in used:
                path.unlink(missing_ok=True)
        remove_unfinished(self._folder)
