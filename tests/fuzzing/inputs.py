"""Hostile inputs: for each kind the files from a stranger and the command that is run on them.

An input is made from its kind and number alone, so a failing one can be made again.
"""

from __future__ import annotations

import gzip
import json
import lzma
import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rulespec.core.verdicts import Store, StoreError, verdict_from

from . import corpus
from .mangle import NAME, NUMBERS, mangled, mangled_bytes, mangled_data

CERTIFY = "certificates"
"""In place of a command of `rulespec`: the checker of proofs as a program of its own."""


@dataclass
class Input:
    """A command line, the files it finds in its folder, what it reads from standard input."""

    argv: list[str]
    files: dict[str, bytes] = field(default_factory=dict)
    links: dict[str, str] = field(default_factory=dict)
    """Symbolic links by path, with where they lead."""
    stdin: str = ""

    def write(self, folder: Path) -> None:
        """Put the files into a folder."""
        for name, data in self.files.items():
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
        for name, to in self.links.items():
            path = folder / name
            if path.parent.is_symlink() or path.is_symlink() or path.exists():
                continue
            path.parent.mkdir(parents=True, exist_ok=True)
            path.symlink_to(to)


def made(kind: str, number: str) -> Input:
    """The input of a kind with a number (any text: it seeds the chance)."""
    return KINDS[kind][1](random.Random(f"{kind}/{number}"))


def drawn(rng: random.Random) -> str:
    """A kind, drawn by its weight."""
    return rng.choices(list(KINDS), [weight for weight, _ in KINDS.values()])[0]


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _ruleset_text(rng: random.Random) -> str:
    texts = corpus.rulesets() if rng.random() < 0.97 else corpus.large()
    text = rng.choice(list(texts.values()))
    return mangled(rng, text, list(texts.values()), corpus.formal)


def _check(rng: random.Random) -> Input:
    """A mutated ruleset that is checked."""
    return Input(["check", "g.yaml"], {"g.yaml": _bytes(_ruleset_text(rng))})


def _raw(rng: random.Random) -> Input:
    """A ruleset with mutated bytes."""
    data = _bytes(rng.choice(list(corpus.rulesets().values())))
    return Input(["check", "g.yaml"], {"g.yaml": mangled_bytes(rng, data)})


def _variant(rng: random.Random) -> Input:
    """A mutated variant of a shipped ruleset, or of a mutated one beside it."""
    text = mangled(rng, *_one_of(rng, corpus.variants()), corpus.formal)
    files = {"g.yaml": _bytes(text)}
    if rng.random() < 0.3:
        base = rng.choice(NAME.findall(text) or ["x"])
        files[f"{base}.yaml"] = _bytes(_ruleset_text(rng))
    return Input(["check", "g.yaml"], files)


def _one_of(rng: random.Random, texts: Mapping[str, str]) -> tuple[str, list[str]]:
    listed = list(texts.values())
    return rng.choice(listed), listed


USES: tuple[tuple[str, ...], ...] = (
    ("show", "g.yaml"),
    ("show", "g.yaml", "--formal"),
    ("show", "g.yaml", "--code"),
    ("show", "g.yaml", "--json"),
    ("play", "g.yaml", "--player", "random", "--plies", "12", "--seed", "1"),
    ("play", "g.yaml", "--player", "random", "--plies", "8", "--seed", "2", "--record", "r.json", "--full"),
    ("play", "g.yaml", "--player", "greedy", "--plies", "4", "--seed", "2", "--json"),
    ("perft", "g.yaml", "--depth", "2"),
    ("simulate", "g.yaml", "--games", "3", "--plies", "30", "--jobs", "1", "--seed", "1", "--no-store"),
    ("coverage", "g.yaml"),
    ("diff", "g.yaml", "nim"),
    ("why", "g.yaml", "take 3", "--seed", "1"),
)


def _used(rng: random.Random) -> Input:
    """A mutated ruleset that is shown, played, counted, simulated."""
    return Input(list(rng.choice(USES)), {"g.yaml": _bytes(_ruleset_text(rng))})


PROOFS: tuple[tuple[str, ...], ...] = (
    ("prove", "g.yaml", "--timeout", "1", "--memory", "500"),
    ("prove", "g.yaml", "--timeout", "1", "--memory", "500", "--no-store", "--steps"),
    ("check", "g.yaml", "--deep", "--timeout", "1", "--memory", "500"),
    ("solve", "g.yaml", "--timeout", "1", "--memory", "500", "--seed", "1"),
    ("hint", "g.yaml", "--timeout", "1", "--memory", "500", "--seed", "1"),
)


def _proved(rng: random.Random) -> Input:
    """A mutated ruleset whose claims are decided."""
    return Input(list(rng.choice(PROOFS)), {"g.yaml": _bytes(_ruleset_text(rng))})


