"""The store of verdicts beside a ruleset: plain data in one sealed file, validated when it is read."""

from __future__ import annotations

import errno
import gzip
import hashlib
import io
import json
import zlib
from collections.abc import Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from ..data_forms import DataForm, WrongForm
from ..game import Claim, Game
from ..storage.atomic_files import write_bytes
from ..storage.safe_reading import read_bytes
from .answer_form import InvalidAnswer
from .evidence_data import PlayRecord, fits, wrong_entry
from .verdict import Verdict, parameters_of, readings_of, says_less, setting_text
from .verdict_data import Evidence

FORMAT = 2
MOST_BYTES = 20_000_000


def beside(ruleset: Path) -> Path:
    """The path of the store for a ruleset file: `verdicts.json.gz` in its folder.

    A variant in a folder `variants` shares the store of the folder above it.
    """
    folder = ruleset.parent.parent if ruleset.parent.name == "variants" else ruleset.parent
    return folder / "verdicts.json.gz"


AGAIN = "remove the file, and prove the claims again"


class StoreError(ValueError):
    """Raised for a damaged or forged store of verdicts; the text says what is wrong with it."""


def _digest(data: Any) -> str:
    return hashlib.sha256(_compact_json(data).encode()).hexdigest()


def _seal(body: str) -> str:
    return hashlib.sha256(body.encode()).hexdigest()


