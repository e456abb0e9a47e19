"""The words of libraries among the names of a ruleset, elaborated only if a text uses them.

The ruleset's own names take precedence, also within the text of a library. An unused word is not even parsed.
"""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Mapping as Given
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.diagnostics import Label
from ..core.types import Scalar, holds
from .documents.libraries import Use, Word, names_in, shipped_libraries
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping
from .documents.yaml import Scalar as Text
from .elaborate.expressions import expression
from .elaborate.folding import constant
from .elaborate.world import LIBRARY, Declaration, Faulty, Frame, World
from .elaborate.written_types import defined_type
from .rules import Rules, id_of
from .syntax.parser import ParsedText, Syntax, declarations, parse

NAMED = ("that", "after", "end")
"""Keys of rules to which texts refer by the id of the rule."""


@dataclass(frozen=True, eq=False)
class Offer:
    """A word that a library offers to a ruleset."""

    word: Word
    use: Use
    world: World

    def take(self) -> Declaration:
        """The parsed declaration of the word. Raises Faulty if the ruleset lacks a name that it needs."""
        world, library = self.world, self.use.library
        for name in sorted(self.word.names & library.needs.keys()):
            if world.find(name) is None:
                what = text_of(library.needs[name].entries.get("prose"))
                form = text_of(library.needs[name].entries.get("formal"))
                message = f"`{self.word.name}` of the library `{library.name}` needs `{name}`: {what}"
                world.report.error("library.needs", message, self.use.span, help=f"declare `{form} = …`")
                raise Faulty
        cached = world.memory.texts.declarations
        if self.word.text not in cached:
            cached[self.word.text] = [*declarations(self.word.text, world.report, world.meter)]
        parsed = cast(ParsedText, cached[self.word.text][0])
        tree = cast(Syntax, parsed.tree.children[0])
        return Declaration(
            self.word.kind, self.word.name, tree, self.word.text, library.clause, arguments=self.arguments
        )

    def arguments(self) -> Given[str, n.Expr]:
        """The values of the parameters that the word reads. Raises Faulty."""
        parameters = self.use.library.parameters
        return arguments(self.world, self.use, self.word.names & parameters.keys())


def arguments(world: World, use: Use, names: frozenset[str] | set[str]) -> dict[str, n.Expr]:
    """The values of some parameters of a library. Raises Faulty."""
    key = "library argument", use.library.name
    return {name: world.piece((*key, name), partial(_argument, world, use, name)) for name in sorted(names)}


def _argument(world: World, use: Use, name: str) -> n.Expr:
    entry = use.library.parameters[name]
    given = use.given.get(name, entry.entries.get("default"))
    if not isinstance(given, Text):
        message = f"the library `{use.library.name}` needs `{name}`: {text_of(entry.entries.get('prose'))}"
        help = f"- {use.library.name}: {{{name}: …}}"
        world.report.error("library.parameter", message, use.span, help=f"write `{help}`")
        raise Faulty
    of = defined_type(*_parsed(world, cast(Text, entry.entries["type"]), "type_text"), "")
    frame, tree = _parsed(world, given, "expr_text")
    made = expression(frame, tree, of)
    if not isinstance(made, n.Const) or not isinstance(of, Scalar) or not holds(of, made.value):
        message = f"`{name}` of the library `{use.library.name}` is one of {of}, known before the game"
        world.report.error("library.parameter", message, given.span)
        raise Faulty
    return constant(made.value, of)


def _parsed(world: World, text: Text, start: str) -> tuple[Frame, Syntax]:
    parsed = parse(text, start, world.report, world.meter)
    if parsed is None:
        raise Faulty
    return Frame(world, text), cast(Syntax, parsed.tree.children[0])


