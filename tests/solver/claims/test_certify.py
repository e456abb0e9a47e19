"""Certificates: verdicts that rest on an engine pass without one, and no meddling does."""

from __future__ import annotations

import hashlib
import importlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import zlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from families import hopping

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.storage.atomic_files import LinkError
from rulespec.core.verdicts import Store, Verdict
from rulespec.solver.certificates.__main__ import main as check_files
from rulespec.solver.certify import (
    BadEvidence,
    Certificate,
    CertificateStore,
    Late,
    No,
    Yes,
)
from rulespec.solver.certify.second_solver import SecondSolver
from rulespec.solver.claims import certify, recheck
from rulespec.solver.claims.certify import FULL
from rulespec.solver.engines import NoEngine
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.table import FORMULAS
from rulespec.solver.methods.verdicts import verdict_of

CLAIMS = ("inside", "three", "fits", "ends", "farthest")
"""An invariant, a goal out of reach, what never happens, a measure and a bound, all shown by an engine."""


def by_engine(name: str, store: Store) -> Verdict:
    game = hopping(readings={"far": "two"})
    case = Case(game, game.claims[name], Budget(60))
    answer = FORMULAS(case)
    assert answer is not None
    return verdict_of(case, answer, store)


@pytest.fixture(scope="module")
def certified(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of verdicts with their certificates."""
    path = tmp_path_factory.mktemp("certified") / "verdicts.json.gz"
    store = Store()
    for name in CLAIMS:
        store.put(by_engine(name, store))
    store.write(path)
    assert [(c.done, c.verdict.claim) for c in certify(path, hopping, timeout=600) if not c.done] == []
    return path


@pytest.fixture
def kept(certified: Path, tmp_path: Path) -> Path:
    """A copy of the store to meddle with."""
    shutil.copytree(certified.parent, tmp_path / "kept")
    return tmp_path / "kept" / certified.name


@pytest.fixture
def no_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    """No engine is installed."""

    def none(*_: object, **__: object) -> None:
        raise NoEngine("no engine is installed")

    for module in ("problem", "certificate_checks", "judge"):
        monkeypatch.setattr(importlib.import_module(f"rulespec.solver.evidence.{module}"), "choose", none)


def digest_of(verdict: Verdict) -> str:
    return next(str(e.data["certificate"]) for e in verdict.evidence if "certificate" in e.data)


def _flipped(content: bytes, at: int) -> bytes:
    return content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :]


def file_of(path: Path, name: str) -> Path:
    (verdict,) = Store.read(path).of_claim("hops", name)
    return path.parent / "certificates" / f"{digest_of(verdict)}.xz"


def put_digest(path: Path, name: str, digest: object) -> None:
    """Let the verdict on a claim refer to another certificate; the store is sealed anew."""
    store = Store.read(path)
    (verdict,) = store.of_claim("hops", name)
    evidence = [
        replace(e, data={**e.data, "certificate": digest}) if "certificate" in e.data else e
        for e in verdict.evidence
    ]
    store.put(replace(verdict, evidence=tuple(evidence)))
    store.write(path)


def forge(path: Path, name: str, change: Callable[[str], str]) -> None:
    """Change a certificate, its digest, and the digest and the seal in the store."""
    text = change(lzma.decompress(file_of(path, name).read_bytes()).decode()).encode()
    digest = hashlib.sha256(text).hexdigest()
    (path.parent / "certificates" / f"{digest}.xz").write_bytes(lzma.compress(text))
    put_digest(path, name, digest)


def only(path: Path, name: str) -> tuple[bool | None, str]:
    (check,) = recheck(path, hopping, [name], timeout=600)
    return check.passed, check.text


@pytest.mark.usefixtures("no_engine")
def test_what_is_certified_passes_without_an_engine(certified: Path) -> None:
    checks = recheck(certified, hopping, timeout=600)
    assert [c.passed for c in checks] == [True] * len(CLAIMS)
    assert all("its certificate holds" in c.text for c in checks)
    assert any("0 refutations" not in c.text for c in checks)
    assert recheck(certified, hopping, timeout=600, jobs=2) == checks


def test_what_has_its_certificate_is_passed_over(kept: Path) -> None:
    before = {path.name: path.stat().st_mtime_ns for path in kept.parent.rglob("*.xz")}
    assert {c.done for c in certify(kept, hopping)} == {None}
    file_of(kept, "inside").unlink()
    (kept.parent / "certificates" / f"{'0' * 64}.xz").write_bytes(b"left by another")
    assert {c.verdict.claim for c in certify(kept, hopping) if c.done} == {"inside"}
    after = {path.name: path.stat().st_mtime_ns for path in kept.parent.rglob("*.xz")}
    assert after.keys() == before.keys()


def test_certificates_do_not_depend_on_who_makes_them(kept: Path, certified: Path) -> None:
    assert {c.done for c in certify(kept, hopping, again=True, engine="z3")} == {True}
    assert [c.passed for c in recheck(kept, hopping)] == [True] * len(CLAIMS)


@pytest.mark.sampled(4)
@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("name", CLAIMS)
@pytest.mark.parametrize("damage", ["missing", "empty", "cut", "bit", "exchanged", "no text", "more"])
def test_a_damaged_file_is_refused(kept: Path, name: str, damage: str) -> None:
    file = file_of(kept, name)
    content = file.read_bytes()
    if damage == "missing":
        file.unlink()
        assert only(kept, name) == (False, "its certificate is missing")
        return
    other = lzma.decompress(file_of(kept, "inside" if name != "inside" else "ends").read_bytes())
    changed = {
        "empty": b"",
        "cut": content[: len(content) // 2],
        "bit": _flipped(content, len(content) // 2),
        "exchanged": lzma.compress(other),
        "no text": lzma.compress(b"\xff\xfe"),
        "more": lzma.compress(lzma.decompress(content) + b"late\n"),
    }[damage]  # fmt: skip
    file.write_bytes(changed)
    assert only(kept, name)[0] is False


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("name", CLAIMS)
def test_the_certificate_of_another_claim_is_refused(kept: Path, name: str) -> None:
    for other in CLAIMS:
        digest = file_of(kept, other).stem
        if file_of(kept, name).stem != digest:
            copy = kept.read_bytes()
            put_digest(kept, name, digest)
            assert only(kept, name)[0] is False, other
            kept.write_bytes(copy)


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("digest", ["../../verdicts", "0" * 63, ""])
def test_a_name_that_is_no_digest_is_refused(kept: Path, digest: object) -> None:
    put_digest(kept, "inside", digest)
    assert only(kept, "inside") == (False, "the name of its certificate is damaged")


def _lines(change: Callable[[list[str]], list[str]]) -> Callable[[str], str]:
    return lambda text: "".join(f"{line}\n" for line in change(text.splitlines()))


def _first_proof(lines: list[str]) -> int:
    return next(i for i, line in enumerate(lines) if line.startswith("proof"))


def _as_yes(lines: list[str]) -> list[str]:
    """The first no becomes a yes."""
    at = _first_proof(lines)
    steps = int(lines[at].split()[-1])
    return [*lines[:at], "yes", *lines[at + 1 + steps :]]


def _shorter(lines: list[str]) -> list[str]:
    """The first proof loses its first step, or if it has just one its hints."""
    at = _first_proof(lines)
    *words, steps = lines[at].split()
    if int(steps) == 1:
        return [*lines[: at + 1], f"{lines[at + 1].split()[0]} 0 0", *lines[at + 2 :]]
    return [*lines[:at], " ".join([*words, str(int(steps) - 1)]), *lines[at + 2 :]]


def _other_hints(lines: list[str]) -> list[str]:
    """The last hint of the first proof's first step becomes another clause."""
    at = _first_proof(lines) + 1
    words = lines[at].split()
    words[-2] = "1"
    return [*lines[:at], " ".join(words), *lines[at + 1 :]]


FORGERIES: dict[str, Callable[[str], str]] = {
    "another form": lambda text: text.replace("certificate 1", "certificate 2", 1),
    "no end of line": lambda text: text[:-1],
    "an answer less": _lines(lambda lines: lines[: _first_proof(lines)]),
    "an answer more": _lines(lambda lines: [*lines, "late"]),
    "a yes for a no": _lines(_as_yes),
    "late for a no": _lines(lambda lines: ["late" if x == "yes" else x for x in _as_yes(lines)]),
    "a step less": _lines(_shorter),
    "other hints": _lines(_other_hints),
    "another digest": _lines(lambda lines: [x.replace("proof ", "proof 0", 1) for x in lines]),
    "a line of nothing": lambda text: text + "\n",
    "a word": lambda text: text.replace("proof", "prove", 1),
    "a number that is none": _lines(lambda lines: [x.replace(" ", " x", 1) for x in lines]),
}  # fmt: skip


@pytest.mark.sampled(4)
@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("name", ["three", "inside", "ends", "farthest"])
@pytest.mark.parametrize("forgery", FORGERIES)
def test_a_forged_certificate_is_refused_whatever_its_digest_and_seal(
    kept: Path, name: str, forgery: str
) -> None:
    forge(kept, name, FORGERIES[forgery])
    assert only(kept, name)[0] is False


@pytest.mark.usefixtures("no_engine")
def test_what_was_too_large_needs_an_engine(kept: Path) -> None:
    forge(kept, "three", _left_out)
    assert only(kept, "three")[0] is None


def test_what_was_too_large_is_solved_again(kept: Path) -> None:
    forge(kept, "three", _left_out)
    passed, text = only(kept, "three")
    assert passed is True
    assert "1 without a proof solved again with" in text


def _left_out(text: str) -> str:
    return Certificate(
        tuple(replace(a, proof=None) if isinstance(a, No) else a for a in Certificate.parse(text).answers)
    ).text()


def test_of_the_largest_proofs_only_the_cores_are_kept(kept: Path) -> None:
    checks = list(certify(kept, hopping, again=True, proofs=0))
    assert {c.done for c in checks} == {True}
    assert any("without a proof" in c.text for c in checks)
    assert only(kept, "three")[0] is True
    text = lzma.decompress(file_of(kept, "three").read_bytes()).decode()
    cores = [a.core for a in Certificate.parse(text).answers if isinstance(a, No) and a.steps]
    assert cores and all(cores)


@pytest.mark.parametrize("forgery", [(0, 2), (0, 1_000_000), (0, 5, 3), (-1, 2), (0, -2)])
def test_a_core_that_is_none_is_refused(kept: Path, forgery: tuple[int, ...]) -> None:
    """A core with a model, and ones of clauses that there are not."""
    forge(
        kept,
        "three",
        lambda text: Certificate(
            tuple(
                replace(a, proof=None, core=forgery) if isinstance(a, No) else a
                for a in Certificate.parse(text).answers
            )
        ).text(),
    )
    assert only(kept, "three")[0] is False


JAR = """\
rulespec: 1
id: jar
title: Jar
players: 2
rules:
- id: add
  prose: Put one or two stones into the jar, which takes eight.
  formal: |
    state jar: 0..12 = 0
  action: k in 1..2
  about: k in 1..2
  binds: [add]
  that: jar + k <= ROOM
  do: jar := jar + k
- id: full
  prose: A full jar ends the game, for nothing or a point.
  end: jar = 8
  question: Does a full jar bring a point?
  readings:
    nothing: No.
    point: Yes.
  score: if full is point then 1 else 0
claims:
- id: fits
  prose: No stone falls out.
  invariant: jar <= 8
"""


@pytest.mark.parametrize(("room", "shared"), [("8", True), ("(if full is point then 7 else 8)", False)])
def test_settings_with_the_same_questions_share_a_certificate(
    tmp_path: Path, room: str, shared: bool
) -> None:
    (tmp_path / "jar.yaml").write_text(JAR.replace("ROOM", room), "utf-8")
    loader, path, store = Loader(str(tmp_path / "jar.yaml")), tmp_path / "verdicts.json.gz", Store()
    for readings in ({}, {"full": "point"}):
        game = loader(readings=readings)
        case = Case(game, game.claims["fits"], Budget(60))
        answer = FORMULAS(case)
        assert answer is not None
        store.put(verdict_of(case, answer, store))
    store.write(path)
    assert [c.done for c in certify(path, loader, wanted=lambda v: not v.readings)] == [True]
    done = {bool(c.verdict.readings): c.done for c in certify(path, loader, only_share=True)}
    assert done == {False: None, True: True if shared else None}  # what took longer comes first
    named = [e.data.get("certificate") for v in Store.read(path) for e in v.evidence]
    assert len({*named}) == (1 if shared else 2)
    assert [c.passed for c in recheck(path, loader)] == [True, True]


def test_there_is_an_end_to_what_is_kept(kept: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = [path.name for path in kept.parent.rglob("*.xz")]
    monkeypatch.setattr(importlib.import_module("rulespec.solver.claims.certify"), "MOST_BYTES", 0)
    assert {(c.done, c.text) for c in certify(kept, hopping, again=True)} == {(False, FULL)}
    assert sorted(path.name for path in kept.parent.rglob("*.xz")) == sorted(before)


@pytest.mark.usefixtures("no_engine")
@pytest.mark.parametrize("second", ["bitwuzla", "cvc5", "z3"])
def test_a_second_solver_confirms_each_refutation(certified: Path, second: str) -> None:
    pytest.importorskip(second)
    checks = recheck(certified, hopping, timeout=600, second=second)
    assert [c.passed for c in checks] == [True] * len(CLAIMS)
    assert all(re.search(r"; \w+ [\d.]+ confirms (\d+) of \1(;|$)", c.text) for c in checks)


def test_a_second_solver_that_disagrees_is_believed(kept: Path) -> None:
    """The certificate is right, so this is a question that is written down wrongly; nothing passes then."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SecondSolver, "has_model", lambda self, text, seconds: True)
        (check,) = recheck(kept, hopping, ["three"], second="z3")
    assert check.passed is False
    assert "finds a model of refutation 1" in check.text


def test_a_second_solver_that_is_late_leaves_it_open(kept: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SecondSolver, "has_model", lambda self, text, seconds: None)
        (check,) = recheck(kept, hopping, ["three"], second="z3")
    assert check.passed is None
    assert "confirms 0 of" in check.text


def test_a_second_solver_that_there_is_not_is_refused(kept: Path) -> None:
    with pytest.raises(NoEngine, match="there is no solver `kissat`"):
        recheck(kept, hopping, second="kissat")


@pytest.mark.parametrize("model", [True, False])
@pytest.mark.parametrize("second", ["bitwuzla", "cvc5", "z3"])
def test_a_second_solver_says_what_it_found(second: str, model: bool) -> None:
    pytest.importorskip(second)
    text = "(set-logic QF_UF)\n(declare-const |1: a = b| Bool)\n(assert |1: a = b|)\n"
    text += "" if model else "(assert (not |1: a = b|))\n"
    assert SecondSolver(second).has_model(text + "(check-sat)\n", 20) is model


def test_what_is_exported_can_be_checked_by_itself(certified: Path, tmp_path: Path) -> None:
    checks = recheck(certified, hopping, timeout=600, export=tmp_path)
    assert {c.passed for c in checks} == {True}
    texts = sorted(tmp_path.rglob("*.smt2"))
    asked = {("hops", name) for name in CLAIMS}
    assert {path.relative_to(tmp_path).parts[:2] for path in texts} == asked
    proofs = sorted(tmp_path.rglob("*.lrat"))
    assert len(proofs) == sum(int(c.text.split("holds: ")[1].split()[0]) for c in checks)
    for proof in proofs:
        assert check_files([str(proof.with_suffix(".cnf")), str(proof)]) == 0
    inside = next(path for path in texts if "inside" in path.parts).with_name("001.smt2").read_text()
    assert "induction: `hop`" in inside
    assert re.search(r"\(declare-const x\d+ Bool\) ; at = 3 at first", inside)


def test_what_is_exported_does_not_depend_on_the_process(certified: Path, tmp_path: Path) -> None:
    """Sets of words come in another order in each process; clauses must not."""
    script = (
        "import sys; from pathlib import Path; sys.path[:0] = sys.argv[3:]\n"
        "from test_certify import hopping; from rulespec.solver.claims import recheck\n"
        "checks = recheck(Path(sys.argv[1]), hopping, timeout=600, export=Path(sys.argv[2]))\n"
        "sys.exit({c.passed for c in checks} != {True})\n"
    )
    paths = [str(Path(__file__).parent), str(Path(__file__).parents[2]), str(Path(__file__).parents[3])]
    for seed in ("1", "2"):
        command = [sys.executable, "-c", script, str(certified), str(tmp_path / seed), *paths]
        subprocess.run(command, check=True, env={**os.environ, "PYTHONHASHSEED": seed})
    first, second = (
        {path.relative_to(tmp_path / seed): path.read_text() for path in (tmp_path / seed).rglob("*.*")}
        for seed in ("1", "2")
    )
    assert first == second
    assert len(first) > len(CLAIMS)


def test_a_certificate_is_what_was_written(tmp_path: Path) -> None:
    one = Certificate((Yes((3, 5)), Late(), No("ab" * 32, 4, 2, ("5 1 0 1 2 0", "6 0 5 3 4 0")), Yes(())))
    assert Certificate.parse(one.text()) == one
    shelf = CertificateStore(tmp_path / "verdicts.json.gz")
    digest, size = shelf.keep(one)
    assert shelf.read(digest) == one
    assert shelf.size() == size
    shelf.drop_but(())
    with pytest.raises(BadEvidence, match="missing"):
        shelf.read(digest)


def test_only_certificates_are_removed(tmp_path: Path) -> None:
    """`certify` once removed every `*.xz` and `*.part` of a folder, also through a link to another folder."""
    shelf, folder = CertificateStore(tmp_path / "verdicts.json.gz"), tmp_path / "certificates"
    digest, _ = shelf.keep(Certificate(()))
    for name in ("backup.xz", "download.part", f"{digest}.xz.old"):
        (folder / name).write_text("mine")
    shelf.drop_but(())
    assert {path.name for path in folder.iterdir()} == {"backup.xz", "download.part", f"{digest}.xz.old"}


def test_a_certificate_that_asks_for_gigabytes_is_refused(tmp_path: Path) -> None:
    """A hundred bytes asked for a dictionary of 4 GB, which ended the whole command for want of memory."""
    text = b"rulespec certificate 1\n"
    packed, digest = bytearray(lzma.compress(text)), hashlib.sha256(text).hexdigest()
    packed[16] = 40  # the size of the dictionary, in the header of the only block
    packed[20:24] = zlib.crc32(packed[12:20]).to_bytes(4, "little")
    (tmp_path / "certificates").mkdir()
    (tmp_path / "certificates" / f"{digest}.xz").write_bytes(packed)
    with pytest.raises(BadEvidence, match="damaged"):
        CertificateStore(tmp_path / "verdicts.json.gz").text(digest)


def test_nothing_is_removed_behind_a_link(tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    (elsewhere / f"{'0' * 64}.xz").write_text("mine")
    (tmp_path / "certificates").symlink_to(elsewhere)
    shelf = CertificateStore(tmp_path / "verdicts.json.gz")
    with pytest.raises(LinkError):
        shelf.drop_but(())
    with pytest.raises(LinkError):
        shelf.keep(Certificate(()))
    assert [path.name for path in elsewhere.iterdir()] == [f"{'0' * 64}.xz"]
