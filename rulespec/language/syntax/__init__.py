"""Formal text to trees and back: the grammar, the parser, the canonical printed form.

In: a formal text with its place in a file. Out: its tree, or its faults in words and in place; and the text
of a tree. It knows no names and no types.

In order: `layout` (lines and blocks) and `parser_tables` (the parser as data) -> `parser` -> `printer` (a
tree on one line or cut to fit) -> `text_printer` (whole texts with their comments).
"""
