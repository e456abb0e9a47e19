"""Images of packed states under symmetries; see `rulespec.code.packed_rows.images` for the tables.

The first symmetry is the identity.
"""

from __future__ import annotations

from .chance import actions_of, settle, take_action
from .game import CHANCY, ROW, WHOLE, pack_whole, repack, unpack
from .kit import ASKED, BIT, ZERO, apart, as_number, as_word, fast, mix, part
from .packed_rows import alike, copy_row
from .shapes import Images, Now, Numbers, VastNumbers, VastWords, Words

UNLIKE, CHANCE = 1, -7
"""Results of a comparison: a state unlike its image; an action with chance in it, which is not played."""


@part
def turn(rows: Words, at: int, element: int, images: Images, out: Words, to: int) -> None:
    """Write the image of the row at a place under a symmetry to a place in `out`."""
    chunks, turned, _ = images
    base = element * chunks[1]
    for i in range(ROW):
        image = ZERO
        for k in range(3, 3 + 4 * chunks[0], 4):
            x = as_number(rows[at + chunks[k]] >> as_word(chunks[k + 1]) & as_word(chunks[k + 2]))
            image |= turned[base + chunks[k + 3] + x * ROW + i]
        out[to + i] = image


@part
def elements_of(images: Images) -> int:
    """Number of symmetries; 0 if there are none."""
    return images[0][2]


@fast
def fold(row: Words, images: Images) -> None:
    """Replace a row by its least image."""
    if elements_of(images) > 0:
        put_least_image(row, images)


@apart
def put_least_image(row: Words, images: Images) -> None:
    """Replace a row by its least image, when there are symmetries; see `fold`."""
    image = images[2]
    copy_row(image, ROW, row, 0)
    for element in range(1, elements_of(images)):
        turn(row, 0, element, images, image, 0)
        i = 0
        while i < ROW - 1 and image[i] == image[ROW + i]:
            i += 1
        if image[i] < image[ROW + i]:
            copy_row(image, ROW, image, 0)
    copy_row(row, 0, image, ROW)


@fast
def turn_all(first: int, last: int, rows: VastWords, element: int, images: Images, out: VastWords) -> None:
    """Write the images of rows under a symmetry one after the other."""
    for number in range(first, last):
        turn(rows, number * ROW, element, images, out, (number - first) * ROW)


@part
def stabiliser(rows: Words, number: int, images: Images) -> int:
    """Number of symmetries that leave a row unchanged."""
    found, image = 0, images[2]
    for element in range(elements_of(images)):
        turn(rows, number * ROW, element, images, image, 0)
        if alike(image, 0, rows, number * ROW):
            found += 1
    return found


@fast
def orbit_sizes(first: int, last: int, rows: VastWords, images: Images, notes: VastNumbers) -> None:
    """Write the number of different images of each row."""
    elements = elements_of(images)
    for number in range(first, last):
        notes[number - first] = elements // stabiliser(rows, number, images)


@fast
def sums(rows: VastWords, count: int, now: Now, images: Images, out: Words, found: Words) -> None:
    """Four order-independent sums of hashes over the rows and all their images, each counted once.

    Hashes are of whole rows.
    """
    s, b, whole = now[0], now[1], now[5]
    elements = max(1, elements_of(images))
    for lane in range(4):
        found[lane] = ZERO
    for number in range(count):
        copy_row(out, 0, rows, number * ROW)
        several = elements > 1 and stabiliser(rows, number, images) > 1
        for element in range(elements):
            known = False
            if element > 0:
                turn(rows, number * ROW, element, images, out, element * ROW)
                for other in range(element if several else 0):
                    if alike(out, other * ROW, out, element * ROW):
                        known = True
            if not known:
                unpack(out, element * ROW, s, b)
                pack_whole(s, b, whole)
                for lane in range(4):
                    h = BIT[lane]
                    for i in range(WHOLE):
                        h = mix(h ^ whole[i])
                    found[lane] += h


@fast
def followers(rows: Words, at: int, now: Now, after: Words) -> int:
    """Write the states after each action of a row one after the other; return their number.

    An error status if that fails, CHANCE if an action has chance in it.
    """
    s, b, c, m, _, row, _ = now
    n = actions_of(rows, at, now)
    for k in range(n):
        found = take_action(k, 0, now)
        if CHANCY and c[ASKED] != ZERO:
            return CHANCE
        if found == 0:
            found = min(0, settle(s, b, m))
        if found < 0:
            return found
        repack(row, WHOLE, s, b, row)
        copy_row(after, k * ROW, row, 0)
    return n


@fast
def compare(
    last: int, rows: VastWords, now: Now, images: Images, after: Words, others: Words, into: Numbers
) -> int:
    """Compare the successors of each state, from into[0] to before `last`, with those of its images.

    For each symmetry, the successors of the image must be the images of the successors, with equal counts. If
    they are not, returns UNLIKE, with the symmetry in into[1].
    """
    image = images[2]
    while into[0] < last:
        n = followers(rows, into[0], now, after)
        if n < 0:
            return n
        for element in range(1, elements_of(images)):
            into[1] = element
            turn(rows, into[0] * ROW, element, images, image, 0)
            many = followers(image, 0, now, others)
            if many < 0 or many != n:
                return many if many < 0 else UNLIKE
            for k in range(n):
                turn(after, k * ROW, element, images, image, 0)
                j = k
                while j < n and not alike(others, j * ROW, image, 0):
                    j += 1
                if j == n:
                    return UNLIKE
                copy_row(others, j * ROW, others, k * ROW)
        into[0] += 1
    return 0
