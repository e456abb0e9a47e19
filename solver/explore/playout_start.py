"""Kernel text that sets up the start of a random play."""

SET_OUT = '''
@fast
def set_out(first, words, s, b, c, state):
    """Put everything as it is before the setup, with a generator in a state that is this play's own."""
    for i in range(len(first)):
        s[i] = first[i]
    for i in range(len(words)):
        b[i] = words[i]
    c[0] = state | ONE
    c[1] = ONE
    c[2] = ZERO
    c[3] = ZERO
    c[4] = ZERO

'''
"""`set_out`, to stand before a text that is loaded beside that of a game; see `Plain.beside`."""