def _record(rng: random.Random) -> Input:
    """A mutated record that is replayed, asked about or gone on with."""
    data = mangled_data(rng, rng.choice(corpus.records()), corpus.records())
    content = _json(rng, data)
    argv = rng.choice(
        (
            ["replay", "r.json"],
            ["replay", "r.json", "--steps"],
            ["why", "take 1", "--record", "r.json"],
            ["play", "--resume", "r.json", "--player", "random", "--plies", "3"],
            ["solve", "nim", "--deal", "r.json", "--timeout", "1"],
        )
    )
    return Input(argv, {"r.json": content})


def _json(rng: random.Random, data: Any) -> bytes:
    text = json.dumps(data, ensure_ascii=rng.random() < 0.5)
    content = _bytes(text)
    return mangled_bytes(rng, content) if rng.random() < 0.2 else content


def _store(rng: random.Random) -> Input:
    """A mutated store of verdicts, sealed anew where it still is one, that is rechecked or gone on with."""
    folder, data = rng.choice(list(corpus.stores().items()))
    part = {"verdicts": rng.sample(data["verdicts"], 1), "records": data["records"]}
    part = mangled_data(rng, part, list(corpus.stores().values()))
    rules = (Path(folder) / "ruleset.yaml").read_text("utf-8")
    files = {"g/ruleset.yaml": _bytes(rules), "g/verdicts.json.gz": gzip.compress(_bytes(_sealed(part)))}
    if rng.random() < 0.1:
        files["g/verdicts.json.gz"] = mangled_bytes(rng, files["g/verdicts.json.gz"])
    argv = rng.choice(
        (
            ["recheck", "g/ruleset.yaml", "--timeout", "1", "--jobs", "1"],
            ["recheck", "g/ruleset.yaml", "--timeout", "1", "--jobs", "1", "--json"],
            ["prove", "g/ruleset.yaml", "--timeout", "0.2"],
        )
    )
    return Input(argv, files)


def _sealed(data: Any) -> str:
    """The store as text with a seal that fits, where its parts are such that it can be sealed."""
    try:
        store = Store(map(verdict_from, data["verdicts"]))
        names = {old: store.keep(record) for old, record in data["records"].items()}
        text = store.text()
        for old, new in names.items():
            text = text.replace(old, new)
        return Store.parse(text).text()
    except (StoreError, TypeError, KeyError, AttributeError, ValueError, RecursionError):
        return json.dumps({"format": 1, **data, "seal": ""} if isinstance(data, dict) else data)


PROOF = ("p cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n", "5 2 0 1 2 0\n6 0 5 3 4 0\n")


def _certificate(rng: random.Random) -> Input:
    """A mutated formula or proof."""
    formula, proof = PROOF
    if rng.random() < 0.5:
        formula = mangled(rng, formula, PROOF, lambda rng: rng.choice(NUMBERS))
    else:
        proof = mangled(rng, proof, PROOF, lambda rng: rng.choice(NUMBERS))
    return Input([CERTIFY, "f.cnf", "p.lrat"], {"f.cnf": _bytes(formula), "p.lrat": _bytes(proof)})


def _shelf(rng: random.Random) -> Input:
    """A mutated certificate beside the rules it is about."""
    shelf = sorted((corpus.ROOT / "rulesets/classics/nim/..").resolve().glob("*/certificates/*.xz"))
    file = rng.choice(shelf)
    folder = file.parent.parent
    content = file.read_bytes()
    if rng.random() < 0.6:
        content = lzma.compress(_bytes(mangled(rng, lzma.decompress(content).decode(), PROOF, _numeral)))
    else:
        content = mangled_bytes(rng, content)
    files = {f"g/{name}": (folder / name).read_bytes() for name in ("ruleset.yaml", "verdicts.json.gz")}
    files[f"g/certificates/{file.name}"] = content
    return Input(["recheck", "g/ruleset.yaml", "--timeout", "1", "--jobs", "1", "--within", "1"], files)


def _numeral(rng: random.Random) -> str:
    return rng.choice(NUMBERS)


def _page(rng: random.Random) -> Input:
    """A mutated page whose examples are run."""
    text = mangled(rng, *_one_of(rng, corpus.pages()), corpus.formal)
    return Input(["check", "p.md"], {"p.md": _bytes(text)})


def _map(rng: random.Random) -> Input:
    """A mutated source map, or a mutated document that is compared with it."""
    name, text = rng.choice(list(corpus.maps().items()))
    rules = corpus.large().get(str(Path(name).parent.parent / "ruleset.yaml")) or rng.choice(
        list(corpus.rulesets().values())
    )
    document = mangled(rng, *_one_of(rng, corpus.documents()), corpus.formal)
    mutated = mangled(rng, text, list(corpus.maps().values()), corpus.formal)
    files = {
        "g.yaml": _bytes(rules),
        f"sources/{Path(name).name}": _bytes(mutated),
        "d.txt": _bytes(document),
    }
    argv = ["coverage", "g.yaml"]
    argv += rng.choice(([], ["--document", "d.txt"], ["--document", "d.txt", "--draft"]))
    return Input(argv, files)


