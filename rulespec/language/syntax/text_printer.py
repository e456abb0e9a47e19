"""Whole formal texts in canonical form: declarations, statements with their blocks, and the comments."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import cast

from lark import Tree

from .parser import STARTS
from .printer import FORMS, STEP, WIDTH, Part, Piece, Syntax, break_lines, lay_out, one_line


def print_text(items: Iterable[tuple[Syntax, str]]) -> str:
    """Declarations or whole texts printed one after another, each given with the text around it.

    The comments of the texts are kept, each before the construct it stands in or beside.
    """
    layout = _Layout()
    pools: dict[str, list[tuple[int, str]]] = {}
    for tree, text in items:
        layout.comments = pools.setdefault(text, _comments(text))
        for item in tree.children if tree.data in STARTS else [tree]:
            layout.item(cast(Syntax, item), 0)
        if tree.data == "choices_text" and not tree.children:
            layout.lines.append("()")
    for layout.comments in pools.values():
        layout.comment(None, 0)
    return "\n".join(layout.lines)


def _comments(text: str) -> list[tuple[int, str]]:
    """The comments of a text with their lines, counted from 1."""
    found = []
    for number, written in enumerate(text.split("\n"), 1):
        outside = re.sub(r'"[^"]*"', lambda quoted: "_" * len(quoted.group()), written)
        if "#" in outside:
            found.append((number, written[outside.index("#") :].rstrip()))
    return found


class _Layout:
    """The lines of a text so far, and the remaining comments."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.comments: list[tuple[int, str]] = []

    def comment(self, before: int | None, indent: int) -> None:
        """Write the comments that precede a line of the text, or all remaining ones."""
        while self.comments and (before is None or self.comments[0][0] <= before):
            self.lines.append(" " * indent + self.comments.pop(0)[1])

    def item(self, tree: Syntax, indent: int) -> None:
        """Write a declaration, a statement, an expression or another part of a text."""
        if tree.data == "stmts":
            for statement in tree.children:
                self.item(cast(Syntax, statement), indent)
        elif tree.data == "if_stmt":
            self.branches(tree, "if ", indent)
        elif tree.data == "for_stmt":
            self.block(["for ", Part(cast(Syntax, tree.children[0])), ":"], tree, indent)
        elif tree.data == "to_decl":
            name, params, _ = tree.children
            given: list[Piece] = [Part(cast(Syntax, params))] if params is not None else []
            self.block([f"to {name}(", *given, "):"], tree, indent)
        else:
            self.comment(getattr(tree.meta, "end_line", 0), indent)
            self.write(lay_out(Part(tree), indent, indent + STEP), indent)

    def write(self, text: str, indent: int) -> None:
        """Write a text whose first line begins at this depth."""
        self.lines += (" " * indent + text).split("\n")

    def branches(self, tree: Syntax, word: str, indent: int) -> None:
        """`if` with its block, then `else if` and `else` with theirs."""
        cond, block, *rest = cast("list[Syntax]", tree.children)
        self.block([word, Part(cond), ":"], Tree("", [block], tree.meta), indent)
        for part in rest:
            if part.data == "else_if":
                self.branches(part, "else if ", indent)
            else:
                self.block(["else:"], part, indent)

    def block(self, head: list[Piece], tree: Syntax, indent: int) -> None:
        """A head with its block, the last child of the tree, on the same line if it is short."""
        self.comment(getattr(tree.meta, "line", 0), indent)
        block = cast(Syntax, tree.children[-1])
        first = cast(Syntax, block.children[0])
        statements = first.children if first.data == "stmts" else block.children
        self.write(break_lines(head, indent, indent + 2 * STEP), indent)
        only = cast(Syntax, statements[0])
        if len(statements) == 1 and only.data in FORMS and not self.waits(block):
            short = f"{self.lines[-1]} {one_line(only)}"
            if len(short) <= WIDTH:
                self.lines[-1] = short
                return
        for statement in statements:
            self.item(cast(Syntax, statement), indent + STEP)

    def waits(self, tree: Syntax) -> bool:
        """True if a comment stands inside a tree."""
        return bool(self.comments) and self.comments[0][0] <= getattr(tree.meta, "end_line", 0)
