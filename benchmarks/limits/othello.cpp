// Othello on 8x8: legal squares and flipped discs by filling along each direction (Kogge and Stone).
#include <utility>

#include "common.hpp"

namespace othello {

static const u64 INNER = 0x7e7e7e7e7e7e7e7eULL;
static const u64 BLACK = 1ULL << 28 | 1ULL << 35, WHITE = 1ULL << 27 | 1ULL << 36;

// The empty squares at the end of a row of `theirs` that begins beside a disc of `mine`, in steps up or down.
static inline u64 ends(u64 mine, u64 theirs, u64 empty, int step, bool up) {
    u64 row, pairs;
    if (up) {
        row = (mine << step) & theirs;
        row |= (row << step) & theirs;
        pairs = theirs & (theirs << step);
        row |= (row << 2 * step) & pairs;
        row |= (row << 2 * step) & pairs;
        return (row << step) & empty;
    }
    row = (mine >> step) & theirs;
    row |= (row >> step) & theirs;
    pairs = theirs & (theirs >> step);
    row |= (row >> 2 * step) & pairs;
    row |= (row >> 2 * step) & pairs;
    return (row >> step) & empty;
}

static inline u64 legal(u64 mine, u64 theirs) {
    u64 empty = ~(mine | theirs), inner = theirs & INNER;
    return ends(mine, inner, empty, 1, true) | ends(mine, inner, empty, 1, false) |
           ends(mine, theirs, empty, 8, true) | ends(mine, theirs, empty, 8, false) |
           ends(mine, inner, empty, 7, true) | ends(mine, inner, empty, 7, false) |
           ends(mine, inner, empty, 9, true) | ends(mine, inner, empty, 9, false);
}

static inline u64 row_flipped(u64 put, u64 mine, u64 theirs, int step, bool up) {
    u64 row;
    if (up) {
        row = (put << step) & theirs;
        for (int i = 0; i < 5; i++)
            row |= (row << step) & theirs;
        return ((row << step) & mine) ? row : 0;
    }
    row = (put >> step) & theirs;
    for (int i = 0; i < 5; i++)
        row |= (row >> step) & theirs;
    return ((row >> step) & mine) ? row : 0;
}

static inline u64 flipped(u64 put, u64 mine, u64 theirs) {
    u64 inner = theirs & INNER;
    return row_flipped(put, mine, inner, 1, true) | row_flipped(put, mine, inner, 1, false) |
           row_flipped(put, mine, theirs, 8, true) | row_flipped(put, mine, theirs, 8, false) |
           row_flipped(put, mine, inner, 7, true) | row_flipped(put, mine, inner, 7, false) |
           row_flipped(put, mine, inner, 9, true) | row_flipped(put, mine, inner, 9, false);
}

extern "C" long othello_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        u64 mine = BLACK, theirs = WHITE;
        long before = played;
        for (;;) {
            u64 open = legal(mine, theirs);
            if (!open) {
                u64 others = legal(theirs, mine);
                if (!others)
                    break;
                played++;
                std::swap(mine, theirs);
                open = others;
            }
            u64 put = kth_bit(open, random.below(count(open)));
            u64 turned = flipped(put, mine, theirs);
            mine |= put | turned;
            theirs &= ~turned;
            std::swap(mine, theirs);
            played++;
        }
        bool second = (played - before) & 1;
        first_won += second ? count(theirs) > count(mine) : count(mine) > count(theirs);
    }
    *plies = played;
    return first_won;
}

static long sequences(u64 mine, u64 theirs, int depth) {
    u64 open = legal(mine, theirs);
    if (!open) {
        if (!legal(theirs, mine))
            return 0;
        return depth == 1 ? 1 : sequences(theirs, mine, depth - 1);
    }
    if (depth == 1)
        return count(open);
    long sum = 0;
    for (; open; open &= open - 1) {
        u64 put = open & -open, turned = flipped(put, mine, theirs);
        sum += sequences(theirs & ~turned, mine | put | turned, depth - 1);
    }
    return sum;
}

extern "C" long othello_perft(int depth) {
    return sequences(BLACK, WHITE, depth);
}

} // namespace othello
