"""The binary format of WebAssembly: numbers, sections, and the instructions used here.

Source: WebAssembly Core Specification 2.0, chapter 5 (binary format).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

I32, I64, F64 = b"\x7f", b"\x7e", b"\x7c"
EMPTY = b"\x40"
"""The type of a block without a result."""

UNREACHABLE, BLOCK, LOOP, IF, ELSE, END = b"\x00", b"\x02", b"\x03", b"\x04", b"\x05", b"\x0b"
BR, BR_IF, RETURN, CALL, DROP, SELECT = b"\x0c", b"\x0d", b"\x0f", b"\x10", b"\x1a", b"\x1b"
GET, SET, TEE = b"\x20", b"\x21", b"\x22"
GLOBAL_GET, GLOBAL_SET = b"\x23", b"\x24"
I64_LOAD, F64_LOAD, I64_LOAD32_S = b"\x29\x03", b"\x2b\x03", b"\x34\x02"
I64_LOAD8_U, I64_LOAD16_U, I64_LOAD32_U = b"\x31\x00", b"\x33\x01", b"\x35\x02"
I64_STORE, F64_STORE, I64_STORE32 = b"\x37\x03", b"\x39\x03", b"\x3e\x02"
MEMORY_COPY = b"\xfc\x0a\x00\x00"
I32_CONST, I64_CONST, F64_CONST = b"\x41", b"\x42", b"\x44"
I32_EQZ = b"\x45"
I32_ADD, I32_SHL, I32_AND, I32_OR = b"\x6a", b"\x74", b"\x71", b"\x72"
I32_SUB, I32_GE_U = b"\x6b", b"\x4f"
I32_WRAP, I64_EXTEND_U, F64_CONVERT = b"\xa7", b"\xad", b"\xb9"

NUMBER_COMPARE = {"==": b"\x51", "!=": b"\x52", "<": b"\x53", ">": b"\x55", "<=": b"\x57", ">=": b"\x59"}
WORD_COMPARE = {"==": b"\x51", "!=": b"\x52", "<": b"\x54", ">": b"\x56", "<=": b"\x58", ">=": b"\x5a"}
REAL_COMPARE = {"==": b"\x61", "!=": b"\x62", "<": b"\x63", ">": b"\x64", "<=": b"\x65", ">=": b"\x66"}
TRUTH_COMPARE = {"==": b"\x46", "!=": b"\x47"}
I64_OPS = {
    "+": b"\x7c", "-": b"\x7d", "*": b"\x7e", "&": b"\x83", "|": b"\x84", "^": b"\x85", "<<": b"\x86",
}  # fmt: skip
I64_DIV_S, I64_DIV_U, I64_REM_S, I64_REM_U = b"\x7f", b"\x80", b"\x81", b"\x82"
I64_SHR_S, I64_SHR_U, I64_CLZ, I64_CTZ, I64_POPCNT = b"\x87", b"\x88", b"\x79", b"\x7a", b"\x7b"
I64_SUB, I64_XOR = b"\x7d", b"\x85"
F64_OPS = {"+": b"\xa0", "-": b"\xa1", "*": b"\xa2", "/": b"\xa3", "min": b"\xa4", "max": b"\xa5"}
F64_NEG = b"\x9a"


_GROUPS = [bytes((value,)) for value in range(128)]
"""The groups of seven bits that end a number."""


def encode_unsigned(value: int) -> bytes:
    """A nonnegative number in groups of seven bits (LEB128)."""
    if value < 128:
        return _GROUPS[value]
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value)
    return bytes(out)


def encode_signed(value: int) -> bytes:
    """A signed number in groups of seven bits."""
    if -64 <= value < 64:
        return _GROUPS[value & 127]
    out = bytearray()
    while not -64 <= value < 64:
        out.append(value & 127 | 128)
        value >>= 7
    out.append(value & 127)
    return bytes(out)


def in_memory(instruction: bytes, number: int) -> bytes:
    """A load or store redirected from the first memory to another; its offset follows."""
    return bytes((instruction[0], instruction[1] | 0x40)) + encode_unsigned(number)


def vector(items: Iterable[bytes]) -> bytes:
    """The number of items, followed by the items."""
    listed = list(items)
    return encode_unsigned(len(listed)) + b"".join(listed)


def text(value: str) -> bytes:
    """A name."""
    encoded = value.encode()
    return encode_unsigned(len(encoded)) + encoded


def section(number: int, content: bytes) -> bytes:
    """A section with its number and size."""
    return bytes((number,)) + encode_unsigned(len(content)) + content


def function_type(parameters: Sequence[bytes], results: Sequence[bytes]) -> bytes:
    """The type of a function."""
    return b"\x60" + vector(parameters) + vector(results)


def module(
    types: Sequence[bytes],
    imports: Sequence[bytes],
    functions: Sequence[int],
    variables: Sequence[bytes],
    exports: Sequence[bytes],
    bodies: Sequence[bytes],
    data: Sequence[tuple[int, bytes]],
) -> bytes:
    """The bytes of a module, made of its sections and data, which come with their addresses."""
    chunks = ((encode_signed(at), encode_unsigned(len(held)) + held) for at, held in data)
    segments = [b"\x00" + I32_CONST + at + END + held for at, held in chunks]
    sections = [
        section(1, vector(types)),
        section(2, vector(imports)),
        section(3, vector(map(encode_unsigned, functions))),
        *([section(6, vector(variables))] if variables else []),
        section(7, vector(exports)),
        section(10, vector(encode_unsigned(len(body)) + body for body in bodies)),
    ]
    if segments:
        sections.append(section(11, vector(segments)))
    return b"\x00asm\x01\x00\x00\x00" + b"".join(sections)