def _compact_json(data: Any) -> str:
    return json.dumps(data, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _lines(items: Iterable[str]) -> str:
    text = ",\n".join(items)
    return f"\n{text}\n" if text else ""


class Store:
    """The verdicts of the rulesets of one folder, with the plays they refer to.

    A new one is empty; `read` and `write` keep it in a file.
    """

    def __init__(self, verdicts: Iterable[Verdict] = (), records: Mapping[str, Any] | None = None) -> None:
        self._verdicts: dict[tuple[str, str, str], Verdict] = {v.key: v for v in verdicts}
        self.records: dict[str, Any] = dict(records or {})

    def __iter__(self) -> Any:
        return iter([self._verdicts[key] for key in sorted(self._verdicts)])

    def __len__(self) -> int:
        return len(self._verdicts)

    def put(self, verdict: Verdict) -> None:
        """Store a verdict in place of an older one about the same claim and setting."""
        self._verdicts[verdict.key] = verdict

    def put_stronger(self, verdict: Verdict) -> Verdict:
        """Store a verdict unless there is a stronger one about the same rules; returns the stored one."""
        before = self._verdicts.get(verdict.key)
        if before is not None and before.subject == verdict.subject and says_less(verdict, before):
            return before
        self.put(verdict)
        return verdict

    def keep(self, record: Any) -> str:
        """Store a play and return the digest by which evidence refers to it."""
        digest = _digest(record)
        self.records[digest] = record
        return digest

    def verdict_for(self, game: Game, claim: Claim) -> Verdict | None:
        """The verdict on a claim under a game's setting, stale or not (see `Verdict.is_about`)."""
        return self.of_setting(game, claim, {})

    def of_setting(self, game: Game, claim: Claim, readings: Mapping[str, str]) -> Verdict | None:
        """The verdict on a claim under a game's setting with other readings, stale or not."""
        chosen = {**readings_of(game), **readings}
        other = {r: x for r, x in chosen.items() if x != game.rulings[r].readings[0].id}
        setting = setting_text(game.players, parameters_of(game), other)
        return self._verdicts.get((game.id, claim.id, setting))

    def current(self, game: Game, claim: Claim) -> Verdict | None:
        """The verdict on a claim if it is not stale."""
        found = self.verdict_for(game, claim)
        return found if found is not None and found.is_about(game, claim) else None

    def by_key(self, key: tuple[str, str, str]) -> Verdict | None:
        """The verdict with a key (see `Verdict.key`), which may be stale; None if there is none."""
        return self._verdicts.get(key)

    def has(self, verdict: Verdict) -> bool:
        """True if an equal verdict is stored."""
        return self._verdicts.get(verdict.key) == verdict

    def of_claim(self, ruleset: str, claim: str) -> list[Verdict]:
        """The verdicts on a claim under every stored setting, in stable order."""
        return [v for v in self if v.ruleset == ruleset and v.claim == claim]

    def drop(self, unwanted: Iterable[Verdict]) -> None:
        """Remove verdicts, such as stale ones."""
        for verdict in unwanted:
            self._verdicts.pop(verdict.key, None)

    def referenced_plays(self) -> set[str]:
        """The digests of the plays that evidence refers to."""
        return {e.data["record"] for v in self for e in v.evidence if "record" in e.data}

    def text(self) -> str:
        """The store as the text of a file: one verdict or play on each line, in stable order, sealed by a
        digest."""
        body = self._body()
        return f'{{"format":{FORMAT},\n{body},\n"seal":"{_seal(body)}"}}\n'

    def _body(self) -> str:
        """The part of the file that the seal covers."""
        verdicts = [_compact_json(v.to_data()) for v in self]
        kept = sorted(self.referenced_plays() & self.records.keys())
        records = [f"{_compact_json(digest)}:{_compact_json(self.records[digest])}" for digest in kept]
        return f'"verdicts":[{_lines(verdicts)}],\n"records":{{{_lines(records)}}}'

    def write(self, path: Path) -> None:
        """Write the store atomically, see `write_bytes`. Equal stores give equal files."""
        write_bytes(path, gzip.compress(self.text().encode(), mtime=0))

    @classmethod
    def read(cls, path: Path) -> Store:
        """The store in a file; empty if it is missing. Raises StoreError if it is damaged or a link, and
        like `read_bytes`."""
        try:
            packed = read_bytes(path, MOST_BYTES, follow=False)
        except FileNotFoundError:
            return cls()
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise StoreError(f"{path.name}: a link, which is not followed") from None
            raise
        try:
            with gzip.open(io.BytesIO(packed)) as file:
                content = file.read(MOST_BYTES + 1)
        except (gzip.BadGzipFile, EOFError, zlib.error):
            raise StoreError(f"{path.name}: cut off or damaged; {AGAIN}") from None
        if len(content) > MOST_BYTES:
            raise StoreError(f"{path.name}: more than {MOST_BYTES} bytes of verdicts")
        try:
            return cls.parse(content.decode())
        except UnicodeDecodeError:
            raise StoreError(f"{path.name}: not a text in UTF-8") from None
        except StoreError as error:
            raise StoreError(f"{path.name}: {error}") from None

    @classmethod
    def parse(cls, text: str) -> Store:
        """The store in a text. StoreError says what is wrong with it."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:  # also ValueError for numbers of thousands of digits
            place = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
            raise StoreError(f"cut off or damaged{place}; {AGAIN}") from None
        if not isinstance(data, dict) or set(data) != {"format", "verdicts", "records", "seal"}:
            raise StoreError("not a store of verdicts")
        if data["format"] != FORMAT:
            known = f"format {data['format']!r} is not known here, only {FORMAT}"
            raise StoreError(f"{known}: {AGAIN}")
        if not isinstance(data["verdicts"], list) or not isinstance(data["records"], dict):
            raise StoreError("not a store of verdicts")
        for digest, record in data["records"].items():
            if not fits(PlayRecord, record):
                raise StoreError(f"the play {digest[:12]} is damaged")
            if _digest(record) != digest:
                raise StoreError(f"the play {digest[:12]} is not the one that was stored")
        store = cls((verdict_from(item) for item in data["verdicts"]), data["records"])
        if len(store) != len(data["verdicts"]):
            raise StoreError("two verdicts about the same claim and setting")
        missing = store.referenced_plays() - store.records.keys()
        if missing:
            raise StoreError(f"the play {min(missing)[:12]} is missing")
        with suppress(UnicodeEncodeError):
            if _seal(store._body()) == data["seal"]:
                return store
        raise StoreError(f"changed since it was written; {AGAIN}")


def verdict_from(data: Any) -> Verdict:
    """A verdict from plain data (see `Verdict.to_data`). Raises StoreError for other data."""
    try:
        verdict: Verdict = STORED.decode(Verdict, data)
        return verdict
    except WrongForm as wrong:
        part = (
            f"whose `{wrong.key}` is missing, unknown or of the wrong kind"
            if wrong.key
            else "of another form"
        )
        raise StoreError(f"a verdict {part}") from None
    except InvalidAnswer as error:
        raise StoreError(str(error)) from None


def _read_evidence(data: Any) -> Evidence:
    evidence: Evidence = DataForm().decode(Evidence, data)
    wrong = wrong_entry(evidence.kind, evidence.data)
    if wrong is not None:
        raise WrongForm("evidence with wrong data", wrong)
    return evidence


STORED = DataForm({Evidence: (DataForm().encode, _read_evidence)})
"""The form of verdicts in a store."""
