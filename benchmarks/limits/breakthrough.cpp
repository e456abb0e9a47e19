// Breakthrough on 8x8: the player to move always goes up; after each ply the board is turned, byte by byte.
#include "common.hpp"

namespace breakthrough {

static const u64 NOT_LEFT = 0xfefefefefefefefeULL, NOT_RIGHT = 0x7f7f7f7f7f7f7f7fULL;
static const u64 TOP = 0xff00000000000000ULL;
static const u64 START = 0xffff, OTHERS_START = 0xffffULL << 48;
static const int AHEAD = 8, LEFT = 7, RIGHT = 9;

// The squares that can be entered, by direction.
struct Targets {
    u64 ahead, left, right;
};

static inline Targets targets(u64 mine, u64 theirs) {
    return {(mine << AHEAD) & ~(mine | theirs), ((mine & NOT_LEFT) << LEFT) & ~mine,
            ((mine & NOT_RIGHT) << RIGHT) & ~mine};
}

extern "C" long breakthrough_play(long games, long seed, long *plies) {
    Random random(seed);
    long played = 0, first_won = 0;
    for (long game = 0; game < games; game++) {
        u64 mine = START, theirs = OTHERS_START;
        long before = played;
        for (;;) {
            Targets open = targets(mine, theirs);
            int a = count(open.ahead), b = count(open.left), c = count(open.right);
            if (!(a + b + c))
                break;
            int k = random.below(a + b + c);
            u64 to, from;
            if (k < a) {
                to = kth_bit(open.ahead, k);
                from = to >> AHEAD;
            } else if (k < a + b) {
                to = kth_bit(open.left, k - a);
                from = to >> LEFT;
            } else {
                to = kth_bit(open.right, k - a - b);
                from = to >> RIGHT;
            }
            mine ^= to | from;
            theirs &= ~to;
            played++;
            if ((to & TOP) || !theirs) {
                first_won += (played - before) & 1;
                break;
            }
            u64 turned = __builtin_bswap64(mine);
            mine = __builtin_bswap64(theirs);
            theirs = turned;
        }
    }
    *plies = played;
    return first_won;
}

static long sequences(u64 mine, u64 theirs, int depth);

static inline long sequences_to(u64 open, int step, u64 mine, u64 theirs, int depth) {
    long sum = 0;
    for (; open; open &= open - 1) {
        u64 to = open & -open, left = theirs & ~to;
        if ((to & TOP) || !left)
            continue;
        sum += sequences(__builtin_bswap64(left), __builtin_bswap64(mine ^ (to | to >> step)), depth);
    }
    return sum;
}

static long sequences(u64 mine, u64 theirs, int depth) {
    Targets open = targets(mine, theirs);
    if (depth == 1)
        return count(open.ahead) + count(open.left) + count(open.right);
    return sequences_to(open.ahead, AHEAD, mine, theirs, depth - 1) +
           sequences_to(open.left, LEFT, mine, theirs, depth - 1) +
           sequences_to(open.right, RIGHT, mine, theirs, depth - 1);
}

extern "C" long breakthrough_perft(int depth) {
    return sequences(START, OTHERS_START, depth);
}

} // namespace breakthrough
