"""Layout: newlines become statement ends and blocks.

A line indented further than its statement continues it, unless the line before ended in `:`, which opens a
block. Inside brackets newlines mean nothing.
"""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token

NEWLINE, INDENT, DEDENT = "_NL", "_INDENT", "_DEDENT"


class Layout:
    """A Lark post-lexer: `_NL` tokens in, `_NL`, `_INDENT`, `_DEDENT` (and a leading `else`) out."""

    always_accept = (NEWLINE,)
    free = False
    """True if newlines mean nothing, as in a text that is one expression."""

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of a text, with its layout made explicit."""
        indents, brackets, last = [0], 0, ""
        free = self.free
        for token in stream:
            if token.type != NEWLINE:
                brackets += (str(token) in "([{") - (str(token) in ")]}")
                last = token.type
                yield token
                continue
            # `else` goes with the statement before it: the newline token swallows it, so that one
            # token of look-ahead is enough.
            is_else = token.endswith("else")
            if free:
                if is_else:
                    yield _else_token(token)
                continue
            width = len(token) - 4 * is_else - token.rfind("\n") - 1
            if brackets == 0 and last == "COLON" and width > indents[-1]:
                indents.append(width)
                yield Token.new_borrow_pos(INDENT, "", token)
            elif brackets == 0 and last and width <= indents[-1]:
                while width < indents[-1]:
                    indents.pop()
                    yield Token.new_borrow_pos(DEDENT, "", token)
                if not is_else:
                    yield Token.new_borrow_pos(NEWLINE, "", token)
            if is_else:
                last = "ELSE"
                yield _else_token(token)
        for _ in indents[1:]:
            yield Token(DEDENT, "")


def _else_token(newline: Token) -> Token:
    lines = newline.count("\n")
    line = (newline.line or 1) + lines
    column = len(newline) - newline.rfind("\n") - 4
    return Token("ELSE", "else", (newline.end_pos or 4) - 4, line, column, line, column + 4, newline.end_pos)
