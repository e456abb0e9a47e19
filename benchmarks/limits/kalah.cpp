// Kalah with six houses of four seeds: houses 0 to 5 and store 6 are the first player's, houses 7 to 12 and
// store 13 the second's.
#include "common.hpp"

namespace kalah {

static const int STORE = 6, OTHER_STORE = 13, HOLES = 14, ACROSS = 12, SEEDS = 4;

struct Board {
    unsigned char seeds[HOLES];

    Board() {
        for (int i = 0; i < HOLES; i++)
            seeds[i] = i == STORE || i == OTHER_STORE ? 0 : SEEDS;
    }

    // Sow from a house of the player whose houses begin at `side`; the side to move then.
    inline int sow(int house, int side) {
        int left = seeds[house], at = house, skipped = side ? STORE : OTHER_STORE;
        seeds[house] = 0;
        while (left--) {
            at++;
            if (at == HOLES)
                at = 0;
            if (at == skipped) {
                at++;
                if (at == HOLES)
                    at = 0;
            }
            seeds[at]++;
        }
        if (at == side + STORE)
            return side;
        if (at >= side && at < side + STORE && seeds[at] == 1) {
            int opposite = ACROSS - at;
            if (seeds[opposite]) {
                seeds[side + STORE] += 1 + seeds[opposite];
                seeds[at] = 0;
                seeds[opposite] = 0;
            }
        }
        return 7 - side;
    }

    inline int houses(int side) const {
        int sum = 0;
        for (int i = 0; i < STORE; i++)
            sum += seeds[side + i];
        return sum;
    }
};

extern "C" long kalah_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        Board board;
        int side = 0;
        for (;;) {
            int open[STORE], n = 0;
            for (int i = 0; i < STORE; i++)
                if (board.seeds[side + i])
                    open[n++] = side + i;
            side = board.sow(open[random.below(n)], side);
            played++;
            int mine = board.houses(0), theirs = board.houses(7);
            if (!mine || !theirs) {
                first_won += board.seeds[STORE] + mine > board.seeds[OTHER_STORE] + theirs;
                break;
            }
        }
    }
    *plies = played;
    return first_won;
}

static long sequences(const Board &board, int side, int depth) {
    long sum = 0;
    for (int i = 0; i < STORE; i++) {
        if (!board.seeds[side + i])
            continue;
        if (depth == 1) {
            sum++;
            continue;
        }
        Board next = board;
        int then = next.sow(side + i, side);
        if (next.houses(0) && next.houses(7))
            sum += sequences(next, then, depth - 1);
    }
    return sum;
}

extern "C" long kalah_perft(int depth) {
    return sequences(Board(), 0, depth);
}

} // namespace kalah
