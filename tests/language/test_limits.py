"""Texts that would take too long, grow too large or lead too deep are refused soon, and in place."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load, work_limit

HEAP = (Path(__file__).parent / "bad" / "base" / "ruleset.yaml").read_text("utf-8")


def declaring(*lines: str) -> str:
    return HEAP.replace("    state heap", "".join(f"    {line}\n" for line in lines) + "    state heap", 1)


def requiring(formal: str) -> str:
    return HEAP.replace("that: n <= heap", f"that: |\n        {formal}", 1)


def defined(count: int) -> str:
    """Definitions that lead into one another, each asking for the next, over as many rules as they need."""
    rules = ""
    for first in range(0, count, 1000):
        chain = "".join(f"    define d{i} = d{i + 1} + 1\n" for i in range(first, min(first + 1000, count)))
        rules += f"- id: r{first}\n  prose: A chain.\n  formal: |\n{chain}"
    end = f"- id: end\n  prose: Its end.\n  formal: define d{count} = 1\n"
    return HEAP.replace("- id: take", f"{rules}{end}- id: take")


SLOW = "every x in 0..199999 satisfies x >= 0"

TEXTS = {
    "brackets": (requiring("(" * 15_000 + "n" + ")" * 15_000 + " <= heap"), "text.depth"),
    "nots": (requiring("not " * 3000 + "n <= heap"), "text.depth"),
    "long text": (requiring("n <= heap" + " " * 40_000 + "or n = 0"), "text.size"),
    "digits": (requiring("n <= " + "9" * 30_000), "number.size"),
    "products": (declaring("define a = 999999999 * 999999999"), "number.large"),
    "a sum": (declaring("define a = sum(k * k * k for k in 0..1999999)"), "number.large"),
    "a range": (declaring("type R = 0..999999999"), "type.size"),
    "a list": (declaring("state l: list of Count up to 999999999"), "type.size"),
    "a record": (declaring("type R = {a: 0..9999, b: 0..9999}"), "type.size"),
    "a map of maps": (declaring("state m: map 0..1999 -> map 0..1999 -> Count = 0"), "type.size"),
    "a narrowed type": (declaring(f"type S = x in 0..99999 where ({SLOW})"), "size.work"),
    "a table": (
        declaring(f"define f(a: 0..100): 0..100 = if ({SLOW}) then 1 else a + a"), "size.work",
    ),
    "a walk": (
        requiring("(follow q from n to (q + 1) mod 9 while true at most 99999 times) < heap"), "follow.times",
    ),
    "a chain": (
        HEAP.replace("action: n in 1..3", "action: p in chains of 1..9 up to 9999 by q where q > 0"),
        "action.chain",
    ),
    "effects": (
        declaring(
            "to p0(): add 1 to heap", *(f"to p{i}(): p{i - 1}(); p{i - 1}()" for i in range(1, 20))
        ),
        "size.effects",
    ),
    "definitions in definitions": (defined(2700), "size.deep"),
    "recursion": (
        declaring(
            "define f(n: 0..400 falling): 0..1? =" + "".join(f" if n = {i} then 0 else" for i in range(40))
            + " f(n - 1)"
        ),
        "size.deep",
    ),
    "sequences": (HEAP.replace("There is one heap.", "[" * 200 + "]" * 200), "yaml.size"),
    "a bomb": ("a: &a [x, x]\nb: &b [*a, *a]\n" + HEAP, "yaml.anchor"),
    "a zero byte": (HEAP.replace("one", "o\0ne"), "yaml.character"),
    "a hidden line separator": (HEAP.replace("There is", "There\u2028is"), "yaml.character"),
    "a long id": (HEAP.replace("id: take", "id: " + "t" * 65), "key.id"),
    "many players": (HEAP.replace("players: 2", "players: 2..99"), "players.number"),
    "a path up": ("rulespec: 1\nid: x\ntitle: X\nextends: ../../secrets\n", "variant.extends"),
    "an absolute path": ("rulespec: 1\nid: x\ntitle: X\nextends: /etc/passwd\n", "variant.extends"),
}  # fmt: skip


@pytest.mark.parametrize("what", TEXTS)
def test_refused(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text, code = TEXTS[what]
    if code == "size.work":
        monkeypatch.setattr(work_limit, "MOST_WORK", work_limit.MOST_WORK // 30)
    path = tmp_path / "game.yaml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulesetError) as caught:
        load(path)
    first = caught.value.diagnostics[0]
    assert first.code == code
    assert first.span is not None
    assert first.render()


@pytest.mark.parametrize(
    ("data", "line", "column"),
    [
        (HEAP.replace("one heap", "ein Häufchen").encode("latin-1"), 12, 24),
        (HEAP.encode("utf-16"), 1, 1),
        (b"rulespec: 1\nid: \xff", 2, 5),
    ],
)
def test_other_encodings_are_refused_where_they_show(
    data: bytes, line: int, column: int, tmp_path: Path
) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(data)
    with pytest.raises(RulesetError) as caught:
        load(path)
    (found,) = caught.value.diagnostics
    assert found.code == "file.encoding"
    assert found.span is not None
    assert (found.span.line, found.span.column) == (line, column)


@pytest.mark.parametrize("ending", ["\r\n", "\r"])
def test_other_line_endings_are_as_good(ending: str, tmp_path: Path) -> None:
    path = tmp_path / "game.yaml"
    path.write_bytes(HEAP.replace("\n", ending).encode("utf-8"))
    assert load(path).digest == load(Path(__file__).parent / "bad" / "base" / "ruleset.yaml").digest


def test_an_effect_that_nothing_runs_is_read_too(tmp_path: Path) -> None:
    """What stood in `to` was once looked at only where it was run, and then told once for each run."""
    path = tmp_path / "game.yaml"
    for more in ("nothing", "spoil(); spoil()"):
        path.write_text(
            declaring("to spoil(): heap := colour").replace("do: remove n from heap", f"do: {more}")
        )
        with pytest.raises(RulesetError) as caught:
            load(path)
        assert [d.code for d in caught.value.diagnostics] == ["name.unknown"]
