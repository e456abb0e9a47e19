// Tic-tac-toe: a word of nine bits for each player, and a table of the words that hold a line.
#include <cstring>
#include <utility>
#include <vector>

#include "common.hpp"

namespace tic_tac_toe {

static const u32 BOARD = 511;
static const int LINES[] = {7, 56, 448, 73, 146, 292, 273, 84};

struct Won {
    u64 words[8];

    Won() {
        memset(words, 0, sizeof words);
        for (int squares = 0; squares < 512; squares++)
            for (int line : LINES)
                if ((squares & line) == line)
                    words[squares >> 6] |= 1ULL << (squares & 63);
    }

    inline bool operator()(u32 squares) const { return words[squares >> 6] >> (squares & 63) & 1; }
};
static const Won won;

extern "C" long tic_tac_toe_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        u32 mine = 0, theirs = 0;
        int left = 9;
        for (;;) {
            u32 empty = BOARD & ~(mine | theirs);
            mine |= u32(kth_bit(empty, random.below(left)));
            left--;
            played++;
            if (won(mine)) {
                first_won += ~left & 1;
                break;
            }
            if (!left)
                break;
            std::swap(mine, theirs);
        }
    }
    *plies = played;
    return first_won;
}

static long sequences(u32 mine, u32 theirs, int left, int depth) {
    if (depth == 1)
        return left;
    long sum = 0;
    for (u32 empty = BOARD & ~(mine | theirs); empty; empty &= empty - 1) {
        u32 put = mine | (empty & -empty);
        if (!won(put) && left > 1)
            sum += sequences(theirs, put, left - 1, depth - 1);
    }
    return sum;
}

extern "C" long tic_tac_toe_perft(int depth) {
    return sequences(0, 0, 9, depth);
}

// How many positions a breadth-first search finds; *bytes of memory for them.
extern "C" long tic_tac_toe_explore(long *bytes) {
    std::vector<u32> found{0};
    std::vector<bool> seen(1 << 18);
    seen[0] = true;
    for (size_t i = 0; i < found.size(); i++) {
        u32 x = found[i] >> 9, o = found[i] & BOARD;
        if (won(x) || won(o))
            continue;
        bool second = count(x) > count(o);
        for (u32 empty = BOARD & ~(x | o); empty; empty &= empty - 1) {
            u32 put = empty & -empty;
            u32 next = second ? x << 9 | (o | put) : (x | put) << 9 | o;
            if (!seen[next]) {
                seen[next] = true;
                found.push_back(next);
            }
        }
    }
    *bytes = long(sizeof(u32) * found.capacity() + seen.size() / 8);
    return long(found.size());
}

} // namespace tic_tac_toe