COMMANDS = """
    check show play replay perft simulate why prove solve hint survey recheck diff mutate coverage schema list
    generate
""".split()
OPTIONS = """
    --players --set --reading --seed --depth --plies --record --resume --games --policy --jobs --json
    --player --full --steps --timeout --memory --again --no-store --formal --code --rule --deals --from
    --help --version --draft --document --no-claims --engine --with --sample --within --export --out
""".split()
VALUES = """
    nim tic-tac-toe kuhn-poker last-counter=wins piles=[1,2] piles= =x x= 2 0 -1 1=random random search
    g.yaml . .. / /dev/null /dev/zero r.json missing.yaml ' -- - @x * ~ $HOME %s {} \\
""".split()
WORDS = (*COMMANDS, *OPTIONS, *VALUES, "", "a b", "é", "\x1b[2J", *NUMBERS)
BOUNDS = ("--timeout", "1", "--memory", "500", "--jobs", "1")


def _arguments(rng: random.Random) -> Input:
    """A command line of words that may or may not belong together."""
    argv = [rng.choice(COMMANDS)] + [rng.choice(WORDS) for _ in range(rng.randint(0, 6))]
    if argv[0] in ("recheck", "mutate", "prove", "survey", "solve", "hint", "generate", "simulate", "check"):
        argv = ["show", *argv[1:]] if rng.random() < 0.7 else [*argv[:1], "nim", *BOUNDS, *argv[1:3]]
    files = {"g.yaml": _bytes(rng.choice(list(corpus.rulesets().values())))}
    return Input([word.encode("utf-8", "replace").decode().replace("\0", "") for word in argv], files)


LINES = (
    "help",
    "undo",
    "hint",
    "why",
    "save x.json",
    "save",
    "quit",
    "1",
    "2",
    "0",
    "99",
    "board",
    "",
    "q",
    "take 3",
)


def _prompt(rng: random.Random) -> Input:
    """Lines typed at the prompt of a game."""
    lines = [rng.choice((*LINES, *LINES, *NUMBERS)) for _ in range(rng.randint(0, 12))]
    text = _one_hint(mangled(rng, "\n".join(lines) + "\n", ["\n".join(LINES)], corpus.formal))
    name = rng.choice(("nim", "tic-tac-toe", "kuhn-poker", "pig", "eight-puzzle"))
    return Input(["play", name, "--seed", "1"], stdin=text)


def _one_hint(text: str) -> str:
    """Leave one hint: each is a search of two seconds, as its help says, and many are no hang."""
    before, hint, after = text.partition("hint")
    return before + hint + after.replace("hint", "")


def _links(rng: random.Random) -> Input:
    """A folder of rules in which links lead to files of the user."""
    rules = corpus.rulesets()["rulesets/classics/nim/ruleset.yaml"]
    names = (
        "verdicts.json.gz",
        "verdicts.json.gz.part",
        "certificates",
        "sources",
        "variants",
        "r.json",
        "p.svg",
    )
    names += ("verdicts.json.gz.lock", ".verdicts.json.gz.part", "sources/a.yaml", "certificates/x.xz")
    chosen = rng.sample(names, rng.randint(1, 3))
    links = {f"g/{name}": rng.choice(("../../victim.txt", "../../victims")) for name in chosen}
    argv = rng.choice(
        (
            ["prove", "g/ruleset.yaml", "ends", "--timeout", "1"],
            ["certify", "g/ruleset.yaml", "--timeout", "1"],
            ["recheck", "g/ruleset.yaml", "--timeout", "1", "--jobs", "1"],
            [
                "play",
                "g/ruleset.yaml",
                "--player",
                "random",
                "--plies",
                "3",
                "--seed",
                "1",
                "--record",
                "g/r.json",
            ],
            ["coverage", "g/ruleset.yaml"],
            ["check", "g/ruleset.yaml"],
        )
    )
    return Input(argv, {"g/ruleset.yaml": _bytes(rules)}, links)


KINDS: dict[str, tuple[float, Callable[[random.Random], Input]]] = {
    "check": (40, _check),
    "raw": (5, _raw),
    "variant": (8, _variant),
    "used": (14, _used),
    "proved": (0.7, _proved),
    "record": (10, _record),
    "store": (3, _store),
    "certificate": (5, _certificate),
    "shelf": (0.2, _shelf),
    "page": (5, _page),
    "map": (4, _map),
    "arguments": (3, _arguments),
    "prompt": (3, _prompt),
    "links": (0.5, _links),
}
"""The kinds of inputs, with how often each is drawn."""
