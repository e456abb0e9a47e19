"""Kernel text that takes actions and enumerates chance; a part of `exploration_kernel`."""

MOST_PICKS = 512
MOST_OUTCOMES = 1 << 22
MOST_ODDS = 1 << 62
"""The greatest denominator of a probability."""

DRAWING = '''
@part
def draw_again(c, given):
    """Let chance replay so many picks from the first."""
    c[1] = ZERO
    c[2] = as_word(given)
    c[3] = ZERO
    c[4] = ZERO
    c[6] = ZERO


@part
def missing(c, radix, given):
    """Add the pick that was asked for to so many others; how many there are then, or why it is one too many.

    Of each pick `radix` has its number of outcomes, and `MOST_PICKS` places further the draw that it is of.
    """
    if given == MOST_PICKS:
        return -5
    draw, wide, first = as_number(c[5]), as_number(c[4]), given
    radix[given], radix[MOST_PICKS + given] = wide, draw
    c[7 + given] = ZERO
    while first > 0 and radix[MOST_PICKS + first - 1] == draw:
        first -= 1
        wide *= radix[first]
        if wide > MOST_OUTCOMES:
            return -4
    return given + 1 if wide <= MOST_OUTCOMES else -4


@part
def odds_of(radix, given):
    """The denominator of the probability of so many picks; 0 if it is too large for a number."""
    odds = 1
    for j in range(given):
        if odds > MOST_ODDS // radix[j]:
            return 0
        odds *= radix[j]
    return odds


@part
def next_picks(c, radix, given):
    """Advance to the next picks; the number of picks that it fixes, 0 after the last."""
    while given > 0 and as_number(c[6 + given]) + 1 == radix[given - 1]:
        given -= 1
    if given > 0:
        c[6 + given] += ONE
    return given


@part
def actions_of(rows, number, s, b, m, kept):
    """Store the legal actions of the state in a row; their number, or a negative status."""
    unpack(rows, number, s, b)
    if s[OVER_AT] != 0 or s[FAULT_AT] != 0:
        return 0
    n = listing(s, b, m)
    for i in range(n * WIDTH):
        kept[i] = m[i]
    return n


@part
def take_action(rows, number, k, given, s, b, c, m, kept):
    """Take stored action k in the state in a row, chance replaying so many picks; see `play`.

    If the action faults, the state is the one before, marked as faulted.
    """
    unpack(rows, number, s, b)
    draw_again(c, given)
    for i in range(WIDTH):
        m[i] = kept[k * WIDTH + i]
    found = play(s, b, c, m, 0)
    if found == -1 and c[4] == ZERO:
        unpack(rows, number, s, b)
        s[FAULT_AT] = 1
    return found
'''