def offer_words(world: World, document: Document) -> None:
    """Make the words of libraries available to texts, unless names of the ruleset hide them."""
    if not document.uses:
        return
    hidden = _own_names(world, document)
    offered: dict[str, Offer] = {}
    for use in document.uses.values():
        label = Label(use.span, f"the library `{use.library.name}` is used here")
        world.report.callers[use.library.source.name] = label
        for name, word in use.library.words.items():
            if name in hidden:
                continue
            if name in offered:
                other = offered[name].use
                message = f"`{name}` is a word of `{other.library.name}` and of `{use.library.name}`"
                world.report.error("library.twice", message, use.span, other.span)
                continue
            offered[name] = Offer(word, use, world)
            world.offered[name] = offered[name].take
            for member in word.members - hidden:
                world.offered_members.setdefault(member, name)


def _own_names(world: World, document: Document) -> set[str]:
    """All names in texts of the ruleset, members of enumerations included."""
    parameters = document.root.entries.get("parameters")
    names = world.declared.keys() | world.rulings.keys() | document.lifted
    if isinstance(parameters, Mapping):
        names |= parameters.entries.keys()
    names |= {id_of(rule) for rule in document.section("rules") if rule.entries.keys() & set(NAMED)}
    for found in world.declared.values():
        if found.kind == "type" and found.state == "waiting":
            definition = cast(Syntax, found.tree.children[1])
            if definition.data == "enum_def":
                names |= {str(token) for token in definition.scan_values(lambda x: isinstance(x, Token))}
    return set(names)


def check_arguments(world: World, document: Document) -> None:
    """Report arguments for parameters of libraries that do not fit."""
    for use in document.uses.values():
        with suppress(Faulty):
            arguments(world, use, use.given.keys() & use.library.parameters.keys())


def make_reached(world: World, document: Document) -> None:
    """Elaborate the words of libraries used by any part of the game, cached parts included.

    They are last among the declarations, in the order of their library.
    """
    for setting in dict.fromkeys(setting for setting, _ in world.remembering.asked):
        if setting.startswith(LIBRARY):
            with suppress(Faulty):
                world.make(setting.removeprefix(LIBRARY))
    for name in (name for use in document.uses.values() for name in use.library.words):
        declared = world.declared.get(name)
        if declared is not None and declared.arguments is not None:
            world.declared[name] = world.declared.pop(name)


Layers = Iterator[tuple[Mapping, Given[str, n.Expr]]]
"""Layers of a diagram, each with the local names that its texts may use."""


def drawn_layers(world: World, document: Document) -> Layers:
    """The layers of the diagram, with the layers of libraries where the diagram names them."""
    for entry in document.section("diagram"):
        if "use" not in entry.entries:
            if "mark" not in entry.entries:
                world.report.error("key.missing", "`diagram` needs the key `mark`", entry.span)
            else:
                yield entry, {}
            continue
        for word in words(entry.entries["use"]):
            yield from _layers_of(world, document, word)


def _layers_of(world: World, document: Document, word: Text) -> Layers:
    known = {name: use for use in document.uses.values() for name in use.library.layers}
    use = known.get(word.value)
    if use is None:
        holders = [one.name for one in shipped_libraries().values() if word.value in one.layers]
        help = f"it is in the library `{holders[0]}`" if holders else world.report.choices(word.value, known)
        message = f"no library of this ruleset has a drawing `{word.value}`"
        world.report.error("library.layer", message, word.span, help=help)
        return
    layers = use.library.layers[word.value]
    named = {name for layer in layers for text in layer.entries.values() for name in names_in(text)}
    with suppress(Faulty):
        held = arguments(world, use, named & use.library.parameters.keys())
        yield from ((layer, held) for layer in layers)


def library_rules(rules: Rules, document: Document) -> Iterator[Mapping]:
    """Yield an entry of the rulebook for each library, with the words of it that the game uses."""
    for use in document.uses.values():
        library, declared = use.library, rules.world.declared
        named = (word for word in library.words.values() if word.name in declared)
        used = [word for word in named if declared[word.name].text is word.text]
        if used:
            prose = " ".join(dict.fromkeys([library.prose, *(word.prose for word in used)]))
            texts = {"id": library.clause, "heading": library.title, "prose": prose, "library": library.name}
            made = {key: Text(text, use.span, "", False, text, [], False) for key, text in texts.items()}
            span = used[0].text.span
            yield Mapping(span, False, {**made, "formal": used[0].text})
