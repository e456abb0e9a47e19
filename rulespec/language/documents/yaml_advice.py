"""Advice on texts that are not YAML, based on the place where reading stopped."""

from __future__ import annotations

import re

_BLOCK = "write the text in quotes, or in a `|` block"
_TEXT = r"""("(?:[^"\\]|\\.)*"|'(?:[^']|'')*')"""
_AFTER_QUOTE = re.compile(rf"^\s*(?:- )*[\w-]+:\s*{_TEXT}\s*[^\s#]|^\s*- {_TEXT}\s*[^\s#:]")
_COLON_INSIDE = re.compile(r"^\s*(?:- )*[\w.-]+:\s+[^\s\"'|>{\[#&*!][^#]*:(?:\s|$)")
_SIGN_INSIDE = re.compile(r"[{,]\s*[\w.-]+:\s+[^\s\"'\[{][^\"',}]*?[\w()][\[{]")
_FIRST_SIGN = re.compile(r"^\s*(?:- )*(?:[\w.-]+:\s+)?([@`%&*!])")
_NO_COLON = re.compile(r"^\s*(?:- )*[\w.-]+(?:\s+\S.*)?$")
_NO_SPACE = re.compile(r"^\s*(?:- )*([\w.-]+):[^\s:]")


def yaml_advice(problem: str, lines: list[str], number: int) -> str:
    """Advice on a problem that the YAML parser found in a line (from 1); earlier lines may be the cause."""
    line = lines[number - 1] if 0 < number <= len(lines) else ""
    before = next((one for one in reversed(lines[: max(0, number - 1)]) if one.strip()), "")
    for one in (line, before):
        advice = _of_line(problem, one)
        if advice:
            return advice
    if ("',' or" in problem or "token" in problem) and _SIGN_INSIDE.search(line):
        return "inside `{…}` a text with brackets or commas goes in quotes, or its key on a line of its own"
    if "end of stream" in problem or "',' or" in problem:
        return "a quote or a bracket that was opened is never closed"
    if "tab" in problem:
        return "indent with spaces"
    if _indent(line) != _indent(before) and (":" in line or line.lstrip().startswith("- ")):
        told = f"this line is indented by {_indent(line)}, the one before by {_indent(before)}"
        return f"{told}: keys of one mapping are indented alike, and a text has no keys below it"
    return "formal text and prose that hold `: ` or ` #` go in a `|` block"


def _of_line(problem: str, line: str) -> str:
    """Advice on a problem in one line; empty if there is none."""
    if re.match(r" *\t", line):
        return "indent with spaces: there is a tab"
    if _AFTER_QUOTE.match(line):
        return "a text that begins with a quote ends with it: put all of it in quotes, or in a `|` block"
    if (sign := _FIRST_SIGN.match(line)) and (
        "token" in problem or "alias" in problem or "anchor" in problem
    ):
        return f"a text that begins with `{sign[1]}` goes in quotes"
    if _COLON_INSIDE.match(line):
        return f"a text that holds `: ` would be a key with a value: {_BLOCK}"
    if _NO_SPACE.match(line) and "expected ':'" in problem:
        return "a space stands after the colon of a key"
    if "expected ':'" in problem and _NO_COLON.match(line):
        return "a key ends with a colon; a text of several lines goes in a `|` block"
    return ""


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))
